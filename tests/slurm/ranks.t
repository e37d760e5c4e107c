#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ranks.t - RankOrder: slurmctld gives nodes ranks by routes, and srun follows
#
# Clients are stock.  Slurm before 26.05 has no ranks of nodes: nothing changes.
test_description='rank order by slurmctld'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"
. "$SFAB_SRCDIR/tests/slurm/launched.sh"

place_ready

# Three leaves of four hosts.  Names alone meet in two of three steps.
nodes='n[1-3,5-6,9-11]'
place_snapshot 3 2 4 1 >/dev/null
SFABRIC_SNAPSHOT=$place_dir/fabric.snap
export SFABRIC_SNAPSHOT
rest='DefaultTraffic=allreduce=1'
SLURM_EXTRA=$SLURM_EXTRA,permit_job_expansion
# also of the restarts to come
SLURM_PLUGINDIRS=$(dirname "$place_plugin")
place_conf Mode=on RankOrder=yes $rest

test_expect_success 'the cluster starts' '
	place_start ranks "n[1-12]" &&
	"$sfabric" order --nodes "$nodes" --pattern allreduce \
		--format slurm >ours &&
	scontrol show hostnames "$nodes" >names && ! test_cmp names ours >/dev/null'

# Before 26.05 steps go by names, whatever slurmctld knows.
by_routes=names
! slurm_at_least 26 5 || by_routes=ours

# within JOB COMMAND...: as the job's batch script would run it
within () {
	within=$1
	shift
	(
		SLURM_JOB_ID=$within SLURM_JOB_NODELIST=$(slurm_nodes $within) &&
		SLURM_JOB_NUM_NODES=$(scontrol show hostnames "$SLURM_JOB_NODELIST" |
			wc -l) &&
		export SLURM_JOB_ID SLURM_JOB_NODELIST SLURM_JOB_NUM_NODES &&
		"$@"
	)
}

# taken FILE OPTION...: a step of $job has the nodes in the order of the file
taken () {
	expected=$1
	shift
	within $job launched --overlap "$@" >actual && test_cmp "$expected" actual
}

# tasks_taken FILE: two tasks on each node, and nothing said about them
tasks_taken () {
	(
		SLURM_NTASKS=16 SLURM_TASKS_PER_NODE="2(x8)" &&
		export SLURM_NTASKS SLURM_TASKS_PER_NODE && taken "$1"
	)
}

# start OPTION...: a job on these nodes; sets $job
start () {
	job=$(place_alloc -w "$nodes" -N$(scontrol show hostnames "$nodes" | wc -l) --ntasks-per-node=2 "$@") && test -n "$job"
}

# comment_has TEXT: so has AdminComment of $job
comment_has () {
	scontrol show job $job | grep -q "AdminComment=.*$1"
}

# starts_with TEXT, starts_without TEXT: start, and is that in AdminComment?  The
# plugin reads its files from the first question on, and again in another thread.
starts_with () {
	start && { comment_has "$1" || { scancel $job && slurm_wait place_is_quiet && false; }; }
}

starts_without () {
	start && { ! comment_has "$1" || { scancel $job && slurm_wait place_is_quiet && false; }; }
}

# is_ranked: slurmctld's side says so, in each place
is_ranked () {
	scontrol show job $job | grep -q "AdminComment=.*, ranks by routes: steps 1.333, by name 2.000" &&
	slurm_wait grep -q "\"job\":$job,.*\"ranks\":{.*\"found\":1.33333}" \
		"$place_dir/decisions" &&
	place_said "JobId=$job: .*, ranks by routes: steps 1.333, by name" >/dev/null &&
	"$sfabric" explain $job --verify --log "$place_dir/decisions" >text &&
	grep "^ranks by routes: " text && grep "the same certificate" text
}

# is_not_ranked: Slurm's own order holds
is_not_ranked () {
	! scontrol show job $job | grep "AdminComment=.*ranks by" &&
	taken names -m block && tasks_taken names2
}

sed p names >names2
sed p $by_routes >by_routes2

test_expect_success 'steps of several tasks on a node, and -m block, go by routes' '
	slurm_wait starts_with placed &&
	tasks_taken by_routes2 && taken $by_routes -m block'

if slurm_at_least 26 5; then
	test_expect_success 'AdminComment, log and explain say that ranks go by routes' 'is_ranked'
else
	test_expect_success 'nothing says that ranks go by routes, and they do not' 'is_not_ranked'
fi

test_expect_success 'one task on a node and nothing said: srun goes by names' '
	taken names && taken names -m cyclic'

test_expect_success 'several steps; a step on two nodes runs on the first by rank' '
	head -n 2 $by_routes >two && taken two -N2 -n2 -m block &&
	taken $by_routes -m block'

# runs_again: after a restart of the controller
runs_again () {
	slurm_wait_job $job RUNNING && slurm_wait slurm_all_registered
}

