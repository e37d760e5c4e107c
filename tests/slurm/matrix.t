#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# matrix.t - every kind of job: as stock, observed, broken, placed
#
# Each kind is a little story on an empty cluster whose end is the nodes that its
# jobs had, one line a job.  Stock Slurm of the same version tells them first.
# With the plugin in mode off or observe, or with a broken snapshot, the lines
# must be the same; in mode on every job must run that ran there, on as many
# nodes.  Everywhere both Luas are there: job_submit/lua tags jobs, the site's
# script sees those that the plugin places.  check does observe and on, check-long
# all four (SFAB_TEST_MODES); SFAB_TEST_KINDS: these kinds only.
#
# A kind that fails takes no other with it.  The next one gets a new cluster, and
# what stock Slurm did not tell is not compared.
test_description='every kind of job in every mode'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready
modes=${SFAB_TEST_MODES:-observe on}
SALLOC_IMMEDIATE=$(($(patience 30000) / 1000))	# what does not start is an error
export SALLOC_IMMEDIATE
# a leaf more than the cluster has nodes for, for those that come later
tree="9 4 4 4"
place_snapshot $tree >/dev/null

# -- the kinds --------------------------------------------------------------

kinds='exclusive shared tasks memory mincpus overcommit range required excluded
contiguous spread weight hint array het user oversubscribe licence gres
reservation resize suspend drain requeue preempt gang dependency backfill power
create register'
slurm_spreads || kinds=$(echo "$kinds" | sed 's/ spread / /')
kinds=${SFAB_TEST_KINDS:-$kinds}

# had ID...: their nodes
had () {
	for had_id; do
		slurm_nodes "$had_id"
	done
}

# one OPTION...: an allocation, and what it had
one () {
	one_id=$(place_alloc "$@") && had "$one_id"
}

# A job that could not start at once starts within the deadline.
starts () {
	slurm_wait_job "$1" RUNNING && had "$1"
}

kind_exclusive () { one -p excl -N3 && one -p excl -N5; }
kind_shared () { one -N2 -n 6 && one -N3 -n 9 && one -N1 -n 2; }
kind_tasks () { one -n 20 && one -n 50 && one -p excl -n 33; }
kind_memory () { one -N2 --mem=5000 && one -N2 --mem=5000 && one -n 30 --mem-per-cpu=1500; }
kind_mincpus () { one -N2 -n 6 && one -N2 --mincpus=7; }
# Slurm 24.11 does not start more tasks than CPUs on whole nodes.
kind_overcommit () { one -p excl -N2 -n 16 -O && one -N2 -n 40 -O; }
kind_range () { one -p excl -N2-6 && one -p excl -N1-2; }
kind_required () { one -p excl -N3 -w n9 && one -p excl -N2 -w n[21-22]; }
kind_excluded () { one -p excl -N3 -x n[1-20]; }
kind_contiguous () { one -p excl -N1 -w n3 && one -p excl -N4 --contiguous; }
kind_spread () { one -N3 -n 6 --spread-job; }
kind_hint () { one -p excl -N4 --comment=sfabric:io-write=0.4 && one -p excl -N4 --comment=sfabric:off; }
kind_user () { one -N1 --exclusive=user -n 2 && one -N1 --exclusive=user -n 2; }
kind_oversubscribe () { one -p share -N4 -n 32 && one -p share -N6 -n 24; }

# Nodes n[25-32] weigh more: a job of 26 must take some.
kind_weight () { one -p excl -N26; }

kind_array () {
	id=$(slurm_submit -p excl -N2 --array=0-2) &&
	for task in 0 1 2; do
		slurm_wait_job "${id}_$task" RUNNING &&
		had "${id}_$task" || return 1
	done
}

kind_het () {
	id=$(slurm_submit -p excl -N2 : -p excl -N3) &&
	starts "$id+0" && starts "$id+1"
}

