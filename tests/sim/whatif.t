#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# whatif.t - Wolf's IO collision repaired before anybody moves a cable: other
# ports for the IO hosts do it, io_guid_file alone does not and brings it back
test_description='sfabric whatif with the real OpenSM'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"
skip_all=$(sim_missing) && test_done
sim_guard

field=$SFAB_SRCDIR/tests/lib/field.py
SFABRIC_CONF=$PWD/none.conf
TMPDIR=$PWD/private
export SFABRIC_CONF TMPDIR
mkdir private

# tables FABRIC IO CAPACITY: FABRIC as ftree routes it is the snapshot
tables () {
	"$sfabric" synth $1 --output net &&
	sim_route net out -R ftree >engine &&
	touch -d @1000000000 out/* &&
	"$sfabric" import out/opensm-subnet.lst out/opensm-lfts.dump --io "$2" \
		--io-capacity $3 --engine "$(cat engine)" --output $4
}

# measured MEASURE NOW THEN: of the last table
measured () {
	echo "$1 $2 $3" >expected &&
	awk -F"|" -v m=$1 "\$1 == m { print \$1, \$2, \$3 }" table >actual &&
	test_cmp expected actual
}

whatif () {
	"$sfabric" whatif -hP -o measure,now,then "$@" >table 2>messages &&
	cat table messages
}

# the IO host of leaf k changes places with the host at port 1 + (k - 1) % 18
moves () {
	"$sfabric" show hosts -hP -o host,switch,port | awk -F"|" "
		{ sw[\$1] = \$2; port[\$1] = \$3; who[\$2 \":\" \$3] = \$1 }
		END { for (k = 1; k <= 24; k++) {
			io = sprintf(\"wf%04d\", 616 + k)
			to = sw[io] \":\" 1 + (k - 1) % 18
			if (who[to] != io)
				print \"--move \" io \"=\" to \" --move \" \
					who[to] \"=\" sw[io] \":\" port[io]
		} }"
}

test_expect_success 'Wolf as ftree routes it' '
	tables wolf "wf[0617-0640]" 2.2916666666666667 wolf.snap &&
	SFABRIC_SNAPSHOT=$PWD/wolf.snap && export SFABRIC_SNAPSHOT'

test_expect_success 'io_guid_file alone does not help' '
	whatif --io-guid-file auto &&
	grep "34560 of 34560 table entries as in the snapshot" table &&
	measured io-write-job-lockstep 14.2222222 14.2222222 &&
	measured spine-ports 24 24'

test_expect_success 'other ports for the IO hosts: 55 GB/s' '
	moves >moves && test 23 = $(wc -l <moves) &&
	whatif $(cat moves) --output moved.snap &&
	measured io-write-job-lockstep 14.2222222 55 &&
	measured uplinks 1 17'

test_expect_success 'the snapshot it wrote says the same' '
	"$sfabric" show hosts --snapshot moved.snap -hP -o host,switch,port |
		grep -x "wf0617|wolf-L001|1" &&
	"$sfabric" audit --snapshot moved.snap --block 64 --json >json &&
	"$field" data.io.0.gbs <json >gbs && echo 55 >expected &&
	test_cmp expected gbs'

test_expect_success 'there io_guid_file brings the collision back' '
	whatif --snapshot moved.snap --io-guid-file auto &&
	measured io-write-job-lockstep 55 14.2222222'

test_expect_success 'another engine with an option' '
	whatif --engine updn --opensm-option port_shifting=TRUE &&
	grep "^changed: OpenSM routes it with updn" table &&
	measured io-write-job-lockstep 14.2222222 55 &&
	whatif --base-option port_shifting=TRUE --engine updn &&
	measured io-write-job-lockstep 14.2222222 55'

test_expect_success 'its own tables again: nothing changes' '
	whatif --lfts out/opensm-lfts.dump &&
	grep "^changed: OpenSM routes it with file" table &&
	! awk -F"|" "NF == 3 && \$2 != \$3 { found = 1 } END { exit !found }" table'

test_expect_success 'a dead uplink makes OpenSM fall back' '
	whatif --down wolf-L001:19 &&
	grep "OpenSM fell back to minhop on the changed fabric" messages'

test_expect_success 'a dead leaf cuts its hosts off' '
	whatif --down wolf-L001 && grep "18 end ports are cut off" messages'

# of tables that another OpenSM may make otherwise
without_fingerprint () {
	"$@" | sed "s/\"fingerprint\": \"[^\"]*\"/\"fingerprint\": \"\"/"
}

# speeds that ibsim would not keep are those of the snapshot
test_expect_success 'a small tree, text, JSON and speeds' '
	tables tree:hosts=16,radix=8,leaf=4,io=2,speed=FDR "n[0015-0016]" 1 small.snap &&
	SFABRIC_SNAPSHOT=$PWD/small.snap &&
	golden whatif.txt "$sfabric" whatif --down tree-L001:5 --job 4 &&
	golden whatif.json without_fingerprint "$sfabric" whatif --json \
		--down tree-L001:5 --job 4 --output down.snap &&
	"$sfabric" show links -hP -o capacity_gbs | sort -u >before &&
	"$sfabric" show links --snapshot down.snap -hP -o capacity_gbs | sort -u >after &&
	test_cmp before after'

test_expect_success 'JSON is as the schema says' '
	if /usr/bin/python3 -c "import jsonschema"; then
		"$sfabric" whatif --engine updn --json >answer.json &&
		/usr/bin/python3 "$SFAB_SRCDIR/tests/lib/valid.py" \
			"$SFAB_SRCDIR/doc/schema/whatif.json" answer.json
	fi'

test_expect_success 'what is not there, what is in use' '
	refuse 1 "nobody: no such host" "$sfabric" whatif --move nobody=tree-L001:1 &&
	refuse 1 "tree-L099: no such switch" "$sfabric" whatif --move n0001=tree-L099:1 &&
	refuse 1 "no such port (expected 1-8)" "$sfabric" whatif --move n0001=tree-L001:9 &&
	refuse 1 "in use" "$sfabric" whatif --move n0001=tree-L001:2 &&
	refuse 1 "no such switch" "$sfabric" whatif --down n0001 &&
	refuse 1 "expected HOST=SWITCH:PORT" "$sfabric" whatif --move n0001 &&
	refuse 1 "expected opensm-lfts.dump" "$sfabric" whatif --lfts net &&
	refuse 1 "nowhere" "$sfabric" whatif --lfts nowhere'

test_expect_success 'what OpenSM does not know' '
	refuse 1 "Unrecognized token: \"nonsense\"" \
		"$sfabric" whatif --opensm-option nonsense=1 &&
	refuse 1 "cannot find or setup routing engine" \
		"$sfabric" whatif --engine nonsense'

test_expect_success 'wrong command lines' '
	refuse 2 "nothing is to change" "$sfabric" whatif &&
	refuse 2 "expected KEY=VALUE" "$sfabric" whatif --opensm-option x &&
	refuse 2 "expected auto" "$sfabric" whatif --io-guid-file x'

is_private () {
	test -n "$(ls private)"
}

test_expect_success 'a signal: one line, no program and no file is left' '
	{ "$sfabric" whatif --snapshot wolf.snap --engine updn \
		>text 2>messages & } &&
	pid=$! &&
	sim_until 20 is_private &&
	kill -TERM $pid &&
	test_expect_code 1 wait $pid &&
	grep "stopped by signal 15" messages && test ! -s text &&
	test -z "$(ls -A private)" && ! grep "@sfabric-$pid-" /proc/net/unix'

test_done
