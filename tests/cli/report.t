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

# Jobs 1 2 3 4 7 8 9 10 are compared, all but 4 have other nodes.
test_expect_success 'the sums are those of the table by hand' '
	"$sfabric" report log --json >out.json &&
	test "$(figure "d[\"jobs\"], d[\"placed\"], d[\"observed\"]")" = "(12, 5, 3)" &&
	test "$(figure "d[\"compared\"][\"jobs\"], d[\"elsewhere\"][\"jobs\"]")" = "(8, 7)" &&
	test "$(figure "round(d[\"compared\"][\"slurm\"] * 8, 9)")" = 12.6 &&
	test "$(figure "round(d[\"compared\"][\"sfabric\"] * 8, 9)")" = 8.64 &&
	test "$(figure "d[\"elsewhere\"][\"better\"], d[\"elsewhere\"][\"worse\"]")" = "(6, 1)" &&
	test "$(figure "[j[\"job\"] for j in d[\"losers\"]]")" = "[3]" &&
	test "$(figure "[j[\"job\"] for j in d[\"slowest\"]]")" = "[7, 9, 2, 3, 8]" &&
	test "$(figure "d[\"found\"], d[\"found_other_class\"]")" = "(3, 1)" &&
	figure "[(t[\"class\"], t[\"jobs\"], round(t[\"error\"], 6)) for t in d[\"traffic\"]]" >out &&
	echo "[('\''mpi'\'', 1, 0.5), ('\''io-write'\'', 3, 0.233333)]" >expected &&
	test_cmp expected out'

# wr was placed at 1.0 and 1.04: 100 minutes.  Slurm chose 1.5: 150, and 2.2: 220.
# m<d ran as long at 1.2 as at 1.0.
test_expect_success 'run times against predictions' '
	figure "[(r[\"runs\"], r[\"predicted\"], r[\"measured\"]) for r in d[\"run_times\"]]" >out &&
	echo "[(3, 1.01333333, 1), (1, 1.2, 1), (1, 1.5, 1.5), (1, 2.2, 2.2)]" >expected &&
	test_cmp expected out'

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
	"$sfabric" report log --top 1 >out && grep "^and 2 more" out &&
	"$sfabric" report log --top 2 --json >out.json &&
	test "$(figure "len(d[\"slowest\"]), len(d[\"users\"])")" = "(2, 3)"'

test_expect_success 'a log of an older version: reasons, no predictions' '
	sed "s/, \"steps\": 9.*}}*\$/}/; s/\"user\": [0-9]*, //" log >older &&
	"$sfabric" report older >out 2>err && test_must_be_empty err &&
	grep "^Of 0 jobs with both predictions" out && grep "^placed  *5 " out'

test_expect_success 'a job that was never compared is counted' '
	sed "s/, \"stock\": {[^}]*}//" log >alone &&
	"$sfabric" report alone 2>err && grep "8 jobs have nothing to compare with" err'

test_expect_success 'a run that was taken back has no run time' '
	sed "/\"event\": \"end\", \"job\": 1,/s/}/, \"waits\": true}/" log >back &&
	"$sfabric" report back --json >out.json &&
	test "$(figure "sum(r[\"runs\"] for r in d[\"run_times\"])")" = 5'

test_expect_success 'what is wrong is said' '
	refuse 1 "none: No such file" "$sfabric" report none &&
	refuse 1 "no DecisionLog" "$sfabric" report &&
	refuse 2 "expected YYYY-MM-DD" "$sfabric" report log --since yesterday &&
	refuse 2 "expected YYYY-MM-DD" "$sfabric" report log --until now-2moons &&
	refuse 2 "top" "$sfabric" report log --top 0 &&
	{ cat log && echo "{\"event\":\"start\",\"job\":" && printf "\\000\\377\n"; } >torn &&
	"$sfabric" report torn >out 2>err && grep "skipped 2 unreadable lines" err &&
	"$sfabric" report log >expected && test_cmp expected out'

test_done
