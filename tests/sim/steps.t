#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# steps.t - collectives in steps, by `predict` and by a walk of every step that shares no
# code with it, on tables of the real OpenSM
test_description='collectives in steps against a walk of every step'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip

steps=$SFAB_SRCDIR/tests/sim/steps.py

# tables NAME FABRIC ENGINE
tables () {
	"$sfabric" synth "$2" --output net &&
	sim_route net $1 -R $3 >engine &&
	test "$(cat engine)" = $3 &&
	"$sfabric" import $1/opensm-subnet.lst $1/opensm-lfts.dump --output $1.snap
}

# hosts PREFIX FIRST COUNT STRIDE OF: COUNT of OF hosts, all over; a comma between
hosts () {
	for k in $(seq 0 $(($3 - 1))); do
		printf ",$1%04d" $((($2 + k * $4) % $5 + 1))
	done | cut -c2-
}

# walked NAME NODES: all figures of predict are those of the walk
walked () {
	"$sfabric" predict --snapshot $1.snap --nodes "$2" --traffic mpi \
		--jobs jobs --json >answer &&
	"$steps" $1/opensm-subnet.lst $1/opensm-lfts.dump jobs <answer
}

# mean NAME NODES PATTERN
mean () {
	"$sfabric" predict --snapshot $1.snap --nodes "$2" --traffic mpi --json >answer &&
	"$field" data.steps.pattern=$3.mean <answer
}

for engine in ftree minhop; do
	test_expect_success "Wolf, $engine: tables" "tables $engine wolf $engine"
	test_expect_success "Wolf, $engine: 64 hosts beside two jobs, 37 beside them" '
		echo "1 $(hosts wf 0 40 7 300) mpi=0.5" >jobs &&
		echo "2 $(hosts wf 301 30 3 300) mpi=0.25" >>jobs &&
		walked $engine "$(hosts wf 402 64 3 610)" &&
		walked $engine "$(hosts wf 410 37 1 610)"'
	test_expect_success "Wolf, $engine: 200 hosts by a sample" '
		walked $engine "$(hosts wf 410 200 1 610)" &&
		"$field" data.steps.pattern=alltoall.total \
			data.steps.pattern=alltoall.looked <answer >got &&
		read total looked <got && test $total = 199 && test $looked -lt 129'
done

# four leaves x 16 hosts: 17 compute hosts a leaf, in order of their ports
test_expect_success 'Wolf, ftree: the same ports of four leaves have no conflict' '
	same="wf[0001-0016,0018-0033,0035-0050,0052-0067]" &&
	for pattern in alltoall allreduce ring; do
		mean ftree "$same" $pattern >got && echo 1 >expected &&
		test_cmp expected got || return 1
	done &&
	mean ftree "wf[0005-0068]" alltoall >got &&
	awk "{ exit !(\$1 > 1.2) }" got'

# classes NAME: a line for each
classes () {
	"$sfabric" show classes -hP -o class,agree,nodes --snapshot $1.snap
}

test_expect_success 'Wolf: 18 classes of ports of the same number, by ftree' '
	classes ftree >got && test $(wc -l <got) = 18 &&
	awk -F"|" "\$2 < 0.999" got >bad && test_must_be_empty bad &&
	"$sfabric" show classes -hP -o nodes --snapshot ftree.snap |
	while read -r nodes; do
		"$sfabric" show hosts -h -o port --snapshot ftree.snap $nodes |
			sort -u | wc -l
	done | sort -u >kinds && echo 1 >expected && test_cmp expected kinds'

# by_class NAME: "HOST CLASS" lines
by_class () {
	"$sfabric" show classes -hP -o class,nodes --snapshot $1.snap |
	while IFS="|" read -r class nodes; do
		"$sfabric" show hosts -h -o host --snapshot $1.snap "$nodes" |
			sed "s/$/ $class/"
	done
}

# keep ONE OTHER: how many hosts of each class of ONE stay together in OTHER
keep () {
	by_class $1 >one && by_class $2 >other &&
	awk 'NR == FNR { class[$1] = $2; next }
		++n[$2, class[$1]] > most[$2] { most[$2]++ }
		END { for (c in most) sum += most[c]; print sum }' one other
}

# OpenSM routes a Wolf that lacks a cable by minhop, whatever it was asked for
test_expect_success 'Wolf: a cable is gone, and the classes are still there' '
	"$sfabric" synth wolf --output whole &&
	first=$(sed -n "s/^Switch.*\"\(S-[0-9a-f]*\)\".*wolf-L001.*/\1/p" whole) &&
	spine=$(sed -n "s/^Switch.*\"\(S-[0-9a-f]*\)\".*wolf-S001.*/\1/p" whole) &&
	sed -e "/^\[19\].\"$spine\"\[1\]/d" -e "/^\[1\].\"$first\"\[19\]/d" whole >net &&
	test $(($(wc -l <whole) - $(wc -l <net))) = 2 &&
	sim_route net gone -R minhop &&
	"$sfabric" import gone/opensm-subnet.lst gone/opensm-lfts.dump --output gone.snap &&
	classes gone >got && test $(wc -l <got) = 18 &&
	awk -F"|" "\$2 < 0.94" got >bad && test_must_be_empty bad &&
	test $(keep minhop gone) -gt 600'

test_expect_success 'scattered ports: no classes' '
	"$sfabric" synth wolf --output net &&
	sim_route net scatter -R updn --scatter-ports 12345 &&
	"$sfabric" import scatter/opensm-subnet.lst scatter/opensm-lfts.dump \
		--output scatter.snap &&
	classes scatter >got 2>err && test_must_be_empty got &&
	grep "no port classes: leaves agree" err'

test_expect_success 'three levels: tables' '
	tables pods tree:hosts=240,radix=12,levels=3 ftree'
test_expect_success 'three levels: 64 hosts of several pods, 45, 150' '
	echo "1 $(hosts n 0 40 3 100) mpi=0.5" >jobs &&
	walked pods "$(hosts n 101 64 2 240)" &&
	walked pods "$(hosts n 150 45 1 240)" &&
	walked pods "$(hosts n 101 130 1 240)"'

test_expect_success 'three levels: six classes' '
	classes pods | cut -d "|" -f 2 | sort | uniq -c | awk "{ print \$1, \$2 }" >got &&
	echo "6 1" >expected && test_cmp expected got'

test_done
