#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fabric_live.t - cables, switches and subnet managers come and go: OpenSM with
# our plugin on ibsim, Slurm with our plugin, nobody acts
test_description='jobs follow the fabric'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/live.sh"
skip_all=$(live_missing)
test -z "$skip_all" || test_done

# Milliseconds since 1970: now; of the last SUBNET UP of an OpenSM's log
now_ms () {
	date +%s%3N
}
up_ms () {
	at=$(sed -n 's/^\([A-Z].. .. ..:..:..\) \([0-9]*\) .*SUBNET UP.*/\1.\2/p' \
		"$1/osm.log" | tail -n 1)
	date -d "$at" +%s%3N
}

# goes_to NODES: a job that is asked for now gets them, by routes
goes_to () {
	ask && test "$why" = placed && test "$got" = "$1"
}

# leaf_of NODES: the first one's leaf, L001 ...
leaf_of () {
	scontrol show hostnames "$1" | head -n 1 |
		awk '{ printf "L%03d\n", int((substr($1, 2) + 3) / 4) }'
}

# loses_nothing NODES: a job that is asked for now loses nothing by the routes of
# the snapshot, elsewhere
loses_nothing () {
	ask && test "$why" = placed && test "$got" != "$1" &&
	test "$(decided $asked fingerprint)" = "$(fingerprint)" &&
	test "$(decided $asked own)" = 0
}

# avoids LEAF: a job that is asked for now is placed, not there
avoids () {
	ask && test "$why" = placed &&
	for node in $(scontrol show hostnames "$got"); do
		test "$(leaf_of $node)" != "$1" || return 1
	done
}

# follows SM N COMMAND...: true within 2 s (on a quiet machine) after its N-th
# SUBNET UP
follows () {
	follows_sm=$1 follows_ms=$(patience 2000)
	sim_until 60 sim_up "$1" "$2" || return 1
	shift 2
	until "$@"; do
		test $(($(now_ms) - $(up_ms $follows_sm))) -lt $follows_ms ||
			{ echo "$*: still on $got ($why)"; return 1; }
	done
	echo "$(($(now_ms) - $(up_ms $follows_sm))) ms after SUBNET UP: $*" |
		tee -a delays
}

# -- what is to be waited for --------------------------------------------------

same_epoch () {
	ask && test "$(decided $asked fingerprint)" = "$(fingerprint)"
}

whole_again () {
	test "$(fingerprint)" = "$(cat whole)"
}

follows_whole () {
	sim_until 30 whole_again && slurm_wait same_epoch
}

# the nodes of the last job that was asked for are idle again
main_is_free () {
	test -z "$(sinfo -h -p main -t alloc,mix,comp -o %n)"
}

has_switches () {
	test "$("$sfabric" show fabric --snapshot "$snap" -h -P -o switches)" = $1
}

# gone HOST: no longer on the fabric
gone () {
	! "$sfabric" show hosts --snapshot "$snap" | grep -qw "$1"
}

# port GUID of the subnet manager of the snapshot
sm_of () {
	"$sfabric" show fabric --snapshot "$snap" -h -P -o sm
}
sm_is_not () {
	test "$(sm_of)" != "$1"
}

said_old () {
	place_said "error: sfabric:.*not confirmed" >/dev/null
}

older_than () {
	test $(($(date +%s) - read_at)) -ge $1
}

# OpenSM that becomes master may wait for ever for a MAD that it sent as standby
# (on ibsim, one in 25, one in six while the old master is not at rest, with our
# plugin or without).  The hand-overs below let the old master rest and try again
# with a new one.
rests () {
	test $(($(date +%s) - $(stat -c %Y "$1/osm.log"))) -ge 2
}

# standby_over: "one" is killed and "two", a standby, becomes master
standby_over () {
	for try in 1 2 3; do
		SIM_HOST=H-0002c90300100070 sm two &&
		sim_until 60 sim_sm_says two "STANDBY" &&
		sim_until 60 rests one &&
		sim_sm_kill one && sim_until 30 sim_up two 1 && return
		sim_sm_kill two && sm one && slurm_wait asked_is placed
	done
	return 1
}

