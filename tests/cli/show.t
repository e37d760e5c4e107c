#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# show.t - tables of what a snapshot holds
test_description='sfabric show'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

test_expect_success 'a snapshot' '
	import_small small.snap --io "n[0021-0024]" --io-capacity 2.5 &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT'

for thing in fabric switches hosts links io classes; do
	test_expect_success "show $thing" '
		golden show-$thing.txt "$sfabric" show $thing &&
		golden show-$thing.json "$sfabric" show $thing --json'
done

test_expect_success 'classes: every leaf sends to the hosts of one by one uplink' '
	"$sfabric" show classes -hP -o class,nodes >classes &&
	while IFS="|" read -r class nodes; do
		for leaf in 1 2 3 4; do
			awk -v leaf=$leaf "/^dump_ucast/ { n++ }
				n == leaf" files/opensm.fdbs >table &&
			for lid in $("$sfabric" show hosts -h -o lid $nodes); do
				printf "0x%04X\n" $lid
			done >lids &&
			grep -f lids table | awk "{ print \$3 + 0 }" |
				awk "\$1 > 6" | sort -u >ports &&
			test $(wc -l <ports) = 1 || return 1
		done
	done <classes && test $(wc -l <classes) = 6'

test_expect_success 'classes: none where no way goes up' '
	"$sfabric" import "$SFAB_SRCDIR"/tests/data/two-leaves/opensm-subnet.lst \
		"$SFAB_SRCDIR"/tests/data/two-leaves/opensm.fdbs --output two.snap &&
	"$sfabric" show classes -h --snapshot two.snap >out 2>err &&
	test_must_be_empty out && grep "no port classes: leaves agree" err'

# packing FABRIC ARG...: the fields of show packing, | between them
packing () {
	fabric=$1 && shift &&
	"$sfabric" show packing --snapshot $fabric.snap -hP \
		-o packing,loss,of_tree,used,why "$@"
}

test_expect_success 'packing: leaves, columns as on Wolf, links where uplinks are short' '
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" few.snap 16 8 8 2 &&
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" wolf.snap 36 18 17 24 &&
	packing few >few && grep "^leaves|.*|0\..*|yes|found$" few &&
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" short.snap 12 2 10 2 &&
	packing short >short && grep "^links|.*|0\..*|yes|found$" short &&
	packing wolf >wolf && grep "^columns|.*|0\..*|yes|found$" wolf &&
	for out in few short wolf; do
		test $(wc -l <$out) = 5 && test $(grep -c "|yes|" $out) = 1 &&
		awk -F"|" "NR == 1 { tree = \$2 } NR > 1 && !least { least = \$2 }
			NR > 1 && \$2 < least { least = \$2 } /yes/ { used = \$2 }
			{ d = \$2 / tree - \$3; off += d * d > 1e-8 }
			END { exit used > 1.05 * least || off }" $out || return 1
	done'

test_expect_success 'packing: what Packing says is used, what is lost stays the same' '
	echo "Packing=none" >packing.conf && packing wolf --conf packing.conf >set &&
	grep "^none|.*|yes|set by Packing$" set && grep "^columns|.*|no|$" set &&
	cut -d"|" -f1-3 wolf >wanted && cut -d"|" -f1-3 set | test_cmp wanted -'

test_expect_success 'packing: no columns without port classes, nothing played on few hosts' '
	awk "BEGIN {
		print \"sfabric-routes 1\nswitch s ports=48\"
		for (i = 1; i <= 40; i++)
			print \"host n\" i \"\nlink n\" i \":1 s:\" i \" 12.5\"
	}" >star && "$sfabric" import star --output star.snap &&
	packing star --json >json && grep "\"of_tree\": null" json &&
	packing star >out && grep "^columns|||no|no port classes$" out &&
	grep "^links|0||yes|found$" out &&
	packing small >out 2>err && grep "^leaves|||yes|not played$" out &&
	grep "nothing was played: fewer than 32 compute hosts" err'

