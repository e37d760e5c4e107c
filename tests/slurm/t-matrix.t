#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-matrix.t - every kind of job: as stock, observed, broken, placed
#
# Each kind is a little story on an empty cluster whose end is the nodes that its
# jobs had, one line a job.  Stock Slurm tells them first.  With the plugin in
# mode off or observe, or with a broken snapshot, the lines must be the same; in
# mode on every job must run that ran there, on as many nodes.  check does
# observe and on, check-long all four (SFAB_TEST_MODES).
test_description='every kind of job in every mode'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

skip_all=$(place_missing)
at_exit place_stop
# there stock Slurm ends some of these stories otherwise
test -n "$skip_all" || ! slurm_at_least 24 11 ||
	skip_all='the stories are those of Slurm 22.05'
test -z "$skip_all" || test_done
modes=${SFAB_TEST_MODES:-observe on}
SALLOC_IMMEDIATE=30	# what does not start is an error
export SALLOC_IMMEDIATE
place_snapshot >/dev/null

# -- the kinds --------------------------------------------------------------

kinds='exclusive shared tasks memory mincpus overcommit range required excluded
contiguous weight hint array het user oversubscribe licence gres reservation
resize suspend drain requeue preempt dependency backfill'

# had ID...: their nodes
had () {
	for had_id; do
		slurm_nodes "$had_id"
	done
}

# one OPTION...: an allocation, and what it had
one () {
	one_id=$(place_alloc "$@") && had "$one_id"
}

# A job that could not start at once starts within the deadline.
starts () {
	slurm_wait_job "$1" RUNNING && had "$1"
}

kind_exclusive () { one -p excl -N3 && one -p excl -N5; }
kind_shared () { one -N2 -n 6 && one -N3 -n 9 && one -N1 -n 2; }
kind_tasks () { one -n 20 && one -n 50 && one -p excl -n 33; }
kind_memory () { one -N2 --mem=5000 && one -N2 --mem=5000 && one -n 30 --mem-per-cpu=1500; }
kind_mincpus () { one -N2 -n 6 && one -N2 --mincpus=7; }
kind_overcommit () { one -p excl -N2 -n 40 -O; }
kind_range () { one -p excl -N2-6 && one -p excl -N1-2; }
kind_required () { one -p excl -N3 -w n9 && one -p excl -N2 -w n[21-22]; }
kind_excluded () { one -p excl -N3 -x n[1-20]; }
kind_contiguous () { one -p excl -N1 -w n3 && one -p excl -N4 --contiguous; }
kind_hint () { one -p excl -N4 --comment=sfabric:io-write=0.4 && one -p excl -N4 --comment=sfabric:off; }
kind_user () { one -N1 --exclusive=user -n 2 && one -N1 --exclusive=user -n 2; }
kind_oversubscribe () { one -p share -N4 -n 32 && one -p share -N6 -n 24; }

# Nodes n[25-32] weigh more: a job of 26 must take some.
kind_weight () { one -p excl -N26; }

kind_array () {
	id=$(slurm_submit -p excl -N2 --array=0-2) &&
	for task in 0 1 2; do
		slurm_wait_job "${id}_$task" RUNNING &&
		had "${id}_$task" || return 1
	done
}

kind_het () {
	id=$(slurm_submit -p excl -N2 : -p excl -N3) &&
	starts "$id+0" && starts "$id+1"
}

kind_licence () {
	first=$(place_alloc -p excl -N2 -L lic:3) && had "$first" &&
	next=$(slurm_submit -p excl -N3 -L lic:2) &&
	slurm_wait_job "$next" PENDING && scancel "$first" && starts "$next"
}

kind_gres () {
	one -N2 --gres=disk:2 && one -N2 --gres=disk:1 && one -p excl -N3
}

kind_reservation () {
	scontrol create reservation=now starttime=now duration=60 \
		nodes="n[1-8]" users="$(id -un)" >/dev/null &&
	one -p excl -N3 --reservation=now && one -p excl -N3
	kind_status=$?
	place_cancel && scontrol delete reservation=now &&
	return $kind_status
}

kind_resize () {
	id=$(place_run -p excl -N4) && had "$id" &&
	scontrol update jobid="$id" numnodes=2 >/dev/null && had "$id" &&
	rm -f slurm_job_* && one -p excl -N30
}

kind_suspend () {
	id=$(place_run -p excl -N4) && had "$id" && scontrol suspend "$id" &&
	slurm_wait_job "$id" SUSPENDED && one -p excl -N4 &&
	scontrol resume "$id" && slurm_wait_job "$id" RUNNING
}

