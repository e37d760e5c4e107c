#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# swap.sh - what a new snapshot costs slurmctld; see swap.c
#
# Made fat trees of 640 and 5,120 hosts, and the same with a spine less.
make=$SFAB_BUILDDIR/tests/slurm/make_snapshot
work=$(mktemp -d "${TMPDIR:-/tmp}/sfab-swap.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

{
	echo HOSTS RUNNING SWAPS ASK_US SWAP_MS SWAP_MAX_MS AFTER_S AFTER_MAX_S \
		ANEW ALL_MS COUNT_MAX_MS
	# leaves, spines, hosts of a leaf
	while read -r leaves spines hosts; do
		"$make" "$work/a" "$leaves" "$spines" "$hosts" 4 >/dev/null &&
		"$make" "$work/b" "$leaves" $((spines - 1)) "$hosts" 4 >/dev/null &&
		"$SFAB_BUILDDIR/tests/bench/swap" "$work/a" "$work/b" 500 11 ||
			exit 1
	done <<-END
	40 8 16
	160 16 32
	END
} | column -t
