#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# slurm.sh - what the plugin costs slurmctld: cycles that start nothing, starts
#
#     slurm.sh [tests] [LEAVES:HOSTS...]	default 40:16 160:32
#
# All nodes are held by 20 jobs, 1,000 others wait: half of them for whole nodes,
# half for CPUs.  slurmctld is restarted with that state, stock and with the plugin
# in turn, SFAB_BENCH_PAIRS times (10).  Each time a first cycle of backfill warms
# up; then it goes through the whole queue SFAB_BENCH_CYCLES times more (3, above
# 1,000 nodes 1, which takes long enough), once for each change of a pending job:
#
#     cycle_ms       mean cycle of backfill as sdiag has it
#     main_us        the same of the main scheduler
#     cycle_cpu_ms   CPU time of slurmctld, all of its threads, for each of them
#     start_cpu_ms   CPU time for each of 100 allocations on empty nodes
#
# RATIO is the mean over the pairs of ours / stock, SD their standard deviation.
#
# tests: instead of all that, CPU time of select_p_job_test() alone (job_timer.c), ours
# beside Slurm's own.  Jobs of a tenth of the nodes start one after the other until
# eight hold the machine, in SFAB_BENCH_PAIRS new clusters of each.  Only calls that
# start such a job count.  Ours asks Slurm's own for the nodes that it chose, and that
# is part of its time.
#
# One slurmd answers for all nodes: that is enough for nodes whose jobs run no
# program and do not end.  Works for at most SFAB_BENCH_SECONDS (480; the pair at
# hand is finished) and prints what is known so far.  Status 3: there is more to
# do, run it again.  Readings stay in $SFAB_BENCH_DIR/slurm (default: bench-work in
# the build directory) until the plugin is built anew.
: "${SFAB_SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd)}" "${SFAB_BUILDDIR:=$PWD}"
export SFAB_SRCDIR SFAB_BUILDDIR
. "$SFAB_SRCDIR/tests/slurm/place.sh"
pairs=${SFAB_BENCH_PAIRS:-10}
end=$(($(date +%s) + ${SFAB_BENCH_SECONDS:-480}))
results=${SFAB_BENCH_DIR:-$SFAB_BUILDDIR/bench-work}/slurm
plugins_ours=$(dirname "$place_plugin") plugins_stock=
timed=$SFAB_BUILDDIR/tests/bench
trap place_stop EXIT
trap 'exit 130' INT TERM

missing=$(place_missing)
test -z "$missing" || { echo "slurm: skipped, $missing"; exit 0; }
mkdir -p "$results" || exit 1

SALLOC_IMMEDIATE=30	# what does not start is an error
SLURM_DEADLINE=600
export SALLOC_IMMEDIATE

# settings BF_INTERVAL: a cycle looks at all of the queue without a pause
settings () {
	scheduler=bf_interval=$1,bf_continue,bf_max_job_test=2000,bf_max_time=3600
	scheduler=$scheduler,bf_yield_interval=10000000,default_queue_depth=2000
	scheduler=$scheduler,sched_interval=2,sched_min_interval=0
	SLURM_EXTRA="SchedulerParameters=$scheduler
SlurmdTimeout=65000
MessageTimeout=100
DebugFlags=NO_CONF_HASH
MaxJobCount=20000"
}

# prepare: a folder, and a slurmd that answers whatever node is meant
prepare () {
	slurm_name=bench
	slurm_dir=$(mktemp -d "${TMPDIR:-/tmp}/sfabric-bench.XXXXXX") &&
	mkdir "$slurm_dir/state" "$slurm_dir/spool" "$slurm_dir/run" \
		"$slurm_dir/log" || return 1
	SLURM_CONF=$slurm_dir/slurm.conf
	export SLURM_CONF
	settings 10800
	slurm_find_address && slurm_take_ports &&
	echo n1 >"$slurm_dir/nodes" && nodes_conf n1 && slurm_write_rest &&
	cp "$SLURM_CONF" "$slurm_dir/slurmd.conf" &&
	slurm_daemon "$(slurm_program slurmd)" -f "$slurm_dir/slurmd.conf" -N n1 &&
	nodes_conf "n[1-$nodes]"
}

