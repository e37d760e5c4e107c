#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rotate.t - CBench's rotate, by `sfabric rotate` and by a walk of every pair that
# shares no code with it, on tables of the real OpenSM
test_description='rotations against a walk of every pair'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip

rotate=$SFAB_SRCDIR/tests/sim/rotate.py

# tables NAME FABRIC OPTION...
tables () {
	name=$1 fabric=$2
	shift 2
	"$sfabric" synth "$fabric" --output net &&
	sim_route net $name "$@" &&
	"$sfabric" import $name/opensm-subnet.lst $name/opensm-lfts.dump \
		--output $name.snap
}

# walked NAME HOSTLIST: all figures of rotate are those of the walk
walked () {
	"$sfabric" rotate --snapshot $1.snap --nodes "$2" --bisections 0 \
		--rotations 1000 --each --json >answer &&
	nodes=$("$sfabric" show hosts -h -o host --snapshot $1.snap "$2" |
		sort | paste -sd,) &&
	"$rotate" $1/opensm-subnet.lst $1/opensm-lfts.dump "$nodes" <answer
}

for options in '-R minhop' '-R ftree' '-R updn --scatter-ports 7'; do
	test_expect_success "Talon, $options: 64 hosts, 51, all" '
		tables talon talon $options &&
		walked talon "t[0001-0064]" && walked talon "t[0005-0030,0061-0085]" &&
		walked talon "t[0001-0128]"'
done
test_expect_success 'Wolf, ftree: 100 hosts all over' '
	tables wolf wolf -R ftree && walked wolf "wf[0001-0020,0201-0280]"'
test_expect_success 'three levels, tapered: 61 hosts' '
	tables pods tree:hosts=96,radix=8,levels=3,taper=3 -R updn &&
	walked pods "n[0010-0070]"'

test_done
