#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# place_kinds.t - every kind of job runs with the plugin, where it should
test_description='jobs of every kind run with the plugin'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready
place_snapshot >/dev/null

decisions=$place_dir/decisions
place_job_submit
place_conf Mode=on DefaultTraffic=mpi $(place_policy)
SLURM_PARTITIONS='PartitionName=main Nodes=ALL Default=YES OverSubscribe=NO State=UP
PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP
PartitionName=share Nodes=ALL OverSubscribe=FORCE:2 State=UP
PartitionName=lln Nodes=ALL LLN=YES State=UP'

test_expect_success 'the cluster starts with the plugin' '
	place_start kinds "n[1-24] Weight=10" "n[25-32] Weight=20" &&
	place_warm'

# placed OPTION...: a job with them runs, placed by its routes
placed () {
	job=$(place_run "$@") && test "$(place_reason $job)" = placed
}

# left WORD OPTION...: it runs, left to Slurm for this reason
left () {
	word=$1
	shift
	job=$(place_run "$@") && test "$(place_reason $job)" = "stock $word"
}

# waits_for ID REASON
waits_for () {
	test "$(squeue -h -j "$1" -o %r)" = "$2"
}

count () {
	place_node_names $job | wc -l
}

test_expect_success 'whole nodes' '
	placed -p excl -N4 && test $(count) -eq 4'
test_expect_success 'shared nodes' '
	placed -N4 && test $(count) -eq 4'
test_expect_success 'tasks without a node count' '
	place_cancel &&
	placed -n 20 && test $(count) -eq 3 && place_cancel &&
	placed -n 3 && test $(count) -eq 1 && place_cancel &&
	placed -n 12 -c 2 && test $(count) -eq 3 && place_cancel &&
	placed -n 6 --ntasks-per-node=2 && test $(count) -eq 3'
test_expect_success 'jobs that share nodes fill those in use first' '
	first=$(place_node_names $job) &&
	placed -N4 -n 8 &&
	test $(place_node_names $job | grep -cxF "$first") -eq 3 &&
	placed -n 10 && ! place_node_names $job | grep -vxF "$first"'
test_expect_success 'many tasks without a node count, whole nodes' '
	place_cancel &&
	placed -p excl -n 40 && test $(count) -eq 5'
test_expect_success '-w and other nodes' '
	placed -p excl -N3 -w n12 &&
	place_node_names $job | grep -qx n12 && test $(count) -eq 3'
test_expect_success '-x' '
	place_cancel &&
	placed -p excl -N6 -x "n[1-16]" &&
	! place_node_names $job | grep -Ex "n([1-9]|1[0-6])"'
test_expect_success '-N2-6 gets six' '
	placed -p excl -N2-6 && test $(count) -eq 6'
# Stock gives 23.  With twenty no two messages meet, and the job ends no later.
test_expect_success '-N8-23 gets the count that loses fewest node hours' '
	place_cancel &&
	placed -p excl -N8-23 --comment=sfabric:alltoall=1 && test $(count) -eq 20 &&
	place_cancel &&
	left hint-off -p excl -N8-23 --comment=sfabric:off && test $(count) -eq 23'
test_expect_success '--contiguous runs on neighbors' '
	job=$(place_run -p excl -N3 --contiguous) &&
	place_node_names $job | tr -d n | sort -n >list &&
	test $(($(tail -n 1 list) - $(head -n 1 list))) -eq 2'
test_expect_success 'node weights come first' '
	place_cancel &&
	placed -p excl -N20 &&
	! place_node_names $job | grep -Ex "n(2[5-9]|3[0-2])" &&
	placed -p excl -N6 &&
	place_node_names $job | grep -Evx "n(2[5-9]|3[0-2])" >light &&
	test $(wc -l <light) -eq 4'
test_expect_success 'more nodes than are free waits, then runs' '
	job=$(slurm_submit -p excl -N30) &&
	place_run -N1 >/dev/null && slurm_job_is $job PENDING &&
	scancel $(squeue -h -t R -o %i) &&
	slurm_wait_job $job RUNNING &&
	place_cancel'
