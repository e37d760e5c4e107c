#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# pairs.t - no job is hurt, or waits, that stock Slurm leaves alone or starts
#
# The same jobs on a stock cluster and on one with the plugin (pairs.py), where
# Slurm lets jobs share cores, suspend, requeue or end each other, or where nodes
# of several sizes have one weight.  check runs rounds that went wrong once and a few
# at random; check-long a thousand at random
# (SFAB_TEST_WORLDS, SFAB_TEST_SEED, SFAB_TEST_ROUNDS for each world).  With
# SFAB_TEST_MODE=observe every job must have the cores that it has with stock Slurm.
# SFAB_TEST_TELL=1 prints every round.
test_description='nobody is hurt or waits that stock Slurm spares or starts'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

skip_all=$(place_missing)
test -n "$skip_all" || command -v python3 >/dev/null ||
	skip_all='python3 is not installed'
at_exit place_stop
test -z "$skip_all" || test_done
mode=${SFAB_TEST_MODE:-on} seed=${SFAB_TEST_SEED:-1} rounds=${SFAB_TEST_ROUNDS:-12}
worlds=${SFAB_TEST_WORLDS:-fixed gang}
place_snapshot 6 4 4 4 >/dev/null
place_conf Mode=$mode DefaultTraffic=mpi

# -- two clusters --------------------------------------------------------------

# cores NUMBER THREADS: keys of a node with so many in each socket
cores () {
	echo "CPUs=$((2 * $1 * $2)) Sockets=2 CoresPerSocket=$1 ThreadsPerCore=$2 RealMemory=8000"
}

# world PARAMETERS THREADS MODE [LINE...]: settings of both.  MODE is that of the
# partition "low"; the LINEs say how jobs may be preempted.
world () {
	parameters=$1 threads=$2 mode=$3 drawn=
	shift 3
	SLURM_NODE_KEYS=$(cores 4 $threads)
	light='n[1-18]' heavy='n[19-24] Weight=10' nodes=$threads
	SLURM_EXTRA=$(printf '%s\n' "SelectTypeParameters=$parameters" DefMemPerCPU=100 \
		"SchedulerParameters=$place_scheduler" SchedulerTimeSlice=10000 "$@")
	off= low= requeue=
	test -z "$mode" || off=PreemptMode=OFF low=PreemptMode=$mode requeue=PreemptMode=REQUEUE
	SLURM_PARTITIONS="PartitionName=main Nodes=ALL Default=YES OverSubscribe=NO PriorityTier=5 State=UP $off
PartitionName=low Nodes=ALL OverSubscribe=NO PriorityTier=1 State=UP $low
PartitionName=lowrq Nodes=ALL OverSubscribe=FORCE:1 PriorityTier=1 State=UP $requeue
PartitionName=high Nodes=ALL OverSubscribe=FORCE:1 PriorityTier=9 State=UP $off
PartitionName=force Nodes=ALL OverSubscribe=FORCE:2 PriorityTier=5 State=UP $off
PartitionName=yes Nodes=ALL OverSubscribe=YES:2 PriorityTier=5 State=UP $off
PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE PriorityTier=5 State=UP $off
PartitionName=cap Nodes=ALL MaxCPUsPerNode=4 PriorityTier=5 State=UP $off"
}

gang='PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG'
requeue='PreemptType=preempt/partition_prio PreemptMode=REQUEUE'
world_gang () { world CR_Core 2 SUSPEND $gang; }
world_onetask () { world CR_Core_Memory,CR_ONE_TASK_PER_CORE 2 SUSPEND $gang; }
world_cpu () { world CR_CPU_Memory 1 SUSPEND $gang; }
world_socket () { world CR_Socket_Memory 2 SUSPEND $gang; }
world_requeue () { world CR_Core 2 REQUEUE $requeue; }
world_share () { world CR_Core 2 ''; }
world_slices () { world CR_Core_Memory 1 '' PreemptMode=GANG; }

# Three sizes, two of them with one weight; most jobs want whole nodes.
world_sizes () {
	world CR_Core 1 ''
	SLURM_NODE_KEYS=TmpDisk=1000 nodes=sizes drawn='excl excl excl main force'
	light="n[1-3,8-12,17-18] $(cores 4 1)" large="n[4-7,13-16] $(cores 8 1)"
	heavy="n[19-24] Weight=10 $(cores 2 1)"
}

# begin WORLD: both clusters have its settings; new ones where the nodes are others
begin () {
	large=
	world_$1 || return 1
	if test -f "$place_dir/plugin" && test "$nodes" = "$nodes_now"; then
		on stock slurm_restart_ctld && on plugin slurm_restart_ctld &&
		on stock slurm_wait_idle && on plugin slurm_wait_idle || return 1
	else
		pairs_stop_clusters
		place_stock_start stock "$light" ${large:+"$large"} "$heavy" &&
		slurm_save >"$place_dir/stock" &&
		place_start plugin "$light" ${large:+"$large"} "$heavy" &&
		slurm_save >"$place_dir/plugin" || return 1
	fi
	nodes_now=$nodes
	on plugin warm
}

