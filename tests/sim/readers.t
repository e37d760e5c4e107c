#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# readers.t - every form in which tables of one sweep come makes one fabric
test_description='the same sweep through every reader of tables'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip
command -v ibroute >/dev/null || {
	skip_all='ibroute is missing (Debian: infiniband-diags)'
	test_done
}

convert=$SFAB_SRCDIR/tests/sim/convert.py

# dump NETLIST OUT [OPTION...]: all that a live fabric can be asked for
dump () {
	dump_net=$1 dump_out=$2
	shift 2
	sim_start "$dump_net" &&
	sim_sm_start "$dump_out" "$@" &&
	sim_run ibnetdiscover >"$dump_out/ibnetdiscover" &&
	sim_run dump_fts >"$dump_out/dump_fts" 2>/dev/null &&
	rm -f "$dump_out"/ibroute.* &&
	for lid in $(sed -n "s/^Switch.* lid \([0-9]*\) .*/\1/p" \
		"$dump_out/ibnetdiscover")
	do
		sim_run ibroute $lid >"$dump_out/ibroute.$lid" || return 1
	done &&
	sim_stop
}

# summary FILE...: what the snapshot of these files is
summary () {
	"$sfabric" import "$@" --output snap --json >json 2>err || {
		cat err
		return 1
	}
	grep -E '"(fingerprint|switches|hosts|ports|links)"' json
}

# same OUT: dumps, wire, and what other programs would have written of them
same () {
	topology=$1/ibnetdiscover &&
	summary "$topology" "$1/opensm-lfts.dump" >expected &&
	for tables in opensm.fdbs dump_fts; do
		summary "$topology" "$1/$tables" >actual &&
		test_cmp expected actual || return 1
	done &&
	summary "$topology" "$1"/ibroute.* >actual && test_cmp expected actual &&
	"$convert" "$1/ibnetdiscover" "$1/opensm-lfts.dump" "$1" &&
	for tables in ibdiagnet2.far opa.linear opa.linear.xml; do
		summary "$topology" "$1/$tables" >actual &&
		test_cmp expected actual || return 1
	done &&
	summary "$1/ibdiagnet2.db_csv" "$1/opensm.fdbs" >actual &&
	test_cmp expected actual && ibdiagnet "$1"
}

# ibdiagnet OUT: the folder of ibdiagnet, of a version with and one without LINKS in
# its .db_csv; summary "expected" is of the same sweep
ibdiagnet () {
	rm -rf scan && mkdir scan &&
	cp "$1/ibdiagnet2.db_csv" "$1/ibdiagnet2.far" scan &&
	cp "$1/ibnetdiscover" scan/ibdiagnet2.ibnetdiscover &&
	cp "$1/opensm-subnet.lst" scan/ibdiagnet2.lst &&
	cp "$1/opensm.fdbs" scan/ibdiagnet2.fdbs &&
	echo "-I- Load Plugins" >scan/ibdiagnet2.log &&
	summary scan >actual && test_cmp expected actual &&
	grep "unknown format: scan/ibdiagnet2.log$" err &&
	sed "/^START_LINKS/,/^END_LINKS/d" "$1/ibdiagnet2.db_csv" \
		>scan/ibdiagnet2.db_csv &&
	summary scan >actual && test_cmp expected actual &&
	test_must_fail "$sfabric" import scan/ibdiagnet2.db_csv \
		scan/ibdiagnet2.fdbs --output none.snap
}

test_expect_success 'two levels: ibroute, dump_fts, OpenSM, ibdiagnet, opareport' '
	"$sfabric" synth tree:hosts=40,radix=12,taper=2 --output net &&
	dump net two -R ftree && same two'

test_expect_success 'two LIDs a port' '
	dump net lmc -R updn --lmc 1 && same lmc'

# recorded fabrics; ibroute asks for the name of each destination: small ones
for name in psmn-x5 stage-2014; do
	net=$SFAB_SRCDIR/../shared/fabrics/$name.ibnetdiscover
	test -f "$net" && test_set_prereq SHARED_FABRICS
	test_expect_success SHARED_FABRICS "$name: all forms of its tables" '
		dump "$net" $name -R updn && same $name'
done

test_done