test_expect_success 'all nodes: nothing to choose' '
	left no-choice -p excl -N32 && place_cancel'
test_expect_success 'an array' '
	job=$(slurm_submit -p excl -N2 --array=0-3) &&
	for task in 0 1 2 3; do
		slurm_wait_job ${job}_$task RUNNING &&
		test "$(place_reason ${job}_$task)" = placed || return 1
	done && place_cancel'
test_expect_success 'an array on shared nodes' '
	job=$(slurm_submit -n 3 --array=0-3) &&
	for task in 0 1 2 3; do
		slurm_wait_job ${job}_$task RUNNING || return 1
	done && place_cancel'
test_expect_success 'oversubscribed nodes' '
	for i in 1 2; do
		place_run -p share -N32 -n 256 || return 1
	done && place_cancel'
test_expect_success 'a heterogeneous job is left alone' '
	job=$(slurm_submit -p excl -N2 : -p excl -N3) &&
	slurm_wait_job $job+0 RUNNING &&
	slurm_wait_job $job+1 RUNNING &&
	test "$(place_reason $job+0)" = "stock het" && place_cancel'
! slurm_spreads || test_expect_success '--spread-job is left alone' '
	left spread -N3 --spread-job'
test_expect_success 'least loaded nodes are left alone' '
	left lln -p lln -N3'
test_expect_success 'a hint is followed, a wrong one told' '
	place_cancel &&
	placed -p excl -N4 --comment=sfabric:io-write@fs=0.4 &&
	scontrol show job $job | grep "traffic=io-write@fs=0.4 " &&
	placed -p excl -N4 --network=x,sfabric:io-read &&
	scontrol show job $job | grep "traffic=io-read=" &&
	placed -p excl -N4 --comment="sfabric:nonsense" &&
	scontrol show job $job | grep "hint is wrong: " &&
	left hint-off -p excl -N4 --comment="my job;sfabric:off" &&
	scontrol show job $job | grep "Comment=my job;sfabric:off"'
# Three seconds: slurmd takes no job again in the second in which it ended it.
test_expect_success 'the text of the admin stays, also through a requeue' '
	place_cancel &&
	job=$(slurm_submit -p excl -N4 --requeue -H) &&
	scontrol update jobid=$job admincomment=";; see ticket 5;" &&
	scontrol release $job &&
	slurm_wait_job $job RUNNING &&
	scontrol show job $job | grep "AdminComment=;; see ticket 5;; sfabric:placed" &&
	scontrol requeue $job &&
	slurm_wait waits_for $job BeginTime &&
	scontrol show job $job >text &&
	grep "AdminComment=;; see ticket 5;; sfabric:requeued *\$" text &&
	slurm_wait grep -q "\"event\":\"end\",\"job\":$job,.*\"waits\":true" $decisions &&
	scontrol update jobid=$job starttime=now+3 &&
	slurm_wait_job $job RUNNING &&
	scontrol show job $job >text &&
	grep "Restarts=1" text &&
	grep "AdminComment=;; see ticket 5;; sfabric:placed" text &&
	test $(grep -o sfabric: text | wc -l) -eq 1'

test_expect_success 'a reservation' '
	place_cancel &&
	scontrol create reservation=now starttime=now duration=60 \
		nodes="n[1-8]" users="$(id -un)" &&
	placed -p excl -N3 --reservation=now &&
	! place_node_names $job | grep -Evx "n[1-8]" &&
	placed -p excl -N3 -t 10 &&
	! place_node_names $job | grep -Ex "n[1-8]"'
