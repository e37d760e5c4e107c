#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shapes.t - fabrics that are no trees, by engines made for them: every command works
test_description='dragonfly+, tori by torus-2QoS, random graphs by lash and dfsssp'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip

# What torus-2QoS wants to know of torus:dims=5x5x5: a cable of each dimension.
# Switches are numbered along the first, then the second; their GUIDs are 8 apart.
cat >torus.conf <<-END
	torus 5 5 5
	xp_link 0x0002c90200400000 0x0002c90200400008
	yp_link 0x0002c90200400000 0x0002c90200400028
	zp_link 0x0002c90200400000 0x0002c902004000c8
END

# value NAME FILE: of `show fabric`
value () {
	awk -v name="$1" '$1 == name { print $2 }' "$2"
}

# shape NAME SPEC ENGINE LEAVES [OPTION...]
shape () {
	name=$1 spec=$2 engine=$3 leaves=$4
	shift 4
	options=$*
	test_expect_success "$name by $engine: import, every pair has a route" '
		"$SFAB_SRCDIR/tests/lib/shapes.py" $spec >net &&
		sim_route net $name -R $engine $options >used &&
		test "$(cat used)" = $engine &&
		"$sfabric" import $name/opensm-subnet.lst $name/opensm-lfts.dump \
			--engine $engine --output $name.snap &&
		"$sfabric" show fabric --snapshot $name.snap >shown &&
		test "$(value leaves shown)" = $leaves &&
		test "$(value unreachable shown)" = 0'

	test_expect_success "$name by $engine: audit, place, plot, predict" '
		{ "$sfabric" audit --snapshot $name.snap >text || test $? = 3; } &&
		! grep -e updn text &&
		"$sfabric" place -N 12 --traffic mpi --snapshot $name.snap >placed &&
		test -s placed &&
		"$sfabric" plot --snapshot $name.snap --output $name.svg &&
		grep -q "</svg>" $name.svg &&
		"$sfabric" predict --snapshot $name.snap --traffic mpi --nodes "n[0001-0012]" \
			>predicted &&
		test -s predicted'
}

shape torus torus:dims=5x5x5 torus-2QoS 125 -Q --torus_config torus.conf
shape dragonfly-plus dragonfly-plus dfsssp 36
shape graph random:leaves=32,links=6,leaf=4 lash 32
shape graph-sp random:leaves=32,links=6,leaf=4 dfsssp 32

test_done
