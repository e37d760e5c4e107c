#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# policy.t - the site's script in the real slurmctld, beside job_submit/lua
#
# Both Luas run in one process: Slurm's job_submit/lua (5.1 on Debian) tags
# jobs at submission, sfabric.lua decides about them when they are placed.
test_description='sfabric.lua and job_submit_sfabric.lua in slurmctld'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

skip_all=$(place_missing)
at_exit place_stop
test_have_prereq LUA || skip_all=${skip_all:-built without Lua}
test -z "$skip_all" || test_done

policy=$place_dir/sfabric.lua

# policy TEXT: (re)write sfabric.lua
policy () {
	printf '%s\n' "$1" >"$policy.new" && mv "$policy.new" "$policy"
}

# sends ID: the traffic in AdminComment
sends () {
	scontrol show job "$1" | sed -n \
		's/.*AdminComment=.*sfabric:.* traffic=\([^ ;]*\).*/\1/p'
}

# alloc OPTION...: an allocation; "REASON TRAFFIC" of it
alloc () {
	id=$(place_alloc "$@") &&
	echo "$(place_reason "$id") $(sends "$id")"
}

# is WHAT OPTION...: that is what an allocation gets
is () {
	want=$1
	shift
	found=$(alloc "$@") && place_cancel &&
	test "$found" = "$want" || { echo "$found, not $want: $*"; false; }
}

# until_is WHAT OPTION...: for what the loader reads a moment later
until_is () {
	slurm_wait is "$@"
}

place_snapshot >/dev/null
policy 'local t = { stencil = "neighbor=0.3", dump = "io-write=0.2" }
return {
  job = function(j)
    for word, traffic in pairs(t) do
      if glob(j.name or "", "*" .. word .. "*") then
        return { traffic = traffic }
      end
    end
    if j.name == "off" then return { traffic = "off" } end
    if j.name == "look" then return { mode = "observe" } end
    if j.name == "wrong" then return { traffic = "disk" } end
    if j.name == "loop" then while true do end end
    if j.hint == "mpi=0.11" then
      return { traffic = j.name == "tagged-3" and "off" or "mpi=0.12" }
    end
  end }'
prior=mpi=0.25+io-write=0.05+io-read=0.02
place_conf Mode=on "Policy=$policy"

test_expect_success 'a cluster, then job_submit/lua in it' '
	place_start policy &&
	cat >"$slurm_dir/job_submit.lua" <<-END &&
	local sfabric = dofile("$SFAB_SRCDIR/lua/job_submit_sfabric.lua")
	local tag = sfabric.tagger({
	    { name = "tagged*", traffic = "mpi=0.11" },
	    { script = "*/fluent *", traffic = "mpi=0.21" },
	    { partition = "excl", name = "free", traffic = "off" },
	})
	local work = 0
	function slurm_job_submit(job, parts, uid)
	    local t = {}
	    for i = 1, 200 do t[i] = ("y"):rep(i) end
	    table.sort(t) work = work + #table.concat(t)
	    assert(_VERSION and not pcall(error, t))
	    tag(job)
	    return slurm.SUCCESS
	end
	function slurm_job_modify(job, rec, parts, uid)
	    return slurm.SUCCESS
	end
	END
	SLURM_EXTRA="$SLURM_EXTRA
DebugFlags=NO_CONF_HASH
JobSubmitPlugins=lua" &&
	slurm_restart_ctld && slurm_wait_idle && place_warm'

test_expect_success 'the script decides what jobs send' '
	until_is "placed neighbor=0.3" -N4 -p excl -J a-stencil-1 &&
	is "placed io-write=0.2" -N4 -p excl -J dump &&
	is "placed $prior" -N4 -p excl -J other'

test_expect_success 'the script decides whether jobs are placed' '
	is "stock policy-off $prior" -N4 -p excl -J off &&
	id=$(place_alloc -N4 -p excl -J look) &&
	test -z "$(place_reason $id)" && place_cancel &&
	grep "\"job\":$id,.*\"mode\":\"observe\"" "$place_dir/decisions"'

test_expect_success 'job_submit_sfabric.lua tags, sfabric.lua hears it' '
	is "placed mpi=0.11" -N4 -p excl -J tagged-1 &&
	is "stock policy-off mpi=0.11" -N4 -p excl -J tagged-3 &&
	is "stock hint-off $prior" -N4 -p excl -J free &&
	is "placed neighbor=0.1" -N4 -p excl -J tagged-2 \
		--comment=sfabric:neighbor=0.1'

test_expect_success 'by the contents of a batch script' '
	printf "#!/bin/sh\nPATH=/bin\nsleep 1000 #/fluent x\n" >batch &&
	id=$(sbatch --parsable -o /dev/null -N4 -p excl batch) &&
	slurm_wait_job $id RUNNING && test "$(sends $id)" = mpi=0.21 &&
	place_cancel'

test_expect_success 'a mistake: one line with its place, the default' '
	is "placed $prior" -N4 -p excl -J wrong &&
	is "placed $prior" -N5 -p excl -J wrong &&
	test "$(place_said "sfabric.lua:3: job: traffic: ")" -eq 1'

test_expect_success 'both Luas, a hundred jobs one after the other' '
	for i in $(seq 100); do
		echo "timeout $SLURM_DEADLINE salloc --no-shell -N1 -p excl -J stencil-$i true"
	done | xargs -P 4 -n 9 sh -c "\"\$@\" </dev/null 2>/dev/null; true" sh |
		cat &&
	slurm_ctld_up && place_cancel &&
	is "placed neighbor=0.3" -N4 -p excl -J last-stencil'

test_expect_success 'a job with which the script has no end is placed without it' '
	is "placed $prior" -N4 -p excl -J loop &&
	test "$(place_said "more than .*: a job of user $(id -u) is placed without the script")" -ge 1 &&
	! place_said "no longer use" &&
	is "placed neighbor=0.3" -N4 -p excl -J a-stencil'

test_expect_success 'scontrol reconfigure: the new conf and the new script' '
	policy "return { job = function() return { traffic = \"mpi=0.9\" } end }" &&
	place_conf Mode=on "Policy=$policy" PartitionMode=main:off &&
	scontrol reconfigure &&
	until_is "placed mpi=0.9" -N4 -p excl &&
	until_is " " -N4 -p main'

test_expect_success 'nonsense: one line, jobs as without it' '
	policy "return { jobs = 7 }" &&
	until_is "placed $prior" -N4 -p excl &&
	test "$(place_said "sfabric.lua:1: the script.s table: unknown")" -eq 1'

test_expect_success 'a script that others may write is refused' '
	policy "return { job = function() return { traffic = \"mpi=0.8\" } end }" &&
	until_is "placed mpi=0.8" -N4 -p excl &&
	chmod 666 "$policy" &&
	until_is "placed $prior" -N4 -p excl &&
	place_said "sfabric.lua: .*writable" >/dev/null'

test_done
