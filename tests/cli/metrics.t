#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# metrics.t - totals of the decision log: by hand, in pieces, over rotations, after damage;
# boards and alerts name only metrics that are exported
test_description='sfabric metrics --state'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

import_small small.snap --io 'n[0021-0024]'
SFABRIC_SNAPSHOT=$PWD/small.snap
export SFABRIC_SNAPSHOT
"$SFAB_SRCDIR/tests/lib/decisions.py" >whole

# totals STATE [LOG]: one run; what it prints of decisions goes to the file now
totals () {
	"$sfabric" metrics --state "$1" --decisions "${2-log}" >all 2>warnings &&
	sed -n "/sfabric_job_starts_total/,\$p" all >now
}
# value NAME: of a metric without labels, or with these
value () {
	awk -v name="$1" 'index($0, name " ") == 1 { print $NF }' now
}

cat >lint.py <<'LINT'
import re
import sys

LABEL = r'[a-z_]+="(?:[^"\\\n]|\\\\|\\"|\\n)*"'
SAMPLE = re.compile(r'([a-z_]+)(?:\{(%s(?:,%s)*)\})? ([0-9.e+-]+)$' % (LABEL, LABEL))
typed, seen, bucket, last = {}, set(), {}, None
for line in sys.stdin.read().splitlines():
    if line.startswith("# TYPE "):
        name, kind = line.split()[2:]
        assert name not in typed, line
        assert (kind == "counter") == name.endswith("_total"), line
        typed[name] = kind
        last = name
        continue
    if line.startswith("# HELP "):
        continue
    match = SAMPLE.match(line)
    assert match, line
    name, labels, number = match.groups()
    base = re.sub("_(bucket|sum|count)$", "", name)
    base = base if typed.get(base) == "histogram" else name
    assert base == last, line
    assert (name, labels) not in seen, line
    seen.add((name, labels))
    if name.endswith("_bucket"):
        key = (base, re.sub(',?le="[^"]*"', "", labels) or None)
        assert float(number) >= bucket.get(key, 0), line
        bucket[key] = float(number)
    elif base != name and name.endswith("_count"):
        assert bucket[base, labels] == float(number), line
assert seen
LINT

test_expect_success 'totals are those of the table by hand' '
	totals by_hand whole && /usr/bin/python3 lint.py <all &&
	test "$(value "sfabric_job_starts_total{reason=\"placed\"}")" = 5 &&
	test "$(value "sfabric_job_starts_total{reason=\"observe\"}")" = 3 &&
	test "$(value "sfabric_job_starts_total{reason=\"gres\"}")" = 1 &&
	test "$(value "sfabric_job_starts_total{reason=\"unknown\"}")" = 1 &&
	test "$(value "sfabric_job_starts_total{reason=\"failed\"}")" = 0 &&
	test "$(value "sfabric_partition_job_starts_total{partition=\"debug\",result=\"slurm\"}")" = 2 &&
	ratio=sfabric_predicted_slowdown_ratio &&
	test "$(value "${ratio}_count{class=\"io-write\",nodes=\"sfabric\"}")" = 4 &&
	test "$(value "${ratio}_bucket{class=\"io-write\",nodes=\"sfabric\",le=\"1\"}")" = 2 &&
	test "$(value "${ratio}_bucket{class=\"io-write\",nodes=\"slurm\",le=\"1.5\"}")" = 1 &&
	test "$(value "${ratio}_sum{class=\"mpi\",nodes=\"slurm\"}")" = 2.1000000000000001 &&
	test "$(value sfabric_decision_log_lines_total)" = 23 &&
	test "$(value sfabric_last_decision_timestamp_seconds)" = 1777719000'
test_expect_success 'a second run counts nothing twice' '
	cp now before && totals by_hand whole && test_cmp before now'
test_expect_success 'the time of searches, hints, policy, runs taken back' '
	cat >log <<-\EOF &&
	{"time":"2026-05-01T10:00:00.000Z","event":"start","job":1,"running":1,"reason":"placed","fingerprint":"0x1","took_us":900,"partition":"p"}
	{"time":"2026-05-01T10:00:01.000Z","event":"start","job":2,"running":2,"reason":"stopped","fingerprint":"0x1","took_us":20100,"hint_error":"x","partition":"q","governor":"slow"}
	{"time":"2026-05-01T10:00:02.000Z","event":"start","job":3,"running":3,"reason":"off","fingerprint":"0x0000000000000000","policy":"failed"}
	{"time":"2026-05-01T10:00:03.000Z","event":"end","job":1,"running":2,"waits":true}
	EOF
	totals timed && /usr/bin/python3 lint.py <all &&
	test "$(value "sfabric_search_seconds_bucket{le=\"0.0005\"}")" = 0 &&
	test "$(value "sfabric_search_seconds_bucket{le=\"0.001\"}")" = 1 &&
	test "$(value "sfabric_search_seconds_bucket{le=\"0.025\"}")" = 2 &&
	test "$(value sfabric_search_seconds_sum)" = 0.021000000000000001 &&
	test "$(value "sfabric_governor_tripped{partition=\"p\"}")" = 0 &&
	test "$(value "sfabric_governor_tripped{partition=\"q\",reason=\"slow\"}")" = 1 &&
	test "$(value sfabric_hint_errors_total)" = 1 &&
	test "$(value sfabric_policy_failures_total)" = 1 &&
	test "$(value sfabric_requeues_total)" = 1 &&
	test "$(value sfabric_jobs_running)" = 2 &&
	test "$(value sfabric_last_decision_timestamp_seconds)" = 1777629601 &&
	test "$(value sfabric_snapshot_in_use)" = 0'
