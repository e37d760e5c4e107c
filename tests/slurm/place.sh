# SPDX-License-Identifier: GPL-2.0-or-later
# place.sh - a private cluster with the plugin in front of the stock one
#
# 32 nodes n1 .. n32 of 8 CPUs, four to a leaf of a made fat tree with four
# spines and four IO hosts.  sfabric.conf, the snapshot and the decision log
# lie in $place_dir, for sharness' own folders have a blank in their names.
#
#	. "$SFAB_SRCDIR/tests/slurm/place.sh"
#	at_exit place_stop
#	place_conf Mode=on
#	place_start NAME
#	id=$(slurm_submit -N4) && slurm_wait_job $id RUNNING
#	test "$(place_reason $id)" = placed
. "$SFAB_SRCDIR/tests/lib/slurm.sh"

umask 022
place_dir=$(mktemp -d "${TMPDIR:-/tmp}/sfabric-place.XXXXXX")
place_plugin=$SFAB_BUILDDIR/plugin/slurm/select_cons_tres.so
SLURM_NODE_KEYS='CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=8000'
place_scheduler=bf_interval=1,bf_continue,sched_interval=1,batch_sched_delay=0,sched_min_interval=0
SLURM_EXTRA=SchedulerParameters=$place_scheduler
SFABRIC_CONF=$place_dir/sfabric.conf
export SFABRIC_CONF

# Print why the plugin cannot be tested here; nothing when it can.
place_missing () {
	test -e "$place_plugin" || {
		echo 'built without --with-slurm-source'
		return
	}
	nm -D "$place_plugin" | grep -q __asan_init && {
		echo 'a sanitizer build does not load into slurmctld'
		return
	}
	slurm_missing
}

# In sharness: skip all if it cannot; place_stop whatever happens.
place_ready () {
	skip_all=$(place_missing)
	at_exit place_stop
	test -z "$skip_all" || test_done
}

# place_snapshot [LEAVES SPINES HOSTS IO [PREFIX]]: (re)write fabric.snap; its
# fingerprint
place_snapshot () {
	test $# -gt 0 || set -- 8 4 4 4
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" "$place_dir/fabric.snap" "$@"
}

# place_conf LINE...: (re)write sfabric.conf.  On a busy machine a search takes long by
# the clock, and that is no reason to leave the job to Slurm.
place_conf () {
	{
		echo "Snapshot=$place_dir/fabric.snap"
		echo "DecisionLog=$place_dir/decisions"
		printf '%s\n' "$@"
		case "$*" in
		*MaxSearchTime=*) ;;
		*) echo "MaxSearchTime=10s" ;;
		esac
	} >"$SFABRIC_CONF.new" && mv "$SFABRIC_CONF.new" "$SFABRIC_CONF"
}

# place_start NAME [LINE...]: the cluster, the plugin in front
place_start () {
	name=$1
	shift
	test $# -gt 0 || set -- 'n[1-32]'
	SLURM_PLUGINDIRS=$(dirname "$place_plugin") slurm_start "$name" "$@"
}

# place_job_submit: the clusters to come run job_submit/lua, too, whose Lua is
# another one than the plugin's; it tags jobs whose name begins with "tagged"
place_job_submit () {
	test -f "$(slurm_stock_plugins)/job_submit_lua.so" || return 0
	cat >"$place_dir/job_submit.lua" <<-END
	local sfabric = dofile("$SFAB_SRCDIR/lua/job_submit_sfabric.lua")
	local tag = sfabric.tagger({ { name = "tagged*", traffic = "mpi=0.11" } })
	function slurm_job_submit(job, parts, uid)
	    tag(job)
	    return slurm.SUCCESS
	end
	function slurm_job_modify(job, rec, parts, uid)
	    return slurm.SUCCESS
	end
	END
	SLURM_BESIDE=$place_dir/job_submit.lua
	SLURM_EXTRA="$SLURM_EXTRA
JobSubmitPlugins=lua"
}

# place_policy: a script of the site that sees every job, as a line of
# sfabric.conf; nothing where there is no Lua
place_policy () {
	test_have_prereq LUA || return 0
	echo 'return { job = function(j) assert(j.nodes) end }' \
		>"$place_dir/sfabric.lua"
	echo "Policy=$place_dir/sfabric.lua"
}

# planned_nodes ID: where backfill plans a job that waits; has_plan ID: it does
planned_nodes () {
	scontrol show job "$1" | sed -n 's/.*SchedNodeList=//p'
}

has_plan () {
	test -n "$(planned_nodes "$1")"
}

place_stop () {
	slurm_stop && rm -rf "$place_dir"
}

place_stock_start () {
	name=$1
	shift
	test $# -gt 0 || set -- 'n[1-32]'
	SLURM_PLUGINDIRS= slurm_start "$name" "$@"
}

# place_run OPTION...: submit, wait until it runs; its id
place_run () {
	run=$(slurm_submit "$@") &&
	slurm_wait_job "$run" RUNNING &&
	echo "$run"
}

# place_reason ID: "placed" or "stock WORD", as AdminComment says
place_reason () {
	scontrol show job "$1" | sed -n \
		-e 's/.*AdminComment=.*sfabric:\(stock [^ ,;]*\).*/\1/p' \
		-e 's/.*AdminComment=.*sfabric:\(placed\).*/\1/p'
}

# place_node_names ID: one a line
place_node_names () {
	scontrol show hostnames "$(slurm_nodes "$1")"
}

place_is_quiet () {
	slurm_no_jobs && test -z "$(sinfo -h -t alloc,mix,comp -o %n)"
}

# place_cancel: all jobs, until no node has one any more
place_cancel () {
	scancel -u "$(id -un)" && slurm_wait place_is_quiet
}

# place_said TEXT: how many lines of slurmctld.log have it
place_said () {
	grep -c -e "$1" "$slurm_dir/slurmctld.log"
}

# place_alloc OPTION...: an allocation that starts at once and stays; its id.
# Ten times quicker than a batch job, which waits for the scheduler.
place_alloc () {
	salloc --no-shell "$@" 2>"$place_dir/salloc" </dev/null &&
	sed -n 's/.*Granted job allocation \([0-9]*\).*/\1/p' "$place_dir/salloc"
}

place_spoke () {
	place_said ' sfabric: ' >/dev/null
}

# place_asked: a job is asked for; the plugin has its snapshot, or says why not
place_asked () {
	asked_first=$(place_alloc -N1) && scancel $asked_first &&
	place_said ' sfabric: .*nodes are in the snapshot\|error: sfabric: \|sfabric: mode is off' >/dev/null
}

# place_warm: ask for jobs until the plugin has read its files
place_warm () {
	slurm_wait place_asked && place_cancel
}