# -- faults ------------------------------------------------------------------

test_expect_success 'OpenSM, then Slurm: jobs are placed by its routes' '
	live_start fabric_live MaxSnapshotAge=6 &&
	home=$got leaf=$(leaf_of $got) && fingerprint >whole &&
	stream_start'

test_expect_success 'an uplink is pulled: the job goes where it loses nothing' '
	sim_console "Unlink $(name $leaf)[5]" &&
	follows one 2 loses_nothing "$home" &&
	test "$(fingerprint)" != "$(cat whole)"'
test_expect_success 'check says which engine OpenSM fell back to without the uplink' '
	"$sfabric" check >checked 2>warned;
	grep "^snapshot .*routed by minhop" checked &&
	grep "but ftree was requested: OpenSM fell back" warned'
test_expect_success 'the uplink is put back: all is as before' '
	sim_console "ReLink $(name $leaf)[5]" &&
	follows one 3 goes_to "$home" && whole_again'

test_expect_success 'a running job stays, the next one sees it on new routes' '
	slurm_wait main_is_free &&
	holder=$(place_alloc -p main -N8 --comment sfabric:mpi=1) &&
	test "$(slurm_nodes $holder)" = "$home" &&
	ask && other=$got && far=$(leaf_of $got) &&
	sim_console "Unlink $(name $far)[5]" &&
	follows one 4 avoids $far &&
	slurm_job_is $holder RUNNING &&
	sim_console "ReLink $(name $far)[5]" &&
	follows one 5 goes_to "$other" && scancel $holder'

test_expect_success 'a spine goes and comes back' '
	sim_console "Unlink $(name S004)" &&
	sim_until 30 has_switches 11 && slurm_wait asked_is placed &&
	slurm_wait same_epoch &&
	sim_console "ReLink $(name S004)" &&
	follows_whole'

test_expect_success 'a host goes: no job is put there' '
	host=$(scontrol show hostnames "$home" | sed -n 3p) &&
	sim_console "Unlink $(cable $host)" &&
	sim_until 60 gone $host && slurm_wait avoids $leaf &&
	sim_console "ReLink $(cable $host)" &&
	follows_whole && slurm_wait goes_to "$home"'

test_expect_success 'the master is killed: a standby goes on' '
	was=$(sm_of) && standby_over && slurm_wait sm_is_not $was &&
	follows_whole && slurm_wait goes_to "$home"'

test_expect_success 'the stream: no job lost, none delayed' '
	stream_end && tail -n 3 delays >&2'

# -- trust -------------------------------------------------------------------

test_expect_success 'a quiet fabric stays confirmed beyond the limit' '
	slurm_wait asked_is placed && read_at=$(date +%s) &&
	times=$(place_said "error: sfabric:.*not confirmed");
	slurm_wait older_than 9 && asked_is placed &&
	test "$(place_said "error: sfabric:.*not confirmed")" = "$times"'

test_expect_success 'no OpenSM: stock placement after the limit, then recovery' '
	sim_sm_kill two &&
	slurm_wait asked_is "stock no-snapshot" && slurm_wait said_old &&
	sm four && slurm_wait asked_is placed &&
	slurm_wait goes_to "$home"'

# -- hand-over ---------------------------------------------------------------

master_over () {
	for try in 1 2 3; do
		sim_until 60 rests four &&
		SIM_HOST=H-0002c90300100074 sm five -p 9 &&
		sim_until 60 sim_up five 1 && return
		sim_sm_kill five && slurm_wait asked_is placed
	done
	return 1
}

test_expect_success 'a master of higher priority takes over' '
	was=$(sm_of) && master_over &&
	slurm_wait sm_is_not $was &&
	sim_until 60 sim_sm_says four "STANDBY" &&
	slurm_wait goes_to "$home"'

test_done
