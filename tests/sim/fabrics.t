#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fabrics.t - real clusters' cabling, routed by OpenSM: every engine's tables
# import, and lfts.dump and fdbs of a sweep make the same fabric
test_description='import of real fabrics'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip

fabrics=$SFAB_SRCDIR/../shared/fabrics
test -d "$fabrics" && test_set_prereq RECORDED

# import TABLES SNAPSHOT: of the sweep in out
import () {
	test -f "$map" || map=/dev/null
	"$sfabric" import out/opensm-subnet.lst "out/$1" --output "$2" \
		--node-name-map "$map" --engine "$(cat engine)" --json >$2.json
}

# ordered pairs of host ports; aggregation nodes inside switches are no hosts
pairs () {
	ports=$(grep "^\[[0-9]*\][[:space:]]*\"H-" "$netlist" |
		grep -vc "Aggregation Node")
	echo $((ports * (ports - 1)))
}

# through NAME: the netlist, with its node-name map if there is one
through () {
	name=$1
	for engine in minhop ftree updn dfsssp; do
		test_expect_success "$name, $engine: imports" '
			sim_route "$netlist" out -R $engine >engine &&
			import opensm-lfts.dump lfts &&
			import opensm.fdbs fdbs &&
			"$field" meta.fingerprint <lfts.json >expected &&
			"$field" meta.fingerprint <fdbs.json >got &&
			test_cmp expected got'
		test_expect_success "$name, $engine: all pairs have a route" '
			"$sfabric" load --snapshot lfts --json >answer &&
			"$field" data.pairs meta.engine <answer >got &&
			echo "$(pairs) $(cat engine)" >expected &&
			test_cmp expected got'
	done
}

# made stand-ins: two and three levels, tapered, unevenly filled, other speeds
for made in tree:hosts=150,radix=24,taper=3,speed=FDR10 \
	tree:hosts=90,radix=8,levels=3,fill=first,speed=HDR
do
	netlist=net map=
	"$sfabric" synth $made --output net
	through $made
done

test_expect_success RECORDED 'recorded fabrics are there' '
	ls "$fabrics"/*.ibnetdiscover'
for netlist in "$fabrics"/*.ibnetdiscover; do
	test -f "$netlist" || continue
	map=${netlist%.ibnetdiscover}.node-name-map
	through $(basename "$netlist" .ibnetdiscover)
done

test_done