nodes_conf () {
	echo "NodeName=$1 NodeAddr=$slurm_address NodeHostname=$slurm_host" \
		"Port=$((slurm_port + 1)) $SLURM_NODE_KEYS State=IDLE" \
		>"$slurm_dir/nodes.conf"
}

# ctld stock|ours [-c]: it runs and answers
ctld () {
	who=$1
	eval "SLURM_PLUGINDIRS=\$plugins_$1"
	shift
	: >"$slurm_dir/slurmctld.log"
	slurm_start_ctld "$@"
}

# CPU time of slurmctld so far, in clock ticks
ticks () {
	awk '{ print $14 + $15 }' "/proc/$(slurm_ctld_pid)/stat"
}

# is_warm: a job started, and the plugin has read its files
is_warm () {
	place_alloc -p excl -N1 >/dev/null &&
	{ test "$who" = stock ||
		place_said 'nodes are in the snapshot' >/dev/null; }
}

# starts: milliseconds of CPU for each of 100 allocations, five eighths of all
# nodes together
starts () {
	slurm_wait is_warm || return 1
	before=$(ticks)
	for i in $(seq 100); do
		place_alloc -p excl -N$((nodes / 160)) >/dev/null || return 1
	done
	echo $((($(ticks) - before) * 1000 / $(getconf CLK_TCK))) |
		awk '{ print $1 / 100 }'
}

fill () {
	for i in $(seq 20); do
		place_alloc -p excl -N$((nodes / 20)) -t 600 >/dev/null || return 1
	done
	for i in $(seq 500); do
		slurm_submit -p excl -N$((1 + i * 7 % 64)) -t $((10 + i)) &&
		slurm_submit -p main -n$((1 + i * 7 % 512)) -t $((10 + i)) ||
			return 1
	done >"$slurm_dir/pending"
}

backfilled () {
	sdiag | awk '/^Backfilling/ { is = 1 } is && /Total cycles:/ { print $3 }'
}

# A controller that is gone is found by what comes after.
has_backfilled () {
	slurm_gone "$(slurm_ctld_pid)" || test "$(backfilled)" -gt "$1"
}

# one_cycle: of backfill, which looks again at all when a job has changed
one_cycle () {
	n=$(backfilled) &&
	scontrol update jobid="$(tail -n1 "$slurm_dir/pending")" comment="$n" &&
	slurm_wait has_backfilled "$n"
}

# means TICKS: of the cycles since sdiag was reset
means () {
	sdiag | awk -v ticks="$1" -v hz="$(getconf CLK_TCK)" '
		/^Backfilling/ { is = 1 }
		is && /Total cycles:/ { n = $3 }
		/Mean cycle:/ { mean[is + 0] = $3 }
		END { print mean[1] / 1000, mean[0] + 0, ticks * 1000 / hz / n }'
}

readings () {
	one_cycle && sdiag -r >/dev/null && before=$(ticks) || return 1
	for i in $(seq "${SFAB_BENCH_CYCLES:-$((nodes > 1000 ? 1 : 3))}"); do
		one_cycle || return 1
	done
	means $(($(ticks) - before))
	test "$(sinfo -h -o %T | sort -u)" = allocated ||
		slurm_log "nodes are $(sinfo -h -o %T | paste -sd ' ')"
}

# run WHAT PAIR stock|ours COMMAND [-c]: a row, unless it is there
run () {
	! grep -q "^$1 $2 $3 " "$rows" || return 0
	ctld "$3" $5 && value=$($4) && slurm_kill_ctld TERM &&
	echo "$1 $2 $3 $value" >>"$rows"
}

# is_full: nodes and queue are in the state folder
is_full () {
	test -s "$slurm_dir/pending" && return
	rm -rf "$slurm_dir/state" && mkdir "$slurm_dir/state" &&
	ctld stock -c && fill && slurm_kill_ctld TERM &&
	settings 1
}

# -- tests ----------------------------------------------------------------

