#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# faults.t - OpenSM and collect killed, their files removed, spoilt and made old
# at random moments under a stream of jobs (make check-long)
#
# SFAB_FAULTS of each kind, default 20; SFAB_TEST_SEED repeats an order.
test_description='faults at random'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/live.sh"
skip_all=$(live_missing)
test -z "$skip_all" || test_done

: "${SFAB_FAULTS:=20}" "${SFAB_TEST_SEED:=$$}"
SIM_LIFE=3600
counters=$place_dir/counters.snap

# -- what is done, and what an admin (systemd) would do then --------------------

# kind: fault_KIND does it, heal_KIND (if there is one) is what follows
kinds='opensm collect counters removed spoilt cut older unconfirmed'
test "$("$sfabric" help collect 2>/dev/null)" || kinds=$(echo $kinds | sed 's/collect //')

fault_opensm () { sim_sm_kill one; }
heal_opensm () { sm one; }

# Beside OpenSM's plugin, which writes the snapshot and its confirmation:
# collect's own go to another folder, its counters are those that the plugin in
# slurmctld reads.
beside=$place_dir/beside
mkdir "$beside"
cat >"$beside/conf" <<END
Snapshot=$beside/fabric.snap
Counters=$counters
END
collect_pid=
heal_collect () {
	{ LD_PRELOAD=$sim_umad exec "$sfabric" collect --conf "$beside/conf" \
		--interval 1 >>"$beside/log" 2>&1 3>&- 4>&- 5>&- & } &&
	collect_pid=$!
}
# the simulated wire never frees what a sweep registers with it
collect_again () {
	test -z "$collect_pid" || { sim_end $collect_pid; heal_collect; }
}
fault_collect () { sim_kill $collect_pid; wait $collect_pid 2>/dev/null; true; }
collect_stop () {
	test -z "$collect_pid" || kill -9 $collect_pid 2>/dev/null
}
at_exit collect_stop

fault_counters () { printf garbage >"$counters"; }
heal_counters () { rm "$counters"; }

fault_removed () { rm -f "$snap"; }
fault_spoilt () {
	printf garbage | dd of="$snap" bs=1 seek=$((600 + round * 50)) \
		conv=notrunc 2>/dev/null
}
fault_cut () { truncate -s $((round * 100)) "$snap"; }
fault_older () { cp older "$place_dir/older.new" && mv "$place_dir/older.new" "$snap"; }
fault_unconfirmed () {
	printf "sfabric-alive 1\nfingerprint 0x1\nsm 0\ntime 1\n" \
		>"$place_dir/fabric.alive"
}

# -- what must hold ------------------------------------------------------------

# Jobs start, by routes or by Slurm alone, and it is the same slurmctld.
schedules () {
	ask && test -n "$why" && test "$(slurm_ctld_pid)" = $ctld
}

# The snapshot is the fabric's, and jobs go by it; collect writes again.
recovered () {
	{ test "$counters" -nt mark || test -z "$collect_pid"; } &&
	test "$(fingerprint 2>/dev/null)" = "$(cat whole)" && ask &&
	test "$why" = placed &&
	test "$(decided $asked fingerprint)" = "$(cat whole)"
}

changed () {
	test "$(fingerprint)" != "$(cat whole)"
}

# one KIND: a fault, jobs all the while, recovery
one () {
	collect_again && touch mark && fault_$1 && schedules &&
	{ ! command -v heal_$1 >/dev/null || heal_$1; } &&
	slurm_wait recovered || {
		echo "seed $SFAB_TEST_SEED, round $round: $1, $asked is $why"
		tail -n 5 "$beside/log" one/osm.log
		ls -lt --full-time "$place_dir" mark
		return 1
	}
}

shuffled () {
	printf '%s\n' $kinds |
	awk -v seed=$((SFAB_TEST_SEED + round)) \
		'BEGIN { srand(seed) } { print rand(), $0 }' | sort -n | cut -d' ' -f2
}

rounds () {
	for round in $(seq "$SFAB_FAULTS"); do
		for kind in $(shuffled); do
			one $kind || return 1
		done
	done
}

test_expect_success 'all is up, jobs are placed' '
	live_start faults MaxSnapshotAge=5 "Counters=$counters" &&
	fingerprint >whole && ctld=$(slurm_ctld_pid) &&
	sim_console "Unlink $(name L001)[5]" && sim_until 60 sim_up one 2 &&
	sim_until 60 changed && cp "$snap" older &&
	sim_console "ReLink $(name L001)[5]" && touch mark &&
	case $kinds in *collect*) heal_collect ;; esac &&
	slurm_wait recovered && stream_start'

test_expect_success "$SFAB_FAULTS faults of each kind, recovery each time" '
	rounds && echo "$((SFAB_FAULTS * $(echo $kinds | wc -w))) faults" >&2'

test_expect_success 'the stream: no job lost, none delayed' '
	stream_end && echo "$(wc -l <"$place_dir/streamed") jobs" >&2'

test_done
