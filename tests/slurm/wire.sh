# SPDX-License-Identifier: GPL-2.0-or-later
# wire.sh - counters of a simulated wire that go on by what jobs send, collect and learn
#
#	. "$SFAB_SRCDIR/tests/slurm/live.sh"
#	. "$SFAB_SRCDIR/tests/slurm/wire.sh"
#
# ibsim carries no data.  Before each sweep its counters go on by what the routes make of
# the jobs that run, at one rate that no link of 4 GB/s is too narrow for.
. "$SFAB_SRCDIR/tests/cli/counted.sh"

at_exit learn_stop
at_exit sweeps_stop
SFABRIC_SNAPSHOT=$place_dir/fabric.snap && export SFABRIC_SNAPSHOT
follower= wire_most=4e9

# -- what the jobs send ----------------------------------------------------------

# sends NODES [SHARE]: from now on these write; no NODES: nobody sends
sends () {
	: >quiet
	test -z "$1" || {
		echo "1 $1 io-write=${2:-0.2}" >jobs && counters=true && counted jobs &&
		awk -F"[:=]" "
			{ port[NR] = \$1 \":\" \$2; xmit[NR] = \$4; rcv[NR] = \$6
			  most = \$4 > most ? \$4 : most }
			END {
				part = most > $wire_most ? $wire_most / most : 1
				for (i = 1; i <= NR; i++)
					printf \"%s:xmit=%.0f:rcv=%.0f\\n\", port[i],
						part * xmit[i], part * rcv[i]
			}" rows >quiet
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
# sampled: the service has it in traffic.snap, with five samples: a run of a few seconds
# whose first sample, still without rates, is half of all is not kept
sampled () {
	python3 "$SFAB_SRCDIR/tests/lib/found_samples.py" "$place_dir/traffic.snap" $job 5
}
