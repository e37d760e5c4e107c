#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# slurm.sh - what the plugin costs slurmctld: cycles that start nothing, starts
#
#     slurm.sh [LEAVES:HOSTS...]	default 40:16 160:32
#
# A slurmctld of its own without slurmds. All nodes are held by 20 jobs, 1,000
# others wait; then slurmctld is restarted with the same state, stock and with the
# plugin in turn, SFAB_BENCH_PAIRS times (10), and sdiag tells the mean cycle of
# backfill over SFAB_BENCH_SECONDS (20). Before that, on the empty machine: CPU time
# of slurmctld for each of 100 allocations.
: "${SFAB_SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd)}" "${SFAB_BUILDDIR:=$PWD}"
export SFAB_SRCDIR SFAB_BUILDDIR
. "$SFAB_SRCDIR/tests/slurm/place.sh"
pairs=${SFAB_BENCH_PAIRS:-10} seconds=${SFAB_BENCH_SECONDS:-20}
plugin=$(dirname "$place_plugin")
trap place_stop EXIT
trap 'exit 130' INT TERM

missing=$(place_missing)
test -z "$missing" || { echo "slurm: skipped, $missing"; exit 0; }

SALLOC_IMMEDIATE=30	# what does not start is an error
export SALLOC_IMMEDIATE

# 2 s: a cycle looks at all of the queue.
scheduler=bf_interval=2,bf_continue,bf_max_job_test=2000,bf_window=100
scheduler=$scheduler,default_queue_depth=2000,sched_interval=2,sched_min_interval=0
SLURM_EXTRA="SchedulerParameters=$scheduler
SlurmdTimeout=0
MaxJobCount=20000"

# prepare NODES: a folder with all but the daemon
prepare () {
	slurm_name=bench
	slurm_dir=$(mktemp -d "${TMPDIR:-/tmp}/sfabric-bench.XXXXXX") &&
	mkdir "$slurm_dir/state" "$slurm_dir/spool" "$slurm_dir/run" \
		"$slurm_dir/log" || return 1
	SLURM_CONF=$slurm_dir/slurm.conf
	export SLURM_CONF
	slurm_find_address && slurm_take_ports &&
	echo "NodeName=n[1-$1] NodeAddr=127.0.0.1 Port=$((slurm_port + 1))" \
		"$SLURM_NODE_KEYS State=IDLE" >"$slurm_dir/nodes.conf" &&
	echo n1 >"$slurm_dir/nodes"
}

# ctld stock|ours [-c]: it runs and answers
ctld () {
	SLURM_PLUGINDIRS=
	test "$1" = stock || SLURM_PLUGINDIRS=$plugin
	shift
	slurm_write_rest && slurm_start_ctld "$@"
}

# CPU time of slurmctld so far, in clock ticks
ticks () {
	awk '{ print $14 + $15 }' "/proc/$(slurm_ctld_pid)/stat"
}

# starts: milliseconds of CPU for each of 100 allocations, five eighths of all
# nodes together; they stay, for without slurmd no job ends
starts () {
	place_alloc -p excl -N1 >/dev/null && sleep 2
	before=$(ticks)
	for i in $(seq 100); do
		place_alloc -p excl -N$((nodes / 160)) >/dev/null || return 1
	done
	echo $((($(ticks) - before) * 1000 / $(getconf CLK_TCK))) |
		awk '{ print $1 / 100 }'
}

# cycles: of backfill the mean in microseconds; CPU milliseconds of slurmctld, which
# does nothing else, for each of them: other load on this machine does not count
cycles () {
	sleep 3
	before=$(ticks)
	sdiag -r >/dev/null && sleep "$seconds" && sdiag |
	awk -v ticks="$(($(ticks) - before))" -v hz="$(getconf CLK_TCK)" '
		/^Backfilling/ { backfill = 1 }
		backfill && /Total cycles:/ { n = $3 }
		backfill && /Mean cycle:/ { mean = $3 }
		END { print mean + 0, n ? ticks * 1000 / hz / n : 0 }'
}

fill () {
	for i in $(seq 20); do
		place_alloc -p excl -N$(($1 / 20)) -t 600 >/dev/null || return 1
	done
	for i in $(seq 1000); do
		slurm_submit -p excl -N$((1 + i * 7 % 64)) -t $((10 + i % 500)) \
			>/dev/null || return 1
	done
}

# median of a column of the rows of stock or ours
median () {
	awk -v who="$2" -v col="$3" '$1 == who { print $col }' "$1" | sort -n |
		awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'
}

bench () {
	leaves=${1%:*} hosts=${1#*:} rows=$place_dir/rows
	nodes=$((leaves * hosts))
	place_snapshot "$leaves" 8 "$hosts" 4 >/dev/null &&
	place_conf Mode=on DefaultTraffic=mpi &&
	prepare "$nodes" || return 1
	: >"$rows"
	for who in stock ours stock ours; do
		ctld $who -c && echo "$who $(starts)" >>"$rows" &&
		slurm_kill_ctld TERM || return 1
	done
	ctld stock -c && fill "$nodes" &&
	slurm_kill_ctld TERM || return 1
	: >"$rows.cycles"
	for pair in $(seq "$pairs"); do
		for who in stock ours; do
			ctld $who && echo "$who $(cycles)" >>"$rows.cycles" &&
			slurm_kill_ctld TERM || return 1
		done
	done
	report
	slurm_stop
}

report () {
	for what in "$rows:2:start_cpu_ms" "$rows.cycles:2:cycle_us" \
		"$rows.cycles:3:cycle_cpu_ms"; do
		file=${what%%:*} what=${what#*:}
		stock=$(median "$file" stock "${what%:*}")
		ours=$(median "$file" ours "${what%:*}")
		echo "$nodes ${what#*:} $stock $ours" \
			"$(awk -v a="$stock" -v b="$ours" 'BEGIN { printf "%.3f", a ? b / a : 0 }')"
	done
}

test $# -gt 0 || set -- 40:16 160:32
echo "NODES WHAT STOCK OURS RATIO"
for size; do
	bench "$size" || { echo "slurm: $size failed"; exit 1; }
done
