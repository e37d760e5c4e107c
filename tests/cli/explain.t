#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# explain.t - decisions of a log: what is said of them, worked out again, refused
test_description='sfabric explain'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

# Jobs 11 to 14 run when 20 begins: 13 has given a node back, 14 rests, 15 ended.
# Job 21 was left to Slurm, 22 is elsewhere than a search found.
fingerprint=0x677cd16cb9d906ee
line () {
	printf '{"time":"2026-05-01T10:00:%02d.000Z","event":"%s","job":%s,%s}\n' \
		"$1" "$2" "$3" "$4"
}
facts="\"mode\":\"on\",\"reason\":\"placed\",\"fingerprint\":\"$fingerprint\",\"epoch\":1000000000"
{
	line 1 start 11 "\"running\":1,\"partition\":\"main\",\"n\":4,\"nodes\":\"n[0001-0004]\",\"traffic\":\"mpi=0.5\",$facts,\"cpus\":1"
	line 2 start 15 "\"running\":2,\"partition\":\"main\",\"n\":2,\"nodes\":\"n[0019-0020]\",\"traffic\":\"mpi=0.5\",$facts,\"cpus\":1"
	line 3 start 12 "\"running\":3,\"partition\":\"main\",\"n\":2,\"nodes\":\"n[0007-0008]\",\"traffic\":\"io-write=0.5\",$facts,\"cpus\":[1,0.5]"
	line 4 start 13 "\"running\":4,\"partition\":\"main\",\"n\":3,\"nodes\":\"n[0009-0010,0018]\",\"traffic\":\"mpi=0.5\",$facts,\"cpus\":1"
	line 5 end 15 '"running":3'
	line 6 shrink 13 '"running":3,"nodes":"n0018"'
	line 7 start 14 "\"running\":4,\"partition\":\"main\",\"n\":2,\"nodes\":\"n[0011,0016]\",\"traffic\":\"mpi=0.5\",$facts,\"cpus\":1"
	line 8 suspend 14 '"running":4'
	echo '{"time":"2026-05-01T10:00:08.500Z","event":"sta'
	line 9 start 20 "\"running\":5,\"partition\":\"main\",\"n\":3,\"nodes\":\"n[0005-0006,0016]\",\"traffic\":\"mpi=0.4+io-write=0.2\",$facts,\"cpus\":1,\"steps\":77,\"leaves\":3,\"score\":{\"total\":0.3375,\"terms\":{\"own\":0.1875,\"others\":0.15}},\"asked_cpus\":[1,1,0.5],\"free\":\"038d00\""
	line 10 start 21 "\"running\":6,\"partition\":\"debug\",\"n\":1,\"nodes\":\"n0017\",\"mode\":\"on\",\"reason\":\"future\",\"traffic\":\"mpi=0.5\",\"fingerprint\":\"0x0000000000000000\""
	line 11 start 22 "\"running\":7,\"partition\":\"main\",\"n\":2,\"nodes\":\"n[0013-0014]\",\"traffic\":\"mpi=0.4\",\"mode\":\"observe\",\"reason\":\"observe\",\"fingerprint\":\"$fingerprint\",\"cpus\":1,\"steps\":5,\"leaves\":1,\"score\":{\"total\":0.5,\"terms\":{\"later\":0.5}},\"asked_cpus\":1,\"free\":\"03f000\",\"chosen\":\"003000\""
	line 12 end 20 '"running":6'
	line 13 start 23 "\"running\":7,\"partition\":\"main\",\"n\":2,\"nodes\":\"n[0005-0006]\",\"traffic\":\"mpi=0.4\",\"mode\":\"on\",\"reason\":\"placed\",\"fingerprint\":\"0x1234\",\"score\":{\"total\":0.5,\"terms\":{\"own\":0.5}}"
	# port 5 of leaves 3 and 4: to each other by a spine of their own, by hand
	certificate="\"certificate\":{\"links\":4,\"running\":6,\"shared_links\":0,\"sharing\":0,\"jobs\":[],\"steps\":{\"alltoall\":{\"total\":1,\"looked\":1,\"conflicts\":0},\"allreduce\":{\"total\":1,\"looked\":1,\"conflicts\":0},\"ring\":{\"total\":1,\"looked\":1,\"conflicts\":0}}}"
	line 14 start 24 "\"running\":8,\"partition\":\"main\",\"n\":2,\"nodes\":\"n[0015,0020]\",\"traffic\":\"mpi=0.4\",$facts,\"cpus\":1,$certificate,\"steps\":77,\"leaves\":2,\"score\":{\"total\":1,\"terms\":{\"later\":1}},\"asked_cpus\":1,\"free\":\"008c48\""
	line 15 start 25 "\"running\":9,\"partition\":\"main\",\"n\":2,\"nodes\":\"n[0015,0020]\",\"traffic\":\"mpi=0.4\",\"mode\":\"on\",\"reason\":\"placed\",\"fingerprint\":\"0x0000000000000000\""
	line 16 end 25 '"running":8,"waits":true'
} >log