test_expect_success 'a restart of slurmctld keeps the ranks' '
	slurm_wait_saved $job && slurm_restart_ctld && runs_again &&
	taken $by_routes -m block && tasks_taken by_routes2 &&
	slurm_kill_ctld && slurm_start_ctld && runs_again &&
	taken $by_routes -m block'

test_expect_success 'a job that gives nodes back keeps the order of the others' '
	scontrol update jobid=$job nodelist="n[1-3,5-6,9]" &&
	grep -vx "n1[01]" $by_routes >kept && taken kept -m block &&
	scancel $job && slurm_wait_idle'

# Three seconds: slurmd takes no job again in the second in which it ended it.
test_expect_success 'a requeued job gets ranks again' '
	slurm_wait starts_with placed && place_cancel &&
	job=$(slurm_submit -w "$nodes" -N8 --ntasks-per-node=2 --requeue) &&
	slurm_wait_job $job RUNNING && taken $by_routes -m block && scontrol requeue $job &&
	slurm_wait_job $job PENDING && ! scontrol show job $job | grep "ranks by" &&
	scontrol update jobid=$job starttime=now+3 && slurm_wait_job $job RUNNING &&
	taken $by_routes -m block && tasks_taken by_routes2 && place_cancel'

test_expect_success 'a batch job' '
	sbatch --parsable -w "$nodes" -N8 --ntasks-per-node=2 -o "$PWD/batch.out" -W \
		--wrap="srun -v -o none -- true" >/dev/null &&
	sed -n "s/^.*on host \([^,]*\), 2 tasks: \[*\([0-9]*\).*/\2 \1/p" batch.out |
		sort -n | cut -d" " -f2 >actual && test_cmp $by_routes actual'

test_expect_success 'Slurm orders heterogeneous jobs, and those of another distribution' '
	job=$(slurm_submit -w "n[1-3,5-6]" -N5 : -w "n[9-10]" -N2) &&
	slurm_wait_job $job+0 RUNNING && slurm_wait_job $job+1 RUNNING &&
	! scontrol show job $job | grep "ranks by" && place_cancel &&
	for distribution in cyclic plane=2; do
		job=$(place_alloc -w "$nodes" -N8 -n16 -m $distribution) &&
			comment_has placed && ! comment_has "ranks by" &&
			place_cancel || return 1
	done'

test_expect_success 'mode observe or off, and RankOrder=no: as without the plugin' '
	for line in "Mode=observe RankOrder=yes" "Mode=off RankOrder=yes" \
		"Mode=on RankOrder=no" \
		"Mode=on RankOrder=yes PartitionMode=main:observe"; do
		place_conf $line $rest && slurm_wait starts_without "ranks by" &&
			is_not_ranked && place_cancel || return 1
	done'

# scontrol fails afterwards: it looks for the job that it made end.  From 25.05 on
# slurmctld dies in _valid_license_job_expansion(), without a plugin, too.
slurm_at_least 25 5 ||
test_expect_success 'a job that takes the nodes of another goes by names' '
	place_conf Mode=on RankOrder=yes $rest &&
	nodes="n[1-3,5-6,9-10]" && slurm_wait starts_with placed &&
	nodes="n[1-3,5-6,9-11]" &&
	more=$(place_alloc -w n11 -N1 --ntasks-per-node=2 --dependency=expand:$job) &&
	{ scontrol update jobid=$more numnodes=0 || :; } &&
	scontrol show hostnames "$(slurm_nodes $job)" >merged &&
	test_cmp names merged && taken names -m block && place_cancel'

# topology/tree alone fills the same array: a number for each leaf.
test_expect_success 'beside topology/tree' '
	printf "SwitchName=s%s Nodes=n[%s]\n" 1 1-4 2 5-8 3 9-12 >topology.conf &&
	echo "SwitchName=root Switches=s[1-3]" >>topology.conf &&
	place_conf Mode=on RankOrder=yes $rest &&
	SLURM_TOPOLOGY=$PWD/topology.conf && slurm_restart_ctld && slurm_wait_idle &&
	slurm_wait starts_with placed && taken $by_routes -m block &&
	tasks_taken by_routes2 && slurm_wait_saved $job && slurm_restart_ctld &&
	runs_again && taken $by_routes -m block && place_cancel'

test_expect_success 'CR_NO_DIST_TOPO_BLOCK: Slurm has no ranks' '
	! slurm_at_least 26 5 || {
		place_conf Mode=on RankOrder=yes $rest &&
		SLURM_EXTRA="$SLURM_EXTRA
SelectTypeParameters=CR_Core,CR_NO_DIST_TOPO_BLOCK" &&
		slurm_restart_ctld && slurm_wait_idle &&
		slurm_wait starts_with placed && is_not_ranked && place_cancel
	}'

test_expect_success 'no error of ours' '
	! grep "error: sfabric\|node_ranks" "$slurm_dir/slurmctld.log"'

test_done
