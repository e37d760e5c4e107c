# SPDX-License-Identifier: GPL-2.0-or-later
# sim.sh - the real OpenSM on a simulated fabric (ibsim), for shell scripts
#
#   sim_missing                    what is not installed; status 1: nothing
#   sim_collect_missing            the same, and whether sfabric can collect
#   sim_start NETLIST              simulate it; one at a time
#   sim_opensm OUT [OPTION...]     route once, leave the dumps in OUT, print
#                                  the routing engine that was really used
#   sim_sm_start OUT [OPTION...]   an OpenSM that stays; returns when it is up
#   sim_sm_launch OUT [OPTION...]  the same, returns at once; several may run,
#                                  each with an OUT and SIM_HOST of its own
#   sim_sm_kill OUT                kill -9
#   sim_kill PID                   the same for any program on the fabric
#   sim_plugin KEY=VALUE...        the next OpenSM has our event plugin
#   sim_engine OUT                 the engine used last
#   sim_up OUT N                   status: has SUBNET UP come N times?
#   sim_until SECONDS COMMAND...   wait for a condition
#   sim_console COMMAND            to ibsim, e.g. 'Unlink "S-..."[36]'
#   sim_inject FIELD COUNT         the ports in the file used (LEAF GUID PORT) count that;
#                                  32 bits
#   sim_run COMMAND...             with the simulated fabric as its wire
#   sim_stop                       stops OpenSM and ibsim; harmless twice
#   sim_route NETLIST OUT [OPTION...]   start, route once, stop
#   sim_or_skip [MISSING...]       in sharness: skip all if these (sim_missing) say that
#                                  something is missing; sim_stop whatever happens
#
# What opensm writes stays in OUT: opensm-subnet.lst, opensm-lfts.dump,
# opensm.fdbs, osm.log.  Each simulator has sockets of its own name: several
# may run at once, as root or not.

# Daemons that nobody stopped end by themselves.
SIM_LIFE=900
# A fabric of 49,151 LIDs fits; ibsim takes memory only for what is there.
SIM_LIMITS='-N 50000 -S 8000 -P 400000 -L 49151 -M 1024'

sim_umad=$(find /usr/lib /usr/lib64 -name libumad2sim.so 2>/dev/null | head -n 1)
PATH=$PATH:/usr/sbin:/sbin
sim_pid= sim_processes= sim_dir= sim_conf= sim_library_path=

# as sim_missing, for tests that collect
sim_collect_missing () {
	sim_missing && return
	"$SFAB_BUILDDIR/tools/sfabric" help collect >/dev/null 2>&1 && return 1
	echo 'built --without-infiniband'
}

sim_missing () {
	for program in ibsim opensm timeout; do
		command -v $program >/dev/null || {
			echo "$program is missing (Debian: ibsim-utils, opensm)"
			return 0
		}
	done
	test -z "$sim_umad" && echo 'libumad2sim.so is missing (Debian: ibsim-utils)'
}

sim_until () {
	sim_ticks=$(($1 * 20))
	shift
	until "$@"; do
		sim_ticks=$((sim_ticks - 1))
		test $sim_ticks -gt 0 || return 1
		sleep 0.05
	done
}

# sim_process PID: NUMBER/START.  Numbers are used again, on a busy machine after minutes:
# who ends a process that is gone ends somebody else's.
sim_process () {
	echo "$1/$(sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 20)"
}

# ibsim says "ready" before its socket is there
sim_ready () {
	grep -q "@$sim_name:ctl" /proc/net/unix || ! kill -0 $sim_pid
}

