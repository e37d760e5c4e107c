#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# real_fabrics.t - cabling of real clusters, routed by OpenSM, read back
test_description='import of real fabrics, whichever files tell of them'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip
command -v ibnetdiscover >/dev/null || {
	skip_all='ibnetdiscover is missing (Debian: infiniband-diags)'
	test_done
}

fabrics=$SFAB_SRCDIR/../shared/fabrics
made=$SFAB_SRCDIR/tests/data/two-leaves/fabric.net

# dump NETLIST OUT: every file that tells of the fabric, of one sweep; dump_fts
# asks each switch for each name and is too slow for thousands
dump () {
	sim_start "$1" &&
	sim_opensm "$2" -R updn >/dev/null &&
	sim_run ibnetdiscover >"$2/ibnetdiscover" &&
	gzip -k1 "$2/opensm-lfts.dump" &&
	if test $(grep -c ^Switch "$2/ibnetdiscover") -lt 100; then
		sim_run dump_fts >"$2/dump_fts" 2>/dev/null
	fi &&
	sim_stop
}

# summary FILE...: what the snapshot of these files is
summary () {
	"$sfabric" import "$@" --output snap --json >json 2>/dev/null &&
	grep -E '"(fingerprint|switches|hosts|ports|links)"' json
}

# check_pairings OUT: the same fabric from every topology and every table
check_pairings () {
	summary "$1/ibnetdiscover" "$1/opensm-lfts.dump" >"$1/expected" &&
	for topology in ibnetdiscover opensm-subnet.lst; do
		for tables in opensm-lfts.dump opensm-lfts.dump.gz opensm.fdbs \
			dump_fts
		do
			test -f "$1/$tables" || continue
			summary "$1/$tables" "$1/$topology" >actual &&
			test_cmp "$1/expected" actual || return 1
		done
	done
}

# counted OUT SWITCHES PORTS: as the fabric's own README says
counted () {
	grep -q "\"switches\": $2," "$1/expected" &&
	grep -q "\"ports\": $3," "$1/expected"
}

test_expect_success 'made fabric: all pairings are the same' '
	dump "$made" made && check_pairings made && counted made 4 7'

for row in stage-2014:8:145 psmn-x5:11:89 ndr-pod-2025:40:582 \
	selene-compute:666:4341
do
	name=${row%%:*} counts=${row#*:}
	net=$fabrics/$name.ibnetdiscover
	test -f "$net" || {
		test_expect_success SHARED_FABRICS "$name" false
		continue
	}
	test_expect_success "$name: all pairings are the same" '
		dump "$net" $name && check_pairings $name &&
		counted $name ${counts%:*} ${counts#*:} &&
		rm -rf $name/opensm-lfts.dump* $name/dump_fts'
done

test_expect_success 'tables of another fabric are refused, naming both files' '
	test_expect_code 1 "$sfabric" import made/ibnetdiscover \
		"$SFAB_SRCDIR/tests/data/two-leaves-lmc1/opensm.fdbs" \
		--output snap 2>error &&
	grep "^sfabric: .*/two-leaves-lmc1/opensm.fdbs:[0-9]*: .*files of two" \
		error'

test_done
