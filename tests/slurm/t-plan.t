#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-plan.t - backfill's plans: Slurm's own, or with idle nodes spared (Plans=spare)
#
# Eight idle nodes come first in the node table, then twelve of jobs that end
# soon, then those of one that stays.  Slurm plans a job of ten with the first ten
# nodes that will be free, eight of them idle now, and a long job of eight waits.
# It could run at once beside a plan with ten of the twelve.  A job of higher
# priority, for which nothing is spared, waits for a node of the one that stays.
test_description='nodes of planned jobs'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready
place_snapshot >/dev/null

# fill: n[1-8] idle, n[9-20] busy for ten minutes, n[21-32] for ten days
fill () {
	ends=$(place_alloc -p excl -N2 -w 'n[9-10]' -t 10 &&
		place_alloc -p excl -N10 -w 'n[11-20]' -t 10) &&
	stays=$(place_alloc -p excl -N12 -w 'n[21-32]' -t 10-0) &&
	test -n "$stays"
}

planned_nodes () {
	scontrol show job "$1" | sed -n 's/.*SchedNodeList=//p'
}

has_plan () {
	test -n "$(planned_nodes "$1")"
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

# plan OPTION...: a job of ten nodes waits behind a small one that cannot be helped;
# prints what it is planned with
plan () {
	first=$(slurm_submit -p "${planned_in-excl}" -N1 -w n32 -t 1) &&
	planned=$(slurm_submit -p excl -N10 -t 60 "$@") &&
	bf_settle "$planned" && slurm_wait has_plan "$planned" &&
	planned_nodes "$planned"
}

# planned_with NODES OPTION...: so planned, in a cluster that is filled
planned_with () {
	nodes=$1
	shift
	fill && plan "$@" >got && place_cancel &&
	echo "$nodes" >expect && test_cmp expect got
}

# is_not_overtaken: ten nodes for the job of highest priority are eight that are idle and
# two of eight jobs, whose limits are far.  A long job of six must not take the idle
# ones: two jobs end early, and the first job starts.
is_not_overtaken () {
	shorts=
	for node in $(seq 9 16); do
		shorts="$shorts $(place_alloc -p excl -N1 -w n$node -t 100)" || return 1
	done
	place_alloc -p excl -N16 -w "n[17-32]" -t 10-0 >/dev/null &&
	top=$(slurm_submit -p excl -N10 -t 60) && slurm_wait has_plan "$top" &&
	planned_nodes "$top" >got && echo "n[1-10]" >expect && test_cmp expect got &&
	long=$(slurm_submit -p excl -N6 -t 2-0 --nice=1000) &&
	bf_settle "$top" && slurm_job_is "$long" PENDING &&
	scancel $(echo $shorts | cut -d " " -f 1,2) &&
	slurm_wait_job "$top" RUNNING && place_cancel
}

test_expect_success 'stock Slurm: a long job does not overtake the first one' '
	place_stock_start stock && is_not_overtaken'

test_expect_success 'stock Slurm plans with idle nodes, a long job waits' '
	fill && plan >got &&
	echo "n[1-10]" >expect && test_cmp expect got &&
	long=$(slurm_submit -p excl -N8 -t 2-0) && bf_settle $planned &&
	test "$(squeue -h -j $long -o %T)" = PENDING &&
	place_cancel && slurm_stop'

test_expect_success 'Plans=keep, the default: all is as with stock Slurm' '
	place_conf Mode=on DefaultTraffic=mpi &&
	place_start keep && place_warm && is_not_overtaken &&
	fill && plan >got && echo "n[1-10]" >expect && test_cmp expect got &&
	long=$(slurm_submit -p excl -N8 -t 2-0) && bf_settle $planned &&
	test "$(squeue -h -j $long -o %T)" = PENDING &&
	place_cancel && slurm_stop'

test_expect_success 'Plans=spare: a long job does not overtake the first one' '
	place_conf Mode=on DefaultTraffic=mpi Plans=spare &&
	place_start plan && place_warm && is_not_overtaken'

test_expect_success 'a job behind it is planned with nodes that become free' '
	fill && plan >got && echo "n[9-18]" >expect && test_cmp expect got'

test_expect_success 'so a long job runs on the idle ones at once' '
	long=$(place_run -p excl -N8 -t 2-0) &&
	test "$(slurm_nodes $long)" = "n[1-8]" && bf_settle $planned &&
	test "$(squeue -h -j $planned -o %T)" = PENDING'

test_expect_success 'and the planned job when the others end' '
	scancel $ends && slurm_wait_job "$planned" RUNNING &&
	place_cancel'

test_expect_success 'a plan has the idle nodes that it needs, and those it must have' '
	planned_with "n[5-20]" -N16 &&
	planned_with "n[1-2,9-16]" -w "n[1-2]"'

test_expect_success 'jobs that are content with certain nodes only keep the plan of Slurm' '
	planned_with "n[1-10]" --contiguous &&
	planned_with "n[1-10]" --switches=3'

test_expect_success 'jobs that share nodes are planned in the same way' '
	planned_in=main &&
	planned_with "n[9-18]" -p main &&
	unset planned_in'

test_expect_success 'the first job of each of its partitions keeps the plan of Slurm' '
	planned_with "n[1-10]" -p main &&
	planned_with "n[1-10]" -p excl,main'

test_expect_success 'a job that may run for longer does not make room' '
	place_alloc -p excl -N4 -w "n[17-20]" -t 30 >/dev/null &&
	place_alloc -p excl -N8 -w "n[9-16]" -t 10 >/dev/null &&
	place_alloc -p excl -N12 -w "n[21-32]" -t 10-0 >/dev/null &&
	plan >got && place_cancel &&
	echo "n[7-16]" >expect && test_cmp expect got'

test_expect_success 'nor does one that is reserved for others' '
	scontrol create reservation reservationname=later users=root \
		starttime=now+5days duration=60 nodes="n[13-20]" \
		flags=ignore_jobs >/dev/null &&
	planned_with "n[3-12]" && scontrol delete reservationname=later'

test_expect_success 'mode observe: the plan of Slurm' '
	slurm_stop && place_conf Mode=observe DefaultTraffic=mpi Plans=spare &&
	place_start observe && place_warm &&
	planned_with "n[1-10]"'

test_expect_success 'nodes of another weight stay out of it' '
	slurm_stop && place_conf Mode=on DefaultTraffic=mpi Plans=spare &&
	place_start weights "n[1-4] Weight=1" "n[5-32] Weight=10" && place_warm &&
	planned_with "n[1-4,9-14]"'

# over LIMIT [PARTITION-LIMIT]: a cluster where jobs may run on for so long, or
# so long in partition excl
over () {
	slurm_stop
	SLURM_EXTRA="SchedulerParameters=$place_scheduler
OverTimeLimit=$1" &&
	SLURM_PARTITIONS="PartitionName=main Nodes=ALL Default=YES State=UP
PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP${2:+ OverTimeLimit=$2}" &&
	place_start over && place_warm
}

test_expect_success 'jobs that may run on beyond their limits do not make room' '
	over UNLIMITED && planned_with "n[1-10]" &&
	over 5 && planned_with "n[1-10]"'

test_expect_success 'but in partitions where limits hold they do' '
	over UNLIMITED 0 && planned_with "n[9-18]"'

# Slurm plans with n[1-13] in an hour.  By then those of ten minutes are sure to be
# gone, those of an hour are not.
test_expect_success 'jobs that are over in time with all they are allowed do, too' '
	over 5 &&
	place_alloc -p excl -N8 -w "n[9-16]" -t 60 >/dev/null &&
	place_alloc -p excl -N4 -w "n[17-20]" -t 10 >/dev/null &&
	place_alloc -p excl -N12 -w "n[21-32]" -t 10-0 >/dev/null &&
	plan -N13 >got && place_cancel &&
	echo "n[5-13,17-20]" >expect && test_cmp expect got'
SLURM_EXTRA=SchedulerParameters=$place_scheduler SLURM_PARTITIONS=

test_expect_success 'nodes that jobs of another partition want stay out of it' '
	slurm_stop &&
	SLURM_PARTITIONS="PartitionName=main Nodes=ALL Default=YES State=UP
PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP
PartitionName=debug Nodes=n[13-16] OverSubscribe=EXCLUSIVE State=UP" &&
	place_start parts && SLURM_PARTITIONS= && place_warm &&
	planned_with "n[7-12,17-20]"'

test_expect_success 'nor nodes with a feature' '
	slurm_stop &&
	place_start features "n[1-12]" "n[13-16] Feature=big" "n[17-32]" &&
	place_warm && planned_with "n[7-12,17-20]"'

# trees [LINE]: a cluster of two leaves; two of the nodes that become free are on
# the leaf with the idle ones
trees () {
	slurm_stop
	printf '%s\n' 'SwitchName=s1 Nodes=n[1-10]' 'SwitchName=s2 Nodes=n[11-32]' \
		"$@" >"$place_dir/topology" &&
	SLURM_TOPOLOGY=$place_dir/topology &&
	place_start trees && place_warm
}

test_expect_success 'below one switch nodes of another leaf are as good' '
	trees "SwitchName=top Switches=s[1-2]" &&
	planned_with "n[9-18]" -x "n[19-20]"'

test_expect_success 'where no switch joins them the plan is that of Slurm' '
	trees && planned_with "n[1-10]" -x "n[19-20]"'

test_done
