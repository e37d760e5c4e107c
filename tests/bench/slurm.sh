#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# slurm.sh - what the plugin costs slurmctld: cycles that start nothing, starts
#
#     slurm.sh [tests] [LEAVES:HOSTS...]	default 8:8 40:16 160:32
#
# Cycles: seven eighths of the nodes are held, and 200 or 1,000 jobs (SFAB_BENCH_PENDING)
# wait for more than what is left, in a partition (SFAB_BENCH_QUEUES) with
#
#     excl    whole nodes
#     cap     MaxCPUsPerNode, which half of each node's CPUs reach
#     force   OverSubscribe=FORCE:2
#
# Three slurmctld start from the same state: stock Slurm, Plans=keep and Plans=spare.
# They run cycle by cycle at the same time, so that what else the machine does hits all
# of them.  After two cycles to warm up each has SFAB_BENCH_PAIRS more (24, from 640
# nodes on 12, above 1,000 nodes 5).  A reading is CPU time of a thread:
#
#     backfill  for each cycle of backfill
#     main      the same of the main scheduler
#
# RATIO is the median over the pairs of ours / stock, Q1 and Q3 are their quartiles.
#
# starts: CPU time of slurmctld for each of 100 allocations on empty nodes, stock and
# with the plugin in turn, twice.
#
# tests: instead of all that, CPU time of select_p_job_test() alone (job_timer.c), ours
# beside Slurm's own.  Jobs of a tenth of the nodes start one after the other until
# eight hold the machine, in SFAB_BENCH_PAIRS new clusters of each.  Only calls that
# start such a job count.  Ours asks Slurm's own for the nodes that it chose, and that
# is part of its time.
#
# One slurmd answers for all nodes: that is enough for nodes whose jobs run no
# program and do not end.  Works for at most SFAB_BENCH_SECONDS (480; the cell at
# hand is finished) and prints what is known so far.  Status 3: there is more to
# do, run it again.  Readings stay in $SFAB_BENCH_DIR/slurm (default: bench-work in
# the build directory) until the plugin is built anew.
: "${SFAB_SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd)}" "${SFAB_BUILDDIR:=$PWD}"
export SFAB_SRCDIR SFAB_BUILDDIR
. "$SFAB_SRCDIR/tests/slurm/place.sh"
pairs=${SFAB_BENCH_PAIRS:-10}	# of tests
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

# settings BF_INTERVAL SCHED_MIN_INTERVAL: a cycle looks at all of the queue without a
# pause
settings () {
	scheduler=bf_interval=$1,bf_continue,bf_max_job_test=2000,bf_max_time=3600
	scheduler=$scheduler,bf_yield_interval=10000000,default_queue_depth=2000
	scheduler=$scheduler,sched_interval=2,sched_min_interval=$2
	SLURM_EXTRA="SchedulerParameters=$scheduler
SlurmdTimeout=65000
MessageTimeout=100
DebugFlags=NO_CONF_HASH
MaxJobCount=20000"
	SLURM_PARTITIONS='PartitionName=main Nodes=ALL Default=YES OverSubscribe=NO State=UP
PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP
PartitionName=cap Nodes=ALL MaxCPUsPerNode=4 State=UP
PartitionName=force Nodes=ALL OverSubscribe=FORCE:2 State=UP'
}

# prepare: a folder, and a slurmd that answers whatever node is meant
prepare () {
	slurm_name=bench
	slurm_dir=$(mktemp -d "${TMPDIR:-/tmp}/sfabric-bench.XXXXXX") &&
	mkdir "$slurm_dir/state" "$slurm_dir/spool" "$slurm_dir/run" \
		"$slurm_dir/log" || return 1
	SLURM_CONF=$slurm_dir/slurm.conf
	export SLURM_CONF
	settings 10800 5000000
	slurm_find_address && slurm_wait slurm_take_ports &&
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

# -- cycles ---------------------------------------------------------------

# holders QUEUE: options of the jobs that hold seven eighths of the nodes
holders () {
	case $1 in
	excl) echo "-p excl -N$((nodes / 8))" ;;
	cap) echo "-p cap -N$((nodes / 8)) --ntasks-per-node=4" ;;
	force) echo "-p force -N$((nodes / 8)) --ntasks-per-node=8" ;;
	esac
}

