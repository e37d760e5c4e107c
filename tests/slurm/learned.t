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

# add_run: add to the history a run of writer_1 on four nodes, which wrote
add_run () {
	"$learned" run "$history" "$snap" "$(id -u)" writer_1 main 4 io-write=0.6
}
# start_is_logged: write the line of the decision log about the start of $job to decision
start_is_logged () {
	grep "\"event\":\"start\",\"job\":$job," "$place_dir/decisions" >decision
}
# start_job OPTION...: a job on four nodes starts, for a moment.  Sets job (its id) and nodes.
start_job () {
	job=$(place_alloc -N4 --exclusive "$@") && slurm_wait start_is_logged &&
	nodes=$(slurm_nodes $job) && scancel $job
}
# decision_has VALUES FIELD...: is the decision about $job so?
decision_has () {
	echo "$1" >expect && shift && "$field" "$@" <decision >got && test_cmp expect got
}
# traffic_is_from WORD: start a writer; is its traffic from there?
traffic_is_from () {
	start_job -J writer_7 && decision_has "$1" source
}
# count_uplinks NODES: how many ports between switches they write over
count_uplinks () {
	"$sfabric" load --snapshot "$snap" --from "$1" --to fs --kind isl -P -h \
		-o switch,port,routes | awk -F "|" '$3 > 0 { n++ } END { print n + 0 }'
}

test_expect_success 'three runs of a writer without a hint: mpi, as DefaultTraffic says' '
	place_snapshot && place_conf Mode=on DefaultTraffic=mpi=0.5 "History=$history" \
		"FoundTraffic=$place_dir/traffic.snap" &&
	place_start learned && place_warm && test_set_prereq STARTED &&
	for run in 1 2 3; do
		start_job -J writer_$run && add_run &&
		decision_has "mpi=0.5 default writer_$run" traffic source name || return 1
	done &&
	count_uplinks "$nodes" >compact'
test_expect_success STARTED 'the fourth writes, and is spread over the uplinks' '
	slurm_wait traffic_is_from learned && count_uplinks "$nodes" >spread &&
	cat decision compact spread && scontrol show job $job >job && cat job &&
	decision_has "io-write=0.6 learned 3 user+name+nodes" \
		traffic source learned.runs learned.by &&
	grep "AdminComment=.*traffic learned from 3 runs of user+name+nodes" job &&
	test "$(cat spread)" -gt "$(cat compact)" && test_set_prereq LEARNED'
test_expect_success LEARNED 'explain says so' '
	"$sfabric" explain $job >out &&
	grep "learned from 3 runs of user $(id -u), name writer_7, 4 nodes" out &&
	test "$("$sfabric" explain $job --json | "$field" data.source data.learned.runs)" = "learned 3"'
test_expect_success LEARNED 'the preview has the same nodes' '
	preview=$("$sfabric" place --slurm -N4 --exclusive -J writer_9 --json |
		"$field" data.nodes) && start_job -J writer_9 &&
	test "$(scontrol show hostnames "$preview")" = "$(scontrol show hostnames "$nodes")"'
# add_runs_of_others: add runs of two more users, of two names each, in the partition
add_runs_of_others () {
	for user in 70001 70002; do
		"$learned" run "$history" "$snap" $user solve_$user main 4 io-write=0.6 &&
		"$learned" run "$history" "$snap" $user relax_$user main 4 io-write=0.6 || return 1
	done
}
# reader_has VALUE FIELD: start a job of a name without runs; is the decision about it so?
reader_has () {
	start_job -J reader && decision_has "$@"
}
test_expect_success STARTED 'a hint is trusted more' '
	start_job -J writer_5 --comment sfabric:neighbor=0.2 &&
	decision_has "neighbor=0.2 hint" traffic source'
test_expect_success LEARNED 'one user says nothing about a partition, three do' '
	reader_has default source && add_runs_of_others &&
	slurm_wait reader_has partition learned.by'

# found_is_logged: start a job, let counters find what it sends, end it; does its end say so?
# The file is read twice a second: other jobs pass the time.
found_is_logged () {
	job=$(place_alloc -N4 --exclusive -J misled --comment sfabric:mpi=0.5) &&
	"$learned" found "$place_dir/traffic.snap" "$snap" $job io-read=0.3 &&
	for turn in 1 2 3 4 5 6 7 8 9 10; do
		other=$(place_alloc -N1) && scancel $other || return 1
	done && scancel $job && slurm_wait end_is_logged &&
	grep "\"event\":\"end\",\"job\":$job,.*\"found\":\"io-read=0.3\"" "$place_dir/decisions"
}
end_is_logged () {
	grep -q "\"event\":\"end\",\"job\":$job," "$place_dir/decisions"
}
test_expect_success STARTED 'a running job counts with what was found, and its end says it' '
	slurm_wait found_is_logged && test_set_prereq FOUND'
test_expect_success FOUND 'the report sums it up' '
	"$sfabric" report --json >out && grep "\"other_class\": [1-9]" out &&
	"$sfabric" report | grep "^hint  *[1-9]"'

# install_history FILE [MODE]: make it the history
install_history () {
	cp "$1" "$place_dir/next" && chmod "${2:-600}" "$place_dir/next" &&
	mv "$place_dir/next" "$history"
}
# is_said_once TEXT: the log has one such error, and does not get more with more jobs
is_said_once () {
	slurm_wait place_said "error: sfabric:.*$1" && start_job -J writer_1 &&
	start_job -J writer_2 && test "$(place_said "error: sfabric:.*$1")" = 1
}
test_expect_success LEARNED 'a truncated history: one line, what was read before stays' '
	cp "$history" good && head -c 300 good >bad && install_history bad &&
	is_said_once "history.*expected" && traffic_is_from learned'
test_expect_success LEARNED 'a history that others may write: the same' '
	install_history good && install_history good 666 &&
	is_said_once "history.*writable" && traffic_is_from learned'
test_expect_success LEARNED 'a history of another fabric: the same' '
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" other.snap 4 4 4 2 x &&
	"$learned" run other other.snap 0 writer_1 main 4 mpi=0.1 && install_history other &&
	is_said_once "history is of another fabric" && traffic_is_from learned'
test_expect_success LEARNED 'after a start with it: DefaultTraffic, one line' '
	place_cancel && : >"$slurm_dir/slurmctld.log" &&
	slurm_restart_ctld && place_warm && slurm_wait traffic_is_from default &&
	is_said_once "history is of another fabric"'
test_expect_success LEARNED 'a good one is used again, and none is no error' '
	install_history good && slurm_wait traffic_is_from learned &&
	rm "$history" && slurm_wait traffic_is_from default'
test_done
