#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# plugin_counters.t - what the real PerfMgr tells the plugin of each port stands
# in counters.snap
test_description='OpenSM plugin: counters of PerfMgr'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip sim_missing sim_plugin_missing

netlist=$SFAB_SRCDIR/tests/data/two-leaves/fabric.net
file=$PWD/out/counters.snap

# field PORT NAME: of the first leaf
field () {
	"$sfabric" show counters --snapshot out/fabric.snap --counters "$file" \
		-P -h -o guid,port,$2 |
	sed -n "s/^0x0002c90200000100|$1|//p"
}

is_above () {
	test -f "$file" && field $1 $2 >value &&
	awk -v least="$3" '{ exit !($1 > least) }' value
}

test_expect_success 'OpenSM with PerfMgr: a row for each port' '
	mkdir out &&
	SIM_CONF="perfmgr TRUE
perfmgr_sweep_time_s 1
perfmgr_max_outstanding_queries 8" &&
	sim_plugin "Snapshot=\"$PWD/out/fabric.snap\" Counters=\"$file\" HalfLife=5s" &&
	sim_start "$netlist" && sim_sm_start out -R updn &&
	sim_until 60 is_above 5 age_s -1'

test_expect_success 'traffic and waits that are set come as rates and shares' '
	sim_console "PerformanceSet \"S-leaf1\"[6] PortCountersExtended.PortXmitData=3000000000" &&
	sim_console "PerformanceSet \"S-leaf1\"[6] PortCounters.PortXmitWait=1000000000" &&
	sim_console "PerformanceSet \"S-leaf1\"[6] PortCounters.PortXmitDiscards=77" &&
	sim_until 60 is_above 6 rate_gbs 0.1 &&
	sim_until 60 is_above 6 wait_share 0.01 &&
	sim_until 60 is_above 6 discards 70 &&
	! is_above 7 rate_gbs 0.1'

test_done
