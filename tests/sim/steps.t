#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# steps.t - collectives in steps, by `sfabric predict` and by a walk of every step
# that shares no code with it, on tables of the real OpenSM
test_description='collectives in steps against a walk of every step'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
skip_all=$(sim_missing) && test_done
sim_guard

sfabric=$SFAB_BUILDDIR/tools/sfabric
field=$SFAB_SRCDIR/tests/lib/field.py
steps=$SFAB_SRCDIR/tests/lib/steps.py

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
	for pattern in alltoall halving ring; do
		mean ftree "$same" $pattern >got && echo 1 >expected &&
		test_cmp expected got || return 1
	done &&
	mean ftree "wf[0005-0068]" alltoall >got &&
	awk "{ exit !(\$1 > 1.2) }" got'

test_expect_success 'three levels: tables' '
	tables pods tree:hosts=240,radix=12,levels=3 ftree'
test_expect_success 'three levels: 64 hosts of several pods, 45, 150' '
	echo "1 $(hosts n 0 40 3 100) mpi=0.5" >jobs &&
	walked pods "$(hosts n 101 64 2 240)" &&
	walked pods "$(hosts n 150 45 1 240)" &&
	walked pods "$(hosts n 101 130 1 240)"'

test_done
