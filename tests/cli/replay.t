#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# replay.t - logs and the model of jobs, played on a small fabric
test_description='sfabric replay'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

test_expect_success 'a snapshot, a log' '
	import_small small.snap --io "n[0021-0024]" --io-capacity 2.5 &&
	import_small no-io.snap &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT &&
	awk "BEGIN {
		print \"Submit|ElapsedRaw|NNodes\"
		for (i = 0; i < 100; i++)
			printf \"2026-01-01T%02d:%02d:%02d|%d|%d\n\",
				70 * i / 3600, 70 * i % 3600 / 60, 70 * i % 60,
				100 + 37 * i % 900, 1 + 7 * i % 11
	}" >log.sacct'

log='log.sacct --machine 20'
fields=policy,class,jobs,wait_s_mean,own_mean,between_mean,total_mean,total_p95
fields=$fields,wait_vs,between_vs,total_vs

test_expect_success 'a log under three policies' '
	golden replay.txt "$sfabric" replay $log --load-factor 1.5 \
		--policy tree,contiguous,random -o $fields'

test_expect_success 'gzipped or not, or standard input' '
	gzip -k log.sacct &&
	"$sfabric" replay $log --policy tree -o $fields >expected &&
	for file in log.sacct.gz -; do
		"$sfabric" replay $file --machine 20 --policy tree -o $fields \
			<log.sacct >actual && test_cmp expected actual || return 1
	done'

test_expect_success 'a row of sacct that cannot be right is left out' '
	sed "5s/$/\n@x@\n1|2|3|4|5/" log.sacct >odd.sacct && cmp=$(wc -l <odd.sacct) &&
	test $cmp = $(($(wc -l <log.sacct) + 2)) &&
	"$sfabric" replay $log --policy tree -o $fields >expected &&
	"$sfabric" replay odd.sacct --machine 20 --policy tree -o $fields >actual 2>err &&
	test_cmp expected actual && cat err && test $(wc -l <err) = 1 &&
	grep "odd.sacct:6: 1 fields (expected 3): left out (rows: 2)" err &&
	sed "s/|/@7a@/g" log.sacct >at.sacct &&
	"$sfabric" replay at.sacct --machine 20 --policy tree -o $fields >actual &&
	test_cmp expected actual'

test_expect_success 'the same seed gives the same answer, another one another' '
	for seed in 4 4 5; do
		"$sfabric" replay --jobs 200 --load-factor 1 --seeds $seed -o $fields || return 1
	done >both &&
	lines=$(($(wc -l <both) / 3)) &&
	split -l $lines both part. &&
	test_cmp part.aa part.ab && ! cmp part.aa part.ac'

test_expect_success 'run times that do not stretch: all policies wait alike' '
	"$sfabric" replay $log --stretch none --load-factor 2 -h \
		-o wait_s_mean,wait_s_p95,wait_s_max >waits &&
	test $(sort -u waits | wc -l) = 3'

# A job that sends nothing loses nothing.
test_expect_success 'what jobs lose, by seed, and run times stretched by it' '
	for by in lockstep loss none; do
		"$sfabric" replay $log --stretch $by --load-factor 2 --seeds 1-3 \
			--mix 3:mpi=0.5+io-write=0.2,1:off --policy tree,random --json >$by ||
			return 1
	done &&
	/usr/bin/python3 -c "