test_expect_success 'a future reservation' '
	place_cancel &&
	scontrol create reservation=soon starttime=now+5 duration=60 \
		nodes="n[9-16]" users="$(id -un)" &&
	later=$(slurm_submit -p excl -N3 --reservation=soon) &&
	placed -p excl -N3 -t 1000 &&
	! place_node_names $job | grep -Ex "n([1-9]|1[0-6])" &&
	slurm_job_is $later PENDING &&
	slurm_wait_job $later RUNNING &&
	! place_node_names $later | grep -Evx "n(9|1[0-6])" &&
	place_cancel &&
	scontrol delete reservation=soon && scontrol delete reservation=now'

test_expect_success 'backfill around a planned job: nobody starves' '
	long=$(place_run -p excl -N20 -t 60) &&
	planned=$(slurm_submit -p excl -N24 -t 60) &&
	slurm_wait_job $planned PENDING &&
	for i in 1 2 3; do
		short=$(slurm_submit -p excl -N3 -t 5) &&
		slurm_wait_job $short RUNNING || return 1
	done &&
	slurm_job_is $planned PENDING &&
	scancel $(squeue -h -t R -o %i) &&
	slurm_wait_job $planned RUNNING && place_cancel'

# The scheduler that starts backfilled jobs asks twice; what WILL_RUN found
# must be what RUN_NOW gives.
test_expect_success 'the second question gets the first answer' '
	block=$(place_run -p excl -N16 -t 60) &&
	planned=$(slurm_submit -p excl -N32 -t 60) &&
	short=$(slurm_submit -p excl -N3 -t 5) &&
	slurm_wait_job $short RUNNING &&
	test "$(place_reason $short)" = placed && place_cancel'

test_expect_success '--test-only names the nodes that the job then gets' '
	for i in 1 2 3 4; do
		sbatch -p excl -N5 --test-only --wrap=true 2>said >&2 &&
		want=$(sed -n "s/.* on nodes \([^ ]*\) in .*/\1/p" said) &&
		job=$(place_run -p excl -N5) &&
		test "$(slurm_nodes $job)" = "$want" || return 1
	done && place_cancel'

# Jobs of a partition that shares cores keep others off their nodes; the others are full.
# No job starts or ends between the questions whether the last one may start.
test_expect_success 'an update of a partition is seen by a job that waits' '
	place_run -p share -N2 -n4 --ntasks-per-node=2 && place_run -p excl -N30 &&
	job=$(slurm_submit -N1 -n2) && slurm_wait waits_for $job Resources &&
	scontrol update partition=share oversubscribe=no &&
	slurm_wait_job $job RUNNING && test "$(place_reason $job)" = placed &&
	scontrol update partition=share oversubscribe=force:2 && place_cancel'

# Since 24.05 one that shares its cores does: see tests/slurm/rules.
slurm_at_least 24 5 ||
test_expect_success 'a job suspended by hand keeps nobody off its nodes' '
	job=$(place_run -p share -N30 -n30) && scontrol suspend $job &&
	placed -N4 -n4 && place_cancel'

test_expect_success 'suspended jobs rest, shrunken ones give back' '
	job=$(place_run -p excl -N4) &&
	scontrol suspend $job && slurm_wait_job $job SUSPENDED &&
	scontrol resume $job && slurm_wait_job $job RUNNING &&
	scontrol update jobid=$job numnodes=2 &&
	slurm_wait grep -q "\"event\":\"shrink\",\"job\":$job," $decisions &&
	grep "\"event\":\"suspend\",\"job\":$job," $decisions &&
	grep "\"event\":\"resume\",\"job\":$job," $decisions &&
	rm -f slurm_job_*'

test_expect_success 'scontrol reconfigure changes nothing' '
	scontrol reconfigure &&
	placed -p excl -N4 && placed -n 20 && place_cancel'

test_expect_success 'slurmctld logged no error of ours' '
	! grep "error: sfabric" "$slurm_dir/slurmctld.log"'

test_expect_success 'each line of the decision log is JSON' '
	test -s $decisions &&
	python3 -c "
import json
for line in open(\"$decisions\"):
    json.loads(line)"'

test_expect_success 'the script of the site made no mistake at any of them' '
	! place_said "sfabric.lua:" >/dev/null'

test_done
