#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# top.t - the hottest links, once and on a terminal
test_description='sfabric top'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

test_expect_success 'a snapshot, jobs, counters' '
	import_small small.snap --io "n[0021-0024]" &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT &&
	printf "11 n[0001-0012] mpi=0.5\n12 n[0013-0016] io-write=1\n" >jobs &&
	"$SFAB_SRCDIR/tests/lib/counters.py" some.snap \
		0x0002c90200400020:1:xmit=3e9:rcv=1e9:wait=0.25'

# what is the same in every run of top
top () {
	"$sfabric" top --jobs jobs "$@" |
	sed -e "s/top - [0-9:]*/top - TIME/" -e "s/counters [0-9]* s/counters AGE s/" \
		-e "s/\"time\": [0-9]*/\"time\": 0/" \
		-e "s/\"counters_age_s\": [0-9.]*/\"counters_age_s\": 0/"
}

test_expect_success 'one view: jobs, counters, JSON' '
	golden top.txt top --top 8 &&
	golden top-measured.txt top --counters some.snap --kind isl --top 8 &&
	golden top.json top --counters some.snap --top 2 --json'

# plot knows the loads of jobs by another way: the largest are the same
test_expect_success 'loads are those of plot' '
	"$sfabric" plot --leaving --jobs jobs --json | "$SFAB_SRCDIR/tests/lib/cells.py" |
	awk -F"|" "/^all jobs/ && \$6 > 0 { print \$3, \$4, \$6 }" | sort >expected &&
	"$sfabric" top --jobs jobs --kind isl --top 1000 -hP \
		-o switch,guid,port,load_gbs | grep -- -S |
	awk -F"|" "{ print \$2, \$3, \$4 }" | sort >actual &&
	test -s actual && test_cmp expected actual'

test_expect_success 'fields that can be asked for; what is sorted first' '
	"$sfabric" top --jobs jobs -hP -o job_ids,jobs --kind isl --top 1 >out &&
	grep "^1[12]" out &&
	"$sfabric" top --measured --counters some.snap --top 1 -hP \
		-o switch,port,wait_share >out &&
	echo "small-S001|1|0.25" >expected && test_cmp expected out'

test_expect_success 'batches' '
	"$sfabric" top --jobs jobs -b -n 3 -d 0.1 >out &&
	test 3 = $(grep -c "^sfabric top" out) &&
	"$sfabric" top --jobs jobs -b -d 0.1 | head -n 40 >out &&
	test 40 = $(wc -l <out) &&
	"$sfabric" top --jobs jobs -n 2 -d 0.1 --json >out &&
	"$SFAB_SRCDIR/tests/lib/field.py" data.links.19.port <out >twentieth &&
	test 2 = $(wc -l <twentieth) && test 40 = $(grep -c "\"to_port\":" out) &&
	"$sfabric" top --jobs jobs -n 2 -d 0.1 --output view &&
	test 1 = $(grep -c "^sfabric top" view) &&
	"$sfabric" top --jobs /dev/null >out && grep "0 jobs on 0 of 24" out'

test_expect_success 'on a terminal: each view over the last, which a failure keeps' '
	cp jobs once && "$SFAB_SRCDIR/tests/lib/terminal.py" "$sfabric" top \
		--jobs once -d 0.2 >seen <<-END &&
	expect 2 jobs on
	expect $(printf "\\033")[H
	expect small-S003
	run rm once
	expect once: cannot
	run cp jobs once
	expect 2 jobs on
	signal INT
	end -2
	END
	printf "end 1\n" | "$SFAB_SRCDIR/tests/lib/terminal.py" "$sfabric" top \
		--jobs none -d 60 >seen && grep "none: " seen &&
	printf "end 0\n" | "$SFAB_SRCDIR/tests/lib/terminal.py" "$sfabric" top \
		--jobs jobs -n 1 >seen && grep "small-" seen && ! grep "$(printf "\\033")" seen'

test_expect_success 'wrong command lines, nothing to see' '
	refuse 2 "kind" "$sfabric" top --kind all &&
	refuse 2 "delay" "$sfabric" top -d 0 &&
	refuse 2 "iterations" "$sfabric" top -n 0 &&
	refuse 2 "not with --jobs" "$sfabric" top --measured --jobs jobs &&
	refuse 1 "none: " "$sfabric" top --jobs none &&
	refuse 1 "none.snap" "$sfabric" top --measured --counters none.snap &&
	refuse 1 "scontrol" env PATH=/none "$sfabric" top &&
	refuse 1 "none: " "$sfabric" top --jobs none -b -n 3 --output view2 &&
	! test -e view2'

test_done
