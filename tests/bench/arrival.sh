#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# arrival.sh - a writer of 64 nodes arrives among MPI jobs (arrival.c)
#
#     arrival.sh
#
# On Wolf with its IO hosts on port 18 and moved to different ports, and on 648 hosts
# tapered 2:1; 24 servers of 55 GB/s together.  The MPI jobs are placed by tree
# placement, and by sfabric.  SFAB_BENCH_SEEDS (default
# 1-5); SFAB_BENCH_SERVERS=held: the servers hold data back.
: "${SFAB_SRCDIR:?}" "${SFAB_BUILDDIR:?}"
. "$SFAB_SRCDIR/tests/bench/fabrics.sh"
gbs=2.2917

# means over the seeds; of GB/s also the least, of STEPS and TREE the most
arrival_summary () {
	awk -v fabric="$1" '
		{
			k = $3; who = $1; busy = $2; n[k]++
			if (n[k] == 1) { order[++ks] = k; least[k] = $4 }
			gbs[k] += $4; least[k] = $4 < least[k] ? $4 : least[k]
			leaves[k] += $5; others[k] += $6; ms[k] += $9
			steps[k] = $7 > steps[k] ? $7 : steps[k]
			tree[k] = $8 > tree[k] ? $8 : tree[k]
		}
		END {
			for (i = 1; i <= ks; i++) {
				k = order[i]
				printf "%-10s %-7s %s %-10s %5.1f %5.1f %6.1f %6.4f %6.3f %5.3f %5.2f\n",
					fabric, who, busy, k, gbs[k] / n[k], least[k],
					leaves[k] / n[k], others[k] / n[k], steps[k],
					tree[k], ms[k] / n[k]
			}
		}'
}

# arrivals NAME SPEC HOSTS
arrivals () {
	dir=$(bench_tables "$2" ftree) || return
	for placed in tree sfabric; do
		for busy in 0.60 0.85; do
			for seed in ${SFAB_BENCH_SEEDS:-1 2 3 4 5}; do
				"$SFAB_BUILDDIR/tests/bench/arrival" \
					"$dir/fabric.snap" "$3" $gbs \
					"${SFAB_BENCH_SERVERS:-paced}" \
					$placed $busy "$seed" 64
			done | arrival_summary "$1"
		done
	done
}

if why=$(bench_missing); then
	echo "arrival: skipped, $why"
	exit 0
fi
mkdir -p "$SFAB_BENCH_DIR"
printf '%-10s %-7s %-4s %-10s %5s %5s %6s %6s %6s %5s %5s\n' FABRIC PLACED BUSY \
	WRITER GB_S LEAST LEAVES OTHERS STEPS TREE MS
arrivals wolf wolf 'wf[0617-0640]'
arrivals wolf-moved wolf-moved 'wf[0617-0640]'
arrivals tapered tree:hosts=648,radix=36,taper=2,io=24 'n[0625-0648]'
