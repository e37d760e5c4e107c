#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh SECONDS [TARGET...] - fuzz each target for so long, one after the other
#
# A target is a file tests/fuzz/fuzz_TARGET.c.  Everything is built with clang,
# libFuzzer, ASan and UBSan in ./tests/run/fuzz.  What libFuzzer finds worth
# keeping stays in corpus/TARGET there and is built upon the next time; inputs
# that fail stay in failures/.  Ends with 1 if there are any.
set -eu

seconds=${1:?usage: run.sh SECONDS [TARGET...]}
shift
. "$(dirname "$0")/build.sh"
sanitizers=address,undefined,float-cast-overflow
safe=-fno-sanitize-recover=undefined,float-cast-overflow
# Inputs of these are decisions (bytes.h), a few hundred at most: no value that a
# comparison names would be found in them, and to trace comparisons costs half
# the time.  So do stacks of allocations, and a strstr() that measures all text.
drawn=" jobs place wire world "
untraced=-fno-sanitize-coverage=trace-cmp
drawn_asan=quarantine_size_mb=1:malloc_context_size=1:max_malloc_fill_size=0
drawn_asan=$drawn_asan:allocator_release_to_os_interval_ms=-1:intercept_strstr=0
# small fabrics, many inputs: what is freed need not be kept for long
any_asan=quarantine_size_mb=16:malloc_context_size=8

# kind TARGET - objects, their flags, length of inputs, options of ASan
kind() {
	case $drawn in
	*" $1 "*)
		objects=$out/drawn traced=$untraced len=512 asan=$drawn_asan ;;
	*)
		objects=$out/objects traced= len=8192 asan=$any_asan ;;
	esac
}

# The archive of each kind is made once.
build() {
	case " $made " in
	*" $objects "*) ;;
	*)
		build_archive "$objects" -O2 "-fsanitize=fuzzer-no-link,$sanitizers" \
			$safe $traced
		made="$made $objects" ;;
	esac
	build_target "$objects" "$1" -O2 "-fsanitize=fuzzer,$sanitizers" $safe $traced
}

run_target() {
	target=$1
	log=$out/$target.log
	mkdir -p "$out/corpus/$target" "$out/failures"
	kind "$target"
	build "$target"
	status=passed
	ASAN_OPTIONS="${ASAN_OPTIONS:-$asan}" \
	"$objects/fuzz_$target" -max_total_time="$seconds" -max_len=$len \
		-timeout=10 -rss_limit_mb=1024 -print_final_stats=1 -entropic=0 \
		-artifact_prefix="$out/failures/$target-" \
		"$out/corpus/$target" "$srcdir/tests/fuzz/corpus/$target" \
		>"$log" 2>&1 || status=FAILED
	count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	echo "$target: ${count:-0} executions in $seconds s, $status"
	[ "$status" = passed ] && return
	failed=1
	tail -n 40 "$log"
}

[ $# -gt 0 ] || set -- $(all_targets)
failed=0 made=
for name; do
	run_target "$name"
done
exit "$failed"
