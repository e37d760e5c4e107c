#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# live.sh - what reading a live fabric costs: OpenSM's plugin and the collector
#
#     live.sh [FABRIC...]	default ft5184, of `sfabric synth`
#
# OpenSM routes the fabric on ibsim by ftree, with and without the plugin, SWEEPS
# times (5) each; then `sfabric collect` reads it from the wire as often.
: "${SFAB_SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd)}" "${SFAB_BUILDDIR:=$PWD}"
export SFAB_SRCDIR SFAB_BUILDDIR
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sfabric=$SFAB_BUILDDIR/tools/sfabric
field=$SFAB_SRCDIR/tests/lib/field.py
sweeps=${SWEEPS:-5}

missing=$(sim_missing || sim_plugin_missing)
test -n "$missing" || "$sfabric" help collect >/dev/null 2>&1 ||
	missing='built --without-infiniband'
test -z "$missing" || { echo "live: skipped, $missing"; exit 0; }

work=$(mktemp -d "${TMPDIR:-/tmp}/sfabric-live.XXXXXX") || exit 1
cd "$work" || exit 1
trap 'sim_stop; rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

# most_mib OUT: the largest memory that OpenSM had
most_mib () {
	awk '$1 == "VmHWM:" { printf "%.1f\n", $2 / 1024 }' \
		"/proc/$(sim_sm_process "$1")/status"
}

# sweep_again OUT N: heavy sweeps until there were N
sweep_again () {
	up=1
	while test $up -lt "$2"; do
		kill -HUP "$(sim_sm_process "$1")" || return 1
		up=$((up + 1))
		sim_until 120 sim_up "$1" $up || return 1
	done
}

# route OUT: all sweeps, and the memory they took
route () {
	OSM_CACHE_DIR=$PWD/$1-cache sim_sm_start "$1" -R ftree -D 0x03 &&
		sweep_again "$1" "$sweeps"
}

# summary: "BEST MEDIAN WORST" of the numbers in the input
summary () {
	sort -n | awk '{ x[NR] = $1 }
		END { printf "%.4g %.4g %.4g\n", x[1], x[int((NR + 1) / 2)], x[NR] }'
}

# row FABRIC WHAT LEAST MEDIAN MOST GOAL
row () {
	printf '%-10s %-46s %9s %9s %9s %6s\n' "$@"
}

written () {
	test "$(grep -c 'us under OpenSM.s lock' "$1/osm.log")" -ge "$sweeps"
}

# lock_and_disk FABRIC OUT: what the plugin says of each sweep
lock_and_disk () {
	sim_until 30 written "$2" || return 1
	row "$1" 'copy under the lock of OpenSM, ms' $(
		sed -n 's/.*, \([0-9]*\) us under.*/\1/p' "$2/osm.log" |
			awk '{ print $1 / 1000 }' | summary) 50
	row "$1" 'snapshot on disk after SUBNET UP, ms' $(
		sed -n 's/.*on disk after \([0-9]*\) ms.*/\1/p' "$2/osm.log" |
			summary) 1000
}

# collected FABRIC: from the wire, OpenSM at rest
collected () {
	mkdir collected &&
	for i in $(seq "$sweeps"); do
		sim_run "$sfabric" collect --output collected --json "$2" \
			>answer 2>/dev/null || return 1
		echo "$("$field" data.mads data.seconds <answer | tr '\n' ' ')"
	done >sweeps.read &&
	row "$1" "collect $2, sweep, s" $(awk '{ print $2 }' sweeps.read | summary) - &&
	row "$1" "collect $2, MADs/s" $(awk '{ print $1 / $2 }' sweeps.read | summary) - &&
	row "$1" "collect $2, MADs a sweep" $(awk '{ print $1 }' sweeps.read | summary) - &&
	rm -r collected
}

# fabric NAME: all of it
fabric () {
	"$sfabric" synth "$1" --output net && sim_start net &&
	route plain && plain=$(most_mib plain) && sim_sm_end plain &&
	mkdir with &&
	sim_plugin "Snapshot=\"$work/with/fabric.snap\"" &&
	route with && lock_and_disk "$1" with && full=$(most_mib with) &&
	row "$1" 'memory of OpenSM alone, MiB' - - "$plain" - &&
	row "$1" 'memory with the plugin, MiB' - - "$full" - &&
	row "$1" 'more memory with the plugin, %' - - "$(echo "$plain $full" |
		awk '{ printf "%.1f", 100 * ($2 / $1 - 1) }')" 20 &&
	collected "$1" --mad-rate=10000 &&
	collected "$1" --mad-rate=1000000 &&
	sim_stop
}

row FABRIC "OF $sweeps SWEEPS" LEAST MEDIAN MOST GOAL
for name in "${@:-ft5184}"; do
	fabric "$name" || { echo "live: $name failed"; exit 1; }
done
