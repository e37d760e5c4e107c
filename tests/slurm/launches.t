#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# launches.t - with ranks by routes each srun works
#
# The same batch scripts on a stock cluster and on one with the plugin (launches.py),
# with topology/tree whose leaves are not in the order of names, and without topology.
# check runs a few rounds at random, check-long 200 (SFAB_TEST_WORLDS, SFAB_TEST_SEED,
# SFAB_TEST_ROUNDS for each world).  SFAB_TEST_TELL=1 prints every round.
test_description='with ranks by routes each srun works'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

# on WHICH COMMAND...: with this cluster
on () {
	(. "$place_dir/$1" && shift && "$@")
}

launches_stop_clusters () {
	for which in stock plugin; do
		test ! -f "$place_dir/$which" || on $which slurm_stop
		rm -f "$place_dir/$which"
	done
	slurm_dir=
}

launches_stop () {
	launches_stop_clusters
	rm -rf "$place_dir"
}

skip_all=$(place_missing)
test -n "$skip_all" || slurm_at_least 26 5 || skip_all='Slurm before 26.05 has no ranks'
test -n "$skip_all" || command -v python3 >/dev/null ||
	skip_all='python3 is not installed'
at_exit launches_stop
test -z "$skip_all" || test_done
seed=${SFAB_TEST_SEED:-1} rounds=${SFAB_TEST_ROUNDS:-8} worlds=${SFAB_TEST_WORLDS:-tree flat}
place_snapshot 3 2 4 1 >/dev/null
place_conf Mode=on RankOrder=yes DefaultTraffic=allreduce=1

# Leaf by leaf this is n1 n4 n7 n10 n2 ...
{
	echo 'SwitchName=s1 Nodes=n[1,4,7,10]'
	echo 'SwitchName=s2 Nodes=n[2,5,8,11]'
	echo 'SwitchName=s3 Nodes=n[3,6,9,12]'
	echo 'SwitchName=root Switches=s[1-3]'
} >"$place_dir/leaves.conf"

# begin WORLD: both clusters
begin () {
	launches_stop_clusters
	SLURM_TOPOLOGY=
	test $1 = flat || SLURM_TOPOLOGY=$place_dir/leaves.conf
	place_stock_start stock 'n[1-12]' && slurm_save >"$place_dir/stock" &&
	place_start plugin 'n[1-12]' && slurm_save >"$place_dir/plugin" &&
	on plugin place_warm
}

# launches WORLD: scripts and results in $place_dir, whose name has no blank
launches () {
	(cd "$place_dir" && python3 "$SFAB_SRCDIR/tests/slurm/launches.py" \
		"$(on stock printenv SLURM_CONF)" "$(on plugin printenv SLURM_CONF)" \
		"$seed-$1" $rounds) >counts
	launches_status=$?
	cat counts
	return $launches_status
}

for world in $worlds; do
	test_expect_success "$rounds scripts at random: $world" '
		begin $world && launches $world'
	test_expect_success "ranks did change: $world" '
		! grep " 0 with ranks by routes\|; 0 of .* another order" counts'
done

test_done