sim_start () {
	sim_dir=$(mktemp -d "$PWD/sim.XXXXXX") || return 1
	sim_name=sfab-${sim_dir##*/}-$$
	mkfifo "$sim_dir/console" || return 1
	export IBSIM_SOCKNAME="$sim_name" OSM_TMP_DIR="$sim_dir" \
		OSM_CACHE_DIR="$sim_dir"
	# read-write: a console that ends would make ibsim spin
	timeout -k 5 $SIM_LIFE ibsim -s $SIM_LIMITS "$1" \
		<>"$sim_dir/console" >"$sim_dir/ibsim.log" 2>&1 3>&- 4>&- 5>&- &
	sim_pid=$!
	sim_processes=$(sim_process $!)
	sim_until 60 sim_ready
	kill -0 $sim_pid 2>/dev/null && sim_ready && return
	echo "ibsim did not start:" >&2
	cat "$sim_dir/ibsim.log" >&2
	sim_stop
	return 1
}

sim_run () {
	LD_PRELOAD=$sim_umad "$@"
}

sim_console () {
	# read-write: where ibsim is dead, this does not wait for a reader
	echo "$1" 1<>"$sim_dir/console"
}

sim_inject () {
	while read -r leaf guid port; do
		sim_console "PerformanceSet \"S-$guid\"[$port] $1=$2" || return 1
	done <used
}

sim_out_prepare () {
	mkdir -p "$1" &&
	rm -f "$1/osm.log" &&
	# stands for /etc/opensm/opensm.conf
	printf '%s\n' 'force_log_flush TRUE' "$sim_conf" >"$1/opensm.conf"
}

# sim_plugin_missing: why there is none; status 1: nothing is missing
sim_plugin_missing () {
	sim_plugin_file=$SFAB_BUILDDIR/plugin/opensm/libosmsfabric.so
	test -f "$sim_plugin_file" ||
		{ echo 'built without OpenSM headers (libopensm-dev)'; return 0; }
	nm -D "$sim_plugin_file" | grep -q __asan_init &&
		{ echo 'a sanitizer build does not load into opensm'; return 0; }
	return 1
}

# More lines of opensm.conf may stand in SIM_CONF, another library to preload
# in SIM_PRELOAD, words before the command of OpenSM in SIM_IN.
sim_plugin () {
	sim_conf="event_plugin_name osmsfabric
event_plugin_options $*
${SIM_CONF-}"
	sim_library_path=$SFAB_BUILDDIR/plugin/opensm
}

# sim_opensm_exec SECONDS OUT OPTION...: become OpenSM; 0x43 asks for errors,
# remarks and the tables in dump files
sim_opensm_exec () {
	sim_life=$1 sim_out=$2
	shift 2
	exec timeout -k 5 $sim_life ${SIM_IN-} env \
		LD_PRELOAD="$sim_umad ${SIM_PRELOAD-}" \
		LD_LIBRARY_PATH="$sim_library_path:${LD_LIBRARY_PATH-}" opensm \
		-F "$sim_out/opensm.conf" -P "$sim_out/partitions.conf" \
		-f "$sim_out/osm.log" --dump_files_dir "$sim_out" \
		-D 0x43 -n 64 "$@" \
		</dev/null >"$sim_out/opensm.out" 2>&1 3>&- 4>&- 5>&-
}

sim_up () {
	test -f "$1/osm.log" && test "$(grep -c 'SUBNET UP' "$1/osm.log")" -ge "$2"
}

sim_engine () {
	sed -n 's/.*osm_ucast_mgr_process: \([^ ]*\) tables configured.*/\1/p' \
		"$1/osm.log" | tail -n 1 | grep .
}

sim_opensm () {
	sim_out_prepare "$1" || return 1
	(sim_opensm_exec 600 "$@" -o) && sim_up "$1" 1 && sim_engine "$1" && return
	echo "opensm $*: the subnet did not come up:" >&2
	tail -n 20 "$1/opensm.out" "$1/osm.log" >&2
	return 1
}

sim_sm_launch () {
	sim_out_prepare "$1" || return 1
	sim_opensm_exec $SIM_LIFE "$@" &
	sim_processes="$(sim_process $!) $sim_processes"
	echo $! >"$1/pid"
}

# The process behind timeout(1), which is what we started.
sim_sm_process () {
	pgrep -P "$(cat "$1/pid")"
}

# sim_sm_says OUT TEXT [N]: its log has so many lines with TEXT (default: any)
sim_sm_says () {
	test -f "$1/osm.log" &&
		test "$(grep -c -e "$2" "$1/osm.log")" -ge "${3-1}"
}

# ibsim has ten places for programs, keeps those of the dead and goes on sending
# MADs to them, until it is told.
sim_place_of () {
	sim_console Attached &&
	sed -n "s/.*Client \([0-9]*\): pid $1 connected.*/\1/p" \
		"$sim_dir/ibsim.log" | tail -n 1 | grep .
}
sim_kill () {
	sim_until 10 sim_place_of $1 >"$sim_dir/place" &&
	kill -9 $1 && sim_console "X $(cat "$sim_dir/place")"
}

sim_sm_kill () {
	sim_kill $(sim_sm_process "$1") || return 1
	wait "$(cat "$1/pid")" 2>/dev/null
	return 0
}

# sim_sm_end OUT: a clean end, waited for
sim_sm_end () {
	sim_end "$(cat "$1/pid")"
}

sim_sm_start () {
	sim_sm_launch "$@" || return 1
	# thousands of ports on a loaded machine
	sim_until 240 sim_up "$1" 1 && return
	tail -n 20 "$1/osm.log" >&2
	return 1
}

# sim_end PID: ask it to end, wait until it has
sim_end () {
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

sim_stop () {
	for sim_one in $sim_processes; do
		test "$(sim_process ${sim_one%/*} 2>/dev/null)" != $sim_one ||
			sim_end ${sim_one%/*}
	done
	test -z "$sim_dir" || rm -rf "$sim_dir"
	sim_pid= sim_processes= sim_dir=
}

sim_route () {
	sim_start "$1" || return 1
	shift
	sim_opensm "$@"
	sim_status=$?
	sim_stop
	return $sim_status
}

sim_or_skip () {
	test $# -gt 0 || set -- sim_missing
	for sim_check; do
		skip_all=$($sim_check) && test_done
	done
	at_exit sim_stop
}

# sim_describe NETLIST K TEXT: its K-th host has this node description
sim_describe () {
	awk -v k="$2" -v text="$3" '
		/^Ca\t/ && ++n == k { sub(/#.*/, "# \"" text "\"") }
		{ print }' "$1" >"$1.new" &&
	mv "$1.new" "$1"
}
