#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# learned.t - jobs without a hint are placed by what earlier runs sent; running jobs
# count with what counters found; files that are wrong change nothing
test_description='learned traffic in slurmctld'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready

learned=$SFAB_BUILDDIR/tests/slurm/make_learned
snap=$place_dir/fabric.snap
history=$place_dir/history

# a_run: a run of writer_N on four nodes ended, which wrote
a_run () {
	"$learned" run "$history" "$snap" "$(id -u)" writer_1 main 4 io-write=0.6
}
# logged: the start of $writer is in the decision log; $line is its decision
logged () {
	line=$(grep "\"event\":\"start\",\"job\":$writer," "$place_dir/decisions") &&
	test -n "$line"
}
# writer N: the next one starts, for a moment; $writer is its id
writer () {
	writer=$(place_alloc -N4 --exclusive -J writer_$1) && slurm_wait logged &&
	nodes=$(slurm_nodes $writer) &&
	comment=$(scontrol show job $writer | grep AdminComment) && scancel $writer
}
# from WORD: the traffic of a new writer is from there
from () {
	writer 7 && echo "$line" | grep "\"source\":\"$1\""
}
# uplinks NODES: ports between switches that they write over
uplinks () {
	"$sfabric" load --snapshot "$snap" --from "$1" --to fs --kind isl -P -h \
		-o switch,port,routes | awk -F "|" '$3 > 0 { n++ } END { print n + 0 }'
}

test_expect_success 'three runs of a writer without a hint: mpi, as DefaultTraffic says' '
	place_snapshot && place_conf Mode=on DefaultTraffic=mpi=0.5 "History=$history" \
		"FoundTraffic=$place_dir/traffic.snap" &&
	place_start learned && place_warm &&
	for run in 1 2 3; do
		writer $run && echo "$line" | grep "\"traffic\":\"mpi=0.5\",\"source\":\"default\"" &&
		echo "$line" | grep "\"name\":\"writer_$run\"" && a_run || return 1
	done &&
	uplinks "$nodes" >compact'
test_expect_success 'the fourth writes, and is spread over the uplinks' '
	slurm_wait from learned && uplinks "$nodes" >spread &&
	echo "$line" && echo "$comment" && cat compact spread &&
	echo "$line" | grep "\"traffic\":\"io-write=0.6\",\"source\":\"learned\",\"learned\":{\"runs\":3,\"by\":\"user+name+nodes\"}" &&
	echo "$comment" | grep "traffic learned from 3 runs of user+name+nodes" &&
	test "$(cat spread)" -gt "$(cat compact)"'
test_expect_success 'explain says so' '
	"$sfabric" explain $writer >out && grep "learned from 3 runs of user $(id -u), name writer_7, 4 nodes" out &&
	"$sfabric" explain $writer --json >out && grep "\"source\": \"learned\"" out &&
	grep "\"runs\": 3" out'
test_expect_success 'the preview has the same nodes' '
	preview=$("$sfabric" place --slurm -N4 --exclusive -J writer_9 --json |
		"$SFAB_SRCDIR/tests/lib/field.py" data.nodes) && writer 9 &&
	test "$(scontrol show hostnames "$preview")" = "$(scontrol show hostnames "$nodes")"'
# others_ran: runs of two more users and names in the partition
others_ran () {
	for other in 70001 70002; do
		"$learned" run "$history" "$snap" $other solve_$other main 4 io-write=0.6 &&
		"$learned" run "$history" "$snap" $other relax_$other main 4 io-write=0.6 ||
			return 1
	done
}
reader () {
	writer=$(place_alloc -N4 --exclusive -J reader) && slurm_wait logged && scancel $writer &&
	echo "$line" | grep "$1"
}
test_expect_success 'a hint is trusted more' '
	hinted=$(place_alloc -N4 --exclusive -J writer_5 --comment sfabric:neighbor=0.2) &&
	writer=$hinted && slurm_wait logged && scancel $hinted &&
	echo "$line" | grep "\"traffic\":\"neighbor=0.2\",\"source\":\"hint\""'
test_expect_success 'one user says nothing about a partition, three do' '
	reader "\"source\":\"default\"" && others_ran &&
	slurm_wait reader "\"by\":\"partition\""'

# a_found_job: it runs, counters find what it sends, and its end says so.  The file is
# read twice a second: other jobs pass the time.
a_found_job () {
	job=$(place_alloc -N4 --exclusive -J misled --comment sfabric:mpi=0.5) &&
	"$learned" found "$place_dir/traffic.snap" "$snap" $job io-read=0.3 &&
	for other in 1 2 3 4 5 6 7 8 9 10; do
		other=$(place_alloc -N1) && scancel $other || return 1
	done && scancel $job && slurm_wait ended &&
	grep "\"event\":\"end\",\"job\":$job,.*\"found\":\"io-read=0.3\"" "$place_dir/decisions"
}
ended () {
	grep -q "\"event\":\"end\",\"job\":$job," "$place_dir/decisions"
}
test_expect_success 'a running job counts with what was found, and its end says it' '
	slurm_wait a_found_job'
test_expect_success 'the report sums it up' '
	"$sfabric" report --json >out && grep "\"other_class\": [1-9]" out &&
	"$sfabric" report | grep "^hint  *[1-9]"'

# put FILE: it becomes the history
put () {
	cp "$1" "$place_dir/next" && chmod "${2:-600}" "$place_dir/next" &&
	mv "$place_dir/next" "$history"
}
# once TEXT: the log has one such line, and does not get more with more jobs
once () {
	slurm_wait place_said "error: sfabric:.*$1" && writer 1 && writer 2 &&
	test "$(place_said "error: sfabric:.*$1")" = 1
}
test_expect_success 'a truncated history: one line, what was read before stays' '
	cp "$history" good && head -c 300 good >bad && put bad &&
	once "history.*expected" && from learned'
test_expect_success 'a history that others may write: the same' '
	put good && put good 666 && once "history.*writable" && from learned'
test_expect_success 'a history of another fabric: the same' '
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" other.snap 4 4 4 2 x &&
	"$learned" run other other.snap 0 writer_1 main 4 mpi=0.1 && put other &&
	once "history is of another fabric" && from learned'
test_expect_success 'after a start with it: DefaultTraffic, one line' '
	place_cancel && : >"$slurm_dir/slurmctld.log" &&
	slurm_restart_ctld && place_warm &&
	slurm_wait from default &&
	once "history is of another fabric"'
test_expect_success 'a good one is used again, and none is no error' '
	put good && slurm_wait from learned && rm "$history" && slurm_wait from default'
test_done
