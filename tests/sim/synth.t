#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# synth.t - the real OpenSM takes our netlists for the trees that they are
test_description='OpenSM on the fabrics of sfabric synth'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip

# ftree refuses whatever is no fat tree and OpenSM then uses another engine
for fabric in wolf wolf-moved wolf-packed talon mustang ft1600 \
	tree:hosts=160,radix=16,taper=3 tree:hosts=100,radix=8,levels=3
do
	test_expect_success "ftree routes $fabric" '
		"$sfabric" synth "$fabric" --output net &&
		sim_route net "$fabric" -R ftree >engine &&
		echo ftree >expected &&
		test_cmp expected engine'
done

# entry LID NAME: "LID PORT" of a host in the first table of the dump
entry () {
	awk -v name="'$1" '/^Unicast/ { table++ }
		table == 1 && index($0, name) { print $1, $2 }' wolf/opensm-lfts.dump
}

# the published reading of Wolf's tables, from leaf wolf-L001
test_expect_success 'wolf has the LIDs and uplinks of the published tables' '
	for host in wf0001 wf0065 wf0600 wf0616 wolf-L036; do
		entry $host
	done >actual &&
	cat >expected <<-\EOF &&
	0x0001 001
	0x0004 032
	0x0108 019
	0x01b8 035
	0x0044 019
	EOF
	test_cmp expected actual'

test_expect_success 'all 24 IO destinations of wolf leave wolf-L030 by one port' '
	awk "/^Unicast/ { wanted = /wolf-L030/ }
	     wanted && /wf06(1[789]|[234].)/ { print \$2 }" \
		wolf/opensm-lfts.dump >ports &&
	test $(wc -l <ports) = 24 &&
	test "$(sort -u ports)" = 036'

engine_is () {
	test "$(sim_engine live)" = "$1"
}

test_expect_success 'a dead uplink makes OpenSM fall back to updn' '
	"$sfabric" synth wolf --output net &&
	sim_start net &&
	sim_sm_start live -R ftree,updn &&
	engine_is ftree &&
	sim_console "Unlink \"S-0002c90200400000\"[36]" &&
	sim_until 60 engine_is updn &&
	sim_console "ReLink \"S-0002c90200400000\"[36]" &&
	sim_until 60 engine_is ftree &&
	sim_stop'

test_done
