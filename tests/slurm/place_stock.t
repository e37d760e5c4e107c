#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# place_stock.t - off, observing or broken: the nodes that stock Slurm gives
test_description='a plugin that does not place changes nothing'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready
place_snapshot >/dev/null

SLURM_PARTITIONS='PartitionName=main Nodes=ALL Default=YES OverSubscribe=NO State=UP
PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP
PartitionName=lln Nodes=ALL LLN=YES State=UP'

# Jobs that stay, one after another, so that each finds the machine the same.
# left_alone: kinds that go straight to Slurm even in mode on.
left_alone='-p excl -N2 --spread-job
-p lln -N1
-p lln -n 5
-p excl -N1 : -p excl -N1
-p excl -N2 --comment=sfabric:off
-N1 --network=sfabric:off'
all_kinds="-p excl -N2 -w n21
-p excl -N2 -x n[1-20]
$left_alone
-p excl -N3
-p excl -N2 --comment=sfabric:io-write
-n 20
-n 3
-N2 -n 4
-p excl -N1-2
-p excl -N2 --contiguous
-p excl -N1 --array=0-1"

# submit_all LIST: nodes of each job, one a line
submit_all () {
	echo "$1" | while read -r options; do
		case $options in
		*--array*) job=$(eval "slurm_submit $options") ;;
		*) job=$(eval "place_alloc $options") ;;
		esac &&
		slurm_wait place_started "$job" || exit 1
		echo "$options:" $(squeue -h -j "$job" -o '%i %N' | sort |
			cut -d' ' -f2)
	done
}

place_started () {
	test -n "$(squeue -h -j "$1" -o %T)" &&
	! squeue -h -j "$1" -o %T | grep -qv RUNNING
}

# compare_with EXPECT LIST: the running cluster gives these jobs the same nodes
compare_with () {
	submit_all "$2" >got &&
	test_cmp "$1" got
}

# idle_after JOB: how many nodes are idle beside sixteen such jobs
idle_after () {
	for i in $(seq 16); do
		place_alloc $1 || return 1
	done >&2 &&
	sinfo -h -N -t alloc,mix,comp -o %N | sort -u >busy &&
	echo $((32 - $(wc -l <busy))) && place_cancel
}

# Jobs that share nodes: so many of them leave nodes to those that do not.
shared_kinds='-N4 -n8
-N2 -n2
-n12
-n3 --ntasks-per-node=1'

# idle_table: for each of these, a line with its idle nodes
idle_table () {
	echo "$shared_kinds" | while read -r kind; do
		idle=$(idle_after "$kind") && echo "$idle $kind" || exit 1
	done
}

# least_idle TABLE TABLE: the smaller counts of both.  Slurm itself does not always
# leave as many: 26 of 32 nodes, and once 28.
least_idle () {
	awk 'NR == FNR { least[FNR] = $1; next }
		$1 > least[FNR] { $1 = least[FNR] }
		{ print }' "$1" "$2"
}

# again NAME: the cluster of NAME ends, one with the plugin starts
again () {
	slurm_stop
	place_start "$1" && place_warm
}

test_expect_success 'stock Slurm places jobs' '
	place_stock_start stock &&
	submit_all "$all_kinds" >expect &&
	test $(wc -l <expect) -eq 16 &&
	place_cancel && slurm_stop &&
	place_stock_start stock &&
	submit_all "$left_alone" >expect_left &&
	place_cancel && idle_table >idle_1 && idle_table >idle_2 &&
	least_idle idle_1 idle_2 >expect_idle &&
	test $(wc -l <expect_idle) -eq 4'

test_expect_success 'no sfabric.conf' '
	rm -f "$SFABRIC_CONF" &&
	again none &&
	compare_with expect "$all_kinds" &&
	test $(place_said "error: sfabric: ") -eq 1'

test_expect_success 'mode off' '
	place_conf Mode=off DefaultTraffic=mpi &&
	again off &&
	compare_with expect "$all_kinds" &&
	! place_said "error: sfabric: "'

test_expect_success 'mode observe: decides, logs, changes nothing' '
	place_conf Mode=observe DefaultTraffic=mpi &&
	again observe &&
	compare_with expect "$all_kinds" &&
	grep "\"reason\":\"observe\".*\"score\"" $place_dir/decisions &&
	! scontrol show job | grep AdminComment'

