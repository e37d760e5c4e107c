#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# plot.t - heat maps: text, SVG, comparisons, hostile names
test_description='sfabric plot'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

cat >jobs <<EOF
11 n[0001-0002,0007-0008] mpi=0.5
12 n[0009-0010] io-write=0.5
EOF

test_expect_success 'a snapshot' '
	import_small small.snap --io "n[0021-0024]" --io-capacity 2.5 &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT'

test_expect_success 'as text' '
	golden plot.txt "$sfabric" plot --from compute --to io &&
	golden plot-into.txt "$sfabric" plot --from compute --to io --into \
		--value load &&
	golden plot-all.txt "$sfabric" plot --value dlids &&
	"$sfabric" plot --from compute --to io --top | sed "1s, top,," >top &&
	test_cmp plot.txt top'

test_expect_success 'nodes inside SHARP switches are no pairs without a route' '
	recorded=$SFAB_SRCDIR/tests/data/two-leaves-lmc1 &&
	"$sfabric" import "$recorded/opensm-subnet.lst" "$recorded/opensm.fdbs" \
		--io io1 --output sharp.snap &&
	"$sfabric" plot --snapshot sharp.snap >out 2>err && test_must_be_empty err &&
	"$sfabric" show hosts --snapshot sharp.snap -hP -o role >roles &&
	grep -x sharp roles'

# without the hosts of small-L004, which ftree then routes no host through
gone="n00(1[6-9]|2[0-4]) HCA"
test_expect_success 'a leaf without hosts is not at the top' '
	mkdir bare &&
	grep -E "^. CA.*$gone" "$small/opensm-subnet.lst" |
		sed "s/ PN:.*//; s/.*LID:/^0x/; s/$/ /" >lids &&
	grep -vE "$gone" "$small/opensm-subnet.lst" >bare/opensm-subnet.lst &&
	grep -vif lids "$small/opensm.fdbs" >bare/opensm.fdbs &&
	"$sfabric" import bare/* --engine ftree --output bare.snap &&
	"$sfabric" plot --snapshot bare.snap >all &&
	"$sfabric" plot --snapshot bare.snap --top >top &&
	test 4 = $(grep -c "^small-" all) && grep "^small-L004" all &&
	test 3 = $(grep -c "^small-S" top) && ! grep "^small-L" top'

test_expect_success 'only switches that carry something' '
	"$sfabric" plot --from n0001 --to n0009 >all &&
	"$sfabric" plot --from n0001 --to n0009 --used >out &&
	grep "^1 of 8 ports used" out && grep "^1 of 24" all &&
	test 1 = $(grep -c "^small-S" out) &&
	grep -Fx -e "$(grep "^small-S" out)" all'

test_expect_success 'nothing is used: all switches' '
	"$sfabric" plot --from n0001 --to n0002 --used >out &&
	test 3 = $(grep -c "^small-S" out)'

test_expect_success 'two planes' '
	"$sfabric" import --plane ib0 files/* --plane ib1 files/* \
		--io n0021 --output two.snap &&
	golden plot-planes.txt "$sfabric" plot --snapshot two.snap'

test_expect_success 'a list of many hosts is cut in a title' '
	list=n0001,n0002,n0003,n0004,n0005,n0006,n0007,n0008,n0009 &&
	"$sfabric" plot --from $list --to io --json >out.json &&
	grep "\"name\": \"n0001,n0002,n0003,n0004,n0005,n0006,n000... > io\"" out.json'

test_expect_success 'jobs: all, one' '
	golden plot-jobs.txt "$sfabric" plot --jobs jobs &&
	golden plot-job.txt "$sfabric" plot --jobs jobs -j 12 --value routes'

# 21 sends most, and meets nobody on a full port
test_expect_success 'jobs that collide have the first colors' '
	"$sfabric" import files/* --io "n[0021-0024]" --engine ftree --output full.snap &&
	printf "%s\n" "21 n[0001-0004,0009-0012] uniform=1" "22 n[0005,0013] io-write=1" \
		"23 n[0014-0015] io-write=1" >three &&
	"$sfabric" plot --snapshot full.snap --jobs three --by job --into >out && cat out &&
	sed -n "s/^ *\([abc]\)  \(2[123]\) .*/\1 \2/p" out >actual &&
	printf "%s\n" "a 23" "b 22" "c 21" >expected && test_cmp expected actual'

# sum PLOT-OPTIONS: of the values of all spine ports
sum () {
	"$sfabric" plot --value routes --into --json "$@" | "$SFAB_SRCDIR/tests/lib/cells.py" |
	awk -F'|' '{ n += $6 } END { print n }'
}

test_expect_success 'routes of a job are its pairs' '
	sum --jobs jobs -j 12 >actual &&
	sum --from "n[0009-0010]" --to io >expected &&
	test_cmp expected actual && test $(cat actual) -gt 0'

test_expect_success 'all jobs are the sum of each' '
	sum --jobs jobs -j 11 >one && sum --jobs jobs -j 12 >two &&
	"$sfabric" plot --value routes --into --json --jobs jobs | "$SFAB_SRCDIR/tests/lib/cells.py" |
	awk -F"|" "/^all jobs/ { n += \$6 } END { print n }" >all &&
	test $(cat all) = $(($(cat one) + $(cat two)))'

