#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# wolf.t - LANL's observation on tables of the real OpenSM: where 64 nodes that
# write to the file systems get 16-28 GB/s, where 38, and where all 55
#
# Links carry 4.0 GB/s, each of the 24 IO hosts takes 55/24 GB/s.
test_description='64 nodes of Wolf and its IO hosts, by routing engine'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip

io='wf[0617-0640]'
rates='data.predicted.0.maxmin_gbs data.predicted.0.lockstep_gbs'

# between LOW HIGH FILE: every number of the file
between () {
	awk -v low="$1" -v high="$2" '$1 < low || $1 > high { bad = 1 }
		END { exit bad || !NR }' "$3" || {
		echo "not between $1 and $2:" && cat "$3"
		return 1
	}
}

# summary FILE: mean, least and most of both columns
summary () {
	for column in 1 2; do
		awk -v c=$column '
			NR == 1 || $c < low { low = $c }
			$c > high { high = $c }
			{ sum += $c }
			END { print sum / NR > "mean" c
			      print low > "low" c; print high > "high" c }' "$1"
	done
}

# What given nodes reach does not depend on a packing: none is looked for.
echo Packing=leaves >leaves.conf
predict () {
	"$sfabric" predict --conf leaves.conf --snapshot snap --nodes "$1" \
		--traffic io-write --json
}

# port GUIDs of the IO hosts, for OpenSM's io_guid_file
"$sfabric" synth wolf --output net &&
awk '/^Ca/ { io = $5 >= "\"wf0617" }
	io && /^\[1\]\(/ { print "0x" substr($1, 5, length($1) - 5) }' net >io.guids

# tables FABRIC ENGINE OPTION...: a snapshot of what OpenSM makes of FABRIC
tables () {
	rm -f snap
	fabric=$1 engine=$2
	shift 2
	"$sfabric" synth $fabric --output net &&
	sim_route net out "$@" >engine &&
	test "$(cat engine)" = $engine &&
	"$sfabric" import out/opensm-subnet.lst out/opensm-lfts.dump --io "$io" \
		--io-capacity 2.2916666666666667 --output snap
}

# 25 windows of 64 neighboring compute hosts; 10 draws of 8 leaves x 8 hosts
write_contiguous () {
	for first in $(seq 1 23 553); do
		predict $(printf 'wf[%04d-%04d]' $first $((first + 63))) || return
	done >answers &&
	"$field" $rates <answers >contiguous &&
	test $(wc -l <contiguous) = 25 &&
	summary contiguous
}

write_eight_leaves () {
	"$SFAB_SRCDIR"/tests/sim/eight_leaves.py 10 24 <net |
	while read -r hosts; do
		predict "$hosts" || return
	done >answers &&
	"$field" $rates <answers >eight &&
	test $(wc -l <eight) = 10 &&
	summary eight
}

# all IO destinations behind one uplink of each leaf
one_uplink () {
	test_expect_success "$1: 25 contiguous windows get 16.0-28.0" '
		write_contiguous &&
		between 23.5 23.7 mean1 && between 15.99 16.01 low1 &&
		between 27.9 28.05 high1 &&
		between 15.25 15.35 mean2'
	test_expect_success "$1: 8 leaves x 8 hosts get about 37.6" '
		write_eight_leaves &&
		between 36.6 38.6 mean1 && between 32.0 32.6 mean2'
}

all_uplinks () {
	test_expect_success "$1: 25 contiguous windows get 55" '
		write_contiguous && between 54.99 55.01 contiguous &&
		between 54.99 55.01 low2'
	test_expect_success "$1: 8 leaves x 8 hosts get 55" '
		write_eight_leaves && between 54.99 55.01 eight &&
		between 54.99 55.01 low2'
}

# row TITLE EXPECTED FABRIC ENGINE OPTION...
row () {
	title=$1 expected=$2
	shift 2
	tables "$@" >tables.log 2>&1
	status=$?
	test_expect_success "$title: OpenSM makes the tables" '
		cat tables.log && test $status = 0'
	$expected "$title"
	for class in io-write io-read; do
		test_expect_success "$title: the nodes that sfabric places, $class" '
			"$sfabric" place --snapshot snap -N 64 --traffic $class \
				--json >placed &&
			"$field" $rates <placed >got &&
			summary got &&
			between 54.99 55.01 mean1 && between 54.99 55.01 mean2'
	done
}

row 'ftree' one_uplink wolf ftree -R ftree
row 'updn' one_uplink wolf updn -R updn
row 'updn --port-shifting' all_uplinks wolf updn -R updn --port-shifting
row 'IO hosts moved, ftree' all_uplinks wolf-moved ftree -R ftree
row 'IO hosts moved, ftree with io_guid_file' one_uplink wolf-moved ftree \
	-R ftree --io_guid_file io.guids
row 'IO hosts packed, ftree' all_uplinks wolf-packed ftree -R ftree

test_done
