#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-limits.t - jobs within the limits of their QOS start, on nodes of two sizes
#
# Slurm looks at limits on CPUs when nodes have been chosen: a job whose nodes are
# larger than those that Slurm would have chosen may wait for ever.  Needs a
# slurmdbd and a MariaDB, which run here for the test alone.
test_description='limits on CPUs where nodes have different sizes'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

# What the accounting needs; nothing when all is there.
accounting_missing () {
	for program in slurmdbd mariadbd mariadb-install-db sacctmgr python3; do
		command -v $program >/dev/null ||
			{ echo "$program is not installed"; return; }
	done
}

skip_all=$(place_missing)
test -n "$skip_all" || skip_all=$(accounting_missing)
at_exit limits_stop
test -z "$skip_all" || test_done
place_snapshot 8 4 4 4 >/dev/null
place_conf Mode=on DefaultTraffic=mpi MaxSearchTime=10s

# -- a database and who writes to it -----------------------------------------

db=$place_dir/db
database= accounting=

limits_stop () {
	slurm_stop
	for pid in $accounting $database; do
		kill $pid && SLURM_DEADLINE=20 slurm_wait slurm_gone $pid ||
			kill -KILL $pid
	done 2>/dev/null
	rm -rf "$place_dir"
}

# Two ports that nobody has.
free_ports () {
	python3 -c '
import socket
all = [socket.socket() for _ in range(2)]
for one in all:
    one.bind(("127.0.0.1", 0))
print(*[one.getsockname()[1] for one in all])'
}

start_database () {
	mkdir "$db" "$db/data" || return 1
	set -- $(free_ports) && db_port=$1 dbd_port=$2 || return 1
	user=
	test "$(id -u)" -ne 0 || user=--user=root
	mariadb-install-db --no-defaults $user --datadir="$db/data" \
		--auth-root-authentication-method=normal --skip-test-db \
		>"$db/install.log" 2>&1 || return 1
	mariadbd --no-defaults $user --datadir="$db/data" --socket="$db/socket" \
		--port=$db_port --bind-address=127.0.0.1 --skip-grant-tables \
		--pid-file="$db/pid" \
		>"$db/log" 2>&1 </dev/null &
	database=$!
	slurm_wait listens $db_port
}

start_accounting () {
	cat >"$db/slurmdbd.conf" <<-END
	AuthType=auth/none
	DbdHost=localhost
	DbdAddr=127.0.0.1
	DbdPort=$dbd_port
	SlurmUser=$(id -un)
	StorageType=accounting_storage/mysql
	StorageHost=127.0.0.1
	StoragePort=$db_port
	StorageUser=root
	StorageLoc=acct
	LogFile=$db/slurmdbd.log
	PidFile=$db/slurmdbd.pid
	END
	chmod 600 "$db/slurmdbd.conf"
	SLURM_CONF=$db/slurm.conf slurmdbd -D >"$db/slurmdbd.out" 2>&1 </dev/null &
	accounting=$!
	slurm_wait listens $dbd_port
}

listens () {
	slurm_ports_used "$1" $(($1 + 1))
}

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
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$dbd_port
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
	start_database && start_accounting && begin'
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
