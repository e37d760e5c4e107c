#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# counters.t - measured load in show, place, predict and metrics
test_description='counters.snap on the command line'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

counters=$SFAB_SRCDIR/tests/lib/counters.py
import_small small.snap --io 'n[0021-0024]'
SFABRIC_SNAPSHOT=$PWD/small.snap
export SFABRIC_SNAPSHOT

# place_hosts WORD...: where a job of four that writes would go
place_hosts () {
	"$sfabric" place -N 4 --traffic io-write=0.5 --json "$@" |
		"$SFAB_SRCDIR/tests/lib/field.py" data.nodes
}

# links NODES: each link from a leaf that they write over
links () {
	"$sfabric" load --from "$1" --to io --kind isl -P -h -o switch,guid,port,routes |
	awk -F "|" '$1 ~ /-L/ && $4 > 0 { print $2 ":" $3 }'
}

# rows KEY=VALUE...: of each link of the job
"$sfabric" place -N 4 --traffic io-write=0.5 --json >placed.json &&
nodes=$("$SFAB_SRCDIR/tests/lib/field.py" data.nodes <placed.json)
rows () {
	links "$nodes" | sed "s/\$/:$1/"
}

# own COUNTERS...: what the job would lose itself
own () {
	"$sfabric" predict --nodes "$nodes" --traffic io-write=0.5 "$@" --json |
		"$SFAB_SRCDIR/tests/lib/field.py" data.score.terms.0.name data.score.terms.0.value
}

test_expect_success 'what is loaded by others is left alone' '
	echo "$nodes" >cool && link=$(links "$nodes" | head -n 1) &&
	"$counters" hot.snap $link:xmit=3.9e9 &&
	place_hosts --counters hot.snap >hot && cat hot &&
	links "$(cat hot)" >other && test -s other && ! grep $link other'
test_expect_success 'samples of an hour ago count no more' '
	"$counters" old.snap $(rows xmit=3.9e9:age=3600) &&
	place_hosts --counters old.snap >old && test_cmp cool old'
test_expect_success 'discards move nothing' '
	"$counters" discards.snap $(rows discards=1000000) &&
	place_hosts --counters discards.snap >same && test_cmp cool same'
test_expect_success 'an XmitWait that is stuck is not believed' '
	"$counters" stuck.snap $(rows flags=6) &&
	place_hosts --counters stuck.snap >same && test_cmp cool same'
test_expect_success 'on links that wait the job itself loses' '
	"$counters" wait.snap $(rows wait=0.5) &&
	own >without && own --counters wait.snap >with && cat without with &&
	grep "^own" with | awk "NR == FNR { before = \$NF; next } { exit !(\$NF > before) }" \
		without -'

test_expect_success 'show counters' '
	first=$("$sfabric" show links -P -h -o guid,port | head -n 1 | tr "|" :) &&
	"$counters" some.snap $first:xmit=1e9:wait=0.25:discards=3:errors=2 \
		0x77:1 $(rows flags=6) &&
	golden show-counters.txt "$sfabric" show counters --counters some.snap 2>err &&
	grep "1 of [0-9]* ports are not in the snapshot" err &&
	grep "ports have XmitWait at its maximum" err &&
	grep "warning: 1 ports discarded packets" err'

# Prometheus text: what each line must look like, and nothing twice
cat >lint.py <<'LINT'
import re
import sys

LABEL = r'[a-z_]+="(?:[^"\\\n]|\\\\|\\"|\\n)*"'
SAMPLE = re.compile(r'([a-z_]+)(\{%s(?:,%s)*\})? [0-9.e+-]+$' % (LABEL, LABEL))
typed, seen = set(), set()
for line in sys.stdin.read().splitlines():
    if line.startswith("# TYPE "):
        name = line.split()[2]
        assert name not in typed, line
        typed.add(name)
    elif not line.startswith("# HELP "):
        match = SAMPLE.match(line)
        assert match and match.group(1) in typed, line
        key = line.rsplit(" ", 1)[0]
        assert key not in seen, line
        assert "job" not in (match.group(2) or ""), line
        seen.add(key)
assert seen
LINT
test_expect_success 'metrics are text that Prometheus reads' '
	"$sfabric" metrics --counters some.snap >text &&
	/usr/bin/python3 lint.py <text &&
	grep "^sfabric_port_wait_share{fabric=\"\",guid=\"0x[0-9a-f]*\",port=\"[0-9]*\",switch=\".*\"} 0.25$" text &&
	grep "^sfabric_port_transmit_discards_total.* 3$" text &&
	grep "^sfabric_port_wait_stuck.* 1$" text &&
	grep "^sfabric_fabric_info{.*engine=\"ftree\"" text'
test_expect_success 'names from the fabric are escaped' '
	echo "0x0002c90200400000 \"a\\\\b\"" >map &&
	import_small odd.snap --node-name-map map &&
	"$sfabric" metrics --snapshot odd.snap --counters some.snap >text &&
	/usr/bin/python3 lint.py <text && grep "a.*x5c.*b" text'
test_expect_success 'metrics without counters, into a file' '
	echo "Counters=/nonexistent" >none.conf &&
	"$sfabric" metrics --conf none.conf --output file.prom &&
	/usr/bin/python3 lint.py <file.prom &&
	! grep sfabric_port_ file.prom && grep sfabric_fabric_hosts file.prom'
# nobody confirms what was imported: then there is no time that can be too old
test_expect_success 'confirmed: only where somebody is to do that' '
	confirmed () {
		"$sfabric" metrics "$@" | sed -n "s/^sfabric_confirmed[a-z_]* //p"
	} &&
	test -z "$(confirmed)" &&
	echo "MaxSnapshotAge=300" >aged.conf &&
	test -z "$(confirmed --conf aged.conf)" &&
	echo "not of this snapshot" >fabric.alive &&
	test 0 = "$(confirmed --snapshot small.snap)" && rm fabric.alive'
test_expect_success 'counters that are missing or bad: one line' '
	for c in place\ -N\ 2 predict\ --nodes\ n0001 show\ counters metrics; do
		test_expect_code 1 "$sfabric" $c --counters nowhere >out 2>err &&
		grep "^sfabric: nowhere: No such file" err &&
		echo x >bad && test_expect_code 1 "$sfabric" $c --counters bad \
			>out 2>err &&
		grep "^sfabric: bad: not a file of counters" err &&
		test $(wc -l <err) = 1 || return 1
	done'

test_done
