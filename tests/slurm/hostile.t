#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# hostile.t - texts that users and admins give to jobs are only texts
test_description='odd comments, names and hints harm neither slurmctld nor others'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready

place_snapshot >/dev/null
place_conf Mode=off AdminComment=no

test_expect_success 'the cluster starts with the plugin, which is off' '
	place_start hostile && place_warm'

# -- AdminComment -----------------------------------------------------------

# begun_with TEXT: a job that got this AdminComment before it began; its id
begun_with () {
	held=$(slurm_submit -H -N2) &&
	scontrol update jobid="$held" admincomment="$1" &&
	scontrol release "$held" &&
	slurm_wait_job "$held" RUNNING &&
	echo "$held"
}

admin_comment () {
	scontrol -o show job "$1" | sed -n 's/.* AdminComment=\(.*\)/\1/p' |
		sed 's/ Comment=.*//'
}

for text in ';x' ';' '; ;; sfabric:placed old' 'mine; sfabric:placed old'
do
	export text
	test_expect_success "mode off, AdminComment=no: \"$text\" stays as it is" '
		job=$(begun_with "$text") &&
		timeout 60 squeue >/dev/null &&
		admin_comment $job >found &&
		{ grep -F "$text " found || grep -Fx "$text" found; }'
done

test_expect_success 'mode on: ours is added behind it' '
	place_conf Mode=on DefaultTraffic=mpi && place_cancel &&
	reason_is () {
		asked=$(place_alloc -p excl -N3) && is=$(place_reason $asked) &&
		scancel $asked && test "$is" = "$*"
	} &&
	slurm_wait reason_is placed &&
	job=$(begun_with ";x") &&
	timeout 60 squeue >/dev/null &&
	admin_comment $job >found &&
	grep "^;x; sfabric:placed, .*traffic=mpi" found'

# -- hints ------------------------------------------------------------------

# Lines of slurmctld.log begin with their time; nothing that a user wrote does.
printable () {
	/usr/bin/python3 - "$@" <<-'END'
		import sys
		for path in sys.argv[1:]:
		    for line in open(path, "rb").read().decode().splitlines():
		        assert line.isprintable(), repr(line)
	END
}

forged="sfabric:x$(printf "\033")[31m$(printf "\302\205")[2026-09-22T06:30:00.000]"
export forged
test_expect_success 'a hint cannot forge a line of slurmctld.log' '
	job=$(place_alloc -N4 --comment="$forged") &&
	job2=$(place_alloc -N2 --comment="$(printf "sfabric:io-write@\377\376\233")") &&
	job3=$(place_alloc -N2 --comment="$(printf "a\nsfabric:mpi=0,5\nb")") &&
	job4=$(place_alloc -N2 --comment="$(printf "sfabric:fast\nforged line")") &&
	slurm_wait grep -q "\"job\":$job4," "$place_dir/decisions" &&
	grep -a "hint: " "$slurm_dir/slurmctld.log" >hints &&
	test $(wc -l <hints) -eq 4 && printable hints &&
	! grep -a "^forged line" "$slurm_dir/slurmctld.log"'

test_expect_success 'the user reads in AdminComment what was wrong' '
	admin_comment $job3 >found && printable found &&
	grep -F "hint is wrong: traffic mpi=0,5: a comma in a share" found &&
	admin_comment $job >found && printable found &&
	grep -F "hint is wrong: traffic class x?[31m?[2026-09-22T06:30:00.000]" found'

test_expect_success 'the decision log is JSON in UTF-8, and explain prints it' '
	/usr/bin/python3 -c "
