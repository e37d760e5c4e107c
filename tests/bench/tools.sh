#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tools.sh - what each command takes on large fabrics, in seconds of one CPU and
# of the wall clock, with the largest memory
#
# Goal: 2 s on 4,341 ports, 10 s on 11,664 hosts; whatif what OpenSM takes, two
# at a time, and these.
: "${SFAB_SRCDIR:?}" "${SFAB_BUILDDIR:?}"
. "$SFAB_SRCDIR/tests/bench/fabrics.sh"
sfabric=$SFAB_BUILDDIR/tools/sfabric
SFABRIC_CONF=$SFAB_BENCH_DIR/none.conf
export SFABRIC_CONF

# measure FABRIC LABEL COMMAND...: a row of the table
measure () {
	measure_fabric=$1 measure_label=$2
	shift 2
	measure_program "$measure_fabric" "$measure_label" "$sfabric" "$@"
}

# The same of any program.
measure_program () {
	measure_fabric=$1 measure_label=$2
	shift 2
	/usr/bin/python3 - "$@" <<'END' |
import os, resource, subprocess, sys, time
begin = time.time()
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL,
			 stderr=subprocess.DEVNULL)
r = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%.2f %.2f %d %d" % (r.ru_utime + r.ru_stime, time.time() - begin,
			   r.ru_maxrss / 1024, status))
END
	{
		read -r cpu wall mib status
		printf '%-21s %-36s %7s %7s %6s %6s\n' "$measure_fabric" \
			"$measure_label" "$cpu" "$wall" "$mib" "$status"
	}
}

# commands FABRIC ENGINE GOAL
commands () {
	dir=$(bench_tables "$1" "$2") || return 1
	SFABRIC_SNAPSHOT=$SFAB_BENCH_DIR/tools.snap
	export SFABRIC_SNAPSHOT
	hosts=$("$sfabric" show hosts -h -o host,role --snapshot "$dir/fabric.snap" |
		awk '$2 == "compute" { print $1 }' | sort -u)
	io=$(echo "$hosts" | awk 'NR % 100 == 1' | paste -sd,)
	texts=$(bench_texts "$1" "$2") || return 1
	map=$texts/map
	measure "$1" 'import' import "$texts/opensm-subnet.lst" \
		"$texts/opensm-lfts.dump" --io "$io" \
		$(test ! -f "$map" || echo "--node-name-map=$map") \
		--output "$SFABRIC_SNAPSHOT"
	echo "$hosts" | grep -vxF "$(echo "$io" | tr , '\n')" |
		awk '{ job = int((NR - 1) / 64); list[job] = list[job] "," $1 }
		END { for (j = 0; j in list; j++)
			print j + 1, substr(list[j], 2), "mpi=0.3+io-write=0.1" }' \
		>"$SFAB_BENCH_DIR/jobs"
	measure_program "$1" 'OpenSM on ibsim, once' sh -c \
		". '$SFAB_SRCDIR/tests/lib/sim.sh' && cd '$SFAB_BENCH_DIR' &&
		sim_route '$texts/net' once -R '$2'"
	rm -rf "$SFAB_BENCH_DIR/once" "$texts/opensm-lfts.dump"	# gigabytes
	"$sfabric" topology generate >"$SFAB_BENCH_DIR/topology.conf"
	set -- "$1" $hosts
	for words in 'show fabric' 'show switches' 'show hosts' 'show links' \
		'show io' 'show jobs --jobs JOBS' 'route A B' load 'load --json' \
		plot 'plot --type html' \
		'plot --jobs JOBS' 'plot --type html --jobs JOBS' \
		'plot --type svg --jobs JOBS' 'plot --by job --type svg --jobs JOBS' \
		'plot --job 5 --type svg --jobs JOBS' 'report --links --jobs JOBS' \
		audit \
		'audit --json' 'place -N 64 --traffic mpi' \
		'place -N 64 --traffic io-write' \
		'predict --nodes A,B --traffic mpi' 'top --jobs JOBS' rotate \
		'topology generate' 'topology generate --yaml' \
		'topology diff CONF' \
		'whatif --io-guid-file auto' 'whatif --suggest io --nodes 20'
	do
		measure "$1" "$words" $(echo "$words" |
			sed "s|JOBS|$SFAB_BENCH_DIR/jobs|; s|CONF|$SFAB_BENCH_DIR/topology.conf|
				s|A B|$2 $3|; s|A,B|$2,$3|")
	done
	measure "$1" 'show packing --keep' show packing --keep
	measure "$1" 'place -N 64, packing kept' place -N 64
	rm -f "$SFABRIC_SNAPSHOT.packing"
	for words in '--type svg' '--small --type svg' '--type html' \
		'--by job --type svg' '--job 5 --type svg'; do
		printf '%-21s %-36s %7d KiB\n' "$1" "size of plot $words" $(($("$sfabric" \
			plot $words --jobs "$SFAB_BENCH_DIR/jobs" 2>/dev/null |
			wc -c) / 1024))
	done
}

printf '%-21s %-36s %7s %7s %6s %6s\n' FABRIC COMMAND CPU_S WALL_S MIB STATUS
test ! -d "$bench_shared" || commands selene-compute-ports updn
commands ft11664 ftree
