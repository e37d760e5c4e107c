#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# place_live.t - restarts, and snapshots that change, under running jobs
test_description='the plugin lives through restarts and new snapshots'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready

decisions=$place_dir/decisions
place_snapshot >/dev/null
place_conf Mode=on DefaultTraffic=mpi

test_expect_success 'the cluster starts with the plugin' '
	place_start live && place_warm'

# -- restarts ---------------------------------------------------------------

running () {
	squeue -h -t R,S -o "%i %N" | sort -n
}

this_many_run () {
	test $(running | wc -l) -eq $1
}

# A restarted controller does not know at once which nodes answer.
this_many_idle () {
	test $(slurm_idle) -ge $1
}

# A first question reads the files; the second is answered by routes.
place_alloc_first () {
	first=$(place_alloc -N1) && slurm_wait place_spoke && scancel $first
}

# The plugin knows as many running jobs as squeue, the new one included.
view_is_right () {
	new=$(place_alloc -p excl -N2) &&
	slurm_wait grep -q "\"event\":\"start\",\"job\":$new," $decisions &&
	known=$(sed -n "s/.*\"start\",\"job\":$new,\"running\":\([0-9]*\),.*/\1/p" \
		$decisions) &&
	test "$known" -eq $(running | wc -l) &&
	scancel $new
}

# restart_with FOLDER...: kill -9, start with these plugins, jobs are the same
restart_with () {
	SLURM_PLUGINDIRS=$1
	slurm_wait_saved $(squeue -h -t R -o %A | head -n 1) &&
	slurm_kill_ctld KILL &&
	slurm_start_ctld &&
	running >after &&
	test_cmp before after
}

ours=$(dirname "$place_plugin")
test_expect_success 'jobs run' '
	for options in "-p excl -N4" "-p excl -N1" "-n 20" "-N2" "-N3"; do
		last=$(slurm_submit $options) || return 1
	done &&
	slurm_submit -p excl -N1 --array=0-2 &&
	slurm_wait_job $last RUNNING &&
	slurm_wait this_many_run 8 &&
	scontrol suspend $last &&
	slurm_wait_job $last SUSPENDED &&
	running >before &&
	view_is_right'

test_expect_success 'kill -9, the plugin again: jobs live, all are known' '
	restart_with "$ours" && slurm_wait this_many_idle 5 &&
	place_alloc_first && view_is_right'

test_expect_success 'kill -9, stock Slurm: jobs live' '
	restart_with "" && slurm_wait this_many_idle 5 &&
	new=$(place_alloc -p excl -N2) && scancel $new'
test_expect_success 'kill -9, the plugin once more: all are known' '
	restart_with "$ours" && slurm_wait this_many_idle 5 &&
	place_alloc_first && view_is_right'
test_expect_success 'a clean restart' '
	slurm_kill_ctld TERM && slurm_start_ctld &&
	running >after && test_cmp before after &&
	slurm_wait this_many_idle 5 &&
	place_alloc_first && view_is_right'
test_expect_success 'a job ends: it is known no more' '
	scancel $(head -n 1 before | cut -d" " -f1) &&
	slurm_wait this_many_run 7 && view_is_right && place_cancel'

# -- snapshots that go bad under a running controller --------------------------

# reason: why a job asked about now is where it is
reason () {
	asked=$(place_alloc -p excl -N3) && place_reason $asked && scancel $asked
}

reason_is () {
	test "$(reason)" = "$*"
}

# one line more in the log that matches
one_more () {
	test $(place_said "$1") -eq $(($2 + 1))
}

# spoilt REASON COMMAND...: one line is said, and jobs are where they are for REASON
spoilt () {
	spoilt_reason=$1
	shift
	slurm_wait reason_is placed &&
	before_said=$(place_said "error: sfabric:.*fabric.snap")
	"$@" &&
	slurm_wait one_more "error: sfabric:.*fabric.snap" $before_said &&
	slurm_wait reason_is $spoilt_reason &&
	chmod go-w "$place_dir" &&
	place_snapshot && slurm_wait reason_is placed
}

overwrite () {
	printf garbage | dd of="$place_dir/fabric.snap" bs=1 seek=1500 conv=notrunc
}

test_expect_success 'snapshot removed, then back' '
	spoilt "stock no-snapshot" rm "$place_dir/fabric.snap"'
test_expect_success 'snapshot truncated, then good: the last good one goes on' '
	spoilt placed truncate -s 900 "$place_dir/fabric.snap"'
test_expect_success 'snapshot overwritten in place, then good' '
	spoilt placed overwrite'
test_expect_success 'snapshot writable by all, then good' '
	spoilt placed chmod a+w "$place_dir/fabric.snap"'
test_expect_success 'snapshot of another fabric, then good' '
	place_snapshot 8 4 4 4 other &&
	slurm_wait reason_is stock other-fabric &&
	test $(place_said "error: sfabric: 0 of 32 nodes are in the snapshot") -eq 1 &&
	place_snapshot && slurm_wait reason_is placed'

