#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sacct.t - what Slurm's accounting counts of a real job, as sfabric learn --sacct reads it
#
# acct_gather_interconnect/sysfs counts the packets of lo here, and writes them as bytes.
# Each task of a step counts all of its node.  Needs a slurmdbd and a MariaDB, which run
# here for the test alone.
test_description='traffic counted by slurmd, slurmdbd and MariaDB'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"
. "$SFAB_SRCDIR/tests/slurm/accounting.sh"

# What the counting needs; nothing when all is there.
sacct_missing () {
	slurm_missing
	accounting_missing
	test -f "$(slurm_stock_plugins)/acct_gather_interconnect_sysfs.so" ||
		echo "Slurm has no acct_gather_interconnect/sysfs"
	test -r /sys/class/net/lo/statistics/tx_packets || echo "no counters of lo in /sys"
}
sacct_stop () {
	slurm_stop
	accounting_stop
	rm -rf "$place_dir"
}

skip_all=$(sacct_missing | head -n 1)
at_exit sacct_stop
test -z "$skip_all" || test_done

history=$place_dir/history
fields=JobIDRaw,UID,Account,Partition,NNodes,NTasks,ElapsedRaw,End,TRESUsageInTot,TRESUsageOutTot,JobName
PACKETS=3000			# that each of two tasks sends, with 8,000 bytes each
SFABRIC_SNAPSHOT=$place_dir/fabric.snap && export SFABRIC_SNAPSHOT

# It sends its packets to itself, and stays until the test has seen them.
cat >"$place_dir/sender" <<END
#!/usr/bin/python3
import os, socket, time
to = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
to.bind(("127.0.0.1", 0))
for i in range($PACKETS):
    to.sendto(bytes(8000), to.getsockname())
    to.recv(9000)
while not os.path.exists("$place_dir/seen"):
    time.sleep(0.05)
END
chmod +x "$place_dir/sender"

counter () {
	cat /sys/class/net/lo/statistics/tx_$1
}
# tres COLUMN: ic/sysfs in what is read, a line a step
tres () {
	sed -n "s|.*ic/sysfs=\([0-9]*\).*|\1|p"
}
# running: slurmd has counted the packets of both tasks
running () {
	sstat -nP --noconvert -j $job.0 -o TRESUsageOutTot >now 2>/dev/null &&
	test "$(tres <now)" -ge $((4 * PACKETS)) 2>/dev/null
}
# rows: of the job, as sfabric asks for them
rows () {
	sacct -aP --noconvert -S now-1days -j $job -o $fields >rows &&
	cat rows
}
# counted: all of it is in the database
counted () {
	rows | grep "^$job|.*|sender_7$" | grep -v "|Unknown|" &&
	grep "^$job\.0|" rows | grep -q "ic/sysfs=.*ic/sysfs="
}

test_expect_success 'a database, slurmdbd and a cluster that counts packets' '
	echo SysfsInterfaces=lo >"$place_dir/acct_gather.conf" && place_snapshot &&
	accounting_start && SLURM_BESIDE=$place_dir/acct_gather.conf &&
	SLURM_EXTRA="$(accounting_conf)
AccountingStorageTRES=ic/sysfs
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
AcctGatherInterconnectType=acct_gather_interconnect/sysfs" &&
	slurm_start sacct "n[1-2]"'

test_expect_success 'a job of two tasks sends packets' '
	before=$(counter packets) bytes=$(counter bytes) &&
	job=$(slurm_submit -J sender_7 -N1 -n2 --wrap "srun -n2 --overlap $place_dir/sender") &&
	slurm_wait running && : >"$place_dir/seen" &&
	slurm_wait_job $job COMPLETED && slurm_wait counted &&
	passed=$(($(counter packets) - before)) bytes=$(($(counter bytes) - bytes))'

