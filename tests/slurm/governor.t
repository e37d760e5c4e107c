#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# governor.t - where Slurm refuses what the plugin chooses, it only observes
#
# The fault: a job holds the cores beside the GPUs of n1 to n16.  The plugin prefers nodes
# in use, and does not look at cores of devices (gres.h): Slurm refuses these nodes.
test_description='the governor'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready
place_snapshot >/dev/null
SLURM_PARTITIONS='PartitionName=main Nodes=ALL Default=YES OverSubscribe=NO State=UP
PartitionName=other Nodes=ALL OverSubscribe=NO State=UP'
SLURM_EXTRA="$SLURM_EXTRA
GresTypes=gpu"
SLURM_BESIDE=$place_dir/gres.conf
echo "NodeName=n[1-32] Name=gpu File=/dev/null Cores=0-3" >"$SLURM_BESIDE"
fault='--gres=gpu:1 --gres-flags=enforce-binding'

# modes LINE...: those of sfabric.conf, and Slurm's threads have them
modes () {
	place_conf DefaultTraffic=mpi "$@"
}

# cluster NAME: with the fault
cluster () {
	"$1" "$2" "n[1-32] Gres=gpu:1" && { test "$1" = place_stock_start || place_warm; } &&
	filler=$(place_alloc -N16 -n64 --ntasks-per-node=4 -m block:block -w "n[1-16]")
}

is_gone () {
	test -z "$(squeue -h -j $1 -o %i 2>/dev/null)"
}

# alloc OPTION...: a job begins and ends; sets $job, $nodes, $reason (of AdminComment)
alloc () {
	job=$(place_alloc -N2 -n2 "$@") && nodes=$(slurm_nodes $job) &&
	reason=$(place_reason $job) && scancel $job && slurm_wait is_gone $job
}

# began MODE REASON REST OPTION...: so a job begins, by the decision log
began () {
	local want="\"mode\":\"$1\",\"reason\":\"$2\"$3"
	shift 3
	alloc "$@" && slurm_wait grep -q "\"event\":\"start\",\"job\":$job," "$place_dir/decisions" &&
	grep "\"event\":\"start\",\"job\":$job,.*$want" "$place_dir/decisions"
}

# fails N: so many jobs are refused their nodes
fails () {
	for i in $(seq $1); do
		alloc $fault || return 1
	done
}

# row STATE TEXT, metric LINE: what the commands say
row () {
	"$sfabric" check -hP -o check,state,found >found
	grep "^governor|$1|.*$2" found
}
metric () {
	rm -f state && "$sfabric" metrics --state state >metrics &&
	grep -F "sfabric_governor_tripped{$1" metrics
}

tripped='"governor":"refused"'
line="partition main: Slurm could not use the nodes chosen for most jobs: "

test_expect_success 'stock Slurm: the nodes of two jobs' '
	cluster place_stock_start stock && alloc $fault && echo $nodes >expect_fault &&
	alloc && echo $nodes >expect_plain && slurm_stop'

test_expect_success 'a job is refused, and begins where stock Slurm puts it' '
	modes Mode=on && cluster place_start governor && began on refused "" $fault &&
	echo $nodes >got && test_cmp expect_fault got && fails 16 && ! place_said "$line" &&
	row fine "stopped no partition" && metric "partition=\"main\"} 0"'

test_expect_success 'the twentieth trips the partition, with one line' '
	fails 3 && place_said "error: sfabric: $line.*(Governor=on)" >said && test $(cat said) -eq 1 &&
	began observe observe ",$tripped" $fault && echo $nodes >got && test_cmp expect_fault got &&
	fails 25 && test $(place_said "$line") -eq 1'

test_expect_success 'jobs of a tripped partition get the nodes of stock Slurm, others are placed' '
	began observe observe ",$tripped" && echo $nodes >got && test_cmp expect_plain got &&
	began on placed ",\"traffic\"" -p other'

test_expect_success 'check and metrics say so, of this partition only' '
	row wrong "partition main: .*set its mode to observe and to on again" &&
	test $(grep -c "^governor" found) -eq 1 &&
	metric "partition=\"main\",reason=\"refused\"} 1" && metric "partition=\"other\"} 0"'

# A new slurmctld has no routes for its first jobs, and no line.
is_placed () {
	alloc && test "$reason" = placed
}

# The job that was asked about last may have begun by the conf before.
until_began () {
	slurm_wait began "$@"
}

test_expect_success 'another key, or a file that is written again, do not free the partition' '
	modes "Mode=on PartitionMode=other:observe" &&
	until_began observe observe ",\"traffic\"" -p other &&
	began observe observe ",$tripped"'

test_expect_success 'the mode was another one: jobs are placed again' '
	modes Mode=observe && slurm_wait place_said "mode is now observe" &&
	modes Mode=on && slurm_wait place_said "mode is now on" &&
	until_began on placed ",\"traffic\"" && row fine "stopped no partition" &&
	metric "partition=\"main\"} 0" && test $(place_said "$line") -eq 1'

test_expect_success 'the partition trips again, and another slurmctld does not know of it' '
	fails 20 && test $(place_said "$line") -eq 2 && began observe observe ",$tripped" &&
	slurm_restart_ctld &&
	slurm_wait is_placed && began on placed ",\"traffic\""'

trips=2
# is_observe N: sfabric.conf has said so N times, and the plugin has read it
is_observe () {
	test $(place_said "mode is now observe") -eq $1
}

# raised CONF...: the mode is observe in sfabric.conf, and on by the script
raised () {
	modes Mode=observe Policy="$place_dir/sfabric.lua" "$@"
}

test_expect_success LUA 'sfabric.lua says on: only sfabric.conf ends what tripped' '
	echo "return { job = function(j) return { mode = \"on\" } end }" >"$place_dir/sfabric.lua" &&
	observes=$(place_said "mode is now observe") && raised &&
	slurm_wait is_observe $((observes + 1)) &&
	until_began on placed ",\"traffic\"" && fails 20 &&
	trips=3 && test $(place_said "$line") -eq 3 && began observe observe ",$tripped" &&
	raised PartitionMode=other:off && slurm_wait place_said "partition other is now off" &&
	began observe observe ",$tripped" &&
	raised PartitionMode=main:on && until_began on placed ",\"traffic\""'

test_expect_success 'off: nothing is watched' '
	modes Mode=on Governor=off PartitionMode=other:observe &&
	until_began observe observe ",\"traffic\"" -p other && fails 25 &&
	began on refused ",\"traffic\"" $fault && test $(place_said "$line") -eq $trips'

test_done