alive () {
	printf "sfabric-alive 1\nfingerprint %s\nsm 0\ntime %s\n" \
		"$1" "$(date +%s)" >"$place_dir/alive.new" &&
	mv "$place_dir/alive.new" "$place_dir/fabric.alive"
}

test_expect_success 'not confirmed any more, then confirmed' '
	print=$(place_snapshot) &&
	place_conf Mode=on DefaultTraffic=mpi MaxSnapshotAge=4 &&
	slurm_wait reason_is placed &&
	slurm_wait reason_is stock no-snapshot &&
	slurm_wait one_more "error: sfabric:.*not confirmed" 0 &&
	alive $print && slurm_wait reason_is placed &&
	alive 0x1234 && slurm_wait reason_is stock no-snapshot &&
	place_conf Mode=on DefaultTraffic=mpi &&
	slurm_wait reason_is placed'
test_expect_success 'a spoilt conf: the last good one goes on' '
	place_conf Mode=on Mood=good &&
	slurm_wait place_said "error: sfabric:.*sfabric.conf:4" &&
	reason_is placed &&
	place_conf Mode=off &&
	slurm_wait reason_is "" &&
	place_conf Mode=on DefaultTraffic=mpi && slurm_wait reason_is placed'

# logged ID FIELD: of the job's line in the decision log
logged () {
	sed -n "s/.*\"start\",\"job\":$1,.*\"$2\":\"\([^\"]*\)\".*/\1/p" $decisions
}

# off: a job is left to Slurm because the mode is off
off () {
	asked=$(place_alloc -p excl -N3) && scancel $asked &&
	slurm_wait grep -q "\"event\":\"start\",\"job\":$asked," $decisions &&
	test "$(logged $asked mode) $(logged $asked reason)" = "off off"
}

test_expect_success 'mode off holds while the snapshot is gone, and when it is back' '
	mv "$place_dir/fabric.snap" "$place_dir/good" &&
	slurm_wait reason_is stock no-snapshot &&
	offs=$(place_said "sfabric: mode is now off") &&
	reads=$(place_said "sfabric: .*fabric.snap: [0-9]* hosts") &&
	place_conf Mode=off DefaultTraffic=mpi &&
	slurm_wait one_more "sfabric: mode is now off" $offs && off &&
	mv "$place_dir/good" "$place_dir/fabric.snap" &&
	slurm_wait one_more "sfabric: .*fabric.snap: [0-9]* hosts" $reads && off && off &&
	place_conf Mode=observe PartitionMode=excl:on DefaultTraffic=mpi &&
	slurm_wait reason_is placed &&
	place_conf Mode=on DefaultTraffic=mpi && slurm_wait reason_is placed'

test_expect_success 'a job that ends after reconfigure, before any question, is logged' '
	long=$(place_alloc -p excl -N2) && ends=$(place_alloc -p excl -N2) &&
	scontrol reconfigure && slurm_wait slurm_ctld_up && scancel $ends &&
	if slurm_reconfigure_restarts; then
		slurm_wait reason_is placed	# it has read sfabric.conf by then
	else
		slurm_wait grep -q "\"event\":\"end\",\"job\":$ends," $decisions
	fi && view_is_right && scancel $long'

# -- a thousand snapshots under a stream of jobs --------------------------------

replace () {
	for i in $(seq 500); do
		place_snapshot 8 4 4 4 && place_snapshot 8 3 4 4 || return 1
	done >>"$place_dir/replaced"
}

# A reconfigure that is another process takes the file away for a while.
has_pid () {
	test -s "$slurm_dir/slurmctld.pid" && kill -0 "$(slurm_ctld_pid)"
}

test_expect_success 'snapshot replaced 1,000 times under a stream of jobs' '
	slurm_wait has_pid && pid=$(slurm_ctld_pid) &&
	errors=$(place_said "error: sfabric"); 
	{ replace & } &&
	jobs=0 &&
	until test -e "$place_dir/replaced" &&
	      test $(wc -l <"$place_dir/replaced") -eq 1000; do
		job=$(place_alloc -p excl -N$((1 + jobs % 9))) &&
		scancel $job && jobs=$((jobs + 1)) || return 1
	done &&
	wait &&
	echo "$jobs jobs" >&2 &&
	test $jobs -gt 20 &&
	test "$(slurm_ctld_pid)" = $pid && kill -0 $pid &&
	test "$(place_said "error: sfabric")" = "$errors" &&
	test $(place_said "nodes are in the snapshot") -gt 5 &&
	slurm_wait reason_is placed &&
	! grep -v "\"placed\"" $decisions | tail -n 20 | grep "\"failed\""'

test_expect_success 'all lines of the decision log are JSON' '
	python3 -c "
import json
for line in open(\"$decisions\"):
    json.loads(line)"'

test_done
