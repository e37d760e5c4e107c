#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - what `make check` is too short for, in pieces of under ten minutes
#
#     run.sh [PIECE...]     run them (default: all) that have not passed yet; 'pairs-*'
#                           are several
#     run.sh -l             list all pieces and how they stand
#
# A piece that passed leaves its result in $SFAB_LONG_DIR (default: long-work in
# the build directory) and is not run again as long as the command and the
# plugin are older: after a break the next run goes on where this one ended.
# SFAB_LONG_SECONDS: begin no piece after so long.
# SFAB_FUZZ_SECONDS: for each fuzz target, default 300.
#
# Ends with a line of counts; status 1 if a piece failed, 3 if one that passed so
# far is to be continued by the next run.
: "${SFAB_SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd)}" "${SFAB_BUILDDIR:=$PWD}"
export SFAB_SRCDIR SFAB_BUILDDIR
dir=${SFAB_LONG_DIR:-$SFAB_BUILDDIR/long-work}
PATH=$PATH:/usr/sbin:/sbin

# -- pieces ------------------------------------------------------------------

# The first word of a piece says what it is: piece_WORD runs it, WORD_lacks
# says what is missing for it, WORD_figure tells its figure from the log.
pieces () {
	(cd "$SFAB_SRCDIR/tests/fuzz" && ls fuzz_*.c) |
		sed 's/^fuzz_\(.*\)\.c$/fuzz-\1/'
	find "$SFAB_BUILDDIR/tests/unit" -type f -name 'test_*' ! -name '*.*' |
		sed 's|.*/test_|valgrind-|' | sort
	echo soak-place soak-slurm
	(cd "$SFAB_SRCDIR/tests/slurm" && ls *.t) |
		sed 's/^\(.*\)\.t$/slurm-\1/'
	echo package-rpm
	echo recorded-collect recorded-plugin alerts-metrics
	echo io-optimum
	echo matrix-off matrix-observe matrix-broken matrix-on
	echo pairs-gang pairs-onetask pairs-cpu pairs-socket pairs-requeue pairs-share pairs-slices pairs-sizes
	echo observe-gang observe-cpu observe-share observe-sizes
	echo launches-tree launches-flat
	echo delays-fifo-1 delays-plain-1 delays-plain-2 delays-mixed-1 delays-mixed-2
	echo preview-1 preview-2 preview-3 preview-4 preview-5
	echo kinds-1 kinds-2 kinds-3 kinds-4 kinds-5
}

command_lacks () {
	command -v "$1" >/dev/null || echo "$1 is not installed"
}

# skipped_or STATUS: that status, unless the log says that it was skipped
skip_words='^1\.\.0 # SKIP *\|^IO quality: skipped, '
skipped_or () {
	! grep -q "$skip_words" "$log" || return 77
	return "$1"
}

# Each target finds new inputs; those it keeps are where it begins next time.
fuzz_lacks () { command_lacks "${CLANG:-clang}"; }
piece_fuzz () {
	cd "$SFAB_BUILDDIR" &&
	"$SFAB_SRCDIR/tests/fuzz/run.sh" "${SFAB_FUZZ_SECONDS:-300}" "$1" ||
		return 1
}
fuzz_figure () { sed -n 's/.*: \([0-9]* executions in .*\),.*/\1/p' "$1"; }

# One unit test program without fork: each error and each lost block counts.
# SFAB_VALGRIND tells it to leave out what cannot work there.
unit_program () { find "$SFAB_BUILDDIR/tests/unit" -type f -name "test_$1"; }
valgrind_lacks () {
	command_lacks valgrind
	! grep -q -e __asan_init -e __tsan_init "$(unit_program "$1")" ||
		echo "built with a sanitizer"
}
piece_valgrind () {
	SFAB_VALGRIND=1 CK_FORK=no valgrind -q --error-exitcode=9 --leak-check=full \
		--errors-for-leak-kinds=definite,indirect,possible \
		"$(unit_program "$1")" || return 1
}
valgrind_figure () { echo "$(grep -c '^ok' "$1") tests, no error, no leak"; }

# Real daemons: every kind of job, restarts, a thousand snapshots, install.
slurm_lacks () { :; }
piece_slurm () {
	(cd "$SFAB_BUILDDIR" && "$SFAB_SRCDIR/tests/slurm/$1.t" -v)
	skipped_or $?
}
slurm_figure () {
	echo "$(grep -c '^ok' "$1") tests$(sed -n 's/^\([0-9]* jobs\)$/, \1/p' "$1")"
}