test_expect_success 'a snapshot' '
	import_small small.snap --io "n[0021-0024]" --io-capacity 2.5 &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT'

explain="$sfabric explain --log log"

test_expect_success 'as text and as JSON' '
	golden explain.txt $explain 20 2>warnings &&
	grep "skipped 1 unreadable lines of the log" warnings &&
	golden explain.json $explain 20 --json'

test_expect_success 'the score comes out again, and a wrong one is found' '
	golden explain-verify.txt $explain 20 --verify &&
	sed "s/\"others\":[0-9.]*/\"others\":0.9/" log >wrong &&
	test_expect_code 3 "$sfabric" explain --log wrong 20 --verify >out &&
	grep "^others  *0.900000 .* no" out && grep "a different score" out &&
	test_expect_code 3 "$sfabric" explain --log wrong 20 --verify --json >out &&
	grep "\"same\": false" out'

# changed EXPRESSION: explain finds a different certificate in the log as sed leaves it
changed () {
	sed "$1" log >wrong && ! cmp -s log wrong &&
	test_expect_code 3 "$sfabric" explain --log wrong 24 --verify >out 2>err &&
	grep "a different certificate" out && grep "the same score" out
}

test_expect_success 'the certificate comes out again' '
	$explain 24 --verify >out &&
	grep "^3 of 3 steps clear, shares no switch link with 6 running jobs at its start$" out &&
	grep "the same certificate" out &&
	$explain 24 --verify --json >out && grep "\"same\": true" out'

# what is certified is in the log, not in the conf of today
test_expect_success 'another MpiMix since' '
	echo "MpiMix=ring:1" >mix.conf &&
	$explain 24 --verify --conf mix.conf >out && grep "^3 of 3 steps" out &&
	grep "the same certificate" out && grep "allreduce.total *1 *1 *yes" out'

test_expect_success 'a changed certificate, or another node of a running job, is found' '
	changed "s/\"sharing\":0/\"sharing\":1/" && grep "sharing *1 *0 *no" out &&
	changed "s/\"running\":6,\"sh/\"running\":5,\"sh/" &&
	changed "s/\"jobs\":\[\]/\"jobs\":[12]/" && ! grep "\[12\]" out &&
	changed "s/\"allreduce\":{\"total\":1/\"allreduce\":{\"total\":2/" &&
	grep "allreduce.total *2 *1 *no" out &&
	changed "s/\"ring\":{[^}]*}/\"ring\":[7]/" &&
	changed "s/\"certificate\":{/\"certificate\":{\"fullest\":\"\\\\u001b[2J\",/" &&
	! LC_ALL=C grep "$(printf "\033")" out &&
	changed "s/\"certificate\":{.*}}},\"steps\"/\"certificate\":\"x\",\"steps\"/" &&
	sed "s/\"n\[0013-0014\]\"/\"n[0005,0020]\"/" log >wrong &&
	test_expect_code 3 "$sfabric" explain --log wrong 24 --verify >out &&
	grep "sharing *0 *1 *no" out && grep "shares 2 switch links with 1 of 6" out'

test_expect_success 'a log without steps, or without a certificate' '
	sed "s/,\"steps\":{\"alltoall.*\(},\"steps\"\)/\1/" log >less &&
	! cmp -s log less && "$sfabric" explain --log less 24 --verify >out &&
	grep "the same certificate" out && ! grep alltoall.total out &&
	sed "s/\"certificate\":{.*}}},\"steps\"/\"steps\"/" log >less &&
	"$sfabric" explain --log less 24 --verify >out &&
	grep "The log has no certificate" out &&
	"$sfabric" explain --log less 24 --verify --json >out &&
	grep "\"certificate\": null" out'

test_expect_success 'a job that named its pattern' '
	sed "s/mpi=0.4+io/alltoall=0.4+io/" log >named &&
	"$sfabric" explain --log named 20 >out &&
	grep "for alltoall=0.4+io-write=0.2 " out && grep "^sfabric .* alltoall " out'

test_expect_success 'other jobs are counted, named only if asked' '
	$explain 20 >out && grep "shares [1-9]" out && ! grep "shared with jobs* " out &&
	test "$(id -u)" != 0 || {
		$explain 20 --jobs >out && grep "shared with jobs* .*12" out
	}'

test_expect_success 'a job that Slurm placed' '
	golden explain-stock.txt $explain 21 &&
	refuse 1 "no snapshot was in use" $explain 21 --verify'

