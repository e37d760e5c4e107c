#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# report.t - what decisions came to: sums worked out by hand, spans, bad logs
test_description='sfabric report'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

"$SFAB_SRCDIR/tests/lib/decisions.py" >log

# figure FILTER: of the JSON of the log, by python: d is data
figure () {
	/usr/bin/python3 -c 'import json, sys
d = json.load(open("out.json"))["data"]
print(eval(sys.argv[1]))' "$1"
}

test_expect_success 'as text and as JSON' '
	golden report.txt "$sfabric" report log &&
	golden report.json "$sfabric" report log --json'

# Jobs 1 2 3 4 7 8 9 10 are compared, all but 4 have other nodes.  By hand, in node hours: job 1
# sent .4 of the .5 assumed: on Slurm's nodes .8 x 8, and others .8 x .5 for 1.8 times as
# long, less .8 x .25, 5/3 hours: 11.533; job 8 sent no io-write: only others lose, .25 x
# 5/3; job 3 -.15 x 1/1.2, job 4 .25, job 10 has not ended.  In mode observe hours are those of
# Slurm's nodes: job 2 2.5 / 1.6 x (4.8 + .6 x 1.6 - .3), job 7 11/3 / 2.2 x (9.6 + .5 x 2.2
# - .8 - .25 x 1.1), job 9 1 / 1.6 x (2.4 + .5 x 1.6 - 1.2 - .25 x 1.3).
test_expect_success 'the sums are those of the table by hand' '
	"$sfabric" report log --json >out.json &&
	test "$(figure "d[\"jobs\"], d[\"placed\"], d[\"observed\"]")" = "(12, 5, 3)" &&
	test "$(figure "[round(d[\"on\"][k], 3) for k in (\"jobs\", \"moved\", \"saved\")]")" = "[9, 4, 12.075]" &&
	test "$(figure "[round(d[\"observe\"][k], 3) for k in (\"jobs\", \"moved\", \"saved\")]")" = "[3, 3, 25.62]" &&
	test "$(figure "[j[\"job\"] for j in d[\"worse\"]]")" = "[3]" &&
	test "$(figure "[j[\"job\"] for j in d[\"losers\"]]")" = "[7, 2, 9, 3, 8, 1, 4]"'
# the programs save 11.95 and .125, or 24.573 and 1.047
test_expect_success 'the interval is that of programs that come by chance' '
	test "$(figure "round(d[\"on\"][\"high\"] - d[\"on\"][\"saved\"], 3)")" = 23.423 &&
	test "$(figure "round(d[\"observe\"][\"saved\"] - d[\"observe\"][\"low\"], 3)")" = 48.207'
test_expect_success 'causes, in the sums of all tables but for servers' '
	figure "all(abs(c[\"slurm\"] - c[\"sfabric\"] - c[\"saved\"]) < 1e-6 for c in d[\"causes\"])" | grep True &&
	figure "round(sum(c[\"saved\"] for c in d[\"causes\"]) - d[\"on\"][\"saved\"] - d[\"observe\"][\"saved\"], 6)" | grep "^-\?0.0$" &&
	for part in sources days partitions programs; do
		figure "round(sum(g[\"saved\"] or 0 for g in d[\"$part\"]) - sum(c[\"saved\"] for c in d[\"causes\"]), 6)" |
			grep "^-\?0.0$" || return 1
	done'
test_expect_success 'a cause for each job, and what counters found of its source' '
	test "$(figure "sorted((s[\"source\"], s[\"found\"], s[\"other_class\"]) for s in d[\"sources\"])")" = \
		"[('"'"'default'"'"', 2, 1), ('"'"'hint'"'"', 1, 0)]" &&
	test "$(figure "[round(s[\"assumed\"] - s[\"measured\"], 6) for s in d[\"sources\"]]")" = "[0.1, -0.05]" &&
	test "$(figure "d[\"losers\"][0][\"cause\"]")" = jobs'
# jobs 1, 2 and 8 sent io-write .4, io-write .6 and mpi .5, for 13.3, 20 and 13.3 node hours
test_expect_success 'what jobs sent on average is a line for sfabric.conf' '
	"$sfabric" report log >out && grep "sent DefaultTraffic=" out &&
	line=$(sed -n "s/.* sent \(DefaultTraffic=[^ ]*\) .*/\1/p" out) &&
	test "$line" = DefaultTraffic=mpi=0.143+io-write=0.371 &&
	test "$(figure "d[\"sent\"][\"traffic\"]")" = "${line#*=}" &&
	echo "$line" >sent.conf && "$sfabric" show packing --conf sent.conf \
		--snapshot "$SFAB_BUILDDIR/none" 2>err; grep "none: No such file" err'
# .25 at each start; the seventh line begins again
test_expect_success 'hours of full links, by day' '
	test "$(figure "d[\"full_hours\"], [x[\"full_hours\"] for x in d[\"days\"]]")" = "(2.75, [1.25, 1.5])" &&
	sed "s/, \"full_hours\": [0-9.]*//" log >uncounted &&
	"$sfabric" report uncounted --json >out.json && test "$(figure "d[\"full_hours\"]")" = None &&
	"$sfabric" report uncounted >out && ! grep "full for" out'
test_expect_success 'the part of the bytes that is where the tables say, of this fabric only' '
	named=$(mktemp) && echo "FoundTraffic=$named" >found.conf &&
	for fingerprint in 2 1; do
		"$SFAB_SRCDIR/tests/lib/learned.py" 0 $fingerprint 0.97 >"$named" &&
		"$sfabric" report log --conf found.conf --json >out.json &&
		figure "d[\"followed\"]" || return 1
	done >out && printf "None\n0.97\n" >expected && test_cmp expected out &&
	"$sfabric" report log --conf found.conf >out && rm "$named" &&
	grep "^97 % of the measured bytes are where the tables say\.$" out'

# wr was placed at 1.0 and 1.04: 100 minutes.  Slurm chose 1.5: 150, and 2.2: 220.
# m<d ran as long at 1.2 as at 1.0.
test_expect_success 'run times against predictions' '
	"$sfabric" report log --json >out.json &&
	figure "[round(x, 6) for x in d[\"run_times\"].values()]" >out &&
	echo "[2, 3, 1.633333, 1.566667]" >expected && test_cmp expected out'

test_expect_success 'a span of time, in UTC and in local time' '
	"$sfabric" report log --since 2026-05-02T10:10Z --until 2026-05-02T10:30Z --json >out.json &&
	test "$(figure "d[\"jobs\"]")" = 2 &&
	TZ=XYZ-2 "$sfabric" report log --since 2026-05-02T12:10:00 --json >out.json &&
	test "$(figure "d[\"jobs\"]")" = 5 &&
	"$sfabric" report log --until 2026-05-02Z --json >out.json &&
	test "$(figure "d[\"jobs\"]")" = 6 &&
	"$sfabric" report log --since now-2days --json >out.json 2>err &&
	test "$(figure "d[\"jobs\"]")" = 0 && grep "no job began in this time" err'

test_expect_success 'several logs, standard input, and the log of the conf' '
	"$sfabric" report log >expected &&
	head -n 9 log >old && tail -n +10 log >new &&
	"$sfabric" report old new >out && test_cmp expected out &&
	"$sfabric" report - <log >out && test_cmp expected out &&
	named=$(mktemp) && cp log "$named" && echo "DecisionLog=$named" >with.conf &&
	"$sfabric" report --conf with.conf >out && rm "$named" && test_cmp expected out'

test_expect_success 'rows of lists' '
	"$sfabric" report log --top 2 --json >out.json &&
	test "$(figure "len(d[\"losers\"]), len(d[\"programs\"]), len(d[\"partitions\"])")" = "(2, 2, 2)" &&
	"$sfabric" report log --top 1 >out && ! grep "^debug " out'

test_expect_success 'a log of an older version: no causes, or no predictions' '
	sed "s/, \"alone\": [0-9.]*, \"servers\": [0-9.]*, \"lost\": {[^}]*}//g" log >older &&
	"$sfabric" report older --json >out.json &&
	figure "[c[\"slurm\"] > 0 for c in d[\"causes\"]]" | grep "True, True, False" &&
	sed "s/, \"source\": .*}}*\$/}/; s/\"user\": [0-9]*, //" log >oldest &&
	"$sfabric" report oldest >out 2>err && test_must_be_empty err &&
	grep "moved 0 of 9 jobs and saved 0.0 (0.0 to 0.0) of" out && grep "^placed  *5 " out'

test_expect_success 'a log that begins after --since' '
	"$sfabric" report log --since 2026-05-01Z >out 2>err && grep "^12 jobs began" out &&
	grep "warning: the log begins at 2026-05-01T10:00:00Z, later than --since" err &&
	"$sfabric" report log --since 2026-05-01T09:30Z >out 2>err && test_must_be_empty err'

test_expect_success 'a job that was never compared is counted' '
	sed "s/, \"stock\": {.*}}\$/}/" log >alone &&
	"$sfabric" report alone 2>err && grep "8 jobs have nothing to compare with" err'

test_expect_success 'a run that was taken back has no run time' '
	sed "/\"event\": \"end\", \"job\": 1,/s/}/, \"waits\": true}/" log >back &&
	"$sfabric" report back --json >out.json &&
	test "$(figure "d[\"node_hours\"] < 97 - 13, d[\"run_times\"][\"measured\"] > 1.5")" = "(True, True)"'

test_expect_success 'rows of zeros, and one program, are no finding' '
	"$sfabric" report log --user 70071 >out && grep "^wr " out && ! grep "by prediction" out &&
	grep "\"job\": *7," log | sed "s/T1[0-9]:[0-9:.]*Z/T10:00:00Z/" >short &&
	sed -i "/\"end\"/s/T10:00:00Z/T10:00:01Z/" short &&
	"$sfabric" report short >out && grep "^1 job began .* lost 0.00[1-9][0-9] node" out &&
	grep "^wr " out && ! grep "^Jobs that lost most" out'

# of the first six, 2 and 6 have not ended then
command -v jq >/dev/null && test_set_prereq JQ
test_expect_success JQ 'the man page lists the jobs that ran at a time' '
	sed -n "/^jq -nr/,/>jobs/p" "$SFAB_SRCDIR/doc/sfabric-report.1.scd" |
		sed "s/2026-..-..T..:../2026-05-01T11:45/; s,/var.* >jobs,log >jobs," >recipe &&
	sh recipe && cut -d" " -f1-2 jobs >out &&
	printf "2 n[1-8]\\n6 n[1-2]\\n" >expected && test_cmp expected out &&
	grep "^2 .* io-write=0.5$" jobs'

test_expect_success 'what is wrong is said' '
	refuse 1 "none: No such file" "$sfabric" report none &&
	refuse 1 "no DecisionLog" "$sfabric" report &&
	refuse 2 "expected YYYY-MM-DD" "$sfabric" report log --since yesterday &&
	refuse 2 "expected YYYY-MM-DD" "$sfabric" report log --until now-2moons &&
	refuse 2 "top" "$sfabric" report log --top 0 &&
	{ cat log && echo "{\"event\":\"start\",\"job\":" && printf "\\000\\377\n"; } >torn &&
	"$sfabric" report torn >out 2>err && grep "skipped 2 unreadable lines" err &&
	printf "one\ntwo\n" >none &&
	refuse 1 "not a decision log: none of its 2 lines can be read" "$sfabric" report none &&
	"$sfabric" report log >expected && test_cmp expected out'

test_done