import json
data = {by: json.load(open(by))[\"data\"] for by in (\"lockstep\", \"loss\", \"none\")}
runs = data[\"none\"][\"runs\"]
tree = {(r[\"seed\"], r[\"class\"]): r for r in runs if r[\"policy\"] == \"tree\"}
for r in runs:
    of = tree[r[\"seed\"], r[\"class\"]]
    assert abs(r[\"loss\"] - r[\"loss_alone\"] - r[\"loss_beside\"]) < 1e-6, r
    assert r[\"loss\"] >= r[\"loss_io\"] >= 0, r
    assert (r[\"loss\"] == 0) == (r[\"class\"] == \"off\"), r
    assert r[\"turnaround_s_mean\"] == of[\"turnaround_s_mean\"]
    if r is not of and of[\"loss\"]:
        assert abs(r[\"loss_vs\"] - r[\"loss\"] / of[\"loss\"]) < 1e-6
time = {by: data[by][\"results\"][0][\"turnaround_s_mean\"] for by in data}
assert time[\"loss\"] > time[\"none\"], time
assert time[\"loss\"] != time[\"lockstep\"], time" &&
	"$sfabric" replay $log --load-factor 2 --steps 0 --policy tree -h -o loss >no-loss &&
	test "$(sort -u no-loss | tr -d " ")" = - &&
	refuse 2 "expected lockstep|loss|none" "$sfabric" replay $log --stretch yes'

test_expect_success 'the utilization that was asked for' '
	"$sfabric" replay --jobs 400 --utilization 0.8 --policy tree -h -P \
		-o class,utilization >all &&
	awk -F"|" "/^all/ { exit !(\$2 > 0.78 && \$2 < 0.82) }" all'

test_expect_success 'few jobs that cannot fill the machine are played all the same' '
	refuse 0 "utilization 0.990 cannot be reached with 20 jobs of 2 seeds" \
		"$sfabric" replay --jobs 20 --utilization 0.99 --policy tree,sfabric \
		--seeds 1-2 && grep "^sfabric" refuse.out'

# the least and the most are those of the seeds by themselves
test_expect_success 'four seeds unless told, and their spread beside the mean' '
	"$sfabric" replay --jobs 60 --load-factor 1 --policy tree,random --json >four &&
	/usr/bin/python3 -c "
import json
data = json.load(open(\"four\"))[\"data\"]
assert data[\"workload\"][\"seeds\"] == [1, 2, 3, 4]
for row in data[\"results\"]:
    of = [r[\"total_vs\"] for r in data[\"runs\"] if r[\"total_vs\"] is not None
          and (r[\"policy\"], r[\"class\"]) == (row[\"policy\"], row[\"class\"])]
    if row[\"policy\"] == \"tree\":
        assert row[\"total_vs_min\"] is None
    elif of:
        assert abs(row[\"total_vs_min\"] - min(of)) < 1e-6, (row, of)
        assert abs(row[\"total_vs_max\"] - max(of)) < 1e-6" &&
	"$sfabric" replay --jobs 60 --load-factor 1 --policy tree,random \
		>table && grep TOTAL_VS_MIN table &&
	"$sfabric" replay --jobs 60 --load-factor 1 --policy tree,random \
		--seeds 3 >table && ! grep LEAST table'

test_expect_success 'the table has the means of all seeds' '
	"$sfabric" replay --jobs 100 --load-factor 1 --seeds 1-4 \
		--policy tree --json >answer.json &&
	/usr/bin/python3 -c "
import json
data = json.load(open(\"answer.json\"))[\"data\"]
assert data[\"workload\"][\"seeds\"] == [1, 2, 3, 4]
rows = [r[\"total_mean\"] for r in data[\"runs\"] if r[\"class\"] == \"all\"]
mean = [r[\"total_mean\"] for r in data[\"results\"] if r[\"class\"] == \"all\"]
assert len(rows) == 4 and abs(sum(rows) / 4 - mean[0]) < 1e-6
"'

test_expect_success 'every class of traffic, hints that are missing' '
	mix=1:mpi,1:neighbor,1:io-write=0.3,1:io-read,1:mpi+io-write,1:off &&
	for hints in "--hints all" "--hints none"; do
		"$sfabric" replay --jobs 120 --load-factor 1 --mix $mix $hints \
			--policy tree,sfabric -h -P -o policy,class >rows &&
		printf "tree|%s\n" all mpi neighbor io-write io-read mixed off |
			sed p | sed "n; s/tree/sfabric/" | sort >expected &&
		sort rows >actual && test_cmp expected actual || return 1
	done'

# The first eight jobs that reach a limit; after them nobody is asked any more.
test_expect_success 'without a script that reaches a limit a replay goes on' '
	printf "return { job = function(j)\nif j.nodes > 8 then while true do end end end }" \
		>slow.lua &&
	echo "Policy=\"$PWD/slow.lua\"" >slow.conf && : >no.conf &&
	for conf in slow no; do
		"$sfabric" replay $log --load-factor 1 --seeds 1-2 --policy tree,sfabric \
			--conf $conf.conf -h -P -o policy,class,jobs,own_mean \
			>$conf.out 2>$conf.err || return 1
	done &&
	test_cmp no.out slow.out && ! grep script no.err &&
	grep "slow.lua:2: more than .*: [1-9][0-9]* of 200 jobs were placed without the script" slow.err &&
	test $(grep -c "slow.lua" slow.err) -eq 1'

test_expect_success 'what jobs lose: judged at all starts, at some, at none' '
	for n in 1000 30 0; do
		"$sfabric" replay $log --policy contiguous --load-factor 1 --seeds 1 \
			--steps $n -h -P -o class,jobs,loss,loss_alone |
			grep "^all" >lost.$n || return 1
	done &&
	awk -F"|" "{ exit !(\$3 > 0 && \$4 > 0 && \$4 < \$3) }" lost.1000 &&
	! cmp -s lost.1000 lost.30 && grep "|.*||$" lost.0 &&
	"$sfabric" replay $log --policy tree,random --load-factor 1 --seeds 1 >table &&
	grep LOSS_VS table &&
	"$sfabric" replay $log --policy tree,random --load-factor 1 --seeds 1 \
		--steps 0 >table && ! grep LOSS table'

# log.sacct fills the machine; jobs at random hosts have much to gain
test_expect_success 'ranks: at random slower than by name, as found not slower' '
	options="--policy random --load-factor 1 --seeds 1 --mix 1:mpi=1" &&
	for ranks in name leaf found random; do
		"$sfabric" replay $log $options --ranks $ranks -h -P \
			-o class,loss_alone | grep ^all >ranks.$ranks || return 1
	done &&
	"$sfabric" replay $log $options -h -P -o class,loss_alone |
		grep ^all >ranks.default && test_cmp ranks.name ranks.default &&
	cat ranks.* &&
	awk -F"|" "{ s[FILENAME] = \$2 }
		END { exit !(s[\"ranks.random\"] > s[\"ranks.name\"] &&
			s[\"ranks.found\"] < s[\"ranks.name\"] &&
			s[\"ranks.found\"] <= s[\"ranks.leaf\"]) }" ranks.* &&
	test_expect_code 2 "$sfabric" replay $log --ranks leafs 2>err &&
	grep "ranks .leafs. (did you mean .leaf.?) (expected name|leaf|found|random" err
'

test_expect_success 'what cannot be' '
	refuse 1 "no IO set" "$sfabric" replay --snapshot no-io.snap \
		--mix 1:io-write &&
	refuse 1 "none.sacct: cannot open" "$sfabric" replay none.sacct &&
	sed 1d log.sacct >bare && refuse 1 "bare:1: no column Submit" "$sfabric" replay bare &&
	printf "%s\n" "Submit|ElapsedRaw|NNodes" "2026-01-01T00:00:00|9|1" \
		"2026-01-01T00:00:00|9|1" >once &&
	refuse 1 "all jobs arrive at once" "$sfabric" replay once &&
	"$sfabric" replay once --load-factor 1'

test_expect_success 'wrong command lines' '
	refuse 2 "unknown policy" "$sfabric" replay --policy tree,best &&
	refuse 2 "twice" "$sfabric" replay --policy tree,tree &&
	refuse 2 "utilization" "$sfabric" replay --utilization 2 &&
	refuse 2 "not both" "$sfabric" replay --utilization 0.9 --load-factor 2 &&
	refuse 2 "for a TRACE" "$sfabric" replay --machine 9 &&
	refuse 2 "seeds" "$sfabric" replay --seeds 5-1 &&
	refuse 2 "seeds" "$sfabric" replay --seeds 1-65 &&
	refuse 2 "seeds" "$sfabric" replay --seeds x &&
	refuse 2 "hints" "$sfabric" replay --hints some &&
	refuse 2 "one TRACE" "$sfabric" replay log.sacct log.sacct &&
	for mix in "" mpi x:mpi 0:mpi 1:mpu 1:mpi,,1:off -1:mpi; do
		refuse 1 sfabric: "$sfabric" replay --mix "$mix" || return 1
	done'

# The columns and the form of times as two public readers of the data set describe them;
# the data are not here.
test_expect_success 'the log of Lingjun by the script of the man page' '
	sed -n "/^import csv/,/^\`\`\`/p" "$SFAB_SRCDIR/doc/sfabric-replay.1.scd" |
		sed "\$d" >lingjun.py &&
	{
		echo "id,job_name,model,gmt_job_submitted,gmt_job_running,gmt_job_finished,gmt_job_stopped"
		echo "1,a,gpt-7B,2023/7/15 02:19,2023/7/15 02:21,2023/7/15 12:21,"
		echo "2,b,rl,2023/7/15 02:20,,2023/7/15 02:30,"
		echo "3,c,llama,2023/7/15 02:23,2023/7/15 02:23,,2023/7/16 02:24"
	} >job.csv &&
	{
		echo "job_name,worker_name,replica_type,host_ip,RES"
		for host in x y; do
			for k in 0 1; do
				printf "%s\n" "a,a-$host$k,worker,$host,\"{\"\"cpu\"\": 8, \"\"gpu\"\": 4}\""
			done
		done
		printf "%s,1,worker,z,\n" b c
	} >worker.csv &&
	/usr/bin/python3 lingjun.py >lingjun &&
	cat >expected <<-\EOF &&
	Submit|ElapsedRaw|NNodes
	2023-07-15T02:19:00|36000|2
	2023-07-15T02:23:00|86460|1
	EOF
	test_cmp expected lingjun &&
	"$sfabric" replay lingjun --policy tree --load-factor 1 --jobs 2 --seeds 1 \
		-hP -o class,jobs >jobs && cat jobs && grep "^all|2$" jobs'

traces=$SFAB_SRCDIR/../shared/traces
test -e "$traces/ccr-phillips.sacct" && test_set_prereq TRACES

test_expect_success TRACES 'a log of a cluster' '
	{
		printf "JobID|JobIDRaw|Cluster|Partition|QOS|Account|Group|GID|User|UID|"
		printf "Submit|Eligible|Start|End|Elapsed|ExitCode|State|NNodes|"
		echo "NCPUS|ReqCPUS|ReqMem|ReqTRES|AllocTRES|Timelimit|NodeList|JobName"
		cat $traces/ccr-phillips.sacct
	} >cluster.sacct &&
	"$sfabric" replay cluster.sacct --policy tree --load-factor 1 --jobs 500 --json \
		>answer.json &&
	grep "\"jobs\": *500" answer.json'

test_done
