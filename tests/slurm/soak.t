#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# soak.t - thousands of allocations through one slurmctld with the plugin
#
# Rounds of 200 allocations of eight kinds by four users of salloc at a time;
# some of them are suspended.  In each round the snapshot is replaced, and every
# fifth ends with a reconfigure; where this starts slurmctld anew (23.11 and later)
# only those of the first half do, and what follows is one process.  At the end of
# a round the plugin's view of what runs (its log) is what squeue says.  After a
# half of a process' rounds its memory and descriptors stay (slurmctld's own grows up to
# there, by 6 MB on a busy machine).  check has two rounds, check-long fifty
# (SFAB_TEST_ROUNDS).
test_description='memory, descriptors and view after thousands of allocations'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready

rounds=${SFAB_TEST_ROUNDS:-2}
last_reconfigure=$rounds same_process=$rounds
said_done='reconfigure_controller: completed'
! slurm_reconfigure_restarts || {
	last_reconfigure=$((rounds / 10 * 5))
	same_process=$((rounds - last_reconfigure))
	said_done='slurmctld version .* started'
}
warm=$((rounds - same_process + (same_process + 1) / 2))
growth_kb=4096
test $rounds -ge 50 || growth_kb=16384	# it is not warm so early
log=$place_dir/decisions
SLURM_EXTRA="$SLURM_EXTRA
MinJobAge=2"

request () {
	case $(($1 % 8)) in
	0) echo -N2 -n4 ;;
	1) echo -p excl -N2 ;;
	2) echo -n9 ;;
	3) echo -n1 ;;
	4) echo -p excl -N1 --comment=sfabric:io-write ;;
	5) echo -N3 -n6 --comment=sfabric:mpi=0.3 ;;
	6) echo -n3 --exclusive=user ;;
	7) echo -N2-4 -n4 ;;
	esac
}

# worker NUMBER: 50 allocations, ended by fives; the last two stay, one of them
# suspended.  None is resumed: others may have its CPUs by then, and Slurm's own
# "job overflow" keeps such nodes from others for ever.
worker () {
	for i in $(seq 50); do
		salloc --no-shell $(request $((i + $1))) 2>&1 </dev/null |
			sed -n 's/.*Granted job allocation \([0-9]*\).*/\1/p'
	done | {
		while read -r a && read -r b && read -r c && read -r d && read -r e; do
			last="$d $e"
			scontrol suspend "$a"
			scancel "$a" "$b" "$c"
			test -z "${before-}" || scancel $before
			before=$last
		done
		scontrol suspend "${last% *}"
		echo "$last" >"staying.$1"
	}
}

# round NUMBER: its allocations, the snapshot replaced in their midst
round () {
	workers=
	for who in 1 2 3 4; do
		worker $who >/dev/null 2>"worker.$who" 3>&- 4>&- &
		workers="$workers $!"
	done
	place_snapshot 8 $((3 + $1 % 2)) 4 4 >/dev/null
	wait $workers
	test "$(cat staying.[1-4] | wc -w)" -eq 8
}

# "JOB NODES" of what runs, by our log and by squeue
view () {
	awk -F '"job":' '{
		split($2, id, ",")
		nodes = $0
		sub(/.*"nodes":"/, "", nodes)
		sub(/".*/, "", nodes)
	}
	/"event":"start"/ { runs[id[1]] = nodes }
	/"event":"end"/ { delete runs[id[1]] }
	END { for (job in runs) print job, runs[job] }' "$log" | sort -n
}

same_view () {
	view >ours && squeue -h -t R,S -o '%i %N' | sort -n >theirs &&
	cmp -s ours theirs
}

# What the last line of the log counts, too.
counts_same () {
	test "$(tail -n 1 "$log" | sed 's/.*"running":\([0-9]*\).*/\1/')" \
		-eq "$(squeue -h -t R,S -o %i | wc -l)"
}

all_forgotten () {
	scontrol show job | grep -q '^No jobs'
}

# reconfigures: does the round end with one?
reconfigures () {
	test $(($1 % 5)) -eq 0 && test $1 -le $last_reconfigure
}

# reconfigured COUNT: the controller has said so that many times
reconfigured () {
	test "$(place_said "$said_done")" -ge "$1"
}

# settle: no job is left, nor kept by slurmctld
settle () {
	place_cancel && SLURM_DEADLINE=150 slurm_wait all_forgotten
}

memory_kb () {
	sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\).*/\1/p' "/proc/$(slurm_ctld_pid)/status"
}

descriptors () {
	ls "/proc/$(slurm_ctld_pid)/fd" | wc -l
}

rounds_of () {
	for number in $(seq "$1" "$2"); do
		round "$number" || return 1
		slurm_wait same_view && slurm_wait counts_same || {
			diff ours theirs
			return 1
		}
		scancel $(cat staying.[1-4])
		reconfigures $number || continue
		done_before=$(place_said "$said_done")
		scontrol reconfigure &&
		slurm_wait reconfigured $((done_before + 1)) &&
		slurm_wait slurm_ctld_up || return 1
		echo "# after $number rounds $(memory_kb) kB" >&3
	done
}

test_expect_success 'the cluster starts with the plugin' '
	place_snapshot >/dev/null && place_conf Mode=on DefaultTraffic=mpi &&
	place_start soak && place_warm'

test_expect_success 'the first rounds' '
	rounds_of 1 $warm && settle &&
	memory=$(memory_kb) && files=$(descriptors)'

test_expect_success 'the others: the view is what squeue says' '
	rounds_of $((warm + 1)) $rounds && settle'

test_expect_success 'memory and descriptors stay' '
	echo "$(grep -c "\"event\":\"start\"" "$log") allocations," \
		"$(grep -c "\"reason\":\"refused\"" "$log") refused," \
		"$(place_said "routed by") snapshots," \
		"$(place_said "$said_done")" \
		"reconfigures: $memory to $(memory_kb) kB," \
		"$files to $(descriptors) descriptors" >said &&
	cat said >&3 &&
	test $(memory_kb) -le $((memory + growth_kb)) &&
	test $(descriptors) -le $((files + 2)) &&
	test $(place_said "$said_done") -ge $((last_reconfigure / 5))'

test_expect_success 'nothing is lost, no error of ours' '
	test $(grep -c "\"event\":\"start\"" "$log") -ge $((200 * rounds)) &&
	test $(grep -c "\"reason\":\"placed\"" "$log") -ge $((60 * rounds)) &&
	! grep "error: sfabric" "$slurm_dir/slurmctld.log"'

test_done