# some_tests stock|ours: times of the jobs of one new cluster, in microseconds
some_tests () {
	SFAB_JOB_TIMES=$place_dir/times
	export SFAB_JOB_TIMES
	ctld "$1" -c && slurm_wait is_warm && : >"$SFAB_JOB_TIMES" || return 1
	for i in $(seq 8); do
		place_alloc -p excl -N$((nodes / 10)) >/dev/null || return 1
	done
	slurm_kill_ctld TERM
	awk '$1 % 4 == 0 && $2 == 0 { print $3 }' "$SFAB_JOB_TIMES"
}

# times_of WHO: count, mean, median, 99 %
times_of () {
	sort -n "$place_dir/times-$1" | awk '{ x[NR] = $1; sum += $1 }
		END { if (NR) print NR, sum / NR, x[int((NR + 1) / 2)], x[int(NR * .99 + .5)] }'
}

tests () {
	nodes=$((${1%:*} * ${1#*:}))
	plugins_ours=$timed/timed-ours plugins_stock=$timed/timed-stock
	place_snapshot "${1%:*}" 8 "${1#*:}" 4 >/dev/null &&
	place_conf Mode=on DefaultTraffic=mpi $SFAB_BENCH_CONF &&
	prepare || return 1
	: >"$place_dir/times-stock" && : >"$place_dir/times-ours"
	for pair in $(seq "$pairs"); do
		for each in stock ours; do
			some_tests $each >>"$place_dir/times-$each" || return 1
		done
	done
	echo $nodes $((nodes / 10)) $(times_of stock) $(times_of ours) | awk '{
		printf "%d %d %d %.0f %.0f %.0f %.0f %.0f %.0f %.2f %.2f %.2f\n", $1, $2, $3,
			$4, $5, $6, $8, $9, $10, $8 / $4, $9 / $5, $10 / $6 }'
	slurm_stop
}

is_late () {
	test "$(date +%s)" -ge "$end"
}

measure () {
	for pair in 1 2; do
		run start $pair stock starts -c && run start $pair ours starts -c ||
			return 1
	done
	for pair in $(seq "$pairs"); do
		test "$(grep -c "^cycle $pair " "$rows")" -lt 2 || continue
		! is_late || return 3
		is_full && run cycle "$pair" stock readings &&
			run cycle "$pair" ours readings || return 1
	done
}

# report WHAT COLUMN NAME
report () {
	awk -v nodes="$nodes" -v what="$1" -v col="$2" -v name="$3" '
		$1 == what { x[$3, $2] = $col; if ($3 == "ours") pair[$2] }
		END {
			for (p in pair) {
				n++
				stock += x["stock", p]
				ours += x["ours", p]
				r = x["stock", p] ? x["ours", p] / x["stock", p] : 0
				sum += r
				squares += r * r
			}
			if (!n)
				exit
			square = n > 1 ? (squares - sum * sum / n) / (n - 1) : 0
			sd = square > 0 ? sqrt(square) : 0
			printf "%s %s %.4g %.4g %.3f %.3f %d\n", nodes, name,
				stock / n, ours / n, sum / n, sd, n
		}' "$rows"
}

bench () {
	nodes=$((${1%:*} * ${1#*:})) rows=$results/$((${1%:*} * ${1#*:}))
	test "$rows" -nt "$place_plugin" || : >"$rows"
	place_snapshot "${1%:*}" 8 "${1#*:}" 4 >/dev/null &&
	place_conf Mode=on DefaultTraffic=mpi &&
	prepare || return 1
	measure
	status=$?
	report cycle 4 cycle_ms
	report cycle 5 main_us
	report cycle 6 cycle_cpu_ms
	report start 4 start_cpu_ms
	slurm_stop
	return $status
}

part=bench
test "$1" != tests || { part=tests; shift; }
test $# -gt 0 || set -- 40:16 160:32
test $part = bench || {
	echo "NODES JOB CALLS; us: STOCK P50 P99, OURS P50 P99; RATIO P50 P99"
	for size; do
		tests "$size" || { echo "slurm: $size failed"; exit 1; }
	done
	exit 0
}
more=0
echo "NODES WHAT STOCK OURS RATIO SD PAIRS"
for size; do
	bench "$size"
	case $? in
	0) ;;
	3) more=3 ;;
	*) echo "slurm: $size failed"; exit 1 ;;
	esac
done
test "$more" = 0 || echo "slurm: not all pairs yet; run it again"
exit $more
