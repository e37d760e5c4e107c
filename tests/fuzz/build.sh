# SPDX-License-Identifier: GPL-2.0-or-later
# build.sh - sourced by run.sh and coverage.sh: targets out of their sources
#
# All that targets may use goes to an archive in a folder of its own for each
# set of flags; what is new since the last time is compiled again.
srcdir=$(cd "$(dirname "$0")/../.." && pwd)
out=$PWD/tests/run/fuzz
cc=${CLANG:-clang}
modules='lua5.4 json-c yaml-0.1 libibmad libibumad'
flags="$(pkg-config --cflags $modules) -std=c11 -D_GNU_SOURCE
	-iquote $srcdir
	-DSYSCONFDIR=\"/etc\" -DSFAB_VERSION=\"0\" -g -fno-omit-frame-pointer"
libs="$(pkg-config --libs $modules) -lz -lexpat -lm -pthread"

command -v ${cc%% *} >/dev/null || {
	echo "$(basename "$0"): $cc is missing (Debian: clang)" >&2
	exit 1
}

all_targets() {
	(cd "$srcdir/tests/fuzz" && ls fuzz_*.c) | sed 's/^fuzz_//; s/\.c$//'
}

# core, io, lua, the placement service, the readers of the command line, and
# what targets share.
sources() {
	cd "$srcdir"
	{
		find core io lua place -name '*.c'
		ls tests/fuzz/*.c \
			tools/slurm/batch_script.c tools/slurm/cluster.c \
			tools/slurm/gres_text.c tools/ui/duration.c tools/ui/moment.c \
			tools/log/declog.c tools/site/hosts.c \
			tools/site/joblist.c tools/slurm/jobtext.c tools/ui/number.c \
			tools/ui/printable.c tools/slurm/program.c \
			tools/replay/trace.c \
			tools/ui/say.c tools/ui/xalloc.c tools/slurm/sbatch*.c tools/slurm/scontrol*.c \
			tools/slurm/slurmfacts.c \
			tools/metrics/tally*.c \
			tools/log/past.c tools/log/past_sums.c \
			tools/web/day*.c \
			tools/topology/topology_conf.c tools/topology/topology_yaml_read.c
	} |
		grep -v -e '^lua/script_none' -e '/fuzz_' -e '/replay\.c$'
}

# build_archive DIR FLAG... - DIR/lib.a of all sources
build_archive() {
	dir=$1
	shift
	mkdir -p "$dir"
	[ -z "$(cd "$srcdir" && find core io lua place plugin tools tests/fuzz -name '*.h' \
		-newer "$dir/lib.a" 2>&1)" ] || rm -f "$dir"/*.o
	compile="$cc $flags $*"
	export compile srcdir dir
	sources | xargs -P 2 -n 1 sh -c '
		o=$dir/$(echo "$1" | tr / _).o
		[ "$o" -nt "$srcdir/$1" ] || $compile -c "$srcdir/$1" -o "$o"' sh
	rm -f "$dir/lib.a"
	ar cr "$dir/lib.a" "$dir"/*.o
}

# build_target DIR TARGET FLAG... - DIR/fuzz_TARGET with that archive
build_target() {
	dir=$1 target=$2
	shift 2
	$cc $flags "$@" "$srcdir/tests/fuzz/fuzz_$target.c" "$dir/lib.a" $libs \
		-o "$dir/fuzz_$target"
}