# The plugin reads its files at the first question: until it places a job, or says where
# it would.
warm () {
	slurm_wait is_warm && place_cancel
}

is_warm () {
	warm_id=$(place_alloc -N1) && test "$(place_reason "$warm_id")" = placed ||
		grep -q "\"job\":$warm_id,.*\"reason\":\"observe\".*\"score\"" \
			"$place_dir/decisions" || { scancel "$warm_id"; return 1; }
}

# on WHICH COMMAND...: with this cluster
on () {
	(. "$place_dir/$1" && shift && "$@")
}

pairs_stop_clusters () {
	for which in stock plugin; do
		test ! -f "$place_dir/$which" || on $which slurm_stop
		rm -f "$place_dir/$which"
	done
	slurm_dir=
}
at_exit pairs_stop_clusters

# pairs [SEED ROUNDS [PARTITION...]]
pairs () {
	SFAB_TEST_MODE=$mode python3 "$SFAB_SRCDIR/tests/slurm/pairs.py" \
		"$(on stock printenv SLURM_CONF)" "$(on plugin printenv SLURM_CONF)" "$@"
}

# said_nothing: the plugin's controller had no error of ours
said_nothing () {
	! on plugin grep "error: sfabric" "$(on plugin printenv SLURM_CONF | sed 's,[^/]*$,,')slurmctld.log"
}

# -- what went wrong once --------------------------------------------------------

# round LINE...: rounds whose jobs are known
round () {
	printf '%s\n' "$@" | pairs >counts
	round_status=$?
	cat counts
	return $round_status
}

# placed LINE...: and the plugin, which counted right, placed all that asked
placed () {
	round "$@" &&
	grep -q '^\([0-9]*\) rounds: \1 started, \1 placed' counts
}

# reserve_cores: eight cores of each of eight nodes, on both clusters; a
# reservation a node, as one for all takes other words on other Slurms
reserve_cores () {
	for which in stock plugin; do
		for n in 1 2 3 4 5 6 7 8; do
			on $which scontrol create reservation=cores$n \
				starttime=now duration=1000 users=daemon \
				nodes=n$n corecnt=8 || return 1
		done
	done
}

release_cores () {
	for which in stock plugin; do
		for n in 1 2 3 4 5 6 7 8; do
			on $which scontrol delete reservation=cores$n || return 1
		done
	done
}

case " $worlds " in
*' fixed '*)
	test_expect_success 'one thread of each core' '
		begin gang &&
		placed "-p low -n1 -w n[1-12] | -p main -N4 --ntasks-per-node=8 --hint=nomultithread"'
	test_expect_success 'sockets, cores and threads, beside jobs that may be requeued' '
		placed "-p lowrq -n1 -w n[1-12] | -p main -N4 --ntasks-per-node=2 -c3 -B 2:4:1"'
	test_expect_success 'CR_ONE_TASK_PER_CORE' '
		begin onetask &&
		placed "-p low -n1 -w n[1-12] | -p main -N4 --ntasks-per-node=8"'
	test_expect_success 'OverSubscribe=FORCE without preemption' '
		begin share &&
		placed "-p force -n1 -w n[1-12] | -p force -N4 --ntasks-per-node=8 --hint=nomultithread"'
	test_expect_success 'a range of nodes, some of which are full for their partition' '
		placed "-p cap -n4 -w n[1-8] | -p cap -N2-12 -n12"'
	test_expect_success 'a range of nodes, some of which are shared by others' '
		placed "-p yes -N8 -n8 -W n[1-8] | -p main -N2-12 -n12" \
			"-p yes -N8 -n8 -W n[1-8] | -p main -N4-14"'
	test_expect_success 'a range of nodes, some of which have one socket left' '
		placed "-p main -n8 -m block:block -w n[1-8] | -p main -N2-12 -n12 --sockets-per-node=2"'
	test_expect_success 'a range of nodes, some of which have reserved cores' '
		reserve_cores && round "-p main -N2-12 -n12" && release_cores'
	test_expect_success 'whole nodes where two sizes have one weight' '
		begin sizes &&
		placed "-p low -n1 -w n[7-9] | -p excl -n24 --ntasks-per-core=1" \
			"-p low -n1 -w n[7-9] | -p excl -n18" \
			"-p low -n1 -w n[7-9] | -p excl -N3-7 -n22" \
			"-p low -n1 -w n[7-9] | -p excl -N4"'
	;;
esac

# -- at random -------------------------------------------------------------------

for world in $worlds; do
	test $world != fixed || continue
	test_expect_success "$rounds rounds at random: $world" '
		begin $world && pairs $seed-$world $rounds $drawn && said_nothing'
done

test_done
