#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# counters.t - counters set in the simulator, read by collect: placements leave
# what is hot alone, come back when it fades, and do not fall for the rest
test_description='counters of the wire that steer placements'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip sim_collect_missing

# eight leaves of four hosts, four spines; n0032 takes what the others write
"$sfabric" synth tree:hosts=32,leaf=4,leaves=8,spines=4 --output net
echo 'IoSet=fs Hosts=n0032 GBs=40' >site.conf
sim_start net && sim_sm_start out -R ftree
mkdir now

collect () {
	timeout -k 5 60 env LD_PRELOAD="$sim_umad" "$sfabric" collect \
		--conf site.conf --output now --half-life 1 2>err
	code=$?
	cat err >&2
	return $code
}

# place: where a job of four goes that writes
place () {
	"$sfabric" place --conf site.conf --snapshot now/fabric.snap \
		--counters now/counters.snap -N 4 --traffic io-write=0.5 --json |
		"$field" data.nodes
}

# ports NODES: leaf, GUID and port of each leaf's uplink that they write over
ports () {
	"$sfabric" load --conf site.conf --snapshot now/fabric.snap --from "$1" \
		--to fs --kind isl -P -h -o switch,guid,port,routes |
		awk -F "|" '$1 ~ /-L/ && $4 > 0 { print $1, substr($2, 3), $3 }'
}

# elsewhere, back: after one more sample
elsewhere () {
	collect && place >got && cat got && ports "$(cat got)" >there &&
	test -s there && test -z "$(comm -12 used there)"
}
back () {
	collect && place >got && cat got && cmp -s got first
}

test_expect_success 'a job goes somewhere' '
	collect && collect && place >first && cat first &&
	ports "$(cat first)" >used && cat used && test -s used'

test_expect_success 'spine ports of the job carry what no job explains: it goes elsewhere' '
	sim_inject PortCountersExtended.PortXmitData 4000000000 &&
	sim_until 60 elsewhere'
test_expect_success 'full spine ports are said to be full' '
	"$sfabric" show counters --conf site.conf --snapshot now/fabric.snap \
		--counters now/counters.snap -P -h -o bottleneck >bottlenecks &&
	grep -qx fabric bottlenecks'
test_expect_success 'load of spine ports fades: the job comes back' 'sim_until 60 back'

test_expect_success 'data waits there: it goes elsewhere, and comes back' '
	sim_inject PortCounters.PortXmitWait 1000000000 &&
	sim_until 60 elsewhere &&
	sim_until 60 back'

test_expect_success 'discards move nothing, but are told' '
	sim_inject PortCounters.PortXmitDiscards 4711 && sim_until 60 eval "
		collect && \"$sfabric\" show counters --conf site.conf \
			--snapshot now/fabric.snap -P -h -o discards \
			--counters now/counters.snap >shown 2>warned &&
		grep -qx 4711 shown" &&
	grep "ports discarded packets in the last interval" warned &&
	place >got && test_cmp first got'

test_expect_success 'an XmitWait at its maximum: reported, not believed' '
	sim_inject PortCounters.PortXmitWait 4294967295 &&
	sim_until 60 eval "collect && grep \"XmitWait at its maximum\" err" &&
	place >got && test_cmp first got &&
	"$sfabric" metrics --conf site.conf --snapshot now/fabric.snap \
		--counters now/counters.snap >text &&
	test $(grep -c "^sfabric_port_wait_stuck.* 1$" text) = $(wc -l <used)'
test_expect_success '--reset-wait sets it to 0, without that it stays' '
	collect && grep "XmitWait at its maximum" err &&
	LD_PRELOAD="$sim_umad" "$sfabric" collect --conf site.conf --output now \
		--reset-wait &&
	collect && ! grep "XmitWait at its maximum" err'
sim_stop

test_done
