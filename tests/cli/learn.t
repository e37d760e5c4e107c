#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# learn.t - what jobs send is found out from counters that are as the routes say
test_description='sfabric learn'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"
. "$SFAB_SRCDIR/tests/cli/counted.sh"

test_expect_success 'a snapshot, and jobs that say what they send' '
	import_small small.snap --io "n[0021-0024]" &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT &&
	echo "11 n[0001-0003,0007,0013] io-write=0.4" >jobs &&
	echo "12 n[0004,0008-0009,0014] mpi=0.3" >>jobs &&
	echo "13 n[0005-0006,0010,0015-0016] io-read=0.25" >>jobs &&
	sed "s/ [^ ]*$//" jobs >untold'

test_expect_success 'what jobs send is found out without being told' '
	counted jobs &&
	"$sfabric" learn --jobs untold --counters some.snap -hP -o job,traffic,fits >found &&
	printf "%s\n" "11|io-write=0.833|yes" "12|mpi=0.361|yes" "13|io-read=0.312|yes" >expected &&
	test_cmp expected found'

test_expect_success 'text and JSON' '
	"$sfabric" learn --jobs untold --counters some.snap >out && cat out &&
	grep -q "^JOB  *TRAFFIC" out &&
	"$sfabric" learn --jobs untold --counters some.snap --json >answer &&
	test "$("$field" data.jobs.0.traffic <answer)" = io-write=0.833'

test_expect_success 'counters that are old, of nothing, or not there' '
	counted jobs age=400 &&
	test_must_fail "$sfabric" learn --jobs untold --counters some.snap 2>err &&
	grep -q "some.snap: no port has a rate of the last 300 s" err &&
	test $(wc -l <err) = 1 &&
	"$counters" other.snap 0x1:1:xmit=1e9 &&
	test_must_fail "$sfabric" learn --jobs untold --counters other.snap 2>err &&
	grep -q "none of its ports is in the snapshot" err &&
	test_must_fail "$sfabric" learn --jobs untold --counters none.snap 2>err &&
	grep -q none.snap err'

test_expect_success 'counters that were reset: unknown, not 0' '
	counted jobs flags=1 &&
	test_must_fail "$sfabric" learn --jobs untold --counters some.snap 2>err &&
	grep -q "some.snap: no port has a rate" err && counted jobs &&
	sed "1~4s/$/:flags=1/" rows >some && "$counters" some.snap $(cat some) &&
	"$sfabric" learn --jobs untold --counters some.snap -hP -o job,traffic >found &&
	printf "%s\n" "11|io-write=0.833" "12|mpi=0.361" "13|io-read=0.312" >expected &&
	test_cmp expected found'

# follows OPTION...: the service, until it has written $1
follows () {
	rm -f traffic
	follows_on "$@"
}
follows_on () {
	"$sfabric" learn --follow --jobs untold --counters "$PWD/some.snap" --found traffic \
		--history "$PWD/hist" "$@" 2>err &
	follower=$!
}
ends () {
	kill -TERM $follower && wait $follower
}
found () {
	soon test -e traffic
}
is_whole () {
	test $(wc -c <traffic) -ge $(wc -c <good)
}
said () {
	soon grep -q "$1" err || { cat err; false; }
}

test_expect_success 'the service writes what it finds' '
	counted jobs && (umask 0 && follows && found && ends) && cat err &&
	test ! -s err'
test_expect_success 'which others may not read: PrivateData may hide jobs' '
	test $(stat -c %a traffic) = 640 && test $(stat -c %u traffic) = $(id -u)'

test_expect_success 'a damaged history is set aside, said once, and nothing is lost' '
	echo SFABHIST-and-no-more >hist && cp hist damaged &&
	follows && found && ends &&
	grep -q "hist: set aside as .*: not a history" err && test $(wc -l <err) = 1 &&
	test_cmp damaged hist.[0-9]*'

test_expect_success 'the service lives through bad counters' '
	echo bad >some.snap && follows && said "not a file of counters" &&
	counted jobs && found && said "learning again" && ends &&
	test $(wc -l <err) = 2'

test_expect_success 'no history yet' '
	test_must_fail "$sfabric" learn show --history none 2>err && grep -q "^sfabric: none" err'