test_expect_success 'the snapshot in use' '
	fingerprint=$("$sfabric" show fabric --json |
		"$SFAB_SRCDIR/tests/lib/field.py" meta.fingerprint) &&
	sed -i "s/0x1/$fingerprint/" log && totals used && cp now before && totals used &&
	test_cmp before now &&
	test "$(value sfabric_snapshot_in_use)" = 1'

# the totals after whole and nothing else
totals expected_state whole && cp now expected

test_expect_success 'line by line, and while the last line is half written' '
	: >log && totals pieces &&
	while IFS= read -r line; do
		half=$(printf %s "$line" | cut -c 1-40) &&
		printf %s "$half" >>log && totals pieces &&
		printf "%s\n" "${line#"$half"}" >>log && totals pieces || return 1
	done <whole && test_cmp expected now'
test_expect_success 'a log that was renamed is read to its end' '
	head -n 5 whole >log && totals renamed &&
	sed -n 6,9p whole >>log && mv log log.1 && tail -n +10 whole >log &&
	totals renamed && test_cmp expected now'
test_expect_success 'renamed by date, and nothing new yet' '
	rm log log.1 && head -n 5 whole >log && totals dated && sed -n 6,9p whole >>log &&
	mv log log-20260501 && totals dated && : >log && totals dated &&
	tail -n +10 whole >>log && totals dated && test_cmp expected now'
test_expect_success 'a log that was cut, or that is another one with this inode' '
	head -n 9 whole >log && totals cut && : >log && tail -n +10 whole >>log &&
	totals cut && test_cmp expected now &&
	head -n 3 whole >log && totals inode && tail -n +4 whole >other &&
	cat other >log && totals inode && test_cmp expected now'
test_expect_success 'no log yet: zeros; a log that cannot be read: a warning' '
	totals none nowhere && /usr/bin/python3 lint.py <all &&
	test "$(value sfabric_decision_log_lines_total)" = 0 && test_must_be_empty warnings &&
	totals none . && grep "^sfabric: warning: \.: " warnings && test_must_be_empty now &&
	/usr/bin/python3 lint.py <all'

test_expect_success 'damaged lines are counted and skipped' '
	{
		head -n 3 whole
		echo "{\"event\":\"start\""
		printf "\0\0\0\n[]\nnull\n"
		head -c 3000000 /dev/zero | tr "\0" x
		echo
		tail -n +4 whole
	} >log &&
	totals damaged && test "$(value sfabric_decision_log_bad_lines_total)" = 5 &&
	sed "/decision_log_/d" expected >want && sed "/decision_log_/d" now >have &&
	test_cmp want have'
test_expect_success 'a run reads a bounded part, the next ones the rest' '
	/usr/bin/python3 -c "