# waiter QUEUE I: options of a job that wants more than what is left
waiter () {
	more=$((nodes / 8 + 1 + $2 * 7 % (nodes / 2)))
	case $1 in
	excl) echo "-p excl -N$more" ;;
	cap) echo "-p cap -n$((more * 4))" ;;
	force) echo "-p force -N$more --ntasks-per-node=8" ;;
	esac
}

# fill QUEUE PENDING: the state of a cluster, to $cell/state
fill () {
	prepare && ctld stock -c || return 1
	for i in $(seq $(test $1 = force && echo 15 || echo 7)); do
		place_alloc $(holders $1) -t $((400 + i * 37)) >/dev/null || return 1
	done
	for i in $(seq "$2"); do
		slurm_submit $(waiter $1 $i) -t $((60 + i % 200)) || return 1
	done >"$cell/pending"
	slurm_kill_ctld TERM && cp -r "$slurm_dir/state" "$cell/state"
}

# cycles: how many there were, of backfill and of the main scheduler
cycles () {
	sdiag | awk '/Total cycles:/ { n[is + 0] = $3 } /^Backfilling/ { is = 1 }
		END { print n[1] + 0, n[0] + 0 }'
}

# nanoseconds THREAD: CPU time of threads of that name
nanoseconds () {
	grep -slx "$1" /proc/$(slurm_ctld_pid)/task/*/comm | sed 's/comm$/schedstat/' |
		xargs cat | awk '{ ns += $1 } END { printf "%.0f", ns }'
}

# A controller that is gone is found by what comes after.
has_backfilled () {
	slurm_gone "$(slurm_ctld_pid)" || test "$(cycles | cut -d ' ' -f 1)" -gt "$1"
}

# one_cycle: of backfill, which looks again at all when a job has changed
one_cycle () {
	before=$(cycles) &&
	scontrol update jobid="$(tail -n1 "$cell/pending")" comment="$before" &&
	slurm_wait has_backfilled "${before% *}"
}

# are_there N: have all three N readings?
are_there () {
	test -e "$cell/failed" ||
		test "$(cat "$cell"/rows.* 2>/dev/null | grep -c "^$1 ")" -eq 3
}

# readings WHO: a row for each cycle of backfill: NUMBER NS CYCLES of backfill, and
# NS CYCLES of the main scheduler, since slurmctld began
readings () {
	for i in 0 1 2 $(seq 3 $((turns + 2))); do
		test "$i" = 0 || slurm_wait are_there $((i - 1)) || return 1
		test ! -e "$cell/failed" && one_cycle || return 1
		set -- "$1" $(cycles)
		echo "$i $(nanoseconds bckfl) $2 $(nanoseconds sched_agent) $3" \
			>>"$cell/rows.$1"
	done
}

# side stock|keep|spare: its slurmctld goes on with the state
side () {
	who=ours
	test "$1" != stock || who=stock
	place_snapshot "${size%:*}" 8 "${size#*:}" 4 >/dev/null &&
	place_conf Mode=on DefaultTraffic=mpi $(test $1 = stock || echo "Plans=$1") &&
	prepare && settings 1 0 && cp -r "$cell/state" "$slurm_dir" &&
	ctld $who && { test $who = stock || slurm_wait place_said \
		'nodes are in the snapshot' >/dev/null; } &&
	readings "$1" && slurm_kill_ctld TERM || : >"$cell/failed"
}

# differences WHO: of its readings, those to warm up left out: PAIR NS NS
differences () {
	awk '$1 > 2 { print $1, ($2 - b) / ($3 - nb), ($5 > nm ? ($4 - m) / ($5 - nm) : 0) }
		{ b = $2; nb = $3; m = $4; nm = $5 }' "$cell/rows.$1"
}

# measure_cycles QUEUE PENDING: rows WHO QUEUE PENDING PAIR NS NS
measure_cycles () {
	cell=$place_dir/cell
	rm -rf "$cell" && mkdir "$cell" || return 1
	export cell size nodes turns
	sh "$0" fill "$1" "$2" || return 1
	for each in stock keep spare; do
		sh "$0" side $each &	# a cluster needs a shell of its own
	done
	wait
	test ! -e "$cell/failed" || return 1
	for each in stock keep spare; do
		differences $each | sed "s/^/$each $1 $2 /"
	done >>"$rows"
}

# -- starts ---------------------------------------------------------------

# run WHAT PAIR stock|ours COMMAND [-c]: a row, unless it is there
run () {
	! grep -q "^$1 $2 $3 " "$rows" || return 0
	ctld "$3" $5 && value=$($4) && slurm_kill_ctld TERM &&
	echo "$1 $2 $3 $value" >>"$rows"
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
	for queue in ${SFAB_BENCH_QUEUES:-excl cap force}; do
		for pending in ${SFAB_BENCH_PENDING:-200 1000}; do
			! grep -q "^stock $queue $pending " "$rows" || continue
			! is_late || return 3
			measure_cycles "$queue" "$pending" || return 1
		done
	done
	test "$nodes" -ge 160 || return 0
	! is_late || return 3
	prepare || return 1
	for pair in 1 2; do
		run start $pair stock starts -c && run start $pair ours starts -c ||
			return 1
	done
	slurm_stop
}

# report_cycles THREAD COLUMN: its rows for each queue, number of jobs and Plans
report_cycles () {
	awk -v col="$2" '
		$1 == "stock" && $col { stock[$2, $3, $4] = $col; next }
		$1 != "start" && $col && stock[$2, $3, $4] {
			ratio = $col / stock[$2, $3, $4]
			print $2, $3, $1, ratio, stock[$2, $3, $4] / 1e6
		}' "$rows" | sort -k1,1 -k2,2n -k3,3 -k4,4n | awk -v nodes="$nodes" -v what="$1" '
		function print_cell() {
			if (n)
				printf "%s %s %s %.4g %.3f %.3f %.3f %d\n", nodes, cell,
					what, sum / n, r[int((n + 1) / 2)],
					r[int((n + 3) / 4)], r[int((3 * n + 1) / 4)], n
			n = sum = 0
		}
		$1 " " $2 " " $3 != cell { print_cell(); cell = $1 " " $2 " " $3 }
		{ r[++n] = $4; sum += $5 }
		END { print_cell() }'
}

report_starts () {
	awk -v nodes="$nodes" '
		$1 == "start" { x[$3] += $4; n[$3]++ }
		END {
			if (n["ours"])
				printf "%s - - on start %.4g %.3f - - %d\n", nodes,
					x["stock"] / n["stock"],
					x["ours"] / x["stock"], n["ours"]
		}' "$rows"
}

bench () {
	size=$1 nodes=$((${1%:*} * ${1#*:})) rows=$results/$((${1%:*} * ${1#*:}))
	turns=${SFAB_BENCH_PAIRS:-$((nodes > 1000 ? 5 : nodes > 100 ? 12 : 24))}
	test "$rows" -nt "$place_plugin" || : >"$rows"
	place_snapshot "${1%:*}" 8 "${1#*:}" 4 >/dev/null &&
	place_conf Mode=on DefaultTraffic=mpi || return 1
	measure
	status=$?
	report_cycles backfill 5
	report_cycles main 6
	report_starts
	return $status
}

case $1 in
fill | side)	# for measure_cycles
	"$@"
	exit
	;;
esac
part=bench
test "$1" != tests || { part=tests; shift; }
test $part = bench || {
	test $# -gt 0 || set -- 40:16 160:32
	echo "NODES JOB CALLS; us: STOCK P50 P99, OURS P50 P99; RATIO P50 P99"
	for size; do
		tests "$size" || { echo "slurm: $size failed"; exit 1; }
	done
	exit 0
}
test $# -gt 0 || set -- 8:8 40:16 160:32
more=0
echo "NODES QUEUE PENDING PLANS WHAT STOCK_MS RATIO Q1 Q3 PAIRS"
for size; do
	bench "$size"
	case $? in
	0) ;;
	3) more=3 ;;
	*) echo "slurm: $size failed"; exit 1 ;;
	esac
done
test "$more" = 0 || echo "slurm: not all of it yet; run it again"
exit $more
