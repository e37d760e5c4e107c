#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# learn_live.t - sfabric learn --follow beside slurmctld: it asks which jobs run, finds
# out what they send, and what it writes places the next one.  The counters are made:
# they are what the routes make of the jobs that really run.
test_description='learning beside slurmctld'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"
. "$SFAB_SRCDIR/tests/cli/counted.sh"

skip_all=$(place_missing)
at_exit learn_stop
at_exit place_stop
test -z "$skip_all" || test_done

history=$place_dir/history
traffic=$place_dir/traffic.snap
follower=
COUNTERS_HALF_LIFE=1 && export COUNTERS_HALF_LIFE
SFABRIC_SNAPSHOT=$place_dir/fabric.snap && export SFABRIC_SNAPSHOT

learn_start () {
	"$sfabric" learn --follow 2>>follow.err 3>&- 4>&- &
	follower=$!
}
# learn_stop [SIGNAL]
learn_stop () {
	test -z "$follower" || { kill -${1:-TERM} $follower; wait $follower; } 2>/dev/null
	follower=
}
learn_said () {
	grep -q "$1" follow.err
}
# count [KEY=VALUE]: counters of now, of the jobs in "runs".  Rates are means: of a job
# that began or ended a moment ago they have a part (core/load/measured.h).
count () {
	COUNTERS_NOW=$(date +%s) && export COUNTERS_NOW &&
	awk -v now=$COUNTERS_NOW '{
		x = ($4 ? 2 ^ ($4 - now) : 1) - 2 ^ ($3 - now)
		printf "%s %s io-write=%.6f\n", $1, $2, (x > 0 ? 0.1 * x : 0) + 1e-6
	}' runs >jobs && counted jobs "$@" && mv some.snap "$place_dir/counters.snap"
}
# found JOB: counters go on, and there are two samples of it in traffic.snap
found () {
	count && python3 "$SFAB_SRCDIR/tests/lib/found_samples.py" "$traffic" $1 2
}
# ended RUNS: the history has so many runs of the name
ended () {
	count
	"$sfabric" learn show --history "$history" -hP -o key,name,runs 2>/dev/null |
		grep -q "^user+name+nodes|writer|$1$"
}
# a_run N: a writer runs, on nodes of its own, until it is found
a_run () {
	job=$(place_alloc -N4 --exclusive -J writer_$1 -w "n[$((4 * $1 - 3))-$((4 * $1))]") &&
	began=$(date -d "$(squeue -h -j $job -o %S)" +%s) &&
	echo "$job $(slurm_nodes $job) $began" >>runs && slurm_wait found $job
}
it_leaves () {
	scancel $job && sed -i "s/^$job .*/& $(date +%s)/" runs && slurm_wait place_is_quiet
}
# it_ends RUNS: it ends, and is one of so many in the history
it_ends () {
	it_leaves && slurm_wait ended $1
}
a_whole_run () {
	a_run $1 && it_ends $1
}
from () {
	writer=$(place_alloc -N4 --exclusive -J writer_9) && nodes=$(slurm_nodes $writer) &&
	comment=$(scontrol show job $writer | grep AdminComment) && scancel $writer &&
	echo "$comment" | grep "$1"
}

test_expect_success 'no counters yet: nothing is lost' '
	place_snapshot && place_conf Mode=on DefaultTraffic=mpi=0.5 "History=$history" \
		"FoundTraffic=$traffic" "Counters=$place_dir/counters.snap" &&
	place_start learn_live && place_warm && learn_start && from "mpi=0.5"'
test_expect_success 'a writer without a hint is found while it runs' 'a_whole_run 1'
test_expect_success 'the service is stopped and started during the second run' '
	a_run 2 && learn_stop && learn_start && count && slurm_wait found $job &&
	it_ends 2'
test_expect_success 'the service is killed during the third run: what was found goes on' '
	a_run 3 && { learn_stop KILL; learn_start; } && count && slurm_wait found $job &&
	it_ends 3'
test_expect_success 'the fourth run is placed by what three runs sent' '
	slurm_wait from "learned from 3 runs of user+name+nodes" &&
	echo "$comment" | grep "traffic=io-write=0[.]1[0-4]"'
test_expect_success 'counters that are old, reset or gone teach nothing' '
	a_run 4 && count age=400 && slurm_wait learn_said "no port has a rate" &&
	count flags=1 && rm "$place_dir/counters.snap" && echo bad >bad &&
	mv bad "$place_dir/counters.snap" && slurm_wait learn_said "not a file of counters" &&
	it_leaves && rm "$place_dir/counters.snap" &&
	count && slurm_wait learn_said "learning again" && slurm_wait ended 4 &&
	slurm_wait from "learned from 4 runs"'
test_done
