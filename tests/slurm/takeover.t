#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# takeover.t - a backup controller takes over and gives back
#
# Two controllers with the plugin, on 127.0.0.1 and 127.0.0.2 and one state
# folder.  The backup lives where the host has another name, which needs a
# /etc/hosts of its own: a mount namespace.
test_description='a backup controller takes over running jobs and places'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

backup=sfabric-backup
backup_address=127.0.0.2

# where_backup COMMAND...: there this host has the backup's name
where_backup () {
	flags='-u -m'
	test "$(id -u)" -eq 0 || flags="-c --keep-caps $flags"
	unshare $flags sh -c '
		mount --bind "$1" /etc/hosts && hostname "$2" && shift 2 && "$@"
	' sh "$place_dir/hosts" $backup "$@"
}

{ cat /etc/hosts; echo "$backup_address $backup"; } >"$place_dir/hosts"
skip_all=$(place_missing)
test -n "$skip_all" || where_backup true 2>/dev/null ||
	skip_all='no mount namespace with another /etc/hosts'
at_exit place_stop
test -z "$skip_all" || test_done

place_snapshot >/dev/null
place_conf Mode=on DefaultTraffic=mpi
SLURM_EXTRA="$SLURM_EXTRA
SlurmctldHost=$backup($backup_address)"

# start_backup: with its own log, pid file and decision log, in front of ours
start_backup () {
	sed "s,DecisionLog=.*,&.backup," "$SFABRIC_CONF" >"$place_dir/backup.conf" &&
	sed -e "s,^\(SlurmctldLogFile=\).*,\1$slurm_dir/backup.log," \
		-e "s,^\(SlurmctldPidFile=\).*,\1$slurm_dir/backup.pid," \
		"$SLURM_CONF" >"$slurm_dir/backup.conf" &&
	SFABRIC_CONF=$place_dir/backup.conf where_backup env \
		SFAB_CLUSTER="$slurm_dir" "$(slurm_program slurmctld)" \
		-f "$slurm_dir/backup.conf" </dev/null >>"$slurm_dir/start.log" 2>&1 &&
	slurm_wait answers backup
}

# answers primary|backup
answers () {
	scontrol ping 2>/dev/null | grep -q "($1).* is UP"
}

# It answers pings before it rules; a ruling one gives the queue.
rules () {
	squeue -h >/dev/null 2>&1 && test "$(slurm_idle)" -gt 4
}

running () {
	squeue -h -t R -o "%i %N" | sort -n
}

# places_as_foretold LOG: a job gets the nodes that a preview names, and the
# decision in that log knows all jobs that run
places_as_foretold () {
	slurm_wait place_first &&
	"$SFAB_BUILDDIR/tools/sfabric" place --slurm -p excl -N4 --json >preview &&
	new=$(place_alloc -p excl -N4) &&
	slurm_nodes $new >nodes &&
	"$SFAB_SRCDIR/tests/lib/field.py" data.nodes <preview >foretold &&
	test_cmp foretold nodes &&
	slurm_wait grep -q "\"event\":\"start\",\"job\":$new," $1 &&
	known=$(sed -n "s/.*\"start\",\"job\":$new,\"running\":\([0-9]*\),.*/\1/p" $1) &&
	test "$known" -eq $(running | wc -l)
}

# A controller reads its files with the first question.
place_first () {
	first=$(place_alloc -N1) || return 1
	reason=$(place_reason $first)
	scancel $first && test "$reason" = placed
}

test_expect_success 'two controllers, jobs run' '
	place_start takeover && start_backup && place_warm &&
	first=$(place_run -p excl -N6) && second=$(place_run -N3) &&
	slurm_wait_saved $second && running >before'

test_expect_success 'kill -9: the backup takes over, jobs live' '
	slurm_kill_ctld KILL && scontrol takeover &&
	slurm_wait rules && running >after && test_cmp before after'

test_expect_success 'the backup places, with all running jobs' '
	places_as_foretold $place_dir/decisions.backup &&
	slurm_wait_saved $new && running >before'

test_expect_success 'the first one comes back, takes over, and places' '
	slurm_start_ctld && slurm_wait answers primary && slurm_wait rules &&
	running >after && test_cmp before after &&
	places_as_foretold $place_dir/decisions'

test_expect_success 'the backup waits again' '
	answers backup && ! grep -E "fatal|error: sfabric" $slurm_dir/*.log'

test_done
