#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# collect.t - the wire against OpenSM's own dump files, and what is missing
test_description='sfabric collect on simulated fabrics'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip sim_collect_missing

collect () {
	timeout -k 5 120 env LD_PRELOAD="$sim_umad" "$sfabric" collect "$@" 2>err
	code=$?
	cat err >&2
	return $code
}

# fingerprint SNAPSHOT: of topology, tables and IO sets
fingerprint () {
	"$sfabric" show fabric --snapshot "$1" --json >$1.json &&
	"$field" data.planes.0.fingerprint <$1.json
}

# swept OPTION...: OpenSM with these options routes the netlist net, and collect writes got
swept () {
	rm -rf got && mkdir got &&
	sim_start net && sim_sm_start out "$@" &&
	collect --output got
}

# as_dumped: got is what OpenSM's dump files of that sweep say
as_dumped () {
	"$sfabric" import out/opensm-subnet.lst out/opensm-lfts.dump --output import.snap &&
	fingerprint import.snap >expected &&
	fingerprint got/fabric.snap >actual &&
	test_cmp expected actual
}

# same TITLE FABRIC ENGINE [OPTION...]: of one sweep by the wire and by the dump files
same () {
	title=$1 fabric=$2 engine=$3
	shift 3
	options=$*
	test_expect_success "$title: the wire and the dump files are the same" '
		{ test -f "$fabric" && cp "$fabric" net ||
			"$sfabric" synth $fabric --output net; } &&
		swept -R $engine $options >said && cat said &&
		test "$(sim_engine out)" = $engine &&
		as_dumped'
	sim_stop
}
same 'Wolf, ftree' wolf ftree
same 'three levels, updn' tree:hosts=90,radix=8,levels=3,fill=first,speed=HDR updn
same 'LMC 1, minhop' tree:hosts=24,radix=8 minhop -l 1
# SFAB_RECORDED=yes: real clusters' cabling too, as check-long does
for recorded in "$SFAB_SRCDIR"/../shared/fabrics/*.ibnetdiscover; do
	test "$SFAB_RECORDED" = yes && test -f "$recorded" || continue
	same "$(basename "$recorded")" "$recorded" minhop
done

test_expect_success 'hosts without a name, or with that of another, end no sweep' '
	"$sfabric" synth tree:hosts=8,radix=8 --output net &&
	twin=$(sed -n "s/^Ca.*# \"\(.*\)\".*/\1/p" net | sed -n 5p) &&
	sim_describe net 1 " " && sim_describe net 3 "   " &&
	sim_describe net 4 "$twin" &&
	swept -R updn &&
	grep "warning: 4 hosts are named by their GUID, for example 0x[0-9a-f]*" err &&
	"$sfabric" show hosts --snapshot got/fabric.snap -h -o host >hosts &&
	test $(grep -c ^0x hosts) = 4 &&
	test $(wc -l <hosts) = 8 &&
	as_dumped'
sim_stop

test_expect_success 'an adapter that lies takes no host off the fabric' '
	"$sfabric" synth tree:hosts=8,radix=8 --output net &&
	swept -R updn &&
	"$sfabric" show hosts --snapshot got/fabric.snap -hP -o host,guid >hosts &&
	sim_stop &&
	victim=$(sed -n "s/^Ca.*# \"\(.*\)\".*/\1/p" net | sed -n 2p) &&
	sim_describe net 1 "$victim" &&
	sim_start net && sim_sm_start out -R updn &&
	for sweep in 1 2; do
		collect --output got &&
		grep "warning: 1 hosts are named by their GUID, for example 0x[0-9a-f]*" err &&
		"$sfabric" show hosts --snapshot got/fabric.snap -hP -o host,guid >hosts_now &&
		grep -vxF -f hosts_now hosts >gone &&
		test $(wc -l <gone) = 1 &&
		grep -qxF "$(sed -n 2p hosts)" hosts_now || return 1
	done &&
	test_expect_code 3 "$sfabric" audit --snapshot got/fabric.snap >found &&
	cat found &&
	grep "^warning *host-name:$victim" found'
sim_stop

# placed OPTION...: does a job of the snapshot in got go by our choice?
placed () {
	"$sfabric" place -N 2 --traffic mpi --snapshot got/fabric.snap "$@" 2>&1 >chosen |
		grep "adaptive routing: switches choose ports by load, or can" && return 1
	grep "^sfabric: 2 hosts" chosen
}

# Quantum: device 54000.  OpenSM 3.3 routes it statically, but the wire does not say so.
test_expect_success 'switches that can adapt: not known, so the plugin observes' '
	"$sfabric" synth tree:hosts=8,radix=8 --output net &&
	sed -i "/^devid=/s/0xbd36/0xd2f0/" net &&
	grep -c 0xd2f0 net &&
	swept -R updn &&
	grep -c "warning: adaptive routing: switches choose ports by load, or can" err &&
	"$sfabric" show fabric --snapshot got/fabric.snap >shown &&
	grep "^adaptive *unknown" shown &&
	! placed &&
	test_expect_code 3 "$sfabric" audit --snapshot got/fabric.snap >found &&
	grep "adaptive-unknown" found &&
	: >empty.conf &&
	SLURM_CONF=none test_expect_code 3 "$sfabric" check --conf empty.conf \
		--snapshot got/fabric.snap >checked &&
	grep "^adaptive *wrong *switches adapt, or can" checked &&
	as_dumped'

# says_nothing_of WORD COMMAND...: whatever its status
says_nothing_of () {
	word=$1
	shift
	"$@" >answered
	! grep "$word" answered
}

