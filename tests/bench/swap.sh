#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# swap.sh - what new snapshots and telling all jobs cost slurmctld; see swap.c
#
# Made fat trees of 640, 2,160 and 5,120 hosts, and the same with a spine less.
make=$SFAB_BUILDDIR/tests/slurm/make_snapshot
work=$(mktemp -d "${TMPDIR:-/tmp}/sfab-swap.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

{
	echo HOSTS RUNNING EACH SWAPS ASK_US SWAP_MS SWAP_MAX_MS AFTER_S AFTER_MAX_S \
		ANEW COUNT_MAX_MS SAME_MS NEW_MS GONE_MS NODES_MS ALL_MS
	# leaves, spines, hosts of a leaf, jobs, nodes of each
	while read -r leaves spines hosts running each; do
		"$make" "$work/a" "$leaves" "$spines" "$hosts" 4 >/dev/null &&
		"$make" "$work/b" "$leaves" $((spines - 1)) "$hosts" 4 >/dev/null &&
		"$SFAB_BUILDDIR/tests/bench/swap" "$work/a" "$work/b" "$running" "$each" 11 ||
			exit 1
	done <<-END
	40 8 16 500 32
	90 12 24 3000 48
	160 16 32 500 32
	END
} | column -t