# The placement service under a hundred thousand events, slurmctld under ten
# thousand allocations.
soak_lacks () { :; }
piece_soak () {
	case $1 in
	place)	SFAB_SOAK=100000 "$SFAB_BUILDDIR/tests/unit/place/test_place_soak" ||
			return 1 ;;
	slurm)	(cd "$SFAB_BUILDDIR" && SFAB_TEST_ROUNDS=50 \
			"$SFAB_SRCDIR/tests/slurm/soak.t" -v)
		skipped_or $? ;;
	esac
}
soak_figure () {
	sed -n 's/^# \([0-9]* events\)/\1/p; /^[0-9]* allocations/p' "$1"
}

# Every kind of job beside stock Slurm, a mode each time.
matrix_lacks () { :; }
piece_matrix () {
	(cd "$SFAB_BUILDDIR" && SFAB_TEST_MODES=$1 \
		"$SFAB_SRCDIR/tests/slurm/matrix.t" -v)
	skipped_or $?
}
matrix_figure () { echo "$(grep -c '^ok' "$1") tests"; }

# A thousand jobs at random beside others that must not be hurt, a world each.
pairs_lacks () { :; }
piece_pairs () {
	(cd "$SFAB_BUILDDIR" && SFAB_TEST_WORLDS=$1 SFAB_TEST_ROUNDS=144 \
		"$SFAB_SRCDIR/tests/slurm/pairs.t" -v)
	skipped_or $?
}
pairs_figure () { sed -n '/^[0-9]* rounds: /p' "$1"; }

# One line for all pieces of pairs that ran, also for those that failed.
pairs_sum () {
	sed -n 's/^\([0-9]* rounds\): .*beside stock/\1,/p' "$dir"/pairs-*.log 2>/dev/null |
	awk '{ n += $1; hurt += $3; late += $5; differ += $7; above += $9 }
	     END { if (n) printf "pairs: %d rounds, %d hurt, %d late, %d differ, " \
			"%d with CPUs above stock\n", n, hurt, late, differ, above }'
}

# The pairs again in mode observe: all on the cores that stock Slurm gives them.
observe_lacks () { :; }
piece_observe () {
	export SFAB_TEST_MODE=observe
	piece_pairs "$1"
}
observe_figure () { pairs_figure "$1"; }

# Two hundred scripts at random, their ranks by routes.
launches_lacks () { :; }
piece_launches () {
	(cd "$SFAB_BUILDDIR" && SFAB_TEST_WORLDS=$1 SFAB_TEST_ROUNDS=100 \
		"$SFAB_SRCDIR/tests/slurm/launches.t" -v)
	skipped_or $?
}
launches_figure () { sed -n '/^[0-9]* rounds: /p' "$1"; }

# When jobs start beside stock Slurm; KIND-N, two streams each.
delays_lacks () { :; }
piece_delays () {
	(cd "$SFAB_BUILDDIR" && SFAB_TEST_STREAM=${1%-*} \
		SFAB_TEST_SEED="$((${1#*-} * 2 - 1)) $((${1#*-} * 2))" \
		SFAB_TEST_JOBS=60 \
		"$SFAB_SRCDIR/tests/slurm/delays.t" -v)
	skipped_or $?
}
delays_figure () { sed -n '/^[0-9]* jobs, start delay/p' "$1"; }

# A thousand random requests in five parts: previewed, submitted, compared.
preview_lacks () { :; }
piece_preview () {
	(cd "$SFAB_BUILDDIR" && SFAB_TEST_SEED=$((1000 + $1)) \
		SFAB_TEST_REQUESTS=200 "$SFAB_SRCDIR/tests/slurm/preview.t" -v)
	skipped_or $?
}
preview_figure () { echo "200 requests, each on the nodes foretold"; }

# A thousand more where partitions, nodes and wishes are of all kinds.
kinds_lacks () { :; }
piece_kinds () {
	(cd "$SFAB_BUILDDIR" && SFAB_TEST_SEED=$((1104 + $1)) \
		SFAB_TEST_REQUESTS=200 \
		"$SFAB_SRCDIR/tests/slurm/preview_kinds.t" -v)
	skipped_or $?
}
kinds_figure () { sed -n '/^[0-9]* requests: /p' "$1"; }

# Packages that install nothing here, and what they hold.
package_lacks () { command_lacks rpmbuild; }
piece_package () {
	(cd "$SFAB_BUILDDIR" && "$SFAB_SRCDIR/tests/package/$1.t" -v)
	skipped_or $?
}
package_figure () { slurm_figure "$1"; }

