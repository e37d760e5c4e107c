#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# plan.t - backfill's plans: Slurm's own, or with idle nodes spared (Plans=spare)
#
# Eight idle nodes come first in the node table, then twelve of jobs that end
# soon, then those of one that stays.  Slurm plans a job of ten with the first ten
# nodes that will be free, eight of them idle now, and a long job of eight waits.
# It could run at once beside a plan with ten of the twelve.  A job of higher
# priority, for which nothing is spared, waits for a node of the one that stays.
#
# Helpers leave what they made in these: began, the kind of the cluster that runs (begin);
# ends, the jobs that end soon (fill); planned, the job that has a plan (plan); long, the long
# job (lets_long_wait, is_not_overtaken).
test_description='nodes of planned jobs'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready
place_snapshot >/dev/null

# partitions OPTION [LINE]: main, and excl with that option
partitions () {
	echo 'PartitionName=main Nodes=ALL Default=YES State=UP'
	echo "PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP ${1-}"
	echo "${2-}"
}

# two_leaves [LINE]: two of the nodes that become free are on the leaf with the idle ones
two_leaves () {
	printf '%s\n' 'SwitchName=s1 Nodes=n[1-10]' 'SwitchName=s2 Nodes=n[11-32]' \
		"$@" >"$place_dir/topology"
	SLURM_TOPOLOGY=$place_dir/topology
}

# overtime LIMIT: all jobs may run on for so long
overtime () {
	SLURM_EXTRA="$SLURM_EXTRA
OverTimeLimit=$1"
}

# begin KIND: an empty cluster of that kind; the one that runs, if it is of that kind.  Sets
# began.
begin () {
	test "${began-}" != "$1" || { place_cancel; return; }
	slurm_stop
	began= kind=$1 mode=on plans=spare start=place_start
	SLURM_EXTRA=SchedulerParameters=$place_scheduler
	SLURM_PARTITIONS=$(partitions) SLURM_TOPOLOGY=
	set -- 'n[1-32]'
	case $kind in
	stock) start=place_stock_start ;;
	keep) plans= ;;
	observe) mode=observe ;;
	weights) set -- 'n[1-4] Weight=1' 'n[5-32] Weight=10' ;;
	features) set -- 'n[1-12]' 'n[13-16] Feature=big' 'n[17-32]' ;;
	unlimited) overtime UNLIMITED ;;
	overtime) overtime 5 ;;
	limited) overtime UNLIMITED && SLURM_PARTITIONS=$(partitions OverTimeLimit=0) ;;
	shared) SLURM_PARTITIONS=$(partitions '' \
		'PartitionName=debug Nodes=n[13-16] OverSubscribe=EXCLUSIVE State=UP') ;;
	tree) two_leaves 'SwitchName=top Switches=s[1-2]' ;;
	islands) two_leaves ;;
	esac
	place_conf "Mode=$mode" DefaultTraffic=mpi ${plans:+Plans=$plans} &&
	$start "$kind" "$@" && { test "$kind" = stock || place_warm; } && began=$kind
}

# busy NODES LIMIT: a job on them; its id
busy () {
	place_alloc -p excl -w "$1" -t "$2"
}

# fill: n[1-8] idle, n[9-20] busy for ten minutes, n[21-32] for ten days.  Sets ends.
fill () {
	ends="$(busy 'n[9-10]' 10) $(busy 'n[11-20]' 10)" &&
	busy 'n[21-32]' 10-0 >/dev/null
}

bf_cycles () {
	sdiag | sed -n '/Backfilling/,$s/.*Total cycles: *//p'
}

cycle_after () {
	test "$(bf_cycles)" -gt "$1"
}

# bf_settle JOB: two cycles with it: the first may have begun before
bf_settle () {
	for turn in 1 2; do
		before=$(bf_cycles) &&
		scontrol update jobid="$1" comment="after$before" &&
		slurm_wait cycle_after "$before" || return 1
	done
}

# is_planned_with NODES JOB
is_planned_with () {
	planned_nodes "$2" >got && echo "$1" >expect && test_cmp expect got
}

# plan PARTITION NODES OPTION...: behind a small job of PARTITION that cannot be helped one
# of ten nodes waits, and is planned with NODES.  Sets planned.
plan () {
	slurm_submit -p "$1" -N1 -w n32 -t 1 >/dev/null && nodes=$2 && shift 2 &&
	planned=$(slurm_submit -p excl -N10 -t 60 "$@") &&
	bf_settle "$planned" && slurm_wait has_plan "$planned" &&
	is_planned_with "$nodes" "$planned"
}

# fill_and_plan KIND NODES OPTION...: a filled cluster of that kind, and the job is planned
# there.  Sets ends and planned.
fill_and_plan () {
	begin "$1" && shift && fill && plan excl "$@"
}

