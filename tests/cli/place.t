#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# place.t - previews: who is chosen, what is said of it, what is refused
test_description='sfabric place and predict'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

cat >jobs <<EOF
# two jobs
11 n[0001-0004] mpi=0.5

12 n[0007-0008] io-write=0.5	# writes
EOF

test_expect_success 'a snapshot' '
	import_small small.snap --io "n[0021-0024]" --io-capacity 2.5 &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT'

# no more hosts than wanted: the words are tested, not the search
test_expect_success 'an empty machine' '
	golden place.txt "$sfabric" place -N 6 --available "n[0001-0003,0006-0008]" \
		--traffic io-write=0.5 &&
	golden place.json "$sfabric" place -N 3 --available "n[0001-0002,0006]" \
		--traffic io-write=0.5 --json'

test_expect_success 'among running jobs, two classes' '
	golden place-jobs.txt "$sfabric" place -N 8 --jobs jobs \
		--available "n[0005-0006,0011-0016]" \
		--traffic mpi=0.3+io-write=0.3'

# By hand: servers take 10 GB/s.  Six nodes of 4 GB/s ask for 24, six that run for half of
# it: 24 / 36 of 10.  By max-min the slowdown is none, for other links would not help.
test_expect_success 'busy servers show beside the running jobs' '
	echo "1 n[0001-0002,0006,0011-0012,0016] io-write=0.5" >busy &&
	"$sfabric" place -N 6 --jobs busy --traffic io-write >out &&
	grep "^sfabric .* io-write  *10.0 " out &&
	grep "^sfabric  *io-write  *6.7 .* 1.00\$" out &&
	"$sfabric" predict --nodes "n[0003-0005,0007-0009]" --jobs busy \
		--traffic mpi=0.1+io-read=0.1 >out &&
	grep "^given  *io-read  *6.7  *-  *-\$" out &&
	grep "^given  *mpi  *24.0  *1.00  *1.00\$" out &&
	"$sfabric" predict --nodes "n[0003-0005,0007-0009]" --jobs busy \
		--traffic io-read=0.1 --json >out &&
	grep "\"among_gbs\": 6.66666667" out'

test_expect_success 'a given set of nodes' '
	golden predict.txt "$sfabric" predict --nodes "n[0001-0006]" \
		--available "n[0001-0006]" --traffic io-write=0.5 &&
	golden predict.json "$sfabric" predict --nodes "n[0005-0006,0011]" \
		--available "n0005" --traffic mpi=0.4 --jobs jobs --json'

# five writers on a leaf wait for its uplink, their readers do not
test_expect_success 'classes of IO that get the same are one, else each is named' '
	"$sfabric" predict --nodes "n[0001-0006]" --traffic io-write=0.3+io-read=0.1 >out &&
	grep "^io-write alone 6.4 of 10 GB/s, io-read alone 10 of 10 GB/s, shares no switch link at its start (no other job runs)\$" out &&
	"$sfabric" predict --nodes "n[0001-0003,0006-0008]" \
		--traffic io-write=0.3+io-read=0.1 >out &&
	grep "^IO alone 10 of 10 GB/s, shares no switch link at its start (no other job runs)\$" out'

test_expect_success 'a given set in steps: all-to-all, allreduce, ring; a ring alone' '
	golden predict-steps.txt "$sfabric" predict --nodes "n[0005-0006,0009-0020]" \
		--available "n[0005-0006,0009-0020]" --traffic mpi=0.4 --jobs jobs &&
	"$sfabric" predict --nodes "n[0005-0020]" --traffic neighbor >out &&
	grep "^ring  *1 " out && ! grep "^allreduce" out &&
	"$sfabric" predict --nodes "n[0005-0020]" --traffic io-write --json >out &&
	grep "\"steps\": \[ *$" out &&
	"$sfabric" place -N 8 --traffic mpi >out && ! grep "^alltoall" out'

# 1.77 for all-to-all, else 1 (predict-steps.txt); 0.25 x 1.77 + 0.75 = 1.19
test_expect_success 'a job names its pattern, the site its mix' '
	given="--nodes n[0005-0006,0009-0020]" &&
	"$sfabric" predict $given --traffic alltoall=0.4 >out &&
	grep "for alltoall=0.4 " out && grep "^given .* alltoall .* 1.15\$" out &&
	grep "^alltoall  *1.00  *13 " out && ! grep "^allreduce" out &&
	"$sfabric" predict $given --traffic allreduce+io-write=.2 --json >out &&
	grep "\"traffic\": \"allreduce=0.25+io-write=0.2\"" out &&
	grep -A1 "\"class\": \"mpi\"" out | grep "\"pattern\": \"allreduce\"" &&
	grep -A1 "\"class\": \"io-write\"" out | grep "\"pattern\": null" &&
	echo "MpiMix=ring:0.75,alltoall:0.25" >mix.conf &&
	"$sfabric" predict $given --traffic mpi --conf mix.conf >out &&
	grep "^ring  *0.75 " out && grep "^given  *1.77  *1.00  *1.19\$" out &&
	! grep "^allreduce" out &&
	"$sfabric" show config -hP -o key,value --conf mix.conf >out &&
	grep "^MpiMix|alltoall:0.25,allreduce:0,ring:0.75,uniform:0" out &&
	echo "MpiMix=ring:0.7" >mix.conf &&
	refuse 1 "mix.conf:1: MpiMix: the parts sum to 0.7 (expected 1)" \
		"$sfabric" predict $given --conf mix.conf'