kind_licence () {
	first=$(place_alloc -p excl -N2 -L lic:3) && had "$first" &&
	next=$(slurm_submit -p excl -N3 -L lic:2) &&
	slurm_wait_job "$next" PENDING && scancel "$first" && starts "$next"
}

kind_gres () {
	one -N2 --gres=disk:2 && one -N2 --gres=disk:1 && one -p excl -N3
}

kind_reservation () {
	scontrol create reservation=now starttime=now duration=60 \
		nodes="n[1-8]" users="$(id -un)" >/dev/null &&
	one -p excl -N3 --reservation=now && one -p excl -N3
	kind_status=$?
	place_cancel && scontrol delete reservation=now &&
	return $kind_status
}

kind_resize () {
	id=$(place_run -p excl -N4) && had "$id" &&
	scontrol update jobid="$id" numnodes=2 >/dev/null && had "$id" &&
	rm -f slurm_job_* && one -p excl -N30
}

kind_suspend () {
	id=$(place_run -p excl -N4) && had "$id" && scontrol suspend "$id" &&
	slurm_wait_job "$id" SUSPENDED && one -p excl -N4 &&
	scontrol resume "$id" && slurm_wait_job "$id" RUNNING
}

kind_drain () {
	scontrol update nodename=n[1-4] state=drain reason=test &&
	one -p excl -N6 && scontrol update nodename=n[1-4] state=resume &&
	one -p excl -N26
}

# Three seconds: slurmd takes no job again in the second in which it ended it.
kind_requeue () {
	id=$(place_run -p excl -N4 --requeue) && had "$id" &&
	scontrol requeue "$id" &&
	slurm_wait waits_to_begin "$id" &&
	scontrol update jobid="$id" starttime=now+3 && starts "$id"
}

waits_to_begin () {
	scontrol show job "$1" | grep -q Reason=BeginTime
}

kind_preempt () {
	low=$(place_run -p low -N30) && had "$low" &&
	high=$(slurm_submit -p high -N8) && starts "$high"
}

kind_dependency () {
	first=$(place_run -p excl -N4) && had "$first" &&
	next=$(slurm_submit -p excl -N4 -d afterany:"$first") &&
	scancel "$first" && starts "$next"
}

kind_backfill () {
	long=$(place_run -p excl -N20 -t 60) && had "$long" &&
	planned=$(slurm_submit -p excl -N24 -t 60) &&
	slurm_wait_job "$planned" PENDING &&
	short=$(slurm_submit -p excl -N3 -t 5) && starts "$short" &&
	slurm_job_is "$planned" PENDING && scancel "$long" "$short" &&
	starts "$planned"
}

# Two jobs, five of eight nodes each, take turns of five seconds.
kind_gang () {
	first=$(place_run -p gang -N5 -n 40) && had "$first" &&
	next=$(slurm_submit -p gang -N5 -n 40) && starts "$next" &&
	slurm_wait_job "$first" SUSPENDED && slurm_wait_job "$first" RUNNING &&
	slurm_wait_job "$next" SUSPENDED
}

# Nodes that sleep are woken only where those awake are too few.  Slurm says that
# they sleep before their daemons are gone.
kind_power () {
	: >"$place_dir/woken"
	awake=$(cd "$slurm_dir/run" && cat n1.pid n2.pid n3.pid n4.pid) &&
	scontrol update nodename="n[1-4]" state=power_down &&
	slurm_wait all_are '*+POWERED_DOWN' n1 n2 n3 n4 &&
	slurm_wait all_gone $awake &&
	one -p excl -N6 && wakes -N24 &&
	echo "= $(wc -l <"$place_dir/woken") woken" &&
	place_cancel && slurm_wait are_awake n1 n2 n3 n4 || {
		scontrol show node "n[1-4]" | grep State= >&2
		tail "$slurm_dir"/log/n[1-4].log >&2
		return 1
	}
}

