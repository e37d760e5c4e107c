#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# learn_wire.t - three runs of a writer without a hint, and the fourth is spread: ibsim's
# counters are read by sfabric collect, sfabric learn --follow finds what runs, and
# slurmctld places by it
test_description='learning from counters of the wire'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/live.sh"
. "$SFAB_SRCDIR/tests/slurm/wire.sh"

skip_all=$(place_missing)
test -n "$skip_all" || skip_all=$(sim_collect_missing)
test -z "$skip_all" || test_done

history=$place_dir/history

# ended RUNS: the history has so many runs of the name
ended () {
	"$sfabric" learn show --history "$history" -hP -o key,name,runs 2>/dev/null |
		grep -q "^user+name+nodes|writer|$1$"
}
a_run () {
	job=$(place_alloc -N4 -J writer_$1) && nodes=$(slurm_nodes $job) && sends "$nodes" &&
	slurm_wait found && slurm_wait sampled && sends "" && scancel $job &&
	slurm_wait place_is_quiet && { slurm_wait ended $1 || learn_tell; }
}
# learn_tell: what the service and the sweeps said; fails
learn_tell () {
	cat now.found follow.err
	tail -n 20 collect.log
	"$sfabric" learn show --history "$history"
	return 1
}
# leaves NODES: whose uplinks they write over
leaves () {
	"$sfabric" load --from "$1" --to fs --kind isl -P -h -o switch,routes |
		awk -F "|" '$1 ~ /-L/ && $2 > 0' | wc -l
}
fourth () {
	job=$(place_alloc -N4 -J writer_9) && nodes=$(slurm_nodes $job) &&
	"$sfabric" explain $job >explained && scancel $job &&
	grep "learned from 3 runs of user $(id -u), name writer_9, 4 nodes" explained
}

# eight leaves of four hosts, four spines; the last hosts of four leaves take what the
# others write, and ftree sends all four up to the same spine
SLURM_PARTITIONS='PartitionName=main Nodes=n[0001-0019,0021-0023,0025-0027,0029-0031] Default=YES OverSubscribe=EXCLUSIVE State=UP
PartitionName=io Nodes=n[0020,0024,0028,0032] State=UP'
"$sfabric" synth tree:hosts=32,leaf=4,leaves=8,spines=4 --output net

test_expect_success 'ibsim, OpenSM, collect, slurmctld and the service' '
	sim_start net && sim_sm_start out -R ftree && : >"$place_dir/rows" &&
	date +%s.%N >"$place_dir/sent" &&
	place_conf Mode=on DefaultTraffic=mpi=0.5 Packing=none MaxSnapshotAge=60 "History=$history" \
		"FoundTraffic=$place_dir/traffic.snap" "Counters=$place_dir/counters.snap" \
		"IoSet=fs Hosts=n[0020,0024,0028,0032] GBs=40" &&
	sweeps_start && place_start learn_wire "n[0001-0032]" && place_warm && learn_start'
test_expect_success 'a writer without a hint is placed as mpi, on one leaf' '
	a_run 1 && test $(leaves "$nodes") = 1'
test_expect_success 'a second and a third run' '
	a_run 2 && a_run 3 && test $(leaves "$nodes") = 1'
test_expect_success 'the fourth is spread over the uplinks, and explain says why' '
	slurm_wait fourth && cat explained && test $(leaves "$nodes") = 4'
test_done