# lets_long_wait KIND: the idle nodes are planned for, so a long job waits.  Sets planned and
# long.
lets_long_wait () {
	fill_and_plan "$1" "n[1-10]" && long=$(slurm_submit -p excl -N8 -t 2-0) &&
	bf_settle "$planned" && slurm_job_is "$long" PENDING
}

# is_not_overtaken KIND: ten nodes for the job of highest priority are eight that are idle
# and two of eight jobs, whose limits are far.  A long job of six must not take the idle
# ones: two jobs end early, and the first job starts.  Sets long.
is_not_overtaken () {
	begin "$1" && shorts= || return 1
	for node in $(seq 9 16); do
		shorts="$shorts $(busy n$node 100)" || return 1
	done
	busy "n[17-32]" 10-0 >/dev/null &&
	top=$(slurm_submit -p excl -N10 -t 60) && slurm_wait has_plan "$top" &&
	is_planned_with "n[1-10]" "$top" &&
	long=$(slurm_submit -p excl -N6 -t 2-0 --nice=1000) &&
	bf_settle "$top" && slurm_job_is "$long" PENDING &&
	scancel $(echo $shorts | cut -d " " -f 1,2) && slurm_wait_job "$top" RUNNING
}

test_expect_success 'stock Slurm: a long job does not overtake the first one' '
	is_not_overtaken stock'

test_expect_success 'stock Slurm plans with idle nodes, a long job waits' '
	lets_long_wait stock'

test_expect_success 'Plans=keep, the default: all is as with stock Slurm' '
	is_not_overtaken keep && lets_long_wait keep'

test_expect_success 'Plans=spare: a long job does not overtake the first one' '
	is_not_overtaken spare'

test_expect_success 'a long job runs on the idle nodes, the planned job where others end' '
	fill_and_plan spare "n[9-18]" &&
	long=$(place_run -p excl -N8 -t 2-0) &&
	test "$(slurm_nodes $long)" = "n[1-8]" && bf_settle "$planned" &&
	slurm_job_is "$planned" PENDING &&
	scancel $ends && slurm_wait_job "$planned" RUNNING'

test_expect_success 'a plan has the idle nodes that it needs, and those it must have' '
	fill_and_plan spare "n[5-20]" -N16 &&
	fill_and_plan spare "n[1-2,9-16]" -w "n[1-2]"'

test_expect_success 'jobs that are content with certain nodes only keep the plan of Slurm' '
	fill_and_plan spare "n[1-10]" --contiguous &&
	fill_and_plan spare "n[1-10]" --switches=3'

test_expect_success 'jobs that share nodes are planned in the same way' '
	begin spare && fill && plan main "n[9-18]" -p main'

test_expect_success 'the first job of each of its partitions keeps the plan of Slurm' '
	fill_and_plan spare "n[1-10]" -p main &&
	fill_and_plan spare "n[1-10]" -p excl,main'

test_expect_success 'a job that may run for longer does not make room' '
	begin spare && busy "n[17-20]" 30 && busy "n[9-16]" 10 && busy "n[21-32]" 10-0 &&
	plan excl "n[7-16]"'

test_expect_success 'nodes that are reserved for others do not make room' '
	begin spare && scontrol create reservation reservationname=later users=root \
		starttime=now+5days duration=60 nodes="n[13-20]" \
		flags=ignore_jobs >/dev/null &&
	{ fill_and_plan spare "n[3-12]"; kept=$?; } &&
	scontrol delete reservationname=later && test "$kept" = 0'

test_expect_success 'mode observe: the plan of Slurm' '
	fill_and_plan observe "n[1-10]"'

test_expect_success 'nodes of another weight stay out of the plan' '
	fill_and_plan weights "n[1-4,9-14]"'

test_expect_success 'jobs that may run on beyond their limits do not make room' '
	fill_and_plan unlimited "n[1-10]" && fill_and_plan overtime "n[1-10]"'

# Slurm plans with n[1-13] in an hour.  By then those of ten minutes are sure to be
# gone, those of an hour are not.
test_expect_success 'jobs that are over in time with all they are allowed make room' '
	begin overtime && busy "n[9-16]" 60 && busy "n[17-20]" 10 && busy "n[21-32]" 10-0 &&
	plan excl "n[5-13,17-20]" -N13'

test_expect_success 'jobs in partitions where limits hold make room' '
	fill_and_plan limited "n[9-18]"'

test_expect_success 'nodes that jobs of another partition want stay out of the plan' '
	fill_and_plan shared "n[7-12,17-20]"'

test_expect_success 'nodes with a feature stay out of the plan' '
	fill_and_plan features "n[7-12,17-20]"'

test_expect_success 'below one switch nodes of another leaf are as good' '
	fill_and_plan tree "n[9-18]" -x "n[19-20]"'

test_expect_success 'where no switch joins them the plan is that of Slurm' '
	fill_and_plan islands "n[1-10]" -x "n[19-20]"'

test_done
