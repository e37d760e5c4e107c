#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# coverage.sh [-c] [TARGET...] - lines that the corpora of all targets reach
#
# Each target is built with clang's source-based coverage and given its corpus
# here and what run.sh found (in ./tests/run/fuzz/corpus, if there is any; -c:
# leave that out).  Prints lines by folder; by file in
# tests/run/fuzz/coverage.txt.
set -eu

here=no
[ "${1-}" != -c ] || { here=yes; shift; }
. "$(dirname "$0")/build.sh"
dir=$out/coverage
profile=${LLVM_PROFDATA:-llvm-profdata} report=${LLVM_COV:-llvm-cov}
for program in "$profile" "$report"; do
	command -v "$program" >/dev/null || {
		echo "coverage.sh: $program is missing (Debian: llvm)" >&2
		exit 1
	}
done

# replay TARGET - what it reaches goes to $dir/TARGET.profraw
replay() {
	build_target "$dir" "$1" -O0 $instrument "$srcdir/tests/fuzz/replay.c" \
		-Wl,--whole-archive "$dir/lib.a" -Wl,--no-whole-archive
	set -- "$1" "$srcdir/tests/fuzz/corpus/$1" "$out/corpus/$1"
	[ $here = no ] && [ -d "$3" ] || set -- "$1" "$2"
	name=$1
	shift
	find "$@" -type f ! -name '.*' -print0 |
		LLVM_PROFILE_FILE=$dir/$name-%p.profraw \
		xargs -0 "$dir/fuzz_$name" >"$dir/$name.log" 2>&1 || {
		echo "coverage.sh: $name failed, see $dir/$name.log" >&2
		exit 1
	}
}

# Every target holds every file, so that those that none calls count as well.
# Of a row of the report: the file, in fields 8 and 9 its lines and those missed.
table() {
	"$report" report -instr-profile="$dir/all.profdata" "$dir/fuzz_$1" |
	awk -v files="$out/coverage.txt" '
		$1 ~ /\.c$/ && sub("^/*(\\./)?", "", $1) &&
		match($1, "(core|io|lua|place|tools)/") {
			name = substr($1, RSTART)
			printf "%5.1f %%  %5d  %s\n",
				100 * ($8 - $9) / $8, $8, name >files
			sub("/[^/]*$", "", name)
			lines[name] += $8
			missed[name] += $9
		}
		END {
			for (name in lines)
				printf "%-17s %5.1f %% of %5d lines\n", name,
					100 * (1 - missed[name] / lines[name]),
					lines[name]
		}' | sort
}

[ $# -gt 0 ] || set -- $(all_targets)
instrument="-fprofile-instr-generate -fcoverage-mapping"
build_archive "$dir" -O0 $instrument
rm -f "$dir"/*.profraw
for name; do
	replay "$name"
done
"$profile" merge -sparse -o "$dir/all.profdata" "$dir"/*.profraw
table "$1"