# placed [OPTION...]: on 8 leaves of 4 hosts
placed () {
	"$sfabric" place -N 6 --snapshot low.snap "$@" 2>&1
}

test_expect_success 'packing --keep: what is kept is used instead of playing' '
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" low.snap 8 2 4 2 && placed >played &&
	packing low >low && packing low --keep | test_cmp low - &&
	grep "^packing links$" low.snap.packing && placed | test_cmp played - &&
	sed s/links/none/ low.snap.packing >kept && cp kept low.snap.packing &&
	placed >by-none && ! cmp by-none played'

test_expect_success 'packing --keep: not for other settings or tables' '
	keep () {
		"$sfabric" show packing --keep --snapshot low.snap "$@" >out &&
			tail -n 1 low.snap.packing >>keys
	} &&
	for line in Mode=on DefaultTraffic=mpi=0.3 DefaultTraffic=mpi=0.3+neighbor=0.1 \
		DefaultTraffic=ring=0.3 MpiMix=ring:1 MaxLeaves=4 Role=login:n32 \
		"IoSet=fs Hosts=n1"; do
		echo "$line" >kept.conf && keep --conf kept.conf || return 1
	done &&
	grep -c "$(tail -n 1 kept)" keys >same && test $(cat same) = 1 &&
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" low.snap 8 2 4 1 && keep &&
	test $(sort -u keys | wc -l) = 9 && placed >expected &&
	cp kept low.snap.packing && placed | test_cmp expected -'

test_expect_success 'packing --keep: a damaged file counts as none' '
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" low.snap 8 2 4 2 && placed | test_cmp by-none - &&
	for spoil in "s/ 1$/ 2/" "s/none/nones/" "s/0x/0X/" "\$d" "\$a more" "s/none/n\x00ne/" \
		"s/none/$(printf %099d 0)/"; do
		sed "$spoil" kept >low.snap.packing && placed | test_cmp played - || return 1
	done &&
	rm low.snap.packing && mkdir low.snap.packing && placed | test_cmp played - &&
	refuse 1 "low.snap.packing" "$sfabric" show packing --keep --snapshot low.snap'

test_expect_success 'show jobs' '
	printf "11 n[0001-0004] mpi=0.5\n12 n[0009-0010] io-write=0.5\n" >jobs &&
	golden show-jobs.txt "$sfabric" show jobs --jobs jobs &&
	golden show-jobs.json "$sfabric" show jobs --jobs jobs --json'

test_expect_success 'fields, no header, separators' '
	golden show-format.txt "$sfabric" show switches -o switch,guid,HOSTS &&
	golden show-noheader.txt "$sfabric" show io -h -o host,capacity_gbs &&
	golden show-parsable.txt "$sfabric" show switches -P'

# Pictures call small-L001 just L001, and it may be a part of a longer name.
test_expect_success 'names as pictures have them' '
	for thing in switches links hosts; do
		"$sfabric" show $thing small-L001 >expected &&
		"$sfabric" show $thing L001 >actual &&
		test_cmp expected actual || return 1
	done &&
	mkdir long && sed "s/small-\(L00.\)/MF0;ufm:MQM8700\/\1-A/" \
		files/opensm-subnet.lst >long/opensm-subnet.lst &&
	"$sfabric" import long/opensm-subnet.lst files/opensm.fdbs --output long.snap &&
	"$sfabric" show switches -hP -o switch L001 L002-A --snapshot long.snap >actual &&
	printf "MF0;ufm:MQM8700/L00%d-A\n" 1 2 >expected && test_cmp expected actual &&
	refuse 1 "MQM8700: several have this name: MF0;ufm:MQM8700/L001-A, MF0" \
		"$sfabric" show switches MQM8700 --snapshot long.snap &&
	refuse 1 "L00: no row has that name" \
		"$sfabric" show switches L00 --snapshot long.snap'