test_expect_success 'whether its nodes were to blame' '
	stock="\"stock\":{\"slowdown\":1.3},\"slowdown\":1.04,\"score\"" &&
	sed "s/\"score\"/$stock/" log >blamed &&
	"$sfabric" explain --log blamed 20 >out &&
	grep "^predicted at its start: 1.04 times .* fabric, on Slurm.s own nodes 1.30$" out &&
	"$sfabric" explain --log blamed 22 >out &&
	grep "^predicted at its start: 1.30 times .*, on the nodes that the search found 1.04$" out &&
	! grep "by name" out && sed "s/\"free\":/\"required\":\"030000\",&/" blamed >named &&
	"$sfabric" explain --log named 20 >out && grep "^2 of its nodes were .* by name (-w)" out &&
	$explain 20 >out && ! grep "^predicted" out'

# without a search the log has no free hosts: nothing else could have been chosen of them
test_expect_success 'no other choices where it is not known what was free' '
	sed "s/\"asked_cpus\":1,\"free\":\"008c48\"/\"waits\":false/" log >off &&
	"$sfabric" explain --log off 24 >out && grep "(what was free is not known, 7 jobs" out &&
	! grep -E "^(tree|random)" out && grep "^sfabric  *2" out &&
	"$sfabric" explain --log off 24 --json >out && grep "alternatives" out &&
	! grep "\"name\": \"tree\"" out'

test_expect_success 'running jobs that began without a snapshot' '
	sed "/\"job\":1[12],/s/\"traffic\":\"[^\"]*\"/\"traffic\":null/" log >mute &&
	"$sfabric" explain --log mute 20 >out 2>warnings &&
	grep "counted 2 running jobs as sending nothing" warnings &&
	$explain 20 >out 2>warnings && ! grep "sending nothing" warnings'

# 16 had nodes that 20 gets, 17 one that was free: slurmctld was down when they ended
test_expect_success 'jobs that ended without a line are left out' '
	{
		line 0 start 16 "\"running\":1,\"n\":2,\"nodes\":\"n[0005-0006]\",\"traffic\":\"mpi=0.9\",$facts,\"cpus\":1" &&
		line 0 start 17 "\"running\":2,\"n\":2,\"nodes\":\"n[0013,0021]\",\"traffic\":\"mpi=0.9\",$facts,\"cpus\":1" &&
		cat log
	} >killed &&
	"$sfabric" explain --log killed 20 --verify >out 2>warnings &&
	grep "the same score" out && grep "4 other jobs ran" out &&
	grep "left out 2 jobs that have no end in the log" warnings &&
	! grep "according to" warnings'

test_expect_success 'without such a proof, or where the plugin counted them, they run' '
	{
		line 0 start 18 "\"running\":1,\"n\":1,\"nodes\":\"n0019\",\"traffic\":\"mpi=0.9\",$facts,\"cpus\":1" &&
		cat log
	} >killed &&
	"$sfabric" explain --log killed 20 >out 2>warnings &&
	grep "5 jobs were running according to the log, 4 according" warnings &&
	{
		line 0 start 16 "\"running\":1,\"n\":1,\"nodes\":\"n0005\",\"traffic\":\"mpi=0.9\",$facts,\"cpus\":1" &&
		sed "/start.*job\":20/s/\"running\":5/\"running\":6/" log
	} >shared &&
	"$sfabric" explain --log shared 20 >out 2>warnings &&
	grep "(6 hosts free, 5 jobs running" out && ! grep "left out" warnings'

test_expect_success 'a job that waits again: nodes were chosen, nothing more is known' '
	$explain 25 >out && ! grep "placed\|began" out &&
	grep "^job 25: its nodes were chosen by their routes\$" out &&
	grep "^requeued, or never started; waits since 2026-05-01T10:00:16" out &&
	$explain 25 --json >out && grep "\"waits_since\": \"2026-05-01T10:00:16" out &&
	sed "/job.:25/d" log >twice && grep "job.:25" log | head -n 2 >>twice &&
	grep "event.:.start.,.job.:25" log >>twice &&
	"$sfabric" explain --log twice 25 >out && ! grep "waits since" out &&
	grep "^job 25: placed by its routes" out'

test_expect_success 'a job that is elsewhere: the nodes that were found' '
	$explain 22 --json >out && grep "\"ran_on\": \"n\[0013-0014\]\"" out &&
	$explain 22 --verify >out && grep "^  n\[0009-0010\]" out'

test_expect_success 'another snapshot' '
	$explain 23 >out 2>warnings && grep "not that of the decision" warnings &&
	refuse 1 "expected 0x0000000000001234" $explain 23 --verify'

test_expect_success 'what is wrong is said' '
	refuse 1 "no decision for job 99 in" $explain 99 &&
	refuse 1 "No such file or directory (AdminComment" "$sfabric" explain --log none 20 &&
	refuse 1 "no DecisionLog" "$sfabric" explain 20 &&
	refuse 2 "one job id" $explain x &&
	refuse 2 "one job id" $explain 20 21 &&
	refuse 2 "no JOBID" "$sfabric" explain'

test_done
