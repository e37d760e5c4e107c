# SPDX-License-Identifier: GPL-2.0-or-later
# slurm.sh - a private Slurm cluster of real daemons, for tests and the demo
#
# One controller and one slurmd for each node, all on this machine's loopback,
# run by whoever runs the test; no munge, no database, no root.  Everything
# lives in one temporary folder, $slurm_dir.  One cluster at a time in a
# shell; several shells may have one each.
#
#	. "$SFAB_SRCDIR/tests/lib/slurm.sh"
#	at_exit slurm_stop
#	slurm_start NAME 'n[01-08]' 'n[09-16] Weight=10'
#	id=$(slurm_submit -N4)
#	slurm_wait_job $id RUNNING
#	slurm_nodes $id
#
# Read by slurm_start and by each restart of the controller, all optional:
#
#	SLURM_PLUGINDIRS   folders (a:b) that stand before the stock plugins; a restart
#	                   without it keeps those of the start
#	SLURM_TOPOLOGY     file for topology.conf; TopologyPlugin=topology/tree
#	SLURM_NODE_KEYS    keys of all nodes
#	SLURM_PARTITIONS   PartitionName lines instead of main and excl
#	SLURM_EXTRA        more lines of slurm.conf
#	SLURM_BESIDE       files to lie beside slurm.conf from the start
#
# Shell: POSIX and "local".  Waiting has a deadline of SLURM_DEADLINE seconds, more on
# a loaded machine.  Commands are Slurm's own: SLURM_CONF is exported.

# patience MS: that long on a quiet machine; as much longer as processes compete
# for each CPU
patience () {
	awk -v ms="$1" -v cpus="$(nproc)" '{
		load = $1 / cpus
		print int(ms * (load > 1 ? 1 + load : 1))
	}' /proc/loadavg
}

if test -z "${SLURM_DEADLINE-}"; then
	SLURM_DEADLINE=$(($(patience 120000) / 1000))
	# what has not come after six minutes does not come
	test "$SLURM_DEADLINE" -le 360 || SLURM_DEADLINE=360
fi
export SLURM_DEADLINE
slurm_node_keys='CPUs=64 Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=8000'
slurm_dir= slurm_port= slurm_plugindirs=
slurm_first_port=12000
slurm_slot_ports=1000		# a cluster's share of 12000 to 31999
slurm_slots=20
PATH=$PATH:/usr/sbin:/sbin

# slurmctld may be an alternative that points to the front-end emulator; the
# real one beside it has a name of its own then.  Slurm 24.11 knows itself by the
# plain name only.  One in a later folder of PATH is of another Slurm.
slurm_program () {
	local real plain
	plain=$(command -v "$1") || plain=
	real=$(command -v "$1-wlm") || real=
	if test -n "$real" && test "$(readlink -f "$plain")" != "$real" &&
		test "${real%/*}" = "${plain%/*}"; then
		plain=$real
	fi
	: "${plain:=$real}"
	test -n "$plain" && echo "$plain"
}

# -- the name that daemons listen on ---------------------------------------

# Slurm binds to the address of the host's name, whatever SlurmctldHost says.
# Where that is no loopback address daemons run in a namespace of their own
# where the host is called localhost.
slurm_private_name () {
	local flags=-u
	test "$(id -u)" -eq 0 || flags='-c --keep-caps -u'
	unshare $flags sh -c 'hostname localhost && exec "$@"' sh "$@"
}

# Sets slurm_host, slurm_address and slurm_run, a word before daemons; fails
# where daemons could be reached from outside.
slurm_find_address () {
	local name addresses
	name=$(uname -n)
	addresses=$(getent ahostsv4 "$name" | awk '{ print $1 }' | sort -u)
	slurm_host=${name%%.*} slurm_address=$addresses slurm_run=env
	case $addresses in
	127.*[!0-9.]*) ;;	# several
	127.*) return 0 ;;
	esac
	slurm_host=localhost slurm_address=127.0.0.1
	slurm_run=slurm_private_name
	slurm_private_name true 2>/dev/null
}

slurm_no_address () {
	echo "the name $(uname -n) has no loopback address (/etc/hosts)"
}

