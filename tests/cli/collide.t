#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# collide.t - who collides: tooltips, drawings of one job, report --links, against
# what sfabric load says of each job's hosts; colors that can be read
test_description='who collides, in pictures and reports'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"
PATH=$SFAB_BUILDDIR/tools:$PATH
export PATH
cli=$SFAB_SRCDIR/tests/cli
python=/usr/bin/python3

# 11 and 12 share hosts and overload links; 13 and 14 write, 15 meets nobody
cat >jobs <<EOF
11 n[0001-0005,0013-0018] mpi=0.9 alice
12 n[0003-0008,0015-0019] mpi=0.8 bob
13 n[0009-0010] io-write=0.5 alice
14 n[0011-0012] io-write=0.3 carol
15 n[0019-0020] mpi=0.2 dave
EOF

grep mpi jobs >jobs.mpi

test_expect_success 'a snapshot' '
	import_small small.snap --io "n[0021-0024]" --io-capacity 2.5 &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT'

test_expect_success 'report --links: links, jobs, GB/s and pairs' '
	sfabric report --links --jobs jobs --json >report.json &&
	$python "$cli/collide.py" jobs report report.json >counts &&
	read -r shared overloaded <counts &&
	test $shared -gt $overloaded && test $overloaded -gt 0 &&
	golden report-links.txt sfabric report --links --jobs jobs --top 3'

# 21 and 22 ask one uplink for less than it carries on average, and for more when both write
test_expect_success 'what a job loses: show jobs, report --links and predict agree' '
	printf "%s\n" "21 n[0001-0003] io-write=0.9" "22 n[0004-0005] io-write=0.9" \
		"24 n[0013-0018] alltoall=0.5" "26 n0006 mpi=0.5+io-write=0.3" >some &&
	sfabric show jobs --jobs some --json >shown.json &&
	sfabric report --links --jobs some --json >pairs.json &&
	$python "$cli/loses.py" some shown.json pairs.json &&
	sfabric report --links --jobs some --json --top 1 >first.json &&
	test $(grep -c "_time\": null" first.json) = $(($(grep -c _time first.json) - 2))'

test_expect_success 'tooltips of a map: exactly the jobs of each port' '
	sfabric plot --jobs jobs --output map.svg &&
	$python "$cli/collide.py" jobs map map.svg >counts &&
	read -r used red <counts && test $used -gt $red && test $red -gt 0 &&
	sfabric plot --jobs jobs >map.txt &&
	grep "; $red overloaded$" map.txt &&
	test $red = $(grep "^small-S" map.txt | tr -cd "!" | wc -c)'

for job in 11 12 13 14; do
	test_expect_success "job $job: its links are red, orange, gray as they should" '
		sfabric plot --jobs jobs --job $job --output $job.svg &&
		sfabric plot --jobs jobs --job $job --json >$job.json &&
		$python "$cli/collide.py" jobs job $job $job.svg $job.json >counts &&
		read -r red orange <counts && test $((red + orange)) -gt 0'
done

test_expect_success 'a job that meets nobody' '
	sfabric plot --jobs jobs --job 15 >alone &&
	grep "^0 links: 0 shared with 0 jobs, 0 overloaded" alone &&
	! grep -E "meets|collides" alone &&
	sfabric plot --jobs jobs --job 15 --output 15.svg'

# the certificate counts in core/load, for explain and AdminComment
for job in 11 12 13 14; do
	test_expect_success "as many shared links as the certificate of job $job says" '
		grep -v "^$job " jobs >others &&
		set -- $(grep "^$job " jobs) &&
		sfabric predict --nodes "$2" --traffic "$3" --jobs others >said 2>&1 &&
		sfabric plot --jobs jobs --job $job --json >own.json &&
		$python -c "
