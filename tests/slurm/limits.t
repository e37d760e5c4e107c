#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# limits.t - jobs within the limits of their QOS start, on nodes of two sizes
#
# Slurm looks at limits on CPUs when nodes have been chosen: a job whose nodes are
# larger than those that Slurm would have chosen may wait for ever.  Needs a
# slurmdbd and a MariaDB, which run here for the test alone.
test_description='limits on CPUs where nodes have different sizes'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"
. "$SFAB_SRCDIR/tests/slurm/accounting.sh"

limits_stop () {
	slurm_stop
	accounting_stop
	rm -rf "$place_dir"
}

skip_all=$(place_missing)
test -n "$skip_all" || skip_all=$(accounting_missing)
at_exit limits_stop
test -z "$skip_all" || test_done
place_snapshot 8 4 4 4 >/dev/null
place_conf Mode=on DefaultTraffic=mpi

set_up_accounts () {
	me=$(id -un)
	for what in "add account acc" \
		"add user $me account=acc" \
		"modify user $me set defaultaccount=acc adminlevel=admin" \
		"add qos small set MaxTRESPerJob=cpu=64" \
		"add qos group set GrpTRES=cpu=72"; do
		sacctmgr -i -Q $what || return 1
	done
	slurm_restart_ctld && slurm_wait_idle && slurm_wait is_known
}

is_known () {
	scontrol show assoc_mgr flags=qos | grep -q "QOS=small"
}

SLURM_NODE_KEYS=TmpDisk=1000
small='CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=8000'
large='CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000'

begin () {
	SLURM_EXTRA="SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
$(accounting_conf)
AccountingStorageEnforce=limits
SchedulerParameters=$place_scheduler"
	SLURM_PLUGINDIRS=$(dirname "$place_plugin")
	slurm_start limits "n[1-16] $small" "n[17-32] $large" &&
	set_up_accounts && slurm_wait does_place && place_cancel
}

does_place () {
	warm_id=$(place_alloc -N1) && test "$(place_reason "$warm_id")" = placed ||
		{ scancel "$warm_id"; return 1; }
}

# cpus_of ID
cpus_of () {
	scontrol show job "$1" | sed -n 's/.*NumCPUs=\([0-9]*\) .*/\1/p'
}

# placed_within CPUS OPTION...: it runs, placed by its routes, on so many at most
placed_within () {
	most=$1
	shift
	scancel -n probe
	job=$(place_run -J probe "$@") && test "$(place_reason $job)" = placed &&
	test "$(cpus_of $job)" -le $most && scancel $job &&
	slurm_wait place_is_quiet_but
}

# All that is left is what stands on given nodes.
place_is_quiet_but () {
	test -z "$(sinfo -h -t comp -o %n)" && test -z "$(squeue -h -n probe -o %i)"
}

test_expect_success 'a database, slurmdbd and the cluster start' '
	accounting_start && begin'
test_expect_success 'a job that just fits into the limit of its QOS' '
	placed_within 64 -p excl -N8 -n64 -q small'
test_expect_success 'one that writes' '
	placed_within 64 -p excl -N4 -q small --comment=sfabric:io-write'
test_expect_success 'tasks without a node count' '
	placed_within 64 -p excl -n60 -q small'
test_expect_success 'a limit of all jobs together' '
	placed_within 72 -p excl -N8 -q group'
test_expect_success 'nodes between those of others' '
	place_alloc -p excl -w "n[1,5,9,13]" >/dev/null &&
	placed_within 64 -p excl -N8 -n64 -q small &&
	placed_within 64 -p excl -N6 -q small --comment=sfabric:io-write &&
	place_cancel'
test_expect_success 'large nodes are taken where the small ones are too few' '
	job=$(place_run -p excl -N20) && test $(cpus_of $job) -eq 192 &&
	place_cancel'
test_expect_success 'no error of ours' '
	! place_said "error: sfabric"'

test_done
