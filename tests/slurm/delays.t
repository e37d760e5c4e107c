#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# delays.t - do jobs start later with the plugin than with stock Slurm?
#
# The same streams of jobs (stream.py) through stock Slurm and with the plugin in
# mode on.  In order of arrival, with whole nodes of one partition and one weight,
# every job starts at the same time.  With backfill one job that fits beside a plan
# changes all that comes after, and which one fits goes by which nodes were taken, and
# by which of several jobs is gone first.  Stock Slurm, too, starts the jobs of such
# a stream 2.6 % of the makespan earlier to 1.5 % later in the mean when topology.conf
# has the same nodes on other leaves, and not twice at the same times (doc/limits.md,
# also what many streams come to).  So here the mean over the streams may be later by
# 2 % at most; the 95th percentile, of a few dozen jobs one of the longest waits, is
# printed.  Every job must start.
#
# check does a short stream in order, check-long long ones of all kinds
# (SFAB_TEST_STREAM, SFAB_TEST_SEED: one or more, SFAB_TEST_JOBS).  By hand, for the
# yardstick: SFAB_TEST_LEAVES=SEED compares stock Slurm with stock Slurm whose
# topology.conf has the nodes on leaves of that seed, and asserts nothing of delays.
test_description='starts of jobs with and without the plugin'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready

kind=${SFAB_TEST_STREAM:-fifo} seeds=${SFAB_TEST_SEED:-1}
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
place_conf Mode=on DefaultTraffic=mpi

# streams NAME: each seed's, to NAME.SEED
streams () {
	for seed in $seeds; do
		python3 "$SFAB_SRCDIR/tests/slurm/stream.py" "$kind" "$seed" \
			"${SFAB_TEST_JOBS:-14}" >"$1.$seed" || return 1
	done
}

# leaves SEED: a topology.conf with the nodes dealt out to eight leaves
leaves () {
	seq 32 | awk -v seed="$1" 'BEGIN { srand(seed) } { print rand(), $1 }' |
		sort -n | awk '
		{ nodes[NR % 8] = nodes[NR % 8] ",n" $2 }
		END {
			for (i = 0; i < 8; i++)
				print "SwitchName=l" i " Nodes=" substr(nodes[i], 2)
			print "SwitchName=top Switches=l[0-7]"
		}'
}

# The cluster whose jobs may start at other times.
start_other () {
	if test -n "${SFAB_TEST_LEAVES-}"; then
		leaves "$SFAB_TEST_LEAVES" >"$place_dir/topology" &&
		SLURM_TOPOLOGY=$place_dir/topology &&
		place_stock_start other "n[1-24]" "n[25-32]$heavy"
	else
		place_start on "n[1-24]" "n[25-32]$heavy" && place_warm
	fi
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

# mean_delays: over the seeds; a line for each goes to the log
mean_delays () {
	for seed in $seeds; do
		delays "stock.$seed" "on.$seed"
	done >each && cat each >&3 &&
	awk '{ mean += $1; p95 += $2 }
		END { printf "%.3f %.3f\n", mean / NR, p95 / NR }' each
}

is_at_most () {
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a <= b) }'
}

test_expect_success 'the streams through stock Slurm' '
	place_stock_start stock "n[1-24]" "n[25-32]$heavy" &&
	streams stock && slurm_stop'

test_expect_success 'the streams with what is compared: no job fails or starves' '
	start_other && streams on'

test -n "${SFAB_TEST_LEAVES-}" || test_set_prereq PLUGIN
test_expect_success PLUGIN 'most were placed by their routes' '
	grep "\"event\":\"start\"" "$place_dir/decisions" >starts &&
	test $(($(grep -c "\"reason\":\"placed\"" starts) * 2)) -ge $(wc -l <starts)'

test_expect_success 'jobs do not start later' '
	late=$(mean_delays) &&
	echo "$(cat on.* | wc -l) jobs, start delay in % of the makespan:" \
		"mean, p95 $late" >&3 &&
	{ ! test_have_prereq PLUGIN || is_at_most "${late% *}" 2; }'

test $kind != fifo || test_expect_success PLUGIN 'in order of arrival each starts as with Slurm alone' '
	for seed in $seeds; do
		test_cmp "stock.$seed" "on.$seed" || return 1
	done'

test_done
