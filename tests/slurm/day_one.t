#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# day_one.t - the steps of doc/admin.md on a site where nobody typed a hint and nothing is
# learned yet: a writer is on enough leaves from its first run, and the report says what it
# gained
test_description='day one by doc/admin.md'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/live.sh"
. "$SFAB_SRCDIR/tests/slurm/wire.sh"

skip_all=$(place_missing)
test -n "$skip_all" || skip_all=$(sim_collect_missing)
test -z "$skip_all" || test_done

# Eight leaves of six hosts, six spines; the last hosts of four leaves are servers, which
# are no nodes of Slurm.
nodes='n[0001-0029,0031-0035,0037-0041,0043-0047]'
SLURM_PARTITIONS="PartitionName=main Nodes=$nodes Default=YES OverSubscribe=EXCLUSIVE State=UP"
"$sfabric" synth tree:hosts=48,leaf=6,leaves=8,spines=6 --output made &&
sed 's/"n0030 /"oss1 /; s/"n0036 /"oss2 /; s/"n0042 /"oss3 /; s/"n0048 /"oss4 /' made >net

# row NAME: it is fine in sfabric check
row () {
	"$sfabric" check -hP -o check,state,found >found 2>warned
	grep "^$1|fine|" found || { cat found; return 1; }
}
is_learning () {
	row learning
}
# leaves NODES: whose uplinks they write over
leaves () {
	"$sfabric" load --from "$1" --to io --kind isl -P -h -o switch,routes |
		awk -F "|" '$1 ~ /-L/ && $2 > 0' | wc -l
}
# a_writer NAME: the first run of it, until counters have found it; $used are its nodes.
# The plugin reads what was found twice a second, and takes it with the next question.
a_writer () {
	job=$(place_alloc -N6 -J "$1") && used=$(slurm_nodes $job) && sends "$used" 0.5 &&
	slurm_wait found && slurm_wait sampled && sends "" && others && scancel $job &&
	slurm_wait place_is_quiet && ended
}
others () {
	for other in 1 2 3 4 5 6 7 8 9 10; do
		other=$(place_alloc -N1 -J other) && scancel $other || return 1
	done
}
ended () {
	grep "\"event\":\"end\",\"job\":$job,.*\"found\":\"io-write=" "$decisions"
}
# reported TEXT: a line of the report
reported () {
	"$sfabric" report >report && cat report && grep "$1" report
}

test_expect_success 'Install: a snapshot, and sfabric.conf' '
	sim_start net && sim_sm_start out -R ftree && : >"$place_dir/rows" &&
	date +%s.%N >"$place_dir/sent" &&
	"$sfabric" import out/opensm-subnet.lst out/opensm-lfts.dump --output "$snap" &&
	place_conf Mode=observe &&
	{ "$sfabric" check 2>err; grep "IoSet=auto does the same: IoSet=io Hosts=oss\[1-4\]" err; }'
test_expect_success 'IO servers, counters, learning' '
	place_conf Mode=observe IoSet=auto "Counters=$place_dir/counters.snap" \
		"History=$place_dir/history" "FoundTraffic=$place_dir/traffic.snap" &&
	sweeps_start && place_start day_one "$nodes" && learn_start'
test_expect_success 'Switch on: observe: check finds servers and counters' '
	place_warm && row io && slurm_wait row counters'
test_expect_success 'a writer on the nodes that Slurm gives: one leaf, or two' '
	a_writer solver && test "$(leaves "$used")" -le 2'
test_expect_success 'check has a row of learning after the first run' '
	slurm_wait is_learning'
test_expect_success 'the report says what Mode=on would save' '
	reported "^Mode=on would have moved [1-9][0-9]* of [1-9][0-9]* jobs and saved 0\.0*[1-9]" &&
	grep "^default  *[1-9]" report && grep "^Links between switches were full for" report &&
	grep "% of the measured bytes are where the tables say" report'
test_expect_success 'Switch on: on: the first run of a writer has an uplink for each server' '
	place_conf Mode=on IoSet=auto "Counters=$place_dir/counters.snap" \
		"History=$place_dir/history" "FoundTraffic=$place_dir/traffic.snap" &&
	slurm_wait place_said "mode is now on" && place_warm &&
	a_writer other && leaves "$used" && test "$(leaves "$used")" -ge 4'
test_expect_success 'the report says what was saved' '
	reported "^Mode=on has moved [1-9][0-9]* of [1-9][0-9]* jobs and saved 0\.0*[1-9]" &&
	"$sfabric" report --json >out.json &&
	/usr/bin/python3 -c "
import json
d = json.load(open(\"out.json\"))[\"data\"]
assert d[\"on\"][\"saved\"] > 0 and d[\"followed\"] > .9, d
assert d[\"causes\"][0][\"slurm\"] > d[\"causes\"][0][\"sfabric\"], d[\"causes\"]
assert [s for s in d[\"sources\"] if s[\"source\"] == \"default\" and s[\"found\"] >= 2]"'
test_done
