#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# topology.t - beside topologies of Slurm's own: trees, blocks, several at once
#
# What Slurm has depends on its version: one topology for all, topology/block from
# 23.11 on, a topology for each partition (topology.yaml) from 25.05 on.  Jobs
# that Slurm packs into blocks are left to it; others are placed.
test_description='partitions with trees and with blocks'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready
SFABRIC_SNAPSHOT=$place_dir/fabric.snap
export SFABRIC_SNAPSHOT
place_snapshot >/dev/null
place_conf Mode=on DefaultTraffic=mpi Plans=spare

# -- what this version has ----------------------------------------------------

blocks_conf () {
	for b in 1 2 3 4 5 6 7 8; do
		echo "BlockName=b$b Nodes=n[$((4 * b - 3))-$((4 * b))]"
	done
	echo 'BlockSizes=4,8'
}

trees_yaml () {
	cat <<-\END
	- topology: fabric
	  cluster_default: true
	  tree:
	    switches:
	      - switch: top
	        children: s[1-2]
	      - switch: s1
	        nodes: n[1-10]
	      - switch: s2
	        nodes: n[11-32]
	- topology: racks
	  cluster_default: false
	  tree:
	    switches:
	      - switch: top
	        children: r[1-2]
	      - switch: r1
	        nodes: n[1-16]
	      - switch: r2
	        nodes: n[17-32]
	- topology: blocks
	  cluster_default: false
	  block:
	    block_sizes: [4, 8]
	    blocks:
	END
	for b in 1 2 3 4 5 6 7 8; do
		echo "      - block: b$b"
		echo "        nodes: n[$((4 * b - 3))-$((4 * b))]"
	done
}

partitions () {
	echo 'PartitionName=excl Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE State=UP'
	echo "PartitionName=racks Nodes=ALL OverSubscribe=EXCLUSIVE State=UP ${1:+Topology=racks}"
	echo "PartitionName=blocks Nodes=ALL OverSubscribe=EXCLUSIVE State=UP ${1:+Topology=blocks}"
}

# begin KIND: a cluster with trees for some and blocks for others (several), or
# with blocks for all (block), or with one tree (tree)
begin () {
	SLURM_PARTITIONS=$(partitions) SLURM_BESIDE= SLURM_TOPOLOGY=
	SLURM_EXTRA=SchedulerParameters=$place_scheduler
	case $1 in
	several)
		SLURM_PARTITIONS=$(partitions own)
		SLURM_BESIDE=$place_dir/topology.yaml
		trees_yaml >"$SLURM_BESIDE" ;;
	block)
		SLURM_EXTRA="$SLURM_EXTRA
TopologyPlugin=topology/block"
		SLURM_BESIDE=$place_dir/topology.conf
		blocks_conf >"$SLURM_BESIDE" ;;
	tree)
		SLURM_TOPOLOGY=$place_dir/tree
		printf '%s\n' 'SwitchName=s1 Nodes=n[1-10]' \
			'SwitchName=s2 Nodes=n[11-32]' \
			'SwitchName=top Switches=s[1-2]' >"$SLURM_TOPOLOGY" ;;
	esac
	place_start "$1" && place_warm
}

# "KIND PARTITION REASON OPTION...": what a job of four nodes is told there
rows () {
	if slurm_at_least 25 5; then
		cat <<-END
		several excl placed
		several racks placed
		several blocks stock topology
		several blocks stock segment --segment=2
		several blocks stock topology --exclusive=topo
		END
	fi
	if slurm_at_least 24 5; then
		cat <<-END
		block excl stock topology
		block excl stock segment --segment=2
		END
	elif slurm_at_least 23 11; then
		echo 'block excl stock topology'
	fi
	echo 'tree excl placed'
}

# told PARTITION REASON... [--OPTION]: the plugin and the preview agree
told () {
	part=$1 reason= option=
	shift
	for word; do
		case $word in
		--*) option=$word ;;
		*) reason="$reason${reason:+ }$word" ;;
		esac
	done
	"$sfabric" place --slurm --json -p "$part" -N4 $option >preview.json &&
	job=$(place_alloc -p "$part" -N4 $option) &&
	echo "$(place_reason "$job")" >got && echo "$reason" >want &&
	test_cmp want got &&
	python3 "$SFAB_SRCDIR/tests/lib/field.py" data.decision.reason \
		<preview.json >got && echo "${reason#stock }" >want &&
	test_cmp want got
}

in_one_block () {
	place_node_names "$1" | sed 's/n//' |
		awk '{ b[int(($1 - 1) / 4)] = 1 } END { for (i in b) n++; exit n != 1 }'
}

# n[1-8] are idle, n[9-20] busy for ten minutes, n[21-32] for ten days: what ten
# nodes of each partition with a tree are planned with, for a job behind another
plans () {
	for part in excl racks; do
		place_alloc -p excl -N12 -w 'n[9-20]' -t 10 >/dev/null &&
		place_alloc -p excl -N12 -w 'n[21-32]' -t 10-0 >/dev/null &&
		slurm_submit -p $part -N1 -w n32 -t 1 >/dev/null &&
		planned=$(slurm_submit -p $part -N10 -t 60) &&
		slurm_wait has_plan "$planned" &&
		echo "$part $(planned_nodes "$planned")" && place_cancel || return 1
	done
}

rows >rows
for kind in $(cut -d' ' -f1 rows | uniq); do
	test_expect_success "$kind: the cluster starts" "begin $kind"
	grep "^$kind " rows | cut -d' ' -f2- >of_kind
	while read -r row <&5; do
		test_expect_success "$kind: $row" "told $row"
	done 5<of_kind
	test "$kind" = tree ||
		test_expect_success "$kind: what Slurm packs is in one block" '
			job=$(place_alloc -p blocks -N4) && in_one_block $job'
	if test "$kind" = several; then
		test_expect_success 'what backfill plans is ours below one tree only' '
			place_cancel && plans >got &&
			printf "%s\n" "excl n[9-18]" "racks n[1-10]" >want &&
			test_cmp want got &&
			test $(place_said "has a topology of its own") -eq 1'
	fi
	slurm_stop
done

test_done
