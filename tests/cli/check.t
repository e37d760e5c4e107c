#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.t - what sfabric check says of IO sets, counters, learning and the report; the rest
# is in tests/slurm/check.t
test_description='sfabric check without Slurm'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

counters=$SFAB_SRCDIR/tests/lib/counters.py
# sfabric.conf takes no blanks in a path
dir=$(mktemp -d) && at_exit rm -rf "$dir"
SFABRIC_CONF=$dir/sfabric.conf
export SFABRIC_CONF

# row CHECK STATE REGEX: the table has such a row
row () {
	test_expect_code 3 "$sfabric" check -hP -o check,state,found >found 2>warned
	grep "^$1|$2|.*$3" found && return
	cat found >&2
	return 1
}

test_expect_success 'nothing but a snapshot: each row says what that costs' '
	import_small small.snap && mv small.snap "$dir" && cd "$dir" &&
	cat >sfabric.conf <<-EOF &&
	Snapshot=$dir/small.snap
	Counters=$dir/counters.snap
	FoundTraffic=$dir/traffic.snap
	History=$dir/history
	EOF
	row io unknown "no IO set: what jobs read and write does not count" &&
	row counters unknown "counters.snap: .*No such file.*nothing is learned.*sfabric-collect.service" &&
	row learning unknown "history: .*No such file.*DefaultTraffic (sfabric-learn.service" &&
	row report unknown "no DecisionLog in sfabric.conf: sfabric report cannot say" &&
	row governor unknown "no job in the decision log"'

test_expect_success 'counters: two samples, old ones, those of another fabric, damaged' '
	"$sfabric" show switches --snapshot small.snap -hP -o guid >guids &&
	rows=$(sed "s/$/:1/" guids) && echo $rows &&
	"$counters" counters.snap $(sed "s/$/:1:flags=1/" guids) &&
	row counters unknown "read .* ago; rates begin with the second sample" &&
	"$counters" counters.snap $(sed "s/$/:1:xmit=1e9/" guids) &&
	row counters fine "rates of 1*[4-9] of 96 links, read .* ago" &&
	COUNTERS_NOW=$(($(date +%s) - 7200)) "$counters" counters.snap $rows &&
	row counters wrong "read 2 hours ago, so they no longer count" &&
	"$counters" counters.snap 0x1:1:xmit=1e9 &&
	row counters wrong "counters of another fabric" &&
	echo x >counters.snap && row counters wrong "not a file of counters"'

# learned AGE: a traffic.snap without a job, whose counters are so many seconds old
learned () {
	"$SFAB_SRCDIR/tests/lib/learned.py" $1 >traffic.snap
}

# history_of SNAP
history_of () {
	rm -f history &&
	{ echo "JobIDRaw|UID|Account|Partition|NNodes|ElapsedRaw|End|TRESUsageInTot|TRESUsageOutTot|JobName" &&
	for i in 1 2 3; do
		echo "$i|1000|acc|main|4|1000|$(date +%s)|||write_$i"
		echo "$i.0||acc||4|1000||ic/ofed=8000000000|ic/ofed=9608000000000|a.out"
	done; } >rows && "$sfabric" learn --sacct=rows --history history --snapshot $1
}

test_expect_success 'learning: a history, and a learner that has stopped' '
	history_of small.snap &&
	row learning fine "[1-9] of [5-9] keys of jobs in $dir/history are trusted" &&
	learned 10 && row learning fine trusted &&
	learned 7300 && row learning wrong "traffic.snap: the last sample was 2 hours ago: sfabric learn has stopped" &&
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" other.snap 4 4 4 2 x &&
	history_of other.snap && row learning wrong "the history is of another fabric" &&
	head -c 1000 history >cut && cp cut history && row learning wrong "history: "'

test_expect_success 'the report: no log yet, and one with jobs' '
	echo DecisionLog=$dir/log >>sfabric.conf &&
	row report unknown "$dir/log has no job yet" &&
	: >log && row report unknown "$dir/log has no job yet" &&
	echo "{\"event\":\"start\",\"job\":7}" >log &&
	row report fine "1 jobs in the last MiB of $dir/log: sfabric report sums them up" &&
	row governor fine "stopped no partition" &&
	echo "{\"event\":\"start\",\"job\":8,\"partition\":\"p\",\"governor\":\"refused\"}" >>log &&
	echo "{\"event\":\"start\",\"job\":9,\"partition\":\"q\"}" >>log &&
	row governor wrong "partition p: Slurm could not use the nodes .*: remove the cause" &&
	test $(grep -c ^governor found) = 1 &&
	echo "{\"event\":\"start\",\"job\":10,\"partition\":\"p\"}" >>log &&
	row governor fine "stopped no partition" &&
	rm log && sed -i "s,/log$,/sfabric.conf/log," sfabric.conf &&
	row report wrong "Not a directory"'

test_done
