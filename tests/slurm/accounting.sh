# SPDX-License-Identifier: GPL-2.0-or-later
# accounting.sh - a slurmdbd and a MariaDB of the test's own, below $place_dir/db
#
# The database has a socket and no port.  slurmdbd listens on 127.0.0.1.
#
#	. "$SFAB_SRCDIR/tests/slurm/place.sh"
#	. "$SFAB_SRCDIR/tests/slurm/accounting.sh"
#	skip_all=$(accounting_missing)
#	at_exit accounting_stop
#	accounting_start && SLURM_EXTRA=$(accounting_conf) && slurm_start ...

accounting_dir=$place_dir/db
accounting_port= accounting_database= accounting_daemon=

# What the accounting needs; nothing when all is there.
accounting_missing () {
	for program in slurmdbd mariadbd mariadb-install-db sacctmgr python3; do
		command -v $program >/dev/null ||
			{ echo "$program is not installed"; return; }
	done
	test -f "$(slurm_stock_plugins)/accounting_storage_mysql.so" ||
		echo "slurmdbd has no accounting_storage_mysql.so"
}

# A port that nobody has.
accounting_free_port () {
	python3 -c '
import socket
one = socket.socket()
one.bind(("127.0.0.1", 0))
print(one.getsockname()[1])'
}

accounting_start_database () {
	mkdir "$accounting_dir" "$accounting_dir/data" || return 1
	user=
	test "$(id -u)" -ne 0 || user=--user=root
	mariadb-install-db --no-defaults $user --datadir="$accounting_dir/data" \
		--auth-root-authentication-method=normal --skip-test-db \
		>"$accounting_dir/install.log" 2>&1 || return 1
	mariadbd --no-defaults $user --datadir="$accounting_dir/data" \
		--socket="$accounting_dir/socket" --skip-networking --skip-grant-tables \
		--pid-file="$accounting_dir/pid" \
		>"$accounting_dir/log" 2>&1 </dev/null 3>&- 4>&- &
	accounting_database=$!
	slurm_wait accounting_has_database && test -S "$accounting_dir/socket"
}

# The socket is there, or nobody is left who could make it.
accounting_has_database () {
	test -S "$accounting_dir/socket" || slurm_gone $accounting_database
}

accounting_write_conf () {
	cat >"$accounting_dir/slurmdbd.conf" <<-END
	AuthType=auth/none
	DbdHost=localhost
	DbdAddr=127.0.0.1
	DbdPort=$accounting_port
	SlurmUser=$(id -un)
	StorageType=accounting_storage/mysql
	StorageHost=localhost
	StorageUser=root
	StorageLoc=acct
	LogFile=$accounting_dir/slurmdbd.log
	PidFile=$accounting_dir/slurmdbd.pid
	END
	chmod 600 "$accounting_dir/slurmdbd.conf"
}

accounting_listens () {
	slurm_gone $accounting_daemon ||
		slurm_ports_used $accounting_port $((accounting_port + 1))
}

# Somebody may take the port before slurmdbd does: then it ends, and tries another.
accounting_start_daemon () {
	for try in 1 2 3 4 5; do
		accounting_port=$(accounting_free_port) && accounting_write_conf || return 1
		MYSQL_UNIX_PORT=$accounting_dir/socket SLURM_CONF=$accounting_dir/slurm.conf \
			slurmdbd -D >"$accounting_dir/slurmdbd.out" 2>&1 </dev/null 3>&- 4>&- &
		accounting_daemon=$!
		slurm_wait accounting_listens || return 1
		slurm_gone $accounting_daemon || return 0
	done
	cat "$accounting_dir/slurmdbd.out" >&2
	return 1
}

accounting_start () {
	accounting_start_database && accounting_start_daemon
}

# accounting_conf: lines of slurm.conf
accounting_conf () {
	cat <<-END
	AccountingStorageType=accounting_storage/slurmdbd
	AccountingStorageHost=127.0.0.1
	AccountingStoragePort=$accounting_port
	END
}

accounting_stop () {
	for pid in $accounting_daemon $accounting_database; do
		kill $pid && SLURM_DEADLINE=20 slurm_wait slurm_gone $pid ||
			kill -KILL $pid
	done 2>/dev/null
	accounting_daemon= accounting_database=
}
