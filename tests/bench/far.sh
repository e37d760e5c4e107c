#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# far.sh - placement where routing adapts, and 0, 50 or 100 % of the LIDs stay static
#
#     far.sh
#
# OpenSM's tables with adaptive groups (tests/lib/far_tables.py).  For IO the worst
# switch-to-switch link of sfabric's choice, in routes by the split model, against
# bounds of the optimum (io_quality.c, io_optimum.py); for MPI the score and slowdown of
# sfabric's choice, plain policies and naive tries on busy machines (states.c).
# SFAB_BENCH_FAR: FABRIC:ENGINE ... instead of the usual three; SFAB_BENCH_CASE: seconds
# of solver a case (10).
: "${SFAB_SRCDIR:?}" "${SFAB_BUILDDIR:?}"
. "$SFAB_SRCDIR/tests/bench/fabrics.sh"
programs=$SFAB_BUILDDIR/tests/bench
PYTHON=${PYTHON:-/usr/bin/python3}

# far_snapshot NAME ENGINE PERCENT: folder with fabric.snap
far_snapshot () {
	far=$SFAB_BENCH_DIR/far/$1-$3
	test -f "$far/fabric.snap" || {
		dir=$(bench_texts "$1" "$2") && mkdir -p "$far" &&
		"$SFAB_BUILDDIR/tools/sfabric" import --output "$far/fabric.snap" \
			"$dir/opensm-subnet.lst" "$(bench_far "$1" "$2" "$3")" \
			>"$far/import.log" 2>&1
	} || { cat "$far/import.log" >&2; return 1; }
	echo "$far"
}

# io_rows NAME PERCENT DIR: sfabric's choice against the lower bound
io_rows () {
	for class in io-write io-read; do
		at=$3/$class
		"$programs/io_quality" "$3/fabric.snap" random $class "$at.vectors" \
			>"$at.policies" || return 1
		"$PYTHON" "$SFAB_SRCDIR/tests/bench/io_optimum.py" "$at.vectors" \
			"$at.policies" "$at.bounds" "${SFAB_BENCH_CASE:-10}" 300
		awk -v name="$1" -v percent="$2" -v class=$class '
			FNR == NR { low[$1] = $2; next }
			{
				printf "%-10s %6d %-8s %5d %9.2f %9.2f %9.2f %7.3f\n", name,
					percent, class, $1, $3, $5, low[$1],
					(low[$1] > 0 ? $5 / low[$1] : 1)
			}' "$at.bounds" "$at.policies"
	done
}

printf '%-10s %6s %-8s %5s %9s %9s %9s %7s\n' FABRIC STATIC TRAFFIC NODES TREE OURS BOUND RATIO
for fabric in ${SFAB_BENCH_FAR:-wolf:ftree tapered:ftree ft1600:ftree}; do
	for percent in 0 50 100; do
		dir=$(far_snapshot "${fabric%:*}" "${fabric#*:}" $percent) || exit 1
		io_rows "${fabric%:*}" $percent "$dir"
		for busy in 0 0.85; do
			"$programs/states" "$dir/fabric.snap" 32 mpi=1 10 400 $busy |
				awk -v name="${fabric%:*}" -v percent=$percent -v busy=$busy '{
				printf "%-10s %6d mpi, %s busy: nodes lost by tree %.3f, ours %.3f, naive %.3f\n",
					name, percent, busy, $5, $13, $15 }'
		done
	done
done
