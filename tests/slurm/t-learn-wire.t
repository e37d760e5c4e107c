#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-learn-wire.t - three runs of a writer without a hint, and the fourth is spread: ibsim's
# counters are read by sfabric collect, sfabric learn --follow finds what runs, and
# slurmctld places by it
#
# ibsim carries no data.  Before each sweep its counters go on by what the routes make of
# the jobs that run.
test_description='learning from counters of the wire'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/live.sh"
. "$SFAB_SRCDIR/tests/cli/counted.sh"

skip_all=$(place_missing)
test -n "$skip_all" || skip_all=$(sim_collect_missing)
at_exit learn_stop
at_exit sweeps_stop
test -z "$skip_all" || test_done

history=$place_dir/history
SFABRIC_SNAPSHOT=$place_dir/fabric.snap && export SFABRIC_SNAPSHOT
follower=

# -- what the jobs send ----------------------------------------------------------

# sends NODES: from now on these write; no NODES: nobody sends
sends () {
	: >quiet
	test -z "$1" || {
		echo "1 $1 io-write=0.2" >jobs && counters=true && counted jobs &&
		cp rows quiet
	} || return 1
	mv quiet "$place_dir/rows"
}
# count_on: the counters of all ports go on to now, in one command.  "sent" has the
# time and what each has counted, in words of 4 bytes.
count_on () {
	awk -F"[:=]" -v now="$(date +%s.%N)" -v net=net -v sent="$place_dir/sent" '
		function goes_on(port, field, rate) {
			word[port "." field] += int(rate * (now - last) / 4)
		}
		FILENAME == net && /^(Switch|Ca)/ {
			name = substr($0, index($0, "\"") + 1, 18)
			name_of["0x" substr(name, 3)] = name
		}
		FILENAME == net { next }
		FILENAME == sent && NF == 1 { last = $1; next }
		FILENAME == sent { word[$1] = $2; next }
		{
			port = "\"" name_of[$1] "\"[" $2 "] PortCountersExtended"
			goes_on(port, "PortXmitData", $4)
			goes_on(port, "PortRcvData", $6)
		}
		END {
			print now >(sent ".new")
			for (p in word) {
				printf "%s=%.0f\n", p, word[p] >(sent ".new")
				printf "PerformanceSet %s=%.0f\n", p, word[p]
			}
		}' net "$place_dir/sent" "$place_dir/rows" >"$place_dir/set" &&
	mv "$place_dir/sent.new" "$place_dir/sent" && sim_console "! $place_dir/set"
}

# A sweep about every two seconds: what is counted is a rate that a port can have only
# over such an interval.  Each is a process of its own, for the simulated wire never
# frees what a program registers with it.
sweeps () {
	while test -e "$place_dir/sweep"; do
		count_on
		sweep
		sleep 2
	done
}
# sweeps_start: until there are counters
sweeps_pid=
sweeps_start () {
	: >"$place_dir/sweep"
	sweeps 3>&- 4>&- &
	sweeps_pid=$!
	slurm_wait test -f "$place_dir/counters.snap"
}
# sweeps_stop: after the one that goes on
sweeps_stop () {
	rm -f "$place_dir/sweep"
	test -z "$sweeps_pid" || wait $sweeps_pid
}

# -- what is learned -------------------------------------------------------------

learn_start () {
	"$sfabric" learn --follow 2>>follow.err 3>&- 4>&- &
	follower=$!
}
learn_stop () {
	test -z "$follower" || { kill $follower; wait $follower; } 2>/dev/null
	follower=
}
# found: the job that runs writes, by the counters
found () {
	"$sfabric" learn -hP -o job,traffic 2>/dev/null | tee now.found |
		grep -q "^$job|io-write=\(0\.[1-9][0-9]*\|1\)$"
}
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
# sampled: the service has it in traffic.snap, with five samples: a run of a few seconds
# whose first sample, still without rates, is half of all is not kept
sampled () {
	python3 "$SFAB_SRCDIR/tests/lib/found_samples.py" "$place_dir/traffic.snap" $job 5
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
	sweeps_start && place_start learn-wire "n[0001-0032]" && place_warm && learn_start'
test_expect_success 'a writer without a hint is placed as mpi, on one leaf' '
	a_run 1 && test $(leaves "$nodes") = 1'
test_expect_success 'a second and a third run' '
	a_run 2 && a_run 3 && test $(leaves "$nodes") = 1'
test_expect_success 'the fourth is spread over the uplinks, and explain says why' '
	slurm_wait fourth && cat explained && test $(leaves "$nodes") = 4'
test_done
