#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# orders.sh - how much the order of a job's nodes is worth (make bench-order)
#
# For each fabric and pattern the means over SFAB_BENCH_ALLOCATIONS (20) allocations
# of busy machines; SFAB_BENCH_SEEDS (101) choose them.  Then the time for 512 nodes.
# orders.c says what the figures are.
: "${SFAB_SRCDIR:?}" "${SFAB_BUILDDIR:?}"
. "$SFAB_SRCDIR/tests/bench/fabrics.sh"
orders=$SFAB_BUILDDIR/tests/bench/orders
quick=

# orders_of FABRIC:ENGINE ALLOCATIONS SEED NODES...
orders_of () {
	dir=$(bench_tables "${1%:*}" "${1#*:}") || return 0
	name=$1 count=$2 seed=$3
	shift 3
	"$orders" ${quick:+quick} "$dir/fabric.snap" "$count" "$seed" "$@" |
		sed "s|^|$(printf '%-20s' "$name") |"
}

heading () {
	printf '%-20s %-9s %2s %6s %6s %6s %5s %2s %2s %6s %6s\n' "$1" PATTERN N \
		NAME LEAF FOUND '-%' WO SP MS MOST
}

reason=$(bench_missing) && { echo "bench-order: $reason"; exit 0; }
heading '48 TO 128 NODES'
for fabric in wolf:ftree wolf:minhop tapered:ftree ft2592:ftree \
	stage-2014:minhop ndr-pod-2025:minhop
do
	for seed in ${SFAB_BENCH_SEEDS:-101}; do
		orders_of $fabric "${SFAB_BENCH_ALLOCATIONS:-20}" $seed 48 64 96 128
	done
done | tee "$SFAB_BENCH_DIR/orders"
awk '{ sum[$2] += $7; n[$2]++; worse += $8 + $9 } END {
	for (p in sum)
		printf "%s: found is %.1f %% below leaf order in the mean\n", p, sum[p] / n[p]
	printf "worse than leaf or name, or spoilt: %d\n", worse }' \
	"$SFAB_BENCH_DIR/orders" | sort
heading '64 NODES'
orders_of wolf:ftree 10 7 64
heading '512 NODES'
orders_of ft2592:ftree 3 7 512
quick=yes
heading "IN SLURMCTLD"
for nodes in 16 64 128 256; do
	for fabric in wolf:ftree ft2592:ftree ndr-pod-2025:minhop; do
		orders_of $fabric 10 7 $nodes
	done
done
