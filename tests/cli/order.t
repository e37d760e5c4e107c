#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# order.t - the nodes of a job in the order of its ranks
test_description='sfabric order'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

nodes='n[0001-0003,0005-0006,0009-0011]'

test_expect_success 'a snapshot, and jobs' '
	import_small small.snap --io "n[0021-0024]" &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT &&
	echo "7 $nodes" >jobs'

test_expect_success 'figures of the three orders, text and JSON' '
	golden order.txt "$sfabric" order --nodes "$nodes" &&
	golden order-allreduce.txt "$sfabric" order --nodes "$nodes" \
		--pattern allreduce &&
	golden order.json "$sfabric" order --nodes "$nodes" --json'

test_expect_success 'a job is its nodes; halving is allreduce' '
	"$sfabric" order 7 --jobs jobs >actual &&
	test_cmp "$expect/order.txt" actual &&
	"$sfabric" order --nodes "$nodes" --pattern halving >actual &&
	test_cmp "$expect/order-allreduce.txt" actual'

# ranks OPTION...: the words after "ranks:"
ranks () {
	"$sfabric" order "$@" 2>err | sed -n "s/^ranks: //p" | tr " " "\n"
}

# has_format FORMAT OPTION...: what is in "expected"
has_format () {
	"$sfabric" order --nodes "$nodes" --format "$@" >actual && test_cmp expected actual ||
		{ echo "--format $*" >&2; return 1; }
}

# rankfile FILE: of its ranks, two tasks on each node
rankfile () {
	awk '{ for (task = 0; task < 2; task++) print "rank " n++ "=" $1 " slot=" task }' $1
}

test_expect_success 'every node once, in any format, tasks together' '
	ranks --nodes "$nodes" >order &&
	cp order expected && has_format slurm &&
	sed "p;p" order >expected && has_format slurm --ntasks-per-node 3 &&
	sed "s/\$/ slots=4/" order >expected && has_format hostfile --ntasks-per-node 4 &&
	sed "s/\$/:4/" order >expected && has_format mpich --ntasks-per-node 4 &&
	awk "{ print NR - 1, \$1 }" order >expected && has_format nccl &&
	rankfile order >expected && has_format rankfile --ntasks-per-node 2 &&
	sort order >actual &&
	for n in 1 2 3 5 6 9 10 11; do printf "n%04d\n" $n; done >expected &&
	test_cmp expected actual'

# names NODES TEXT [STATUS]: the order of names, with one line that says TEXT
names () {
	"$sfabric" order --nodes "$1" --format slurm >actual 2>err
	test $? = ${3:-0} &&
	test $(wc -l <err) = 1 && grep -F "order of names: $2" err || return 1
	"$sfabric" order --nodes "$1" --json >json 2>/dev/null
	test $? = ${3:-0}
}

test_expect_success 'where there is nothing to order: names, and one line' '
	names "n[0003,0001-0002]" "all nodes are on one leaf" &&
	printf "n0001\nn0002\nn0003\n" >expected && test_cmp expected actual &&
	names n0005 "1 node:" && echo n0005 >expected && test_cmp expected actual &&
	names n0005,n0001 "2 nodes:" &&
	names "c[10,9],n0001" "c9 is not in the fabric" 3 &&
	printf "c9\nc10\nn0001\n" >expected && test_cmp expected actual'

test_expect_success 'columns: the nodes of each order' '
	"$sfabric" order --nodes "$nodes" -h -o nodes | tail -n 1 >actual &&
	paste -sd, order >expected && test_cmp expected actual &&
	"$sfabric" order --nodes "$nodes" -hP -o order,nodes | head -n 1 >actual &&
	echo "name|n0001,n0002,n0003,n0005,n0006,n0009,n0010,n0011" >expected &&
	test_cmp expected actual'

test_expect_success 'a name given twice is one node' '
	"$sfabric" order --nodes "n0001,n0005,n0001,n0009" --format slurm |
		sort >actual &&
	printf "n0001\nn0005\nn0009\n" >expected && test_cmp expected actual'

# prolog NAME CONTEXT: slurmctld's script for job 7 with the settings NAME.conf
prolog () {
	env SFABRIC_ORDER_CONF="$PWD/$1.conf" SLURM_JOB_ID=7 SLURM_JOB_NODELIST="$nodes" \
		SLURM_SCRIPT_CONTEXT=$2 timeout 20 \
		"$SFAB_SRCDIR/plugin/spank/sfabric-order-prolog" || return 1
	: >"$1.ended"
}
# settings NAME LINE: those of a folder NAME, with programs of its own in NAME.bin
settings () {
	mkdir -p $1 $1.bin
	printf "SFABRIC_ORDERS=\"%s\"\nPATH=\"%s:%s:\$PATH\"\n%s\n" "$PWD/$1" "$PWD/$1.bin" \
		"$SFAB_BUILDDIR/tools" "$2" >$1.conf
}
# hangs PROGRAM: not even SIGTERM ends it
hangs () {
	printf "#!/bin/sh\ntrap \"\" TERM\nexec sleep 300\n" >$1 && chmod +x $1
}
test_expect_success 'the script of slurmctld leaves the order and removes it' '
	settings good && prolog good prolog_slurmctld && "$sfabric" order --nodes "$nodes" \
		--format slurm >ours && sed 1d good/7 >actual && test_cmp ours actual &&
	: >good/.7.123 && prolog good epilog_slurmctld && ls -A good >left && test ! -s left'
test_expect_success 'the script of slurmctld ends well and in time, whatever hangs' '
	settings conf "sleep 300" && settings move && hangs move.bin/mv &&
	settings remove && hangs remove.bin/rm && settings order && hangs order.bin/sfabric &&
	for name in conf move order; do
		prolog $name prolog_slurmctld &
	done &&
	prolog remove epilog_slurmctld && wait && ls *.ended &&
	for name in conf move order remove; do
		test -f $name.ended && test ! -e $name/7 || return 1
	done'

test_expect_success 'wrong command lines' '
	refuse 2 "JOBID or --nodes" "$sfabric" order &&
	refuse 2 "both JOBID and --nodes" "$sfabric" order 7 --nodes n0001 &&
	refuse 2 "--pattern=x (expected alltoall" "$sfabric" order 7 --pattern x &&
	refuse 2 "hostfil" "$sfabric" order 7 --format hostfil &&
	refuse 1 "8" "$sfabric" order 8 --jobs jobs &&
	refuse 1 "no nodes" "$sfabric" order --nodes "," &&
	refuse 1 "n[1" "$sfabric" order --nodes "n[1"'

test_done
