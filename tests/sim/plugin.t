#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# plugin.t - the snapshot that the OpenSM plugin writes is the one that sfabric
# import makes of the files that OpenSM wrote after the same sweep
test_description='OpenSM plugin: the same fabric as in the dump files'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip sim_missing sim_plugin_missing

sections=$SFAB_SRCDIR/tests/lib/sections.py
fabrics=$SFAB_SRCDIR/../shared/fabrics
test -d "$fabrics" && test_set_prereq RECORDED

# said: the engine that snapshot SNAP says
said () {
	"$sfabric" show fabric --snapshot "$1" --json >shown.json &&
	"$field" meta.engine <shown.json
}

# compare OUT: what the plugin wrote with what the files say
compare () {
	"$sfabric" import "$1/opensm-subnet.lst" "$1/opensm-lfts.dump" \
		--engine "$(said "$1/fabric.snap")" \
		--output files.snap --node-name-map "$map" &&
	"$sections" files.snap >expected && "$sections" "$1/fabric.snap" >got &&
	grep -q ^TABLES got && test_cmp expected got
}

# same NETLIST OPTION...: route it with the plugin, compare
same () {
	netlist=$1
	shift
	rm -rf out && mkdir out &&
	sim_plugin "Snapshot=\"$PWD/out/fabric.snap\" NodeNameMap=\"$map\"" &&
	sim_start "$netlist" && sim_sm_start out "$@" &&
	sim_until 30 test -f out/fabric.snap &&
	sim_engine out >expected && said out/fabric.snap >got &&
	test_cmp expected got &&
	compare out
	same_status=$?
	sim_stop
	return $same_status
}

# rows TITLE NETLIST ENGINE...
rows () {
	title=$1 file=$2
	shift 2
	for engine; do
		test_expect_success "$title, $engine" '
			same "$file" -R $engine'
	done
}

: >none.map
map=$PWD/none.map
"$sfabric" synth wolf --output wolf.net
rows wolf wolf.net minhop ftree updn dfsssp
"$sfabric" synth tree:hosts=90,radix=8,levels=3,fill=first,speed=HDR \
	--output three.net
rows 'three levels' three.net minhop ftree updn dfsssp
"$sfabric" synth tree:hosts=150,radix=24,taper=3,speed=FDR10 --output taper.net
rows 'tapered' taper.net updn

test_expect_success 'two LIDs a port: ftree falls back, and the snapshot says so' '
	printf "0x%016x \"renamed\"\n" 0x0002c90200400000 >renamed.map &&
	map=$PWD/renamed.map && same wolf.net -R ftree --lmc 1 &&
	grep -q "routed by minhop instead of ftree as requested" out/osm.log &&
	"$sfabric" show switches --snapshot out/fabric.snap | grep -w renamed'

test_expect_success 'blank and repeated descriptions name hosts by their GUID' '
	"$sfabric" synth tree:hosts=8,radix=8 --output odd.net &&
	sim_describe odd.net 1 "  " && sim_describe odd.net 2 "twin HCA-1" &&
	sim_describe odd.net 3 "twin HCA-1" &&
	map=$PWD/none.map && same odd.net -R updn &&
	grep "3 hosts are named by their GUID, for example 0x[0-9a-f]*" out/osm.log &&
	"$sfabric" show hosts --snapshot out/fabric.snap -h -o host >hosts &&
	test $(grep -c ^0x hosts) = 3 && test $(wc -l <hosts) = 8'

test_expect_success RECORDED 'recorded fabrics are there' '
	ls "$fabrics"/*.ibnetdiscover'
for netlist in "$fabrics"/*.ibnetdiscover; do
	test -f "$netlist" || continue
	map=${netlist%.ibnetdiscover}.node-name-map
	test -f "$map" || map=$PWD/none.map
	rows "$(basename "$netlist" .ibnetdiscover)" "$netlist" ftree
done

test_done
