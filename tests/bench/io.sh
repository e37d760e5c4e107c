#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# io.sh - how near to the optimum is sfabric's choice of hosts for IO?
#
#     io.sh quick     small fabrics, 5 s of solver a case: some minutes
#     io.sh full      all fabrics, SFAB_BENCH_CASE (300) s a case: hours, in pieces
#     io.sh busy      reads where jobs that send nothing hold 60 and 85 % of the hosts,
#                     against the best known; minutes (SFAB_BENCH_BUSY, FABRIC:ENGINE
#                     ..., instead of the usual ones; SFAB_BENCH_SEEDS, default 1)
#
# Works for at most SFAB_BENCH_SECONDS (default 540), then prints a summary of
# what is known.  Status 3: there is more to do, run it again.  What was found
# stays below $SFAB_BENCH_DIR/io; the policies are measured anew when the
# programs are newer, bounds hold as long as the tables do.
: "${SFAB_SRCDIR:?}" "${SFAB_BUILDDIR:?}"
. "$SFAB_SRCDIR/tests/bench/fabrics.sh"
here=$SFAB_SRCDIR/tests/bench
quality=$SFAB_BUILDDIR/tests/bench/io_quality
PYTHON=${PYTHON:-/usr/bin/python3}

io_names () {
	case $1 in
	quick) bench_names | grep -vxE 'ft5184|selene-compute.*' ;;
	*) bench_names ;;
	esac
}

io_missing () {
	bench_missing && return 0
	"$PYTHON" -c 'import scipy.optimize; scipy.optimize.milp' 2>/dev/null &&
		return 1
	echo "$PYTHON has no scipy.optimize.milp (Debian: python3-scipy)"
}

seconds_left () {
	echo $((end - $(date +%s)))
}

# io_piece DIR FILE SET CLASS: FILE.policies, FILE.bounds, and FILE.vectors as
# long as a case is open
io_piece () {
	if ! test "$2.policies" -nt "$quality"; then
		"$quality" "$1/fabric.snap" "$3" "$4" "$2.vectors" \
			>"$2.new" && mv "$2.new" "$2.policies" || return 1
	fi
	test -f "$2.vectors" || return 0
	"$PYTHON" "$here/io_optimum.py" "$2.vectors" "$2.policies" \
		"$2.bounds" "$limit" "$(seconds_left)"
	case $? in
	0) rm "$2.vectors" ;;
	4) ;;
	*) return $? ;;
	esac
}

# io_fabric NAME ENGINE: status 3 when the time is up
io_fabric () {
	dir=$(bench_tables "$1" "$2") || return 1
	test ! -s "$dir/same" || return 0
	for set in last leaves random; do
		for class in io-write io-read; do
			test "$(seconds_left)" -gt 5 || return 3
			bench_log "$1 $2 $set $class"
			io_piece "$dir" "$results/$1.$2.$set.$class" \
				"$set" "$class" || return
		done
	done
}

io_all () {
	for name in $(io_names "$1"); do
		for engine in $(bench_engines); do
			io_fabric "$name" "$engine" || return
		done
	done
}

# busy_rows FABRIC:ENGINE: FABRIC SET BUSY, then the columns of io_quality.c
busy_rows () {
	dir=$(bench_tables "${1%:*}" "${1#*:}") || return
	for set in last leaves random; do
		for busy in 0.6 0.85; do
			for seed in ${SFAB_BENCH_SEEDS:-1}; do
				"$quality" "$dir/fabric.snap" $set io-read - $busy "$seed" |
					sed "s/^/$1 $set $busy /"
			done
		done
	done
}

# KNOWN, or a plain policy where that is better
io_busy () {
	for fabric in ${SFAB_BENCH_BUSY:-wolf:ftree wolf:dfsssp tapered:ftree tapered:minhop \
		ft1600:minhop $(io_names quick | grep -E '^(stage|ndr|psmn)' |
			sed 's/$/:minhop/') torus2:dor hypercube:dor graph:dfsssp \
		islands:minhop dragonfly-plus:minhop}; do
		busy_rows "$fabric"
	done | awk '
		{
			known = $10
			for (i = 5; i <= 8; i++)
				known = $i < known ? $i : known
			cases++
			ratio = known > 0 ? $8 / known : 1
			if (ratio <= 1.02 || $8 - known <= 1) {
				near++
				next
			}
			most = ratio > most ? ratio : most
			printf "%.3f  %s, set %s, %s busy, %d nodes: %g (known %g)\n",
				ratio, $1, $2, $3, $4, $8, known
		}
		END {
			if (cases)
				printf "reads within 2 %% or one route of the best known: %d of %d (%.1f %%), farthest %.3f\n",
					near, cases, 100 * near / cases, (most > 1 ? most : 1)
		}'
}

case ${1-} in
busy) limit= ;;
quick) limit=5 ;;
full) limit=${SFAB_BENCH_CASE:-300} ;;
*) sed -n '/^# *io\.sh [qfb]/s/^# *//p' "$0" >&2; exit 2 ;;
esac
if why=$(io_missing); then
	echo "IO quality: skipped, $why"
	exit 0
fi
test -n "$limit" || { io_busy; exit; }
end=$(($(date +%s) + ${SFAB_BENCH_SECONDS:-540}))
results=$SFAB_BENCH_DIR/io
mkdir -p "$results"
io_all "$1"
status=$?
"$PYTHON" "$here/io_summary.py" "$results" || exit 1
test $status != 3 || echo 'There is more to do: run it again.'
exit $status