test_expect_success 'sorted, numbers in names as numbers' '
	"$sfabric" show hosts -h -o host,lid --sort -lid >sorted &&
	sort -k2,2nr sorted | test_cmp - sorted'

test_expect_success 'output to a file' '
	"$sfabric" show io --output io.txt && "$sfabric" show io >stdout &&
	test_cmp stdout io.txt'

test_expect_success 'fields that are not there, before any work' '
	refuse 2 "field '\''size'\''" "$sfabric" show io -o set,size \
		--snapshot none &&
	refuse 2 "field '\''size'\''" "$sfabric" show io --sort size &&
	refuse 2 "nothing of that name" "$sfabric" show weather &&
	refuse 2 "nothing to show" "$sfabric" show &&
	refuse 1 "hosts: no row" "$sfabric" show io hosts'

test_expect_success 'the first rows, sorted' '
	"$sfabric" show hosts -hP -o host --sort -host --top 2 >actual &&
	printf "n0024\nn0023\n" >expected && test_cmp expected actual &&
	refuse 2 "top" "$sfabric" show hosts --top 0'

test_expect_success 'every field of a table is in --helpformat' '
	"$sfabric" show links --helpformat >help &&
	for field in $("$sfabric" show links -P | head -n 1 | tr "|" " "); do
		grep -i "^$field " help || return 1
	done'

test_expect_success 'config: every key has a value and an origin' '
	echo "MaxSteps=777" >a.conf &&
	"$sfabric" show config --conf a.conf -o key,value,origin >config &&
	grep "^MaxSteps *777 *a.conf:1$" config &&
	grep "^Mode *observe *default$" config'

test_expect_success 'show: only the rows of a name' '
	"$sfabric" show hosts "n[0002,0005]" n0007 -hP -o host >actual &&
	printf "n0002\nn0005\nn0007\n" >expected && test_cmp expected actual &&
	"$sfabric" show links n0001 -hP -o switch,to >actual &&
	grep "^n0001|" actual && grep "|n0001$" actual &&
	test 2 = $(wc -l <actual) &&
	"$sfabric" show jobs 12 --jobs jobs -hP -o job >actual &&
	echo 12 >expected && test_cmp expected actual &&
	refuse 1 "99: no row has that name" "$sfabric" show jobs 99 --jobs jobs &&
	refuse 1 "host list" "$sfabric" show hosts "n["'

test_expect_success 'a conf that is wrong or not there' '
	echo "MaxStep=777" >b.conf &&
	refuse 1 "b.conf:1: " "$sfabric" show config --conf b.conf &&
	refuse 1 "none: " "$sfabric" show config --conf none'

test_expect_success 'a snapshot that is cut off, damaged or not there' '
	head -c 1000 small.snap >cut.snap &&
	refuse 1 "cut.snap" "$sfabric" show io --snapshot cut.snap &&
	{ head -c 1000 small.snap && printf x && tail -c +1002 small.snap; } \
		>damaged.snap &&
	refuse 1 "damaged.snap" "$sfabric" show io --snapshot damaged.snap &&
	refuse 1 "none.snap" "$sfabric" show io --snapshot none.snap &&
	"$sfabric" show io --json --snapshot none.snap >none.json 2>/dev/null
	test $? = 1 && grep -A 1 "\"errors\": \[" none.json | grep "\"none.snap: "'

# a host may call itself what it likes
test_expect_success 'names cannot reach the terminal as they are' '
	sed "s/n0005 HCA-1/n0005 $(printf "\033")[2Jevil/" \
		files/opensm-subnet.lst >evil.lst &&
	sed "s/small-L002/$(printf "two\001\377")/" evil.lst >worse.lst &&
	"$sfabric" import worse.lst files/opensm.fdbs --output worse.snap &&
	for style in "" -P --json; do
		"$sfabric" show hosts --snapshot worse.snap $style \
			-o host,switch,desc >out &&
		! LC_ALL=C grep "[^[:print:]]" out &&
		grep "two.*xff" out && grep "\[2Jevil" out || return 1
	done'

test_done