test_expect_success 'partitions that are off' '
	place_conf Mode=on DefaultTraffic=mpi \
		PartitionMode=main:off,excl:off,lln:off &&
	again parts &&
	compare_with expect "$all_kinds"'

test_expect_success 'mode on: kinds that are left alone' '
	place_conf Mode=on DefaultTraffic=mpi &&
	again on &&
	compare_with expect_left "$left_alone"'

test_expect_success 'mode on: jobs that share nodes leave as many idle' '
	place_cancel && idle_table >got_idle &&
	{ paste expect_idle got_idle |
		awk "{ print } \$1 > \$(NF / 2 + 1) { exit 1 }" ||
		! grep -o "\"job\":.*\"reason\":\"[a-z-]*\"" "$place_dir/decisions"; } &&
	tail -n 32 "$place_dir/decisions" | grep "\"reason\":\"placed\""'

test_expect_success 'mode on does place the others' '
	submit_all "-p excl -N4" >got &&
	grep "\"reason\":\"placed\"" $place_dir/decisions'

for param in pack_serial_at_end bf_busy_nodes; do
	test_expect_success "SchedulerParameters=$param is left alone" '
		SLURM_EXTRA="SchedulerParameters=$param,$place_scheduler" &&
		jobs="-n 1
-n 1
-n 1" &&
		slurm_stop && place_stock_start stock &&
		submit_all "$jobs" >expect_serial &&
		again param &&
		compare_with expect_serial "$jobs"'
done
SLURM_EXTRA=SchedulerParameters=$place_scheduler

# Each kind of broken snapshot: same nodes as stock, one line says why.
broken () {
	again broken &&
	compare_with expect "$all_kinds" &&
	grep -e "error: sfabric: " "$slurm_dir/slurmctld.log" >lines &&
	test $(wc -l <lines) -eq 1 &&
	grep -e "$1" lines
}

place_conf Mode=on DefaultTraffic=mpi
test_expect_success 'snapshot missing' '
	rm "$place_dir/fabric.snap" &&
	broken "fabric.snap: No such file"'
test_expect_success 'snapshot truncated' '
	place_snapshot && truncate -s 1000 "$place_dir/fabric.snap" &&
	broken fabric.snap:'
test_expect_success 'snapshot overwritten in place' '
	place_snapshot &&
	printf garbage | dd of="$place_dir/fabric.snap" bs=1 seek=1500 \
		conv=notrunc &&
	broken fabric.snap:'
test_expect_success 'snapshot of another fabric' '
	place_snapshot 8 4 4 4 other &&
	broken "0 of 32 nodes are in the snapshot"'
test_expect_success 'snapshot writable by the group' '
	place_snapshot && chmod g+w "$place_dir/fabric.snap" &&
	broken fabric.snap:'
test_expect_success 'snapshot not confirmed' '
	place_conf Mode=on DefaultTraffic=mpi MaxSnapshotAge=1 &&
	place_snapshot && made=$(date +%s) &&
	until test $(date +%s) -gt $made; do sleep 0.1; done &&
	broken "not confirmed"'
test_expect_success 'sfabric.conf writable by the group' '
	place_conf Mode=on DefaultTraffic=mpi &&
	place_snapshot && chmod g+w "$SFABRIC_CONF" &&
	broken sfabric.conf'
test_expect_success 'sfabric.conf with a mistake' '
	place_conf Mode=on DefaultTraffic=mpi Mood=good &&
	broken "sfabric.conf:5"'

# The plugin as if built for a Slurm whose job records begin otherwise.
other_layout () {
	mkdir "$place_dir/other" &&
	python3 -c "
import sys
plugin = open(sys.argv[1], 'rb').read()
magic = (0xf0b7392c).to_bytes(4, 'little')
assert magic in plugin
open(sys.argv[2], 'wb').write(plugin.replace(magic, b'none'))" \
		"$place_plugin" "$place_dir/other/select_cons_tres.so"
}

test_expect_success 'records of another layout' '
	place_conf Mode=on DefaultTraffic=mpi && place_snapshot &&
	other_layout && place_plugin=$place_dir/other/select_cons_tres.so &&
	broken "a job record is not as in Slurm 0x"'

test_done