# Print why no cluster can be started here; nothing when one can.
slurm_missing () {
	local program
	for program in slurmctld slurmd; do
		slurm_program "$program" >/dev/null ||
			{ echo "$program is not installed"; return 0; }
	done
	for program in sbatch scontrol sinfo squeue scancel flock; do
		command -v "$program" >/dev/null ||
			{ echo "$program is not installed"; return 0; }
	done
	slurm_find_address || slurm_no_address
}

# Folder of the stock plugins: below the prefix of slurmctld, or a distribution's.
slurm_stock_plugins () {
	local dir prefix
	prefix=$(slurm_program slurmctld) && prefix=${prefix%/*/*} || prefix=/usr
	for dir in "$prefix"/lib*/slurm /usr/lib/*/slurm-wlm; do
		test -f "$dir/select_cons_tres.so" && echo "$dir" && return 0
	done
	return 1
}

slurm_log () {
	echo "slurm.sh: $*" >&2
	return 1
}

# slurm_wait COMMAND...: until the command succeeds or the deadline passes
slurm_wait () {
	local deadline
	deadline=$(($(date +%s) + SLURM_DEADLINE))
	until "$@"; do
		test "$(date +%s)" -lt "$deadline" ||
			{ slurm_log "waited $SLURM_DEADLINE s: $*"; return 1; }
		sleep 0.1
	done
}

# Where no node comes free these would wait for ever.
salloc () {
	timeout "$SLURM_DEADLINE" salloc "$@"
}
srun () {
	timeout "$SLURM_DEADLINE" srun "$@"
}

# -- ports -----------------------------------------------------------------

# True when something listens on a port of $1 .. $2-1.
slurm_ports_used () {
	cat /proc/net/tcp /proc/net/tcp6 2>/dev/null |
	awk -v lo="$1" -v hi="$2" '
		function hex(s,  i, n) {
			for (i = 1; i <= length(s); i++)
				n = n * 16 + index("123456789ABCDEF", substr(s, i, 1))
			return n
		}
		$4 == "0A" {
			n = split($2, part, ":")
			port = hex(part[n])
			if (port >= lo && port < hi)
				found = 1
		}
		END { exit !found }'
}

# Take a range of ports: the lock on its file is held by this shell and, since
# they inherit the descriptor, by the daemons.  Sets slurm_port.
slurm_take_ports () {
	local slot try lock
	slot=$(awk -v n=$slurm_slots -v seed="$$$(date +%N)" \
		'BEGIN { srand(seed); print int(rand() * n) }')
	for try in $(seq "$slurm_slots"); do
		slot=$(((slot + 1) % slurm_slots))
		slurm_port=$((slurm_first_port + slot * slurm_slot_ports))
		lock=/tmp/sfabric-slurm-ports.$slurm_port
		test -e "$lock" || : >"$lock"
		exec 9<"$lock" && flock -n 9 || continue
		# its last owner may have removed it before we had the lock
		test "$lock" -ef "/proc/$$/fd/9" || continue
		slurm_ports_used "$slurm_port" \
			$((slurm_port + slurm_slot_ports)) || return 0
	done
	return 1	# all are in use: by tests that end
}

# -- configuration ---------------------------------------------------------

slurm_conf_head () {
	local me stock before
	me=$(id -un)
	before=${SLURM_PLUGINDIRS-$slurm_plugindirs}
	stock=$(slurm_stock_plugins)
	cat <<-END
	ClusterName=$slurm_name
	SlurmctldHost=$slurm_host($slurm_address)
	SlurmctldPort=$slurm_port
	SlurmdPort=$((slurm_port + slurm_slot_ports - 1))
	CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
	SlurmUser=$me
	SlurmdUser=$me
	AuthType=auth/none
	CredType=cred/none
	MpiDefault=none
	PluginDir=${before:+$before:}$stock
	StateSaveLocation=$slurm_dir/state
	SlurmdSpoolDir=$slurm_dir/spool/%n
	SlurmctldPidFile=$slurm_dir/slurmctld.pid
	SlurmdPidFile=$slurm_dir/run/%n.pid
	SlurmctldLogFile=$slurm_dir/slurmctld.log
	SlurmdLogFile=$slurm_dir/log/%n.log
	MailProg=/bin/true
	END
}

slurm_conf_body () {
	cat <<-END
	SlurmdParameters=config_overrides
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	JobAcctGatherType=jobacct_gather/none
	AccountingStorageType=accounting_storage/none
	ReturnToService=2
	TreeWidth=65533
	KillWait=2
	MinJobAge=7200
	SlurmctldTimeout=60
	PriorityType=priority/basic
	SelectType=select/cons_tres
	SelectTypeParameters=CR_Core
	SchedulerType=sched/backfill
	SchedulerParameters=bf_interval=2,bf_continue,sched_interval=1,batch_sched_delay=1,sched_min_interval=10000
	END
	test -z "${SLURM_TOPOLOGY-}" || echo 'TopologyPlugin=topology/tree'
	echo "${SLURM_EXTRA-}"
}

slurm_conf_partitions () {
	if test -n "${SLURM_PARTITIONS-}"; then
		echo "$SLURM_PARTITIONS"
		return
	fi
	echo 'PartitionName=main Nodes=ALL Default=YES OverSubscribe=NO State=UP'
	echo 'PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP'
}

# slurm_conf_nodes LINE...: a NodeName line and ports for each "LIST KEYS",
# and all names, one a line, in $slurm_dir/nodes.  The last port (SlurmdPort) is
# for a node that slurm.conf does not name.
slurm_conf_nodes () {
	local port line list last
	port=$((slurm_port + 1))
	: >"$slurm_dir/nodes"
	for line in "$@"; do
		list=${line%% *}
		scontrol show hostnames "$list" >"$slurm_dir/names" || return 1
		cat "$slurm_dir/names" >>"$slurm_dir/nodes"
		last=$((port + $(wc -l <"$slurm_dir/names") - 1))
		echo "NodeName=$list NodeAddr=$slurm_address" \
			"NodeHostname=$slurm_host" \
			"Port=[$port-$last]" \
			"${SLURM_NODE_KEYS:-$slurm_node_keys}${line#"$list"}"
		port=$((last + 1))
	done
	test "$port" -lt $((slurm_port + slurm_slot_ports)) ||
		slurm_log "more than $((slurm_slot_ports - 2)) nodes"
}

# The head alone is enough for scontrol to expand host lists.
slurm_write_conf () {
	slurm_conf_head >"$SLURM_CONF" &&
	slurm_conf_nodes "$@" >"$slurm_dir/nodes.conf" &&
	slurm_write_rest
}

slurm_write_rest () {
	{
		slurm_conf_head &&
		slurm_conf_body &&
		cat "$slurm_dir/nodes.conf" &&
		slurm_conf_partitions
	} >"$slurm_dir/new.conf" &&
	mv "$slurm_dir/new.conf" "$SLURM_CONF" || return 1
	test -z "${SLURM_TOPOLOGY-}" ||
		cp "$SLURM_TOPOLOGY" "$slurm_dir/topology.conf" || return 1
	slurm_cgroup_conf >"$slurm_dir/cgroup.conf"
}

# slurm_at_least MAJOR MINOR: is the controller of that version or newer?
slurm_at_least () {
	"$(slurm_program slurmctld)" -V | awk -v major="$1" -v minor="$2" '
		{ split($2, v, ".") }
		END { exit !(v[1] * 100 + v[2] >= major * 100 + minor) }'
}

# Since 23.11 a reconfigure starts the controller's program anew.
slurm_reconfigure_restarts () {
	slurm_at_least 23 11
}

# Slurm 25.11.7 itself starts hardly any job with --spread-job.
slurm_spreads () {
	! slurm_at_least 25 11 || slurm_at_least 26 5
}

# Nothing here uses cgroups; the plugin that asks for least is another one in
# old versions.
slurm_cgroup_conf () {
	if slurm_at_least 24 5; then
		echo 'CgroupPlugin=disabled'
	else
		echo 'CgroupPlugin=cgroup/v1'
	fi
}

# -- daemons ---------------------------------------------------------------

# Ours carry SFAB_CLUSTER; jobs have SLURM_CONF and a job id instead.
slurm_daemon () {
	$slurm_run env SFAB_CLUSTER="$slurm_dir" "$@" \
		</dev/null >>"$slurm_dir/start.log" 2>&1
}

# Processes of this cluster, found by their environment.
slurm_pids () {
	{
		slurm_with_env "SFAB_CLUSTER=$slurm_dir" /proc/[0-9]*/environ
		slurm_with_env 'SLURM_JOB_ID=[0-9]*' $(slurm_with_env \
			"SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ)
	} | sed 's,/proc/\([0-9]*\)/.*,\1,' | sort -un
}

# slurm_with_env NAME=REGEX FILE...: the environ files that have it
slurm_with_env () {
	grep -lszx "$@" /dev/null
}

slurm_ctld_up () {
	scontrol ping 2>/dev/null | grep -q ' is UP'
}

slurm_start_ctld () {
	slurm_write_rest &&
	slurm_daemon "$(slurm_program slurmctld)" -f "$SLURM_CONF" "$@" &&
	slurm_wait slurm_ctld_up
}

slurm_ctld_pid () {
	head -n 1 "$slurm_dir/slurmctld.pid"
}

# slurm_gone PID: no such process (a zombie is gone too)
slurm_gone () {
	! kill -0 "$1" 2>/dev/null ||
		grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}

slurm_all_gone () {
	test -z "$(slurm_pids)"
}

# slurm_wait_saved ID: until the controller has written a running job to its
# state folder, as it does a few seconds after a change: a killed controller
# forgets the rest.  (A new time limit makes it write again.)
slurm_wait_saved () {
	: >"$slurm_dir/mark"
	scontrol update jobid="$1" timelimit=1-00:00:00 &&
	slurm_wait test "$slurm_dir/state/job_state" -nt "$slurm_dir/mark"
}

# slurm_kill_ctld [SIGNAL]: end the controller and wait for it
slurm_kill_ctld () {
	local ctld
	ctld=$(slurm_ctld_pid) &&
	kill -"${1:-KILL}" "$ctld" &&
	slurm_wait slurm_gone "$ctld"
}

# A clean stop and a start that keeps all jobs, with the settings of now.
slurm_restart_ctld () {
	slurm_kill_ctld TERM && slurm_start_ctld
}

# slurm_start NAME LINE...: LINE is a host list and, after a blank, more keys
# of NodeName.  Returns when all nodes are idle.
slurm_start () {
	slurm_name=$1 slurm_plugindirs=${SLURM_PLUGINDIRS-}
	shift
	slurm_dir=$(mktemp -d "${TMPDIR:-/tmp}/sfabric-$slurm_name.XXXXXX") &&
	mkdir "$slurm_dir/state" "$slurm_dir/spool" "$slurm_dir/run" \
		"$slurm_dir/log" || return 1
	test -z "${SLURM_BESIDE-}" || cp $SLURM_BESIDE "$slurm_dir" || return 1
	SLURM_CONF=$slurm_dir/slurm.conf
	export SLURM_CONF
	slurm_find_address || slurm_log "$(slurm_no_address)" || return 1
	slurm_wait slurm_take_ports &&
	slurm_write_conf "$@" &&
	slurm_start_ctld -c &&
	slurm_start_nodes &&
	slurm_wait_idle && return 0
	grep -hsE 'error:|fatal:' "$slurm_dir"/*.log "$slurm_dir"/log/* |
		tail >&2
	slurm_log "cluster $slurm_name did not start"
}

slurm_start_nodes () {
	local slurmd node
	slurmd=$(slurm_program slurmd)
	(cd "$slurm_dir/spool" && xargs mkdir) <"$slurm_dir/nodes" &&
	while read -r node; do
		slurm_daemon "$slurmd" -f "$SLURM_CONF" -N "$node" || return 1
	done <"$slurm_dir/nodes"
}

# slurm_start_dynamic NODE KEYS: one that slurm.conf does not name; one at a time
slurm_start_dynamic () {
	mkdir -p "$slurm_dir/spool/$1" &&
	slurm_daemon "$(slurm_program slurmd)" -f "$SLURM_CONF" -N "$1" -b -Z \
		--conf "$2"
}

# slurm_all_registered: has every node spoken to this controller?  A step that is asked
# for before is refused, and srun asks again only after a minute.
slurm_all_registered () {
	! scontrol show node | grep -q SlurmdStartTime=None
}

slurm_stop_node () {
	local slurmd
	slurmd=$(head -n 1 "$slurm_dir/run/$1.pid") &&
	kill "$slurmd" && slurm_wait slurm_gone "$slurmd"
}

# slurm_node_state NODE: IDLE, IDLE+POWERED_DOWN, ...
slurm_node_state () {
	scontrol show node "$1" 2>/dev/null |
		sed -n 's/^ *State=\([A-Z_+]*\).*/\1/p'
}

slurm_node_is () {
	test "$(slurm_node_state "$1")" = "$2"
}

# Fails: leave the cluster to whoever runs the test by hand: say how to use and end it.
slurm_keep () {
	{
		echo "SFAB_SRCDIR='$SFAB_SRCDIR' SFAB_BUILDDIR='$SFAB_BUILDDIR'"
		echo "PATH='$PATH'"
		echo ". '$SFAB_SRCDIR/tests/lib/slurm.sh'"
		slurm_save
		echo "slurm_end () { slurm_stop; rm -rf '${place_dir-}'; }"
	} >"$slurm_dir/shell"
	echo "# kept: \". $slurm_dir/shell\", and in the end \"slurm_end\""
	slurm_dir=
	return 1
}

# End all jobs, then all daemons, then what is left; remove the folder.
# SLURM_KEEP=1 keeps the folder; SFAB_TEST_KEEP=yes all, when a test ends.
slurm_stop () {
	local signal pids
	test -n "$slurm_dir" || return 0
	if test -n "${SFAB_TEST_KEEP-}" && test -n "${exiting-}"; then
		slurm_keep
		return
	fi
	if slurm_ctld_up; then
		scancel -u "$(id -un)" 2>/dev/null
		SLURM_DEADLINE=10 slurm_wait slurm_no_jobs
	fi
	# On a busy machine what was killed is not gone at once, and what it had just
	# begun is not among the first.
	for signal in TERM KILL KILL; do
		pids=$(slurm_pids)
		test -n "$pids" || break
		kill -$signal $pids 2>/dev/null
		SLURM_DEADLINE=$(test $signal = TERM && echo 5 || echo 30) \
			slurm_wait slurm_all_gone 2>/dev/null
	done
	rm -f "/tmp/sfabric-slurm-ports.$slurm_port"
	exec 9<&-
	test -n "${SLURM_KEEP-}" || rm -rf "$slurm_dir"
	slurm_dir=
	unset SLURM_CONF
}

# slurm_save: shell lines by which another shell may use and stop the cluster
slurm_save () {
	cat <<-END
	slurm_name='$slurm_name' slurm_dir='$slurm_dir' slurm_port=$slurm_port
	slurm_host='$slurm_host' slurm_address='$slurm_address'
	slurm_run='$slurm_run' slurm_plugindirs='$slurm_plugindirs'
	SLURM_CONF='$SLURM_CONF'
	export SLURM_CONF
	END
}

# -- jobs ------------------------------------------------------------------

# slurm_submit OPTION...: a job that sleeps (or what --wrap says); its id
slurm_submit () {
	case " $*" in
	*' --wrap'*) ;;
	*) set -- "$@" --wrap='exec sleep 100000' ;;
	esac
	sbatch --parsable -o /dev/null -e /dev/null "$@"
}

slurm_no_jobs () {
	test -z "$(squeue -h -o %i 2>/dev/null)"
}

# slurm_job_state ID: PENDING, RUNNING, COMPLETED ...
slurm_job_state () {
	scontrol show job "$1" 2>/dev/null |
		sed -n 's/^ *JobState=\([A-Z_]*\).*/\1/p'
}

slurm_job_is () {
	test "$(slurm_job_state "$1")" = "$2"
}

slurm_wait_job () {
	slurm_wait slurm_job_is "$1" "$2"
}

# slurm_nodes ID: the job's NodeList
slurm_nodes () {
	scontrol show job "$1" | sed -n 's/^ *NodeList=//p'
}

# slurm_idle: how many nodes are idle and answer
slurm_idle () {
	sinfo -h -a -N -t idle -o '%N %T' 2>/dev/null | sort -u |
		grep -c ' idle$'
}

slurm_all_idle () {
	test "$(slurm_idle)" -eq "$(wc -l <"$slurm_dir/nodes")"
}

# slurm_wait_idle: until every node is idle and answers
slurm_wait_idle () {
	slurm_wait slurm_all_idle
}
