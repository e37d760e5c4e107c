#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# certificate.t - what place and predict certify, and what a walk of every pair and
# step finds that shares no code with them, on tables of the real OpenSM
test_description='certificates against a walk of every pair and step'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip

certificate=$SFAB_SRCDIR/tests/sim/certificate.py

# tables NAME FABRIC ENGINE IO
tables () {
	"$sfabric" synth "$2" --output net &&
	sim_route net $1 -R $3 >engine &&
	test "$(cat engine)" = $3 &&
	"$sfabric" import $1/opensm-subnet.lst $1/opensm-lfts.dump --io "$4" \
		--output $1.snap
}

# hosts PREFIX FIRST COUNT STRIDE OF: COUNT of OF hosts, all over; a comma between
hosts () {
	for k in $(seq 0 $(($3 - 1))); do
		printf ",$1%04d" $((($2 + k * $4) % $5 + 1))
	done | cut -c2-
}

# certified NAME IO COMMAND...: choice and alternatives, as the walk finds them
certified () {
	name=$1 io=$2 && shift 2 &&
	"$sfabric" "$@" --snapshot $name.snap --jobs jobs --json >answer &&
	"$certificate" $name/opensm-subnet.lst $name/opensm-lfts.dump jobs $io <answer
}

text_is () {
	"$SFAB_SRCDIR/tests/lib/field.py" data.certificate.text <answer >got &&
	echo "$1" >expected && test_cmp expected got
}

io=wf0018,wf0036,wf0306,wf0600
for engine in ftree minhop; do
	test_expect_success "Wolf, $engine: tables" "tables $engine wolf $engine $io"
	test_expect_success "Wolf, $engine: jobs of all classes run" '
		echo "1 $(hosts wf 1 30 7 300) mpi=0.5" >jobs &&
		echo "2 $(hosts wf 0 25 11 300) neighbor=0.5" >>jobs &&
		echo "30 $(hosts wf 3 8 1 300) io-write=0.5" >>jobs &&
		echo "4 $(hosts wf 220 8 1 300) mpi=0.1+io-read=0.25" >>jobs &&
		echo "5 $(hosts wf 37 12 1 300) mpi=0.9" >>jobs'
	for traffic in mpi=0.5 neighbor=0.5 io-write=0.3 io-read=0.3 \
		mpi=0.2+io-write=0.4; do
		test_expect_success "Wolf, $engine: $traffic" '
			certified $engine $io predict --traffic $traffic \
				--nodes "$(hosts wf 402 20 5 610)" &&
			certified $engine $io place -N 24 --traffic $traffic'
	done
	test_expect_success "Wolf, $engine: 64 hosts, one leaf, one host, a sample of 150" '
		certified $engine $io predict --traffic mpi --nodes "$(hosts wf 402 64 3 610)" &&
		certified $engine $io place -N 10 --traffic mpi &&
		certified $engine $io place -N 1 --traffic mpi &&
		certified $engine $io predict --traffic mpi --nodes "$(hosts wf 402 150 1 610)" &&
		grep " sampled of " answer'
	test_expect_success "Wolf, $engine: nobody else runs" '
		: >jobs && certified $engine $io place -N 40 --traffic mpi=0.5'
done

# 17 compute hosts a leaf: other ports of the same leaves, then the same of others
test_expect_success 'Wolf, ftree: jobs of other ports, or on other leaves, meet nobody' '
	echo "7 $(hosts wf 0 4 1 610),$(hosts wf 17 4 1 610) mpi=0.5" >jobs &&
	certified ftree $io predict --traffic mpi \
		--nodes "$(hosts wf 4 4 1 610),$(hosts wf 21 4 1 610)" &&
	text_is "11 of 11 steps clear, shares no switch link with 1 running job at its start" &&
	certified ftree $io predict --traffic mpi \
		--nodes "$(hosts wf 34 4 1 610),$(hosts wf 51 4 1 610)" &&
	text_is "11 of 11 steps clear, shares no switch link with 1 running job at its start" &&
	certified ftree $io predict --traffic mpi \
		--nodes "$(hosts wf 4 4 1 610),$(hosts wf 34 4 1 610)"'

io=n0100,n0200
test_expect_success 'three levels: tables' '
	tables pods tree:hosts=240,radix=12,levels=3 ftree $io'
for traffic in mpi=0.5 neighbor=0.5 io-write=0.3; do
	test_expect_success "three levels: $traffic" '
		for job in 1 2 3 4 5 6 7 8 9 10; do
			echo "$job $(hosts n $((job * 8)) 8 1 90) mpi=0.$job"
		done >jobs &&
		certified pods $io predict --traffic $traffic \
			--nodes "$(hosts n 101 60 2 240)" &&
		certified pods $io place -N 45 --traffic $traffic'
done

test_done