# Metrics and alerts, with Prometheus' own tool.
alerts_lacks () { command_lacks promtool; }
piece_alerts () {
	(cd "$SFAB_BUILDDIR" && "$SFAB_SRCDIR/tests/cli/$1.t" -v)
}
alerts_figure () { slurm_figure "$1"; }

# Real clusters' cabling, read from the wire, from OpenSM's memory and from its
# dump files.
recorded_lacks () {
	ls "$SFAB_SRCDIR"/../shared/fabrics/*.ibnetdiscover >/dev/null 2>&1 ||
		echo 'there are no recorded fabrics'
}
piece_recorded () {
	(cd "$SFAB_BUILDDIR" && SFAB_RECORDED=yes \
		"$SFAB_SRCDIR/tests/sim/$1.t" -v)
	skipped_or $?
}
recorded_figure () { slurm_figure "$1"; }

# IO placement against the proven optimum: hours, a part each time.
io_lacks () {
	test -x "$SFAB_BUILDDIR/tests/bench/io_quality" ||
		echo 'there is no io_quality: make tests/bench/io_quality'
}
piece_io () {
	"$SFAB_SRCDIR/tests/bench/io.sh" full
	skipped_or $?
}
io_figure () { tail -n 1 "$1"; }

# -- running them ------------------------------------------------------------

# passed PIECE: it did, with these programs
passed () {
	test -f "$dir/$1.passed" || return 1
	for program in "$SFAB_BUILDDIR/tools/sfabric" \
		       "$SFAB_BUILDDIR/plugin/slurm/select_cons_tres.so"; do
		! test "$program" -nt "$dir/$1.passed" || return 1
	done
}

is_late () {
	test -n "${SFAB_LONG_SECONDS-}" &&
		test $(($(date +%s) - begun)) -ge "$SFAB_LONG_SECONDS"
}

# run PIECE: its status; 3: there is more of it to do, 77: cannot be run here
run () {
	kind=${1%%-*} log=$dir/$1.log
	lacks=$("${kind}_lacks" "${1#*-}")
	test -z "$lacks" || { echo "1..0 # SKIP $lacks" >"$log"; return 77; }
	(piece_"$kind" "${1#*-}") >"$log" 2>&1 </dev/null
}

# settle PIECE STATUS SECONDS: keep and print what became of it
settle () {
	case $2 in
	0)	passed=$((passed + 1))
		"${1%%-*}_figure" "$log" >"$dir/$1.passed"
		echo "$1: passed in $3 s, $(cat "$dir/$1.passed")" ;;
	3)	more=$((more + 1))
		echo "$1: $3 s, to be continued" ;;
	77)	skipped=$((skipped + 1))
		echo "$1: skipped, $(sed -n "s/$skip_words//p" "$log")" ;;
	*)	failed=$((failed + 1))
		echo "$1: FAILED in $3 s (status $2), see $log" ;;
	esac
}

run_piece () {
	start=$(date +%s)
	run "$1"
	settle "$1" $? $(($(date +%s) - start))
}

list () {
	for piece in $(pieces); do
		if passed "$piece"; then
			echo "$piece: passed, $(cat "$dir/$piece.passed")"
		else
			echo "$piece: open"
		fi
	done
	pairs_sum
}

# chosen PATTERN...: the pieces that are meant, in their order
chosen () {
	for piece in $(pieces); do
		for pattern; do
			case $piece in
			$pattern) echo "$piece"; break ;;
			esac
		done
	done
}

case ${1-} in
-l) list; exit 0 ;;
-*) sed -n 's/^#     run/run/p' "$0" >&2; exit 2 ;;
esac
mkdir -p "$dir" || exit 1
begun=$(date +%s)
known=0 passed=0 failed=0 skipped=0 more=0
test $# -gt 0 || set -- '*'
for pattern; do
	test -n "$(chosen "$pattern")" || { echo "run.sh: no piece is $pattern" >&2; exit 2; }
done
for piece in $(chosen "$@"); do
	if passed "$piece"; then
		known=$((known + 1))
	elif is_late; then
		more=$((more + 1))
	else
		run_piece "$piece"
	fi
done
pairs_sum
echo "check-long: $passed passed, $known had passed before," \
	"$failed failed, $skipped skipped, $more to be continued," \
	"$(($(date +%s) - begun)) s"
test $failed -eq 0 || exit 1
test $more -eq 0 || exit 3