# Each task counts what both sent, and whatever else went over lo meanwhile: once on 22.05,
# twice on 24.11.
test_expect_success 'ic/sysfs are packets, of the node, once for each task' '
	grep "^$job\.0|" rows | cut -d"|" -f6,10 >step && cat step &&
	test "$(cut -d"|" -f1 step)" = 2 && sent=$(tres <step) &&
	times=1 && { ! slurm_at_least 24 11 || times=2; } &&
	echo "$sent of $passed packets, $bytes bytes" &&
	test $sent -ge $((4 * PACKETS)) && test $sent -le $((2 * times * passed)) &&
	test $bytes -ge $((2 * PACKETS * 8000)) && test $sent -lt $bytes'

test_expect_success 'sfabric asks sacct, and learns nothing from packets' '
	"$sfabric" learn --sacct --history "$history" >out 2>err; cat out err &&
	grep "^0 runs added;" out && grep "1 jobs have only ic/sysfs, which counts packets" err &&
	"$sfabric" learn show --history "$history" -hP -o key >out && test ! -s out'

# as_bytes TASKS: the same job, had it run 100 s, its plugin been ofed, and the step of
# TASKS tasks counted half of what a port carries (4 GB/s), to a hundredth.  Where the job
# lasts over a second the batch step counts, too, once for each of its processes.
as_bytes () {
	awk -F"|" -v OFS="|" -v tasks=$1 -v sent=$sent '
		function larger(x,  at) {
			at = index(x, "ic/sysfs=")
			return at ? sprintf("ic/ofed=%.0f", 2e9 * int(100 * substr(x, at + 9) / sent + 0.5)) : x
		}
		NR > 1 { $7 = 100 }
		$1 ~ /\.0$/ { $9 = larger($9); $10 = larger($10) }
		$6 == 2 { $6 = tasks }
		{ print }' rows
}
# learns TASKS SHARE: that is a run of mpi, of that share
learns () {
	as_bytes $1 >ofed && cat ofed &&
	"$sfabric" learn --sacct=- --history "$history.$1" <ofed >out && cat out &&
	grep "^1 runs added;" out &&
	"$sfabric" learn show --history "$history.$1" -hP -o key,name,nodes,traffic >out &&
	cat out && grep "^user+name+nodes|sender|1|mpi=$2\$" out
}
test_expect_success 'the same rows with ic/ofed are a run of mpi, by what one task counted' '
	learns 1 0.5 && learns 2 0.25'

# A name that is a row of another user's job, and one that breaks a row.
forged="901|1001|victims|main|16||3600|$(date +%FT%T)|fs/lustre=9999999999999,ic/ofed=9999999999999|fs/lustre=9999999999999,ic/ofed=9999999999999|cfd"
test_expect_success 'names of jobs with rows and lines in them' '
	slurm_submit -J "x
$forged" -N1 --wrap true && slurm_submit -J "two
lines" -N1 --wrap true && slurm_submit -J last -N1 --dependency=singleton --wrap true &&
	all_ended () { test "$(sacct -anXP -S now-1days -o State | grep -c COMPLETED)" = 4; } &&
	slurm_wait all_ended &&
	sacct -aP --noconvert -S now-1days -o $fields >rows && cat rows &&
	grep "^901|1001|victims|" rows && grep "^lines$" rows'
test_expect_success 'sfabric asks sacct so that no name is a row' '
	"$sfabric" learn --sacct --history forged --json >out 2>err; cat out err &&
	! grep "left out (rows\|bars" err && grep "\"added\": *0" out && grep "\"left_out\": *4" out &&
	"$sfabric" learn show --history forged -hP -o account >out && ! grep victims out'
test_expect_success 'a file is believed, with a warning, unless its delimiter is a secret' '
	"$sfabric" learn --sacct=rows --history believed >out 2>err; cat out err &&
	grep "^1 runs added" out && grep "rows:[0-9]*: .*: left out (rows: " err &&
	grep "warning: rows: names of jobs may hold bars and newlines" err &&
	sacct -aP --noconvert --delimiter=@$(od -An -N8 -tx8 /dev/urandom | tr -d " ")@ \
		-S now-1days -o $fields >safe && cat safe &&
	"$sfabric" learn --sacct=safe --history safe.history >out 2>err; cat out err &&
	grep "^0 runs added" out && grep "safe:[0-9]*: .*: left out (rows: " err &&
	! grep bars err'
test_done