import json
d = json.load(open(\"own.json\"))[\"data\"]
print(\"shares %d switch link%s with %d of 4\" % (d[\"shared\"],
	\"s\" if d[\"shared\"] != 1 else \"\", len(d[\"meets\"])))" >wanted &&
		grep -F "$(cat wanted)" said'
done

test_expect_success 'a drawing as text' '
	golden plot-one-job.txt sfabric plot --jobs jobs --job 11'

test_expect_success 'an option of maps makes a map of one job' '
	sfabric plot --jobs jobs --job 13 --value load >out &&
	grep "^job 13 (2 hosts, io-write=0.5): GB/s into each spine port" out '

test_expect_success 'by job: letters, stripes' '
	golden plot-by-job.txt sfabric plot --jobs jobs --by job &&
	sfabric plot --jobs jobs --by job --output by.svg &&
	sfabric plot --jobs jobs --json >map.json &&
	$python -c "
import json, re
import xml.etree.ElementTree as ET
parts = [len(c[\"parts\"]) for c in json.load(open(\"map.json\"))[\"data\"][\"maps\"][0][\"cells\"]]
stripes = {}
for r in ET.parse(\"by.svg\").getroot().iter(\"{http://www.w3.org/2000/svg}rect\"):
	tip = r.find(\"{http://www.w3.org/2000/svg}title\")
	if tip is not None and re.match(\"j[0-9]\", r.get(\"class\")):
		stripes[tip.text] = stripes.get(tip.text, 0) + 1
assert sorted(stripes.values()) == sorted(min(n, 3) for n in parts if n), stripes
assert 2 in stripes.values()"'

test_expect_success 'parts add up to the value' '
	$python -c "
import json
n = 0
for c in json.load(open(\"map.json\"))[\"data\"][\"maps\"][0][\"cells\"]:
	if c[\"parts\"]:
		assert abs(sum(p[\"value\"] for p in c[\"parts\"]) - c[\"value\"]) < 1e-6, c
		n += 1
assert n > 5"'

test_expect_success 'one user: links, decisions' '
	sfabric report --links --jobs jobs --user carol --json |
	$python -c "
import json, sys
d = json.load(sys.stdin)[\"data\"]
assert d[\"pairs\"] and all(14 in (p[\"job\"], p[\"with\"]) for p in d[\"pairs\"])
assert all(14 in [j[\"job\"] for j in l[\"by_job\"]] for l in d[\"links\"])" &&
	"$SFAB_SRCDIR/tests/lib/decisions.py" >log &&
	sfabric report log --user 70072 --json |
	$python -c "
import json, sys
d = json.load(sys.stdin)[\"data\"]
assert d[\"jobs\"] == 3 and [g[\"program\"] for g in d[\"programs\"]] == [\"m<d\"]"'

test_expect_success 'the scale of loads ends at what a port carries' '
	sfabric plot --jobs jobs --value percent --json >out &&
	grep "\"scale_max\": 100,$" out &&
	sfabric plot --jobs jobs --json >out && grep "\"scale_max\": 4,$" out &&
	echo "16 n[0001-0002] mpi=0.01" >little &&
	sfabric plot --jobs little --json >out && grep "\"scale_max\": 4,$" out &&
	sfabric plot --jobs little --scale 0.5 --json >out &&
	grep "\"scale_max\": 0.5,$" out'

test_expect_success 'where all ports carry as much, none is at the end of the scale' '
	sfabric plot --value dlids --output even.svg &&
	grep -oE "class=\"c[0-9]+\"><title>" even.svg | sort -u >colors &&
	echo "class=\"c16\"><title>" >expected && test_cmp expected colors'

test_expect_success 'texts can be read in light and dark mode' '
	sfabric plot --from compute --to io --output io.svg &&
	sfabric plot --from compute --to io --small --output small.svg &&
	sfabric plot --jobs jobs --value percent --output percent.svg &&
	grep "class=\"on-o" percent.svg &&
	$python "$cli/contrast.py" io.svg small.svg percent.svg map.svg by.svg 11.svg \
		15.svg &&
	sed "s/text{fill:#202020}/text{fill:#909090}/" map.svg >pale.svg &&
	test_expect_code 1 $python "$cli/contrast.py" pale.svg 2>pale.err &&
	grep "light.*#909090" pale.err'

test_expect_success 'texts of the pictures in doc can be read in light and dark mode' '
	$python "$cli/contrast.py" "$SFAB_SRCDIR"/doc/cases/*.svg \
		"$SFAB_SRCDIR"/doc/pictures/*.svg >checked &&
	test $(wc -l <checked) -ge 22'

test_expect_success 'ten jobs on a port: eight are named, JSON has all' '
	for job in 1 2 3 4 5 6 7 8 9 10; do
		echo "$job n0001,n0013 mpi=0.1$((job - 1))"
	done >ten &&
	sfabric plot --jobs ten --output ten.svg &&
	grep "^jobs 10 (0.76), 9 (0.72), .* 3 (0.48) and 2 more</title>" ten.svg &&
	sfabric plot --jobs ten --job 3 >text && grep "3 (0.48) and 2 more$" text &&
	sfabric report --links --jobs ten --json |
	$python -c "
import json, sys
d = json.load(sys.stdin)[\"data\"]
assert all(len(l[\"by_job\"]) == 10 for l in d[\"links\"]) and len(d[\"pairs\"]) == 45"'

# 20 of 24 hosts write up the spines; down to the IO hosts their servers are the limit
test_expect_success 'the fuller direction is drawn; what a picture does not show is said' '
	echo "21 n[0001-0005] io-write=1" >writer &&
	sfabric plot --jobs writer --leaving 2>err >out && ! grep "; [0-9]* overloaded" out &&
	grep "warning: ports are overloaded in the other direction: [1-9], seen with --into" err &&
	sfabric plot --jobs writer --into 2>err >expected &&
	grep "GB/s into each" expected && grep "; [0-9]* overloaded" expected &&
	test_must_be_empty err &&
	for words in "" "--value percent" "--job 21 --used"; do
		sfabric plot --jobs writer $words >actual && grep "into each" actual &&
		grep "; [0-9]* overloaded" actual || return 1
	done &&
	echo "21 io-read=1" >reader && sed -i "s/21/21 n[0001-0005]/" reader &&
	sfabric plot --jobs reader >actual && grep "out of each" actual &&
	import_small no-io.snap &&
	for words in "report --links" "plot" "plot --job 11"; do
		sfabric $words --jobs jobs.mpi --snapshot no-io.snap 2>err >out &&
		grep "no IO set: what jobs read and write is not in" err || return 1
	done'

test_expect_success 'what is wrong' '
	refuse 1 "user dive has no running job (did you mean '\''dave'\''?)" \
		sfabric report --links --jobs jobs --user dive &&
	refuse 1 "user eve has no running job" sfabric report --links --jobs jobs \
		--user eve &&
	sed "s/ [a-z]*$//" jobs >nameless &&
	refuse 1 "no job'\''s user is known" sfabric report --links --jobs nameless \
		--user bob &&
	refuse 1 "job 99 does not run" sfabric plot --jobs jobs --job 99 &&
	refuse 1 "user nobody-here: no such user" sfabric report log --user nobody-here &&
	refuse 2 "expected job" sfabric plot --jobs jobs --by host &&
	refuse 2 "no jobs" sfabric plot --by job &&
	refuse 2 "not with --value" sfabric plot --jobs jobs --by job --value routes &&
	refuse 2 "not with logs" sfabric report --links log &&
	refuse 2 "for --links" sfabric report log --jobs jobs'

test_done