# It has its nodes before they are awake.
wakes () {
	id=$(place_alloc -p excl "$@") && starts "$id"
}

# all_gone PID...
all_gone () {
	for pid; do
		slurm_gone "$pid" || return 1
	done
}

# all_are PATTERN NODE...: their states
all_are () {
	pattern=$1
	shift
	for node; do
		case $(slurm_node_state "$node") in
		$pattern) ;;
		*) return 1 ;;
		esac
	done
}

# are_awake NODE...: Slurm can use them; those that sleep are woken.  On a busy machine a
# daemon may fail to come up, and its node is down then and sleeps.  One that came up and
# does not answer is IDLE+NOT_RESPONDING.  One that was about to wake when it was asked to
# is IDLE+POWER_UP from then on.
are_awake () {
	sleepers=0
	for node; do
		case $(slurm_node_state "$node") in
		IDLE|IDLE+POWER_UP) continue ;;
		*POWERING*) ;;
		*POWERED_DOWN*)
			scontrol update nodename="$node" state=power_up ;;
		esac
		sleepers=$((sleepers + 1))
	done
	test $sleepers -eq 0
}

# A node that an admin adds sleeps until a job needs it.  Those that kind_power woke may
# have ceased to answer since.
kind_create () {
	slurm_wait are_awake n1 n2 n3 n4 &&
	scontrol create nodename=n33 nodeaddr="$slurm_address" \
		nodehostname="$slurm_host" port=$((slurm_port + 999)) state=CLOUD \
		$SLURM_NODE_KEYS Gres=disk:2 >/dev/null &&
	one -p excl -N3 && wakes -N4 -w n33 && leaves n33
}

# One that registers itself is there at once.
kind_register () {
	slurm_wait are_awake n1 n2 n3 n4 &&
	slurm_start_dynamic n33 "$SLURM_NODE_KEYS Gres=disk:2" &&
	slurm_wait slurm_node_is n33 IDLE+DYNAMIC_NORM &&
	one -p excl -N3 && one -p excl -N4 -w n33 && leaves n33
}

leaves () {
	place_cancel && slurm_stop_node "$1" && scontrol delete nodename="$1"
}

# -- in each mode ------------------------------------------------------------

SLURM_PARTITIONS='PartitionName=main Nodes=ALL Default=YES OverSubscribe=NO State=UP PreemptMode=OFF
PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP PreemptMode=OFF
PartitionName=share Nodes=ALL OverSubscribe=FORCE:2 State=UP PreemptMode=OFF
PartitionName=low Nodes=ALL OverSubscribe=EXCLUSIVE PriorityTier=1 State=UP PreemptMode=CANCEL
PartitionName=high Nodes=ALL OverSubscribe=EXCLUSIVE PriorityTier=5 State=UP PreemptMode=OFF
PartitionName=gang Nodes=n[1-8] OverSubscribe=FORCE:2 State=UP'
SLURM_EXTRA="SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
Licenses=lic:4
GresTypes=disk
PreemptType=preempt/partition_prio
PreemptMode=CANCEL,GANG
SchedulerTimeSlice=5
MaxNodeCount=40
SuspendTime=100000
SuspendProgram=$place_dir/suspend
ResumeProgram=$place_dir/resume
SuspendTimeout=1
ResumeTimeout=60
SlurmctldParameters=power_save_interval=1,idle_on_node_suspend
SchedulerParameters=$place_scheduler"
place_job_submit
nodes_light='n[1-24] Gres=disk:2' nodes_heavy='n[25-32] Weight=10 Gres=disk:2'

