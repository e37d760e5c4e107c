#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-delays.t - do jobs start later with the plugin than with stock Slurm?
#
# The same stream of jobs (stream.py) through stock Slurm and with the plugin in
# mode on.  In order of arrival, with whole nodes of one partition and one weight,
# every job starts at the same time.  Backfill plans with nodes of its own choice,
# and one job that fits beside such a plan changes all that comes after: there the
# delays are printed, mean and 95th percentile of the times from arrival to start,
# and every job must start.  check does a short stream in order, check-long long
# ones of all kinds (SFAB_TEST_STREAM, SFAB_TEST_SEED, SFAB_TEST_JOBS).
test_description='starts of jobs with and without the plugin'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

skip_all=$(place_missing)
at_exit place_stop
test -z "$skip_all" || test_done

kind=${SFAB_TEST_STREAM:-fifo} seed=${SFAB_TEST_SEED:-1}
SLURM_PARTITIONS='PartitionName=main Nodes=ALL Default=YES OverSubscribe=NO State=UP
PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP'
SLURM_EXTRA="SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
SchedulerParameters=$place_scheduler,bf_window=43200"
heavy=
case $kind in
fifo)	SLURM_EXTRA="$SLURM_EXTRA
SchedulerType=sched/builtin" ;;
mixed)	heavy=' Weight=10' ;;
esac
place_snapshot >/dev/null
place_conf Mode=on DefaultTraffic=mpi MaxSearchTime=10s

stream () {
	python3 "$SFAB_SRCDIR/tests/slurm/stream.py" "$kind" "$seed" \
		"${SFAB_TEST_JOBS:-14}"
}

# waits FILE: "MEAN P95 END" of the times from arrival to start, and the makespan
waits () {
	awk '{ print $3 - $2, $4 }' "$1" | sort -n | awk '
		{ wait[NR] = $1; sum += $1; end = $2 > end ? $2 : end }
		END { print sum / NR, wait[int(0.95 * NR + 0.999)], end }'
}

# delays STOCK OURS: "MEAN P95", how much later jobs start, in % of the makespan
delays () {
	{ waits "$1" && waits "$2"; } | awk '
		NR == 1 { mean = $1; p95 = $2; end = $3 }
		END { printf "%.3f %.3f\n", 100 * ($1 - mean) / end,
			100 * ($2 - p95) / end }'
}

test_expect_success 'the stream through stock Slurm' '
	place_stock_start stock "n[1-24]" "n[25-32]$heavy" &&
	stream >stock.starts && slurm_stop'

test_expect_success 'the stream with the plugin: no job fails or starves' '
	place_start on "n[1-24]" "n[25-32]$heavy" && place_warm &&
	stream >on.starts'

test_expect_success 'most were placed by their routes' '
	grep "\"event\":\"start\"" "$place_dir/decisions" >starts &&
	test $(($(grep -c "\"reason\":\"placed\"" starts) * 2)) -ge $(wc -l <starts)'

test_expect_success 'delays' '
	delays stock.starts on.starts >late &&
	echo "$(wc -l <on.starts) jobs, start delay in % of the makespan:" \
		"mean, p95 $(cat late)" >&3 &&
	test $kind != fifo || test_cmp stock.starts on.starts'

test_done