import json, sys
said = [json.loads(line.decode()) for line in open(sys.argv[1], \"rb\")]
assert sum(\"hint_error\" in line for line in said) == 4
" "$place_dir/decisions" &&
	for id in $job $job2 $job3 $job4; do
		"$sfabric" explain $id --log "$place_dir/decisions" >out &&
		printable out && grep "hint is wrong" out || return 1
	done'

# -- what commands read of scontrol ------------------------------------------

# Records, and fields, that a user makes up: with --slurm no job shows them.
fake="JobId=4711 JobName=x
   UserId=root(0) GroupId=root(0) MCS_label=N/A
   Priority=1 Nice=0 Account=(null) QOS=(null)
   JobState=RUNNING Reason=None Dependency=(null)
   RunTime=00:00:02 TimeLimit=01:00:00 TimeMin=N/A
   SubmitTime=1700000000 EligibleTime=1700000000
   StartTime=1700000000 EndTime=1800000000 Deadline=N/A
   Partition=main AllocNode:Sid=host:1
   NodeList=n[1-30]
   NumNodes=30 NumCPUs=240 NumTasks=30
   OverSubscribe=NO Contiguous=0 Licenses=(null) Network=(null)
   Comment=sfabric:mpi=1
"
line="a
JobId=zzz
   NodeList=n[1-30] UserId=
JobId=1 UserId=0 NodeList=n[1-30]"
export fake line

# shown ID...: just these jobs run, and other commands have an answer, too
shown () {
	"$sfabric" show jobs --slurm -hP -o job >jobs 2>err &&
	printf "%s\n" "$@" | sort >expected && sort jobs | test_cmp expected - &&
	"$sfabric" place --slurm -N2 >out 2>>err && printable out err
}

test_expect_success 'no name or comment makes a record, or ends one' '
	place_cancel && honest=$(place_alloc -N2 -J honest) &&
	name=$(place_alloc -N2 -J "$fake") && shown $honest $name &&
	lines=$(place_alloc -N2 -J "$line") && shown $honest $name $lines &&
	note=$(place_alloc -N2 --comment="$(printf "x\n\n%s" "$fake")") &&
	both=$(place_alloc -N2 -J "$line" --comment="$fake") &&
	shown $honest $name $lines $note $both &&
	! grep "left out" err'

test_expect_success 'no text of a held job makes a record; the nodes of a job are its own' '
	held=$(slurm_submit -H -N1 -J "$fake" --comment="$line") &&
	path=$(slurm_submit -H -N1 -D / -o "$(printf "/tmp/a\n\n%s" "$fake")") &&
	shown $honest $name $lines $note $both &&
	"$sfabric" load --from "$(squeue -h -j $name -o %N)" --to io >expected &&
	"$sfabric" load --from job:$name --to io >out &&
	test_cmp expected out && scancel $held $path'

test_expect_success 'hints in comments of many lines are seen there, too' '
	hinted=$(place_alloc -N2 --comment="$(printf "a\nsfabric:mpi=0.21\nb")") &&
	"$sfabric" show jobs --slurm -hP -o job,traffic >jobs &&
	grep "$hinted.*mpi=0.21" jobs && place_cancel'

# -- the site's script ------------------------------------------------------

cat >"$place_dir/sfabric.lua" <<'END'
return { job = function(j)
	for i = 1, 40 do
		if glob(j.name, "*application" .. i .. "*") then
			return { traffic = "mpi=0.1" }
		end
	end
	while glob(j.name, "loop*") do end
	if j.name == "rule" then return { traffic = "mpi=0.2" } end
end }
END

# A file that changed two seconds ago is read twice, and users are counted from the
# last time on.
script_rests () {
	test $(($(date +%s) - $(stat -c %Z "$place_dir/sfabric.lua"))) -gt 2
}

# sends_is TRAFFIC OPTION...: what a job is taken to send
sends_is () {
	expected=$1 && shift &&
	asked=$(place_alloc -N2 "$@") && admin_comment $asked >found &&
	scancel $asked && grep " traffic=$expected " found
}

two_failed () {
	test $(grep -c "\"policy\":\"failed\"" "$place_dir/decisions") -eq 2
}

test_expect_success LUA 'the script is asked' '
	place_cancel && slurm_wait script_rests &&
	place_conf Mode=on DefaultTraffic=mpi=0.3 \
		"Policy=$place_dir/sfabric.lua" &&
	slurm_wait sends_is mpi=0.2 -J rule'

test_expect_success LUA 'long names, and jobs that it never ends with, are their own trouble' '
	long=$(printf "x%.0s" $(seq 1024)) &&
	sends_is mpi=0.3 -J "$long" && sends_is mpi=0.3 -J loop1 &&
	sends_is mpi=0.3 -J loop2 && sends_is mpi=0.2 -J rule &&
	! place_said "the script is no longer used" &&
	test $(place_said "a job of user $(id -u) is placed without the script") -eq 1 &&
	slurm_wait two_failed &&
	{ "$sfabric" check >out 2>err || test $? = 3; } &&
	grep "sfabric.lua had no answer for 2 of the last" err'

test_done
