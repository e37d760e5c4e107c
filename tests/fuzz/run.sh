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
srcdir=$(cd "$(dirname "$0")/../.." && pwd)
out=$PWD/tests/run/fuzz
cc=${CLANG:-clang}
sanitizers=address,undefined
lua=lua5.4
flags="$(pkg-config --cflags $lua json-c yaml-0.1) -std=c11 -D_GNU_SOURCE -DSYSCONFDIR=\"/etc\" -g -O1
	-fno-omit-frame-pointer -fno-sanitize-recover=undefined"

command -v "$cc" >/dev/null || {
	echo "run.sh: $cc is missing (Debian: clang)" >&2
	exit 1
}
[ $# -gt 0 ] || set -- $(cd "$srcdir/tests/fuzz" &&
	ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')

# All of core and io but live collection, the readers of the command line, and
# what targets share.
sources() {
	cd "$srcdir"
	ls core/*.c io/*.c lua/*.c tests/fuzz/*.c tools/batch_script.c \
		tools/devices.c tools/duration.c tools/explain/declog.c \
		tools/hosts.c tools/joblist.c tools/number.c \
		tools/printable.c tools/replay/sacct.c tools/replay/swf.c \
		tools/replay/trace.c tools/say.c tools/sbatch*.c \
		tools/scontrol*.c tools/topology_conf.c tools/topology_yaml.c |
		grep -v -e '^io/collect' -e '^lua/none' -e '/fuzz_' -e '/replay\.c$'
}

# True when no source is younger than the objects.
objects_are_new() {
	[ -e "$out/objects/built" ] &&
	[ -z "$(cd "$srcdir" && find core io lua tools tests/fuzz -name '*.[ch]' \
		-newer "$out/objects/built")" ]
}

build_objects() {
	objects_are_new && return
	rm -rf "$out/objects"
	mkdir -p "$out/objects" "$out/corpus" "$out/failures"
	touch "$out/objects/started"
	export cc flags sanitizers srcdir out
	sources | xargs -P 2 -n 1 sh -c '
		$cc $flags -fsanitize=fuzzer-no-link,$sanitizers \
			-c "$srcdir/$1" -o "$out/objects/$(echo "$1" | tr / _).o"' sh
	mv "$out/objects/started" "$out/objects/built"
}

run_target() {
	target=$1
	log=$out/$target.log
	mkdir -p "$out/corpus/$target"
	$cc $flags "-fsanitize=fuzzer,$sanitizers" \
		"$srcdir/tests/fuzz/fuzz_$target.c" "$out"/objects/*.o \
		-lz -lexpat -lm $(pkg-config --libs $lua json-c yaml-0.1) -o "$out/fuzz_$target"
	status=passed
	"$out/fuzz_$target" -max_total_time="$seconds" -max_len=8192 \
		-timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
		-artifact_prefix="$out/failures/$target-" \
		"$out/corpus/$target" "$srcdir/tests/fuzz/corpus/$target" \
		>"$log" 2>&1 || status=FAILED
	count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	echo "$target: ${count:-0} executions in $seconds s, $status"
	[ "$status" = passed ] && return
	failed=1
	tail -n 40 "$log"
}

build_objects
failed=0
for name; do
	run_target "$name"
done
exit "$failed"
