# SPDX-License-Identifier: GPL-2.0-or-later
# live.sh - OpenSM with our plugin on ibsim, Slurm with our plugin, for scenarios
#
#	. "$SFAB_SRCDIR/tests/slurm/live.sh"
#	skip_all=$(live_missing)
#	live_start NAME [LINE of sfabric.conf...]
#
# Eight leaves of four hosts, four spines: four hosts of a leaf reach four of
# another over four uplinks.  The jobs of the stream have a leaf for themselves.
#
#	sweep			counters of the wire instead, by sfabric collect
SLURM_PARTITIONS='PartitionName=main Nodes=n[0001-0028] Default=YES OverSubscribe=EXCLUSIVE State=UP
PartitionName=stream Nodes=n[0029-0032] OverSubscribe=NO State=UP'

. "$SFAB_SRCDIR/tests/slurm/place.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
at_exit place_stop
at_exit sim_stop

decisions=$place_dir/decisions
snap=$place_dir/fabric.snap

# Print why this cannot be tested here; nothing when it can.
live_missing () {
	live_missing=$(place_missing)
	test -n "$live_missing" ||
		live_missing=$(sim_missing || sim_plugin_missing)
	echo "$live_missing"
}

# The fabric with its netlist net, an OpenSM called one, Slurm; jobs are placed.
live_start () {
	live_name=$1
	shift
	"$sfabric" synth tree:hosts=32,leaf=4,leaves=8,spines=4 --output net &&
	sim_start net && sm one && sim_until 20 test -f "$snap" &&
	place_conf Mode=on DefaultTraffic=mpi "$@" &&
	place_start "$live_name" "n[0001-0032]" && place_warm &&
	slurm_wait asked_is placed
}

# name SWITCH: as ibsim calls it
name () {
	sed -n "s/^Switch.*\(\"S-[0-9a-f]*\"\).*\"tree-$1\".*/\1/p" net
}

# cable HOST: its port, as ibsim calls it
cable () {
	sed -n "s/^Ca.*\(\"H-[0-9a-f]*\"\).*\"$1 .*/\1[1]/p" net
}

# sm NAME [OPTION...]: an OpenSM that talks about our snapshot
sm () {
	sm_name=$1
	shift
	# a light sweep finds what a lost trap did not tell
	SIM_CONF='sweep_interval 2
sminfo_polling_timeout 200
polling_retry_number 3' sim_plugin "Snapshot=$snap AliveInterval=1s"
	OSM_CACHE_DIR=$PWD/$sm_name-cache sim_sm_launch "$sm_name" -R ftree -n 4 "$@"
}

fingerprint () {
	"$sfabric" show fabric --snapshot "$snap" -h -P -o fingerprint
}

# decided ID FIELD: of the job's decision
decided () {
	sed -n "s/.*\"job\":$1,.*\"$2\":\"\{0,1\}\([^,\"]*\).*/\1/p" $decisions |
		tail -n 1
}

# ask: eight nodes for a moment; their names and the job
ask () {
	asked=$(place_alloc -p main -N8) && got=$(slurm_nodes $asked) &&
	why=$(place_reason $asked) && scancel $asked
}

asked_is () {
	ask && test "$why" = "$1"
}

# -- a stream of jobs, on a leaf of its own ------------------------------------

stream () {
	while test -e "$place_dir/go"; do
		slurm_submit -p stream -N1 -n1 --wrap 'sleep 0.2' || echo lost
		sleep 0.3
	done >"$place_dir/streamed" 2>&1
}

stream_start () {
	: >"$place_dir/go"
	stream 3>&- 4>&- &
	stream_pid=$!
}

# stream_end: none refused, none lost, none waited more than three seconds (on a
# quiet machine)
stream_end () {
	stream_s=$(($(patience 3000) / 1000))
	rm "$place_dir/go" && wait $stream_pid &&
	test $(wc -l <"$place_dir/streamed") -gt 5 &&
	! grep -v "^[0-9]*\$" "$place_dir/streamed" &&
	for job in $(cat "$place_dir/streamed"); do
		slurm_wait_job $job COMPLETED && waited $job || return 1
	done
}

waited () {
	scontrol show job $1 >job &&
	submit=$(date -d "$(sed -n "s/.*SubmitTime=\([^ ]*\).*/\1/p" job)" +%s) &&
	start=$(date -d "$(sed -n "s/.*StartTime=\([^ ]*\).*/\1/p" job)" +%s) &&
	test $((start - submit)) -le $stream_s || { echo "job $1 waited"; return 1; }
}

# -- counters of the wire ------------------------------------------------------

# sweep: one, into counters with a short memory
sweep () {
	timeout -k 5 60 env LD_PRELOAD="$sim_umad" "$sfabric" collect --half-life 1 \
		>>collect.log 2>&1
}
