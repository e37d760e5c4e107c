#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# counters_live.t - sfabric collect on ibsim, then the real PerfMgr in OpenSM with
# our plugin; Slurm with ours: jobs leave alone what is hot, and come back when it
# fades
test_description='jobs follow the counters'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/live.sh"

skip_all=$(place_missing)
test -n "$skip_all" || skip_all=$(sim_collect_missing)
test -z "$skip_all" || test_done

# eight leaves of four hosts, four spines; n0032 takes what the others write
SLURM_PARTITIONS='PartitionName=main Nodes=n[0001-0031] Default=YES OverSubscribe=EXCLUSIVE State=UP
PartitionName=io Nodes=n0032 State=UP'
"$sfabric" synth tree:hosts=32,leaf=4,leaves=8,spines=4 --output net

# ask: four nodes for a moment, with all nodes free, whatever a test left
ask () {
	place_cancel &&
	asked=$(place_alloc -N4) &&
	got=$(slurm_nodes $asked) &&
	why=$(place_reason $asked) &&
	scancel $asked &&
	test "$why" = placed
}

# same: they are those of the first job
same () {
	ask && test "$got" = "$first"
}

# ports NODES: leaf, GUID and port of the uplinks that they write over
ports () {
	"$sfabric" load --snapshot "$place_dir/fabric.snap" --from "$1" --to fs \
		--kind isl -P -h -o switch,guid,port,routes |
		awk -F "|" '$1 ~ /-L/ && $4 > 0 { print $1, substr($2, 3), $3 }'
}

# hot COLUMN LEAST MOST: one of the ports in "used" has that, as counters.snap says
hot () {
	"$sfabric" show counters --snapshot "$place_dir/fabric.snap" \
		--counters "$place_dir/counters.snap" -P -h -o guid,port,$1 |
		awk -F "|" -v least=$2 -v most=$3 '$3 > least && $3 < most {
			print substr($1, 3), $2 }' | sort >rates &&
	cut -d" " -f2,3 used | sort | comm -12 - rates | grep -q .
}

# older_than SECONDS: so long ago it began
older_than () {
	test $(($(date +%s) - began)) -ge $1
}

# swept FIELD COUNT COLUMN LEAST MOST: the ports count that between two sweeps, and are
# hot.  What the last sweep saw stays until the next.  Where the machine is loaded, the
# sweeps may be too far apart: slurm_wait.
swept () {
	sim_inject $1 0 && sweep &&
	began=$(date +%s) && slurm_wait older_than 2 &&
	sim_inject $1 $2 && sweep &&
	hot $3 $4 $5
}
full="PortCountersExtended.PortXmitData 4000000000 rate_gbs 3 99"
waiting="PortCounters.PortXmitWait 2000000000 wait_share 0.3 1.1"

# elsewhere: a job writes over no port in "used"
elsewhere () {
	ask &&
	ports "$got" >there && test -s there &&
	test -z "$(comm -12 used there)"
}

# previewed: it gets the nodes that the preview names, by the plugin's own files
previewed () {
	preview=$("$sfabric" place --slurm -N 4 --exclusive --json | "$field" data.nodes) &&
	ask &&
	test "$(scontrol show hostnames "$preview")" = \
		"$(scontrol show hostnames "$got")"
}

test_expect_success 'collect, then Slurm: a job is placed' '
	sim_start net && sim_sm_start out -R ftree &&
	place_conf Mode=on DefaultTraffic=io-write=0.5 \
		"Counters=$place_dir/counters.snap" "IoSet=fs Hosts=n0032 GBs=40" &&
	sweep &&
	place_start counters_live "n[0001-0032]" && place_warm &&
	slurm_wait ask && first=$got &&
	ports "$first" >used && cat used && test -s used'

# its_ports_count: the job is where the first was, and sends for two sweeps
its_ports_count () {
	test "$(slurm_nodes $job)" = "$first" &&
	slurm_wait older_than 4 &&
	slurm_wait swept PortCountersExtended.PortXmitData 600000000 rate_gbs 0.2 3
}
test_expect_success 'a job that ended explains what it sent, also to the preview' '
	place_cancel &&
	job=$(place_alloc -N4 --comment sfabric:io-write=1) &&
	began=$(date +%s) && its_ports_count &&
	place_cancel &&
	previewed && test "$got" = "$first"'

test_expect_success 'spine ports of the job are full of what no job explains: elsewhere' '
	slurm_wait swept $full &&
	slurm_wait elsewhere'

test_expect_success 'the preview finds the same' 'slurm_wait previewed'

# cooled: swept again the next job comes back
cooled () {
	sweep && same
}

test_expect_success 'load of spine ports fades: the next job comes back' 'slurm_wait cooled'

test_expect_success 'spine ports of the job wait: elsewhere, and back again' '
	slurm_wait swept $waiting &&
	slurm_wait elsewhere &&
	slurm_wait cooled'

test_expect_success 'discards and an XmitWait at its maximum move nothing' '
	sim_inject PortCounters.PortXmitDiscards 4711 &&
	sim_inject PortCounters.PortXmitWait 4294967295 &&
	sweep && grep "XmitWait at its maximum" collect.log &&
	same'

test_expect_success 'counters that are spoilt: one line, jobs go on' '
	echo spoilt >$place_dir/bad &&
	mv $place_dir/bad $place_dir/counters.snap &&
	slurm_wait place_said "error: sfabric:.*not a file of counters" &&
	same &&
	test $(place_said "not a file of counters") = 1'

# -- PerfMgr, and what it tells the plugin in OpenSM ----------------------------

test -n "$(sim_plugin_missing)" || test_set_prereq PERFMGR

test_expect_success PERFMGR 'OpenSM with PerfMgr in the place of collect: the same job' '
	sim_stop &&
	rm "$place_dir/counters.snap" &&
	SIM_CONF="perfmgr TRUE
perfmgr_sweep_time_s 1
perfmgr_max_outstanding_queries 8" &&
	sim_plugin "Snapshot=$place_dir/fabric.snap HalfLife=1s" \
		"Counters=$place_dir/counters.snap AliveInterval=1s" &&
	sim_start net && sim_sm_start perfmgr -R ftree &&
	slurm_wait test -f "$place_dir/counters.snap" &&
	slurm_wait same'

# anew: the next file is there
anew () {
	touch "$place_dir/seen" &&
	slurm_wait test "$place_dir/counters.snap" -nt "$place_dir/seen"
}

# let_go: OpenSM goes on
let_go () {
	kill -CONT $(sim_sm_process perfmgr)
}

# held FIELD COUNT COLUMN LEAST MOST: the ports count that, and OpenSM stops while they
# are hot, for it sweeps every second.  A whole sweep must have seen the 0: else the count
# is what it was at the last try, and no more.
held () {
	let_go &&
	sim_inject $1 0 && anew && anew &&
	sim_inject $1 $2 && sim_until 60 hot $3 $4 $5 &&
	kill -STOP $(sim_sm_process perfmgr) &&
	hot $3 $4 $5
}

test_expect_success PERFMGR 'PerfMgr: spine ports of the job are full: elsewhere, and back again' '
	slurm_wait held $full &&
	slurm_wait elsewhere &&
	slurm_wait previewed &&
	let_go &&
	slurm_wait same'

test_expect_success PERFMGR 'PerfMgr: spine ports of the job wait: elsewhere, and back again' '
	slurm_wait held $waiting &&
	slurm_wait elsewhere &&
	let_go &&
	slurm_wait same'

test_done
