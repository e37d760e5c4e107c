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
# small fabrics, many inputs: what is freed need not be kept for long
export ASAN_OPTIONS="${ASAN_OPTIONS:-quarantine_size_mb=16:malloc_context_size=8}"

run_target() {
	target=$1
	log=$out/$target.log
	mkdir -p "$out/corpus/$target" "$out/failures"
	build_target "$out/objects" "$target" -O2 "-fsanitize=fuzzer,$sanitizers" $safe
	status=passed
	"$out/objects/fuzz_$target" -max_total_time="$seconds" -max_len=8192 \
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
build_archive "$out/objects" -O2 "-fsanitize=fuzzer-no-link,$sanitizers" $safe
failed=0
for name; do
	run_target "$name"
done
exit "$failed"