# 3 GB/s out of a spine, 1 into it; it waited for a quarter of the time
test_expect_success 'what was measured' '
	"$SFAB_SRCDIR/tests/lib/counters.py" some.snap \
		0x0002c90200400020:1:xmit=3e9:rcv=1e9:wait=0.25 &&
	golden plot-measured.txt "$sfabric" plot --counters some.snap &&
	"$sfabric" plot --counters some.snap --into | grep "max 1, " &&
	"$sfabric" plot --counters some.snap --value wait |
	grep "^1 of 24 ports used, max 25," &&
	"$sfabric" plot --counters some.snap --value percent | grep "max 75, " &&
	echo "Counters=\"$PWD/some.snap\"" >some.conf &&
	"$sfabric" plot --measured --conf some.conf >out &&
	test_cmp plot-measured.txt out &&
	refuse 1 "value routes: not available for counters" "$sfabric" plot \
		--measured --conf some.conf --value routes'

test_expect_success 'a scale that was asked for' '
	"$sfabric" plot --from compute --to io --scale 30 >out &&
	grep "tenths of 30 routes" out && grep "max 15" out &&
	grep "S003  . 5 . 5" out'

test_expect_success 'JSON' '
	golden plot.json "$sfabric" plot --from n0001 --to n0021 --json &&
	"$sfabric" plot --jobs jobs --json | grep "\"title\"" >names &&
	test 1 = $(wc -l <names) && grep "all jobs: " names'

test_expect_success 'the end of the name says what kind of file' '
	"$sfabric" plot --output a.svg && head -n 2 a.svg | grep "^<svg " &&
	"$sfabric" plot --output a.txt && head -n 1 a.txt | grep "^all > all: "'

well_formed () {
	/usr/bin/python3 -c "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])" \
		"$1"
}

test_expect_success 'SVG: a box with a tooltip for each port' '
	"$sfabric" plot --from compute --to io --output a.svg &&
	well_formed a.svg &&
	test 24 = $(grep -c "<title>small-S00. port" a.svg) &&
	grep "<title>small-S003 port 2 to small-L001 port 12: 15 routes<" a.svg'

test_expect_success 'the tooltip of what enters a port says where from' '
	"$sfabric" plot --from compute --to io --into --output into.svg &&
	grep "<title>small-L001 port 12 to small-S003 port 2: [0-9]* routes<" into.svg &&
	! grep "<title>small-S" into.svg'

test_expect_success 'a small SVG draws as many boxes' '
	"$sfabric" plot --from compute --to io --small --output b.svg &&
	well_formed b.svg && ! grep "<title>" b.svg &&
	grep "<text" a.svg >a.text && grep "<text" b.svg >b.text &&
	test_cmp a.text b.text &&
	grep -o "dasharray:[0-9.]*" b.svg | cut -d: -f2 >size &&
	grep -o "h[0-9][0-9.]*[M\"]" b.svg | tr -d "hM\"" |
	awk -v size=$(cat size) "{ n += (\$1 + 1) / (size + 1) }
		END { print n }" >cells &&
	test $(cat cells) = 24 &&
	test $(wc -c <b.svg) -lt $(wc -c <a.svg)'

# a switch may call itself what it likes
test_expect_success 'names cannot break any format' '
	printf "s,small-S003,<script>alert(1)</script>\"%s\&;=1+1\033[2J\001,\n" \
		"'\''" >evil.sed &&
	echo "s,small-L002,=cmd,; s,n0005 HCA-1,n0005 <b>\",*" >>evil.sed &&
	sed -i "s/,\*$/,/" evil.sed &&
	sed -f evil.sed files/opensm-subnet.lst >evil.lst &&
	grep -q "alert(1)" evil.lst && grep -q "n0005 <b>" evil.lst &&
	"$sfabric" import evil.lst files/opensm.fdbs --output evil.snap &&
	for type in text svg html; do
		"$sfabric" plot --snapshot evil.snap --type $type >out &&
		grep "alert(1)" out >/dev/null &&
		! tr -d "\r\t" <out | LC_ALL=C grep "[^[:print:]]" || return 1
	done &&
	"$sfabric" plot --snapshot evil.snap --output evil.svg &&
	well_formed evil.svg && ! grep "<script" evil.svg'

test_expect_success 'what is wrong' '
	refuse 1 "n9999: no such host" "$sfabric" plot --to n9999 &&
	refuse 1 "job 13 does not run" "$sfabric" plot --jobs jobs -j 13 &&
	refuse 1 "job x does not run" "$sfabric" plot --jobs jobs -j x &&
	refuse 1 "value dlids: not available for jobs" "$sfabric" plot --jobs jobs --value dlids &&
	refuse 1 "none.snap" "$sfabric" plot --snapshot none.snap --output no.svg &&
	! test -e no.svg &&
	refuse 1 "none: " "$sfabric" plot --jobs none &&
	import_small no-io.snap &&
	refuse 1 "no host" "$sfabric" plot --to io --snapshot no-io.snap &&
	refuse 1 "value wait: not available for sets" "$sfabric" plot \
		--value wait &&
	refuse 1 "none: " "$sfabric" plot --counters none &&
	refuse 1 "small.snap" "$sfabric" plot --counters small.snap &&
	refuse 2 "not with sets" "$sfabric" plot --measured --to io &&
	refuse 2 "value" "$sfabric" plot --value cables &&
	refuse 2 "type" "$sfabric" plot --type gif &&
	refuse 2 "scale" "$sfabric" plot --scale 0 &&
	refuse 2 "no jobs" "$sfabric" plot -j 11 &&
	refuse 2 "not with --from" "$sfabric" plot --jobs jobs --from all &&
	refuse 2 "not both" "$sfabric" plot --jobs jobs --slurm'

test_done