# power NAME COMMAND: what Slurm calls to wake nodes, or to put them to sleep
power () {
	cat >"$place_dir/$1" <<-END
	#!/bin/sh
	# \$1: host list; of its environment only SLURM_CONF is there
	PATH=$PATH
	slurm_dir=\${SLURM_CONF%/*}
	for node in \$(scontrol show hostnames "\$1"); do
		$2
	done
	END
	chmod +x "$place_dir/$1"
}

# When a program ends, Slurm kills what is left in its process group: on a busy machine also
# a slurmd that is about to leave it.
slurm_programs () {
	dynamic="-Z --conf '$SLURM_NODE_KEYS Gres=disk:2'"
	power suspend 'pid=$(cat "$slurm_dir/run/$node.pid")
		: >"$slurm_dir/run/$node.going"
		kill $pid
		while kill -0 $pid; do sleep 0.1; done
		rm "$slurm_dir/run/$node.going"' &&
	power resume "echo \$node >>$place_dir/woken
		while test -e \"\$slurm_dir/run/\$node.going\"; do sleep 0.1; done
		mkdir -p \"\$slurm_dir/spool/\$node\"
		case \$node in
		n33) set -- $dynamic ;;
		*) set -- ;;
		esac
		SFAB_CLUSTER=\$slurm_dir setsid $(slurm_program slurmd) -b \
			-f \"\$SLURM_CONF\" -N \$node \"\$@\""
}

# What must be the same of a kind: its nodes, or how many. Which nodes slurmd has
# cleaned up first decides about those that wait for others to end; how many a
# job without -N has is up to who places it.
compared () {
	case "$2 $1" in
	*' preempt'|*' gang'|*' backfill'|*' dependency'|*' requeue'|*' suspend') echo sizes ;;
	on' '*) echo sizes ;;
	*) echo nodes ;;
	esac
}

nodes () {
	cat "$2"
}

# sizes KIND FILE: how many nodes, in place of which
sizes () {
	while read -r had; do
		case "$1 $had" in
		tasks*|memory*) echo some ;;
		*' = '*) echo "$had" ;;
		*) scontrol show hostnames "$had" | wc -l ;;
		esac
	done <"$2"
}

same_as_stock () {
	what=$(compared "$1" "$mode") &&
	$what "$1" "stock.$1" >want && $what "$1" "$mode.$1" >got &&
	test_cmp want got
}

# begin: the cluster of $mode
begin () {
	place_snapshot $tree >/dev/null
	case $mode in
	broken)	truncate -s 1000 "$place_dir/fabric.snap" && in_conf=on ;;
	*)	in_conf=$mode ;;
	esac &&
	if test "$mode" = stock; then
		place_stock_start stock "$nodes_light" "$nodes_heavy"
	else
		place_conf "Mode=$in_conf" DefaultTraffic=mpi \
			$(place_policy) &&
		place_start "$mode" "$nodes_light" "$nodes_heavy" && place_warm
	fi || spoil
}

# tell KIND: its story, a line a job.  One that ends badly leaves jobs that do not
# start, nodes that sleep or are reserved.
tell () {
	"kind_$1" >"$mode.$1" && cat "$mode.$1" && place_cancel || spoil
}

# Fails: what the cluster is like now.  It is to end before the next test.
spoil () {
	spoilt=yes
	squeue >&2
	sinfo -N -o '%N %T %E' >&2
	return 1
}

end_spoilt () {
	test -z "$spoilt" || slurm_stop
	spoilt=
}

spoilt=
slurm_programs
for mode in stock $modes; do
	for kind in $kinds; do
		test -n "$slurm_dir" ||
			test_expect_success "$mode: begins" begin
		end_spoilt
		test -n "$slurm_dir" || break
		if test $mode = stock; then
			test_expect_success "$mode: $kind" '
				tell $kind && test_set_prereq TOLD_$kind'
		else
			test_expect_success "TOLD_$kind" "$mode: $kind" '
				tell $kind && same_as_stock $kind'
		fi
		end_spoilt
	done
	slurm_stop
done

test_expect_success 'mode on did place' '
	case "${SFAB_TEST_KINDS+some}  $modes " in
	" "*" on "*) test $(grep -c "\"reason\":\"placed\"" "$place_dir/decisions") -ge 20 ;;
	esac'

test_done