import json
line = json.dumps({\"event\": \"start\", \"job\": 1, \"reason\": \"off\", \"free\": 99990 * \"f\"})
with open(\"log\", \"w\") as log:
	for i in range(1000):
		print(line, file=log)" &&
	totals large && first=$(value "sfabric_job_starts_total{reason=\"off\"}") &&
	test $first -gt 600 -a $first -lt 700 &&
	test $(value sfabric_decision_log_unread_bytes) -gt 30000000 &&
	mv log log.1 && cat whole >log && totals large &&
	test "$(value "sfabric_job_starts_total{reason=\"off\"}")" = 1000 &&
	test "$(value "sfabric_job_starts_total{reason=\"placed\"}")" = 5 &&
	test "$(value sfabric_decision_log_unread_bytes)" = 0 && rm log.1'
test_expect_success 'names of partitions are escaped, and not more than 256' '
	/usr/bin/python3 -c "
import json
names = [chr(34) + chr(10) + chr(92) + chr(27) + \"<b>\"] + [\"p%d\" % i for i in range(400)]
for name in names:
	print(json.dumps({\"event\": \"start\", \"job\": 1, \"reason\": \"placed\", \"partition\": name}))" >log &&
	totals names && /usr/bin/python3 lint.py <all && totals names &&
	test $(grep -c "partition=.*placed" now) = 256 &&
	test "$(value "sfabric_partition_job_starts_total{partition=\"(others)\",result=\"placed\"}")" = 146'

test_expect_success 'a state that is something else is left as it is' '
	cp whole log && echo "my list" >foreign && cp foreign kept &&
	totals foreign && test_cmp kept foreign && test_must_be_empty now &&
	grep "^sfabric: warning: foreign: not a state of sfabric metrics" warnings &&
	grep sfabric_fabric_hosts all &&
	head -c 300 by_hand >torn && cp torn kept && totals torn && test_cmp kept torn &&
	for value in x inf -1 ""; do
		sed "s/\(reason=\"placed\"}\) 5/\1 $value/" by_hand >odd && ! cmp -s by_hand odd &&
		totals odd && test_must_be_empty now || return 1
	done &&
	sed "s/^sfabric_jobs_running/another_/" by_hand >odd && totals odd &&
	test_must_be_empty now &&
	: >empty && totals empty && test_cmp expected now'
test_expect_success 'a state that cannot be kept gives no totals' '
	totals nowhere/state && grep "nowhere/state" warnings && test_must_be_empty now'
test_expect_success 'no log is configured; --decisions alone' '
	"$sfabric" metrics --state state >all 2>warnings &&
	grep "no DecisionLog in sfabric.conf" warnings &&
	refuse 2 "--decisions needs --state" "$sfabric" metrics --decisions log'

test_expect_success 'when MaxSnapshotAge ends its use' '
	echo "MaxSnapshotAge=300" >aged.conf &&
	"$sfabric" metrics --conf aged.conf >all &&
	grep "^sfabric_snapshot_expires_timestamp_seconds 1000000300$" all &&
	! grep sfabric_confirmed all &&
	"$sfabric" metrics >all && ! grep expires all'

# what boards and alerts ask for
cat >asked.py <<'ASKED'
import json
import re
import sys

expr = []

def walk(x):
    if isinstance(x, dict):
        for key, value in x.items():
            if key in ("expr", "query") and isinstance(value, str):
                expr.append(value)
            walk(value)
    elif isinstance(x, list):
        for value in x:
            walk(value)

for name in sys.argv[1:]:
    text = open(name).read()
    if name.endswith(".json"):
        walk(json.loads(text))
    else:
        expr.append("\n".join(line for line in text.splitlines()
                              if not re.match(r" *(- alert|summary|description|#)", line)))
for name in sorted(set(re.findall(r"sfabric_[a-z_]+", "\n".join(expr)))):
    print(name)
ASKED
test_expect_success 'boards and alerts name only what is exported' '
	first=$("$sfabric" show links -P -h -o guid,port | head -n 1 | tr "|" :) &&
	"$SFAB_SRCDIR/tests/lib/counters.py" some.snap $first:xmit=1e9:wait=0.25 &&
	printf "sfabric-alive 1\nfingerprint 0x1\nsm 0x0\ntime 1700000000\n" >fabric.alive &&
	"$sfabric" metrics --conf aged.conf --counters some.snap --state asked \
		--decisions whole >all && rm fabric.alive &&
	{
		sed -n "s/^# TYPE \([^ ]*\).*/\1/p" all
		sed -n "s/^\(sfabric_[a-z_]*\).*/\1/p" all
	} | sort -u >have &&
	for file in "$SFAB_SRCDIR"/etc/grafana/*.json \
		"$SFAB_SRCDIR"/etc/prometheus/*.yml; do
		/usr/bin/python3 asked.py "$file" >used && test -s used &&
		comm -13 have used >unknown && test_cmp /dev/null unknown || return 1
	done'
test_expect_success 'panels have numbers of their own and do not overlap' '
	/usr/bin/python3 - "$SFAB_SRCDIR"/etc/grafana/*.json <<-\EOF
	import json, sys
	for name in sys.argv[1:]:
	    panels = json.load(open(name))["panels"]
	    assert len({p["id"] for p in panels}) == len(panels), name
	    taken = set()
	    for p in panels:
	        g = p["gridPos"]
	        cells = {(x, y) for x in range(g["x"], g["x"] + g["w"])
	                 for y in range(g["y"], g["y"] + g["h"])}
	        assert g["x"] + g["w"] <= 24 and not cells & taken, (name, p["title"])
	        taken |= cells
	EOF'

# Debian: prometheus, a hundred megabytes; check-long asks for it
if command -v promtool >/dev/null; then
	test_expect_success 'promtool has nothing to remark' '
		promtool check metrics <all &&
		"$sfabric" metrics >text && promtool check metrics <text &&
		promtool check rules "$SFAB_SRCDIR/etc/prometheus/sfabric.rules.yml"'
	test_expect_success 'each alert fires when it should, none with imported files' '
		cp "$SFAB_SRCDIR/etc/prometheus/sfabric.rules.yml" \
			"$SFAB_SRCDIR/tests/data/alerts/alerts.yml" . &&
		promtool test rules alerts.yml'
fi

test_done