sacct_rows () {
	echo "JobIDRaw|UID|Account|Partition|NNodes|ElapsedRaw|End|TRESUsageInTot|TRESUsageOutTot|JobName"
	for i in 1 2 3; do
		echo "$i|1000|acc|main|4|1000|$(date +%s)|||write_$i"
		echo "$i.0||acc||4|1000||ic/ofed=8000000000|ic/ofed=9608000000000|a.out"
	done
	echo "4|1000|acc|main|4|10|$(date +%s)|||write_4"
	echo "5|1000|acc|main|4|1000|$(date +%s)|ic/sysfs=9|ic/sysfs=9|write_5"
}
# asides NAME WHY: the service sets the history NAME aside, says why, and goes on
asides () {
	cp $1 hist && rm -f hist.[0-9]* && follows && found && ends && cat err &&
	grep "hist: set aside as .*: $2" err && test $(wc -l <err) = 1 &&
	test_cmp $1 hist.[0-9]*
}
test_expect_success 'a history that was cut, or is of another fabric: the same' '
	sacct_rows >rows && "$sfabric" learn --sacct=rows --history whole 2>/dev/null &&
	head -c 1000 whole >cut && asides cut "1000 bytes" &&
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" other.snap 4 4 4 2 x &&
	"$sfabric" learn --snapshot other.snap --sacct=rows --history of_other 2>/dev/null &&
	asides of_other "it is of another fabric"'
test_expect_success 'sacct adds nothing to one of another fabric, which stays as it is' '
	cp of_other hist && rm -f hist.[0-9]* &&
	"$sfabric" learn --sacct=rows --history hist 2>err >out && cat err out &&
	grep "hist: set aside as .*: it is of another fabric" err &&
	test_cmp of_other hist.[0-9]*'
test_expect_success 'a damaged traffic.snap: said once, and the next sample replaces it' '
	rm -f hist && follows && found && ends && cp traffic good &&
	head -c 70 good >traffic && follows_on && soon is_whole && ends && cat err &&
	grep "^sfabric: traffic: " err && test $(wc -l <err) = 1'

test_expect_success 'runs of sacct: a writer is learned' '
	sacct_rows >rows && "$sfabric" learn --sacct=rows --history hist.sacct >out 2>err &&
	grep "3 runs added; left out: 0 not ended, 1 shorter than 60 s, 1 without ic/ofed, 0 added before" out &&
	grep "1 jobs have only ic/sysfs, which counts packets" err &&
	"$sfabric" learn show --history hist.sacct -hP -o key,name,traffic,runs,trusted >out &&
	cat out && grep "^user+name|write|io-write=0.[0-9]*|3|yes" out &&
	grep "^partition||io-write=0.[0-9]*|3|no" out'
test_expect_success 'the same output again: each run counts once' '
	"$sfabric" learn --sacct=rows --history hist.sacct >out &&
	grep "^0 runs added; .* 3 added before" out &&
	"$sfabric" learn show --history hist.sacct -hP -o key,runs >out &&
	grep "^user+name|3$" out &&
	"$sfabric" learn forget --all --history hist.sacct &&
	"$sfabric" learn --sacct=rows --history hist.sacct | grep "^3 runs added"'
test_expect_success 'rows that users forge by newlines in names' '
	sacct_rows | sed "s/write_3$/two\nlines/" >rows.two &&
	"$sfabric" learn --sacct=rows.two --history hist.two >out 2>err && cat out err &&
	grep "^3 runs added" out && grep "rows.two:7: 1 fields (expected 10): left out (rows: 1)" err &&
	grep "rows.two: names of jobs may hold .*--delimiter=@RANDOM@" err &&
	sacct_rows | sed "s/|/@5d1f@/g; s/write_3$/x\n9|0|root|main|4|1000|1|||y/" >rows.safe &&
	"$sfabric" learn --sacct=rows.safe --history hist.safe >out 2>err && cat out err &&
	grep "^3 runs added" out && ! grep RANDOM err &&
	"$sfabric" learn show --history hist.safe -hP -o user >out && ! grep "root\|^0$" out'
test_expect_success 'wrong output of sacct: one line, no history' '
	echo "JobID|State" >bad &&
	test_must_fail "$sfabric" learn --sacct=bad --history hist.bad 2>err &&
	grep "^sfabric: bad:1: " err && test $(wc -l <err) = 1 && test ! -e hist.bad'

test_expect_success 'wrong words' '
	for words in "shw" "show forget" "forget" "forget --all --name x" "show --all" \
		"--follow show" "forget --nodes 0 --name x" "--sacct=x show" \
		"--sacct=x --follow"; do
		test_expect_code 2 "$sfabric" learn $words 2>err || return 1
		test -s err || return 1
	done'

test_done