test_expect_success 'the word of the site: Adaptive=no' '
	echo "Adaptive=no" >static.conf &&
	placed --conf static.conf &&
	says_nothing_of adaptive-unknown \
		"$sfabric" audit --snapshot got/fabric.snap --conf static.conf &&
	SLURM_CONF=none says_nothing_of adaptive \
		"$sfabric" check --snapshot got/fabric.snap --conf static.conf &&
	collect --output got --conf static.conf &&
	! grep adaptive err &&
	placed &&
	collect --output got && ! placed'

test_expect_success 'the word of the site: the engine' '
	collect --output got --engine updn &&
	! grep adaptive err &&
	placed &&
	collect --output got --engine ar_updn &&
	grep "adaptive routing" err &&
	! placed'
sim_stop

# a small fabric for the rest; the second switch misbehaves
"$sfabric" synth tree:hosts=8,radix=8 --output net
switch=$(sed -n 's/^Switch.*"\(S-[0-9a-f]*\)".*/\1/p' net | sed -n 2p)
sim_start net && sim_sm_start out -R updn
mkdir now

# least OPTION...: MADs of a sweep; time-outs of a busy machine can only add some
least () {
	for sweep in 1 2 3; do
		collect --output now --json "$@" >answer &&
		"$field" data.mads <answer || return 1
	done >several && sort -n several | head -n 1
}

test_expect_success 'fabric.alive names the snapshot and the subnet manager' '
	collect --output now --json >answer &&
	"$field" meta.fingerprint <answer >expected &&
	sed -n "s/^fingerprint //p" now/fabric.alive >actual &&
	test_cmp expected actual &&
	sed -n "s/^sm //p" now/fabric.alive >expected &&
	"$sfabric" show fabric --snapshot now/fabric.snap --json |
		"$field" data.planes.0.sm >actual &&
	test_cmp expected actual &&
	! grep 0x0000000000000000 actual'

test_expect_success 'all ports are counted, none is missed' '
	echo 32 0 0 0 >expected &&
	"$field" data.ports_counted data.ports_missed data.ports_silent \
		data.tables_missed <answer >actual &&
	test_cmp expected actual &&
	least >all_mads'

test_expect_success 'a switch without its table: the snapshot stays' '
	cp now/fabric.snap before && cp now/fabric.alive alive &&
	sim_console "Error \"$switch\" 100 25" &&
	sim_until 60 eval "! collect --output now" &&
	grep "^sfabric: 1 of 6 switches did not send their complete table" err &&
	cmp before now/fabric.snap &&
	cmp alive now/fabric.alive'

test_expect_success '--partial writes it, and says so in the snapshot' '
	collect --output now --partial &&
	grep "warning: the sweep is partial: 1 switches without a complete" err &&
	"$sfabric" show fabric --snapshot now/fabric.snap |
		grep "collect, partial: 1 switches without"'

# costs SUM OPTION...: a sweep takes as many MADs more than that of the whole fabric
costs () {
	echo $(($(cat all_mads) + $1)) >expected &&
	shift &&
	least "$@" >actual && test_cmp expected actual
}

# Its table is one block, asked for three times instead of once.  The counters are
# not asked for: once what the agent can do, then two MADs for each of 8 ports.
test_expect_success 'a switch without its table is asked once and then left alone' '
	costs "2 - (1 + 8 * 2)" --partial'

# It is asked what it can do and for the 32-bit counters of its first port.  Then
# three times for the 64-bit ones, and no more.
test_expect_success 'a silent performance agent: its ports are missed' '
	sim_console "Error \"$switch\" 0 25" &&
	sim_console "Error \"$switch\" 100 29" &&
	sim_until 60 eval "collect --output now --json >answer &&
		grep \"8 ports that did not report counters\" err" &&
	costs "1 + 1 + 3 - (1 + 8 * 2)" &&
	fingerprint before >expected &&
	fingerprint now/fabric.snap >actual &&
	test_cmp expected actual'

test_expect_success 'no more MADs a second than allowed' '
	sim_console "Error \"$switch\" 0 29" &&
	collect --output now --mad-rate 100 --json >answer &&
	"$field" data.seconds <answer >seconds &&
	awk "{ exit !(\$1 > 0.5) }" seconds'

# sweeps N: so often has fabric.alive been another
sweeps () {
	cmp -s now/fabric.alive alive || {
		cp now/fabric.alive alive
		seen=$((seen + 1))
	}
	test $seen -ge $1
}

test_expect_success 'sweep after sweep until SIGTERM' '
	seen=0 && cp now/fabric.alive alive &&
	{ exec env LD_PRELOAD="$sim_umad" timeout --preserve-status 60 \
		"$sfabric" collect --output now --interval 1 2>err & } &&
	pid=$! && sim_until 30 sweeps 2
	good=$?
	kill $pid
	wait $pid && test $good = 0'

test_expect_success 'an unwritable folder, a bad map and conf: one line' '
	test_expect_code 1 collect --output nowhere &&
	grep -c "^sfabric: nowhere/fabric.snap: No such file" err &&
	echo "0xnode \"a\"" >map &&
	test_expect_code 1 collect --output now --node-name-map map &&
	grep "^sfabric: map:1: " err &&
	echo "Nonsense=1" >bad.conf &&
	test_expect_code 1 collect --output now --conf bad.conf &&
	grep "^sfabric: bad.conf:1: " err'

test_expect_success 'no such adapter' '
	test_expect_code 1 collect --output now --ca none:1 &&
	grep "^sfabric: none, port 1: cannot be opened" err'

test_expect_success 'options that contradict each other' '
	test_expect_code 2 collect --once --interval 3 &&
	test_expect_code 2 collect --interval 0 &&
	test_expect_code 2 collect --interval 3 --json &&
	test_expect_code 2 collect --timeout 5'
sim_stop

test_done
