#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# web.t - the page and the metrics of a real slurmctld: its jobs, their users and names,
# whom they meet, what was decided and how long that took
test_description='sfabric web and metrics of a running cluster'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready

evil=$(printf '<script>alert(1)</script>"'\''&\033[2J\377')
escaped='&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;?\[2J?<'

page () {
	"$sfabric" web --history "$place_dir/day" --output "$place_dir/web.html"
}
# row ID: of the page
row () {
	page && grep "^<tr id=\"j$1\">" "$place_dir/web.html" >row && cat row
}
# sees ID WORD: the page has such a row, with this word
sees () {
	row $1 | grep -- "$2"
}
gone () {
	page && ! grep "^<tr id=\"j$1\">" "$place_dir/web.html"
}
# total NAME: of the metrics
total () {
	"$sfabric" metrics --state "$place_dir/state" >prom &&
	awk -v name="$1" 'index($0, name " ") == 1 { print $NF }' prom
}
has_total () {
	test "$(total "$1")" = "$2"
}

test_expect_success 'a running job is on the page' '
	place_snapshot && place_conf Mode=on DefaultTraffic=mpi=0.5 && place_start web &&
	place_warm && before=$(total "sfabric_job_starts_total{reason=\"placed\"}") &&
	first=$(place_alloc -N4 --exclusive -J plain --comment=sfabric:io-write=0.9) &&
	slurm_wait sees $first "<td class=\"name\">plain</td>" &&
	grep "<td>$(id -un)</td>" row && grep "<td class=\"whole\">io-write=0.9</td>" row &&
	nodes=$(slurm_nodes $first) && grep -F "$nodes</td>" row &&
	grep "<td class=\"number\">4</td>" row &&
	grep "<b>1</b><span>jobs run" "$place_dir/web.html"'
test_expect_success 'a name that wants to be a page is a text' '
	second=$(place_alloc -N8 --exclusive -J "$evil" --comment=sfabric:io-write=0.9) &&
	slurm_wait sees $second "alert" && cat row && grep "$escaped" row &&
	! grep -a -i "<script" "$place_dir/web.html" &&
	! grep -a "$(printf "[\033\377]")" "$place_dir/web.html"'
# eight writers over four uplinks meet the first four somewhere, or the tables say no
test_expect_success 'whom they meet is what explain says' '
	"$sfabric" explain $second --json >explained &&
	meets=$(/usr/bin/python3 -c "
import json
d = json.load(open(\"explained\"))[\"data\"]
print(d[\"certificate\"][\"sharing\"])") &&
	row $second && if test "$meets" = 0; then
		grep "no other job" row
	else
		grep "<a href=\"#j$first\">$first</a>" row
	fi'
test_expect_success 'the metrics count both, with the time of each search' '
	slurm_wait has_total "sfabric_job_starts_total{reason=\"placed\"}" $((before + 2)) &&
	test "$(total sfabric_jobs_running)" = 2 &&
	test "$(total sfabric_snapshot_in_use)" = 1 &&
	test "$(total sfabric_search_seconds_count)" -ge 2 &&
	test "$(total "sfabric_search_seconds_bucket{le=\"0.0001\"}")" -le \
		"$(total "sfabric_search_seconds_bucket{le=\"1\"}")" &&
	awk "\$1 == \"sfabric_search_seconds_sum\" { exit !(\$2 > 0 && \$2 < 60) }" prom'
test_expect_success 'the log is rotated, and a job ends' '
	mv "$place_dir/decisions" "$place_dir/decisions.1" && scancel $first &&
	slurm_wait gone $first && sees $second alert &&
	third=$(place_alloc -N2 --exclusive -J third) && slurm_wait sees $third third &&
	slurm_wait has_total "sfabric_job_starts_total{reason=\"placed\"}" $((before + 3)) &&
	test -s "$place_dir/decisions" && test "$(total sfabric_jobs_running)" = 2'
test_expect_success 'without slurmctld the last page stays' '
	cp "$place_dir/web.html" last && slurm_stop &&
	test_expect_code 1 "$sfabric" web --output "$place_dir/web.html" 2>err &&
	cat err && test_cmp last "$place_dir/web.html"'

test_done