test_expect_success 'a site that names IO that it does not have: a warning' '
	"$sfabric" place -N 4 2>err >out && ! grep DefaultTraffic err &&
	echo "DefaultTraffic=io-write@tape=0.2+mpi=0.1" >tape.conf &&
	"$sfabric" place -N 4 --conf tape.conf 2>err >out && grep "for mpi=0.1 " out &&
	grep "tape.conf:1: DefaultTraffic: io-write@tape is left out, there is no such" err'

test_expect_success 'a small machine is enough to gain by routes' '
	"$sfabric" place -N 6 --traffic io-write=0.5 >out &&
	grep "^IO alone 10 of 10 GB/s, shares no switch link at its start (no other job runs)$" out &&
	awk "\$4 == \"io-write\" { rate[\$1] = \$6 }
		END { exit !(rate[\"sfabric\"] > 1.5 * rate[\"contiguous\"]) }" out'

# chosen PLACE-OPTIONS: the node list, one a line
chosen () {
	"$sfabric" place --traffic mpi --json "$@" >chosen.json &&
	sed -n '/"node_list"/,/\]/s/^ *"\(n[0-9]*\)".*/\1/p' chosen.json
}

test_expect_success 'the same question has the same answer' '
	chosen -N 7 --jobs jobs >one && chosen -N 7 --jobs jobs >two &&
	test_cmp one two && test $(wc -l <one) = 7'

test_expect_success 'hosts of running jobs and IO hosts are not free' '
	chosen -N 14 --jobs jobs >all &&
	printf "n00%02d\n" 5 6 9 10 11 12 13 14 15 16 17 18 19 20 |
	test_cmp - all &&
	refuse 1 "" "$sfabric" place -N 15 --jobs jobs'

test_expect_success 'required, excluded and available hosts' '
	chosen -N 3 -w n0009 >some && grep n0009 some && test $(wc -l <some) = 3 &&
	chosen -w "n[0003,0019]" >two && printf "n0003\nn0019\n" | test_cmp - two &&
	chosen -N 18 -x "n[0001-0002]" >rest && ! grep "n000[12]" rest &&
	chosen -N 2 --available "n0001,n0023" >av &&
	printf "n0001\nn0023\n" | test_cmp - av'

test_expect_success 'how many nodes' '
	chosen -N 2-4 >four && test $(wc -l <four) = 4 &&
	chosen -N 18-30 >twenty && test $(wc -l <twenty) = 20 &&
	chosen -n 17 --ntasks-per-node 8 >three && test $(wc -l <three) = 3'

# 16 nodes are whole leaves, 20 all that are free: every shift stays on links of its own.
test_expect_success 'numbers of nodes that would suit it better' '
	"$sfabric" place -N 18 --traffic alltoall=1 >out &&
	grep "^16 or 20 nodes: no conflict; 18: 1\.[0-9]* times as long\$" out &&
	"$sfabric" place -N 18 --traffic alltoall=1 --json >out &&
	python3 "$SFAB_SRCDIR/tests/lib/field.py" data.sizes.0.nodes data.sizes.1.nodes \
		data.sizes.2.nodes <out >sizes && grep -x "16 18 20" sizes &&
	"$sfabric" place -N 20 --traffic alltoall=1 >out && ! grep "nodes: " out'

test_expect_success 'a range gets fewer nodes where it ends no later' '
	chosen -N 8-19 --traffic alltoall=1 >some && test $(wc -l <some) -lt 19 &&
	"$sfabric" place -N 8-19 --traffic alltoall=1 >out &&
	grep "^1[0-9] of up to 19 nodes: with 19 it would end no sooner, and lose" out &&
	python3 "$SFAB_SRCDIR/tests/lib/field.py" data.range.most <chosen.json | grep -x 19 &&
	chosen -N 18-19 --traffic alltoall=1 >few && test $(wc -l <few) -ge 18'

test_expect_success 'MaxLeaves: of every choice, and no fewer than hold the job' '
	echo MaxLeaves=2 >leaves.conf &&
	for n in 6:2 15:3; do
		"$sfabric" place -N ${n%:*} --conf leaves.conf >out &&
		awk -v most=${n#*:} "/^CHOICE/ { rows = 1; next } rows && !NF { exit }
			rows { n++; if (\$2 > most) bad = 1 } END { exit bad || n < 5 }" out ||
		return 1
	done'

test_expect_success 'the cores of a node share its ports' '
	"$sfabric" place -N 6 --ntasks-per-node 4 -c 2 --traffic io-write=0.5 \
		>out 2>err && ! grep cpus-per-task err &&
	grep "^sfabric .* 10.0 .* 0.208$" out &&
	"$sfabric" place -N 6 -n 12 --traffic io-write=0.5 --json >one &&
	grep "\"core_gbs\": 0.8333333" one &&
	"$sfabric" predict --nodes "n[0001-0006]" --traffic io-write=0.5 \
		--ntasks-per-node 16 | grep "^given .* 0.067$" &&
	"$sfabric" place -N 6 -c 2 --traffic io-write=0.5 2>&1 |
		grep "cpus-per-task: ignored without --slurm" &&
	refuse 2 "ntasks-per-node" "$sfabric" predict --nodes n0001 \
		--ntasks-per-node 0'

test_expect_success 'of a heterogeneous job only the first component is read' '
	"$sfabric" place -N 6 --traffic mpi : -N 3 >out 2>err &&
	grep "a heterogeneous job: Slurm itself chooses" err &&
	grep "^sfabric: 6 hosts" out'

test_expect_success 'one host has no other to send to' '
	"$sfabric" place -N 1 --traffic mpi >out && grep "^uses no switch link$" out'

test_expect_success 'too many, not available, not there' '
	refuse 1 "" "$sfabric" place -N 21 --traffic mpi &&
	refuse 1 "" "$sfabric" place -N 2 -w n0003 -x n0003 &&
	refuse 1 "n9999: no such host" "$sfabric" place -N 2 -w n9999 &&
	refuse 1 "scratch" "$sfabric" place -N 2 --traffic io-write@scratch &&
	refuse 1 "bananas" "$sfabric" place -N 2 --traffic bananas'

test_expect_success 'job lists that are wrong: file and line' '
	echo "11 n0001 mpi me more" >a && refuse 1 "a:1: more than 4 words" \
		"$sfabric" place -N 2 --jobs a &&
	printf "\n12\n" >b && refuse 1 "b:2: fewer than 2 words" \
		"$sfabric" place -N 2 --jobs b &&
	echo "x n0001" >c && refuse 1 "c:1: job id" "$sfabric" place -N 2 --jobs c &&
	echo "1 ," >n && refuse 1 "n:1: job 1 has no host" "$sfabric" place -N 2 --jobs n &&
	echo "1 n9999" >d && refuse 1 "d:1: n9999" "$sfabric" place -N 2 --jobs d &&
	echo "1 n0001 mpi=7" >e && refuse 1 "e:1: " "$sfabric" place -N 2 --jobs e &&
	printf "1 n0001\n1 n0002\n" >f && refuse 1 "f:2: " \
		"$sfabric" place -N 2 --jobs f &&
	refuse 1 none "$sfabric" place -N 2 --jobs none'

test_expect_success 'wrong command lines' '
	refuse 2 "no number of nodes" "$sfabric" place &&
	refuse 2 "nodes" "$sfabric" place -N 4-2 &&
	refuse 2 "nodes" "$sfabric" place -N 0 &&
	refuse 2 "ntasks-per-node" "$sfabric" place -n 4 &&
	refuse 2 "max-steps" "$sfabric" place -N 2 --max-steps some &&
	refuse 2 "nodes HOSTLIST is missing" "$sfabric" predict'

test_expect_success 'only compute nodes: --compute, Role of sfabric.conf' '
	nodes () {
		"$sfabric" place -N 3 --traffic mpi --snapshot small.snap "$@" \
			--json >json && "$SFAB_SRCDIR/tests/lib/field.py" data.nodes <json
	} &&
	test "n[0011-0013]" = "$(nodes --compute "n[0011-0013]")" &&
	echo "Role=compute:n[0007-0009];login:n0010" >roles.conf &&
	test "n[0007-0009]" = "$(nodes --conf roles.conf)" &&
	test "n[0011-0013]" = "$(nodes --conf roles.conf --compute "n[0011-0013]")" &&
	printf "Role=login:n[0001-0015]\nRole=management:n[0016-0017]\n" >roles.conf &&
	test "n[0018-0020]" = "$(nodes --conf roles.conf)" &&
	refuse 1 "(3 available)" "$sfabric" place -N 4 --snapshot small.snap \
		--conf roles.conf &&
	refuse 1 "compute: m9: no such host" "$sfabric" place -N 3 \
		--snapshot small.snap --compute m9 &&
	"$sfabric" load --from compute --to n0001 --snapshot small.snap \
		--compute n0007 --kind inject -hP -o switch,routes >load &&
	awk -F"|" "\$2 > 0 { print \$1 }" load >from && echo n0007 >expected &&
	test_cmp expected from'

test_done
