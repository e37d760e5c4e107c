#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# routes.t - routes matter, not spread: same cabling, same machine, two sets of
# tables, and each placement is the better one on its own
#
# 20 leaves of 16 hosts under 4 spines.  The last leaf has 4 IO hosts that every
# other leaf reaches by one uplink; the tables differ in which.  12 leaves (60 %
# of the hosts) run other jobs.  A job on the 8 free ones writes at the full
# 16 GB/s only if its hosts share the 4 spines evenly, whatever its leaves.
test_description='placements on two sets of tables for the same cabling'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip

relabel=$SFAB_SRCDIR/tests/sim/relabel.py
first_uplink=17

# hosts LEAF...: host list of whole leaves, 1 to 20
hosts () {
	list=
	for leaf in "$@"; do
		list=$list$(printf ',n[%04d-%04d]' $((leaf * 16 - 15)) $((leaf * 16)))
	done
	echo "${list#,}"
}

# hosts of the last leaf that leaf 1 reaches as it reaches n0320
io_hosts () {
	awk '/^Unicast/ { table++ }
		table == 1 && /n0(30[5-9]|31[0-9]|320) / {
			host = substr($8, 2)
			hosts[$2] = hosts[$2] "," host
			if (host == "n0320")
				port = $2
		}
		END { print substr(hosts[port], 2) }' base/opensm-lfts.dump
}

# replay NAME SEED: OpenSM loads relabelled tables
replay () {
	"$relabel" $2 $first_uplink <base/opensm-lfts.dump >$1.lfts &&
	sim_route net $1 -R file -U $1.lfts >engine &&
	test "$(cat engine)" = file &&
	sed 1d $1.lfts >expected && sed 1d $1/opensm-lfts.dump >got &&
	test_cmp expected got &&
	"$sfabric" import $1/opensm-subnet.lst $1/opensm-lfts.dump \
		--engine file --io "$(cat io)" --output $1.snap
}

test_expect_success 'OpenSM routes the tree and loads two relabelled tables' '
	"$sfabric" synth tree:hosts=320,leaf=16,leaves=20,spines=4 \
		--output net &&
	sim_route net base -R ftree &&
	io_hosts >io &&
	test "$(cat io)" = n0308,n0312,n0316,n0320 &&
	replay A 1 &&
	replay B 2 &&
	! cmp -s A/opensm-lfts.dump B/opensm-lfts.dump &&
	cmp A/opensm-subnet.lst B/opensm-subnet.lst'

test_expect_success '60 % of the hosts are busy, 8 leaves are free' '
	hosts 2 4 7 9 12 14 17 19 >free &&
	cat >jobs <<-EOF
	1 $(hosts 1 3 5) mpi=0.3
	2 $(hosts 6 8 10) mpi=0.3
	3 $(hosts 11 13) neighbor=0.3
	4 $(hosts 15 16 18) mpi=0.3
	EOF'

# ask COMMAND TABLES OPTION...
ask () {
	command=$1 tables=$2
	shift 2
	"$sfabric" $command --snapshot $tables.snap --jobs jobs \
		--available "$(cat free)" --traffic io-write=0.5 --json "$@"
}

# less FILE FILE: one number each
less () {
	test -s "$1" && test -s "$2" &&
	echo "$(cat "$1") $(cat "$2")" | awk '{ print; exit !($1 < $2) }'
}

rate='data.predicted.0.lockstep_gbs'
for n in 32 64 96; do
	test_expect_success "$n nodes: the placements differ" '
		ask place A -N $n >A.placed &&
		ask place B -N $n >B.placed &&
		"$field" data.nodes <A.placed >A.nodes &&
		"$field" data.nodes <B.placed >B.nodes &&
		! cmp A.nodes B.nodes'
	for own in A B; do
		other=$(echo AB | tr -d $own)
		test_expect_success "$n nodes: $own wins on the tables $own" '
			ask predict $own --nodes $(cat $own.nodes) >own &&
			ask predict $own --nodes $(cat $other.nodes) >other &&
			"$field" data.score.total <own >own.score &&
			"$field" data.score.total <other >other.score &&
			less own.score other.score &&
			"$field" $rate <own >own.rate &&
			"$field" $rate <other >other.rate &&
			less other.rate own.rate'
		test_expect_success "$n nodes: $own is better than a spread" '
			"$field" $rate <$own.placed >own.rate &&
			"$field" data.alternatives.name=spread.${rate#data.} \
				<$own.placed >spread.rate &&
			less spread.rate own.rate'
	done
done

test_done