kind_drain () {
	scontrol update nodename=n[1-4] state=drain reason=test &&
	one -p excl -N6 && scontrol update nodename=n[1-4] state=resume &&
	one -p excl -N26
}

# Three seconds: slurmd takes no job again in the second in which it ended it.
kind_requeue () {
	id=$(place_run -p excl -N4 --requeue) && had "$id" &&
	scontrol requeue "$id" &&
	slurm_wait waits_to_begin "$id" &&
	scontrol update jobid="$id" starttime=now+3 && starts "$id"
}

waits_to_begin () {
	scontrol show job "$1" | grep -q Reason=BeginTime
}

kind_preempt () {
	low=$(place_run -p low -N30) && had "$low" &&
	high=$(slurm_submit -p high -N8) && starts "$high"
}

kind_dependency () {
	first=$(place_run -p excl -N4) && had "$first" &&
	next=$(slurm_submit -p excl -N4 -d afterany:"$first") &&
	scancel "$first" && starts "$next"
}

kind_backfill () {
	long=$(place_run -p excl -N20 -t 60) && had "$long" &&
	planned=$(slurm_submit -p excl -N24 -t 60) &&
	slurm_wait_job "$planned" PENDING &&
	short=$(slurm_submit -p excl -N3 -t 5) && starts "$short" &&
	slurm_job_is "$planned" PENDING && scancel "$long" "$short" &&
	starts "$planned"
}

# -- in each mode ------------------------------------------------------------

SLURM_PARTITIONS='PartitionName=main Nodes=ALL Default=YES OverSubscribe=NO State=UP PreemptMode=OFF
PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP PreemptMode=OFF
PartitionName=share Nodes=ALL OverSubscribe=FORCE:2 State=UP PreemptMode=OFF
PartitionName=low Nodes=ALL OverSubscribe=EXCLUSIVE PriorityTier=1 State=UP PreemptMode=CANCEL
PartitionName=high Nodes=ALL OverSubscribe=EXCLUSIVE PriorityTier=5 State=UP PreemptMode=OFF'
SLURM_EXTRA="SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
Licenses=lic:4
GresTypes=disk
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
SchedulerParameters=$place_scheduler"
nodes_light='n[1-24] Gres=disk:2' nodes_heavy='n[25-32] Weight=10 Gres=disk:2'

# tell FILE: all stories of the running cluster, a line each job
tell () {
	: >"$1"
	for kind in $kinds; do
		"kind_$kind" >story || echo FAILED >>story
		sed "s/^/$kind: /" story >>"$1"
		place_cancel || return 1
	done
}

# What must be the same of a kind: its nodes, or how many. Which nodes slurmd has
# cleaned up first decides about those that wait for others to end; how many a
# job without -N has is up to who places it.
compared () {
	case "$2 $1" in
	*' preempt'|*' backfill'|*' dependency'|*' requeue'|*' suspend') echo sizes ;;
	on' '*) echo sizes ;;
	*) echo nodes ;;
	esac
}

# How many nodes, in place of which.
sizes () {
	while read -r kind nodes; do
		case $kind in
		tasks:|memory:) echo "$kind some" ;;
		*) echo "$kind $(scontrol show hostnames "$nodes" | wc -l)" ;;
		esac
	done <"$1"
}

begin_mode () {
	place_snapshot >/dev/null
	case $1 in
	broken)	place_conf Mode=on DefaultTraffic=mpi MaxSearchTime=10s &&
		truncate -s 1000 "$place_dir/fabric.snap" ;;
	*)	place_conf "Mode=$1" DefaultTraffic=mpi MaxSearchTime=10s ;;
	esac &&
	slurm_stop && place_start "$1" "$nodes_light" "$nodes_heavy" &&
	place_warm
}

test_expect_success 'stock Slurm' '
	place_stock_start stock "$nodes_light" "$nodes_heavy" &&
	tell stock.nodes && cat stock.nodes && ! grep FAILED stock.nodes &&
	sizes stock.nodes >stock.sizes'

for mode in $modes; do
	test_expect_success "mode $mode: begins" 'begin_mode $mode &&
		tell $mode.nodes && sizes $mode.nodes >$mode.sizes &&
		! grep FAILED $mode.nodes'
	for kind in $kinds; do
		test_expect_success "mode $mode: $kind" '
			what=$(compared $kind $mode) &&
			grep "^$kind: " stock.$what >want &&
			grep "^$kind: " $mode.$what >got && test_cmp want got'
	done
done

test_expect_success 'mode on did place' '
	case " $modes " in
	*" on "*) test $(grep -c "\"reason\":\"placed\"" "$place_dir/decisions") -ge 20 ;;
	esac'

test_done
