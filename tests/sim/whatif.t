#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# whatif.t - Wolf's IO collision repaired before anybody moves a cable: other
# ports for the IO hosts do it, io_guid_file alone does not and brings it back
test_description='sfabric whatif with the real OpenSM'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"
sim_or_skip

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
	measured spine-ports 24 24 &&
	"$sfabric" whatif --io-guid-file auto -hP -o measure,verdict >verdicts &&
	grep "^io-write-job|same$" verdicts && grep "^mixed|worse$" verdicts'

# ranked CHANGE...: the fields of --suggest's row
ranked () {
	awk -F"|" -v c="$1" '$2 == c { print $1 + 0, $3, $4, $5, $6 }' tried
}

# the finding of audit, the command that it names, what that finds and proves
test_expect_success 'audit finds the collision, whatif repairs it' '
	test_expect_code 3 "$sfabric" audit --block 64 >found &&
	grep "^critical *io-uplinks:io/io-write" found &&
	sed -n "s/^  try  *sfabric //p" found | head -n 1 >try &&
	echo "whatif --suggest io --nodes 64" >expected &&
	test_cmp expected try &&
	"$sfabric" $(cat try) -hP \
		-o rank,change,cables,gbs,lockstep_gbs >tried 2>messages &&
	cat tried &&
	test "1 0 55 55 " = "$(ranked "updn, IO hosts routed first")" &&
	test "3 36 55 55 " = "$(ranked "18 IO hosts change places on their leaf")"'

# OpenSM with what is printed for its opensm.conf routes as the suggestion did
test_expect_success 'whatif says what to write into opensm.conf' '
	sed -n "/^1[.]/,/^\$/p" tried >first &&
	conf=$(sed -n "s/^ *in opensm.conf: //p" first) &&
	test "routing_engine updn, guid_routing_order_file /etc/opensm/io.guids" = "$conf" &&
	sed -n "s|^ *port GUIDs: sfabric \(.*\) >/etc/opensm/io.guids|\1|p" first >show &&
	"$sfabric" $(cat show) >io.guids && test 24 = $(grep -c -x "0x[0-9a-f]*" io.guids) &&
	"$sfabric" synth wolf --output wolf.net &&
	(sim_conf=$(echo "$conf" | sed "s|/etc/opensm|$PWD|; s/, /\\n/g") &&
		sim_route wolf.net by_conf) &&
	"$sfabric" import by_conf/opensm-subnet.lst by_conf/opensm-lfts.dump \
		--io "wf[0617-0640]" --io-capacity 2.2916666666666667 --output by_conf.snap &&
	"$sfabric" audit --snapshot by_conf.snap --block 64 --json >json &&
	"$field" data.io.0.lockstep_gbs <json >gbs && echo 55 >expected &&
	test_cmp expected gbs'

test_expect_success 'whatif says that io_guid_file is no repair and undoes one' '
	test "0 0 19.5688406 14.2222222 " = "$(ranked io_guid_file)" &&
	test "0 36 19.5688406 14.2222222 " = \
		"$(ranked "18 IO hosts change places on their leaf, io_guid_file")" &&
	grep "io_guid_file must not come with" messages'

test_expect_success 'commands that whatif prints do what they promise' '
	sed -n "/^3[.]/,/^\$/p" tried | sed 1d >command &&
	grep -c -e --move command >lines && echo 18 >expected &&
	test_cmp expected lines &&
	sed -i "1s/whatif/& --output moved_by_it.snap/" command &&
	PATH=$SFAB_BUILDDIR/tools:$PATH sh ./command >table &&
	grep "^io-write-job-lockstep  *io  *14.22  *55.00 GB/s" table &&
	"$sfabric" audit --snapshot moved_by_it.snap --block 64 --json >json &&
	"$field" data.io.0.lockstep_gbs <json >gbs && echo 55 >expected &&
	test_cmp expected gbs'

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

test_expect_success 'io_guid_file brings the collision back where IO hosts have other ports' '
	whatif --snapshot moved.snap --io-guid-file auto &&
	measured io-write-job-lockstep 55 14.2222222'

test_expect_success 'another engine with an option' '
	whatif --engine updn --opensm-option port_shifting=TRUE &&
	grep "^changed: OpenSM routes it with updn" table &&
	measured io-write-job-lockstep 14.2222222 55 &&
	whatif --base-option port_shifting=TRUE --engine updn &&
	measured io-write-job-lockstep 14.2222222 55'

# The site's OpenSM has an option that the copy lacks.
test_expect_success 'now is what the tables of the snapshot give' '
	whatif --engine updn --opensm-option port_shifting=TRUE --output site.snap &&
	"$sfabric" whatif --snapshot site.snap --io-guid-file auto -hP \
		-o measure,now,base,then >table 2>err &&
	grep -x "io-write-job-lockstep|55|14.2222222|14.2222222" table &&
	grep "table entries differ from the snapshot.*the step from BASE" err &&
	"$sfabric" whatif --snapshot site.snap --base-option port_shifting=TRUE \
		--io-guid-file auto >table 2>err &&
	! grep BASE table && ! grep differ err &&
	"$sfabric" whatif --snapshot site.snap --suggest io -hP -o change,lockstep_gbs >tried &&
	grep -x "tables of the snapshot|55" tried &&
	"$sfabric" whatif --snapshot site.snap --io-guid-file auto --json >based.json'

test_expect_success 'a dead uplink makes OpenSM fall back' '
	whatif --down wolf-L001:19 &&
	grep "OpenSM fell back to minhop on the changed fabric" messages'

test_expect_success 'a dead leaf cuts its hosts off' '
	whatif --down wolf-L001 && grep "18 end ports are cut off" messages'

# of tables that another OpenSM may make otherwise; all of it is in whole.json
without_fingerprint () {
	"$@" >whole.json &&
	sed "s/\"fingerprint\": \"[^\"]*\"/\"fingerprint\": \"\"/" whole.json
}

test_expect_success 'free ports are found' '
	tables tree:hosts=128,radix=36,leaf=18,leaves=8,io=8,speed=SDR \
		"n[0121-0128]" 3 free.snap &&
	golden suggest.txt "$sfabric" whatif --suggest io --nodes 32 --snapshot free.snap &&
	golden suggest.json without_fingerprint "$sfabric" whatif --suggest io \
		--nodes 32 --snapshot free.snap --json &&
	mv whole.json suggested.json &&
	grep -e "--move n[0-9]*=tree-L[0-9]*:1[78] *[\\]*$" suggest.txt &&
	grep "in opensm.conf: routing_engine updn, port_shifting TRUE" suggest.txt &&
	test $(grep -c "^dfsssp takes virtual lanes" suggest.txt) = 1'

test_expect_success 'IO that is fine needs no repair' '
	"$sfabric" whatif --suggest io --nodes 4 --snapshot moved.snap >text &&
	grep "there is nothing to fix" text'

# speeds that ibsim would not keep are those of the snapshot
test_expect_success 'a small tree, text, JSON and speeds' '
	tables tree:hosts=16,radix=8,leaf=4,io=2,speed=FDR "n[0015-0016]" 1 small.snap &&
	SFABRIC_SNAPSHOT=$PWD/small.snap &&
	golden whatif.txt "$sfabric" whatif --down tree-L001:5 --nodes 4 &&
	golden whatif.json without_fingerprint "$sfabric" whatif --json \
		--down tree-L001:5 --nodes 4 --output down.snap &&
	"$sfabric" show links -hP -o capacity_gbs | sort -u >before &&
	"$sfabric" show links --snapshot down.snap -hP -o capacity_gbs | sort -u >after &&
	test_cmp before after'

# two of the same tree, one with other GUIDs and another engine
test_expect_success 'each plane is routed by an OpenSM of its own' '
	sed "s/2c90/2c91/g" net >other && sim_route other b -R updn >engine &&
	"$sfabric" import --plane ib0 --engine ftree out/opensm-subnet.lst \
		out/opensm-lfts.dump --plane ib1 --engine updn \
		b/opensm-subnet.lst b/opensm-lfts.dump \
		--io "n[0015-0016]" --output two.snap &&
	whatif --snapshot two.snap --down 0x0002c91200400000:5 --nodes 4 &&
	grep "^ib0 as it is: OpenSM routes it with ftree, 128 of 128 " table &&
	grep "^ib1 as it is: OpenSM routes it with updn, 128 of 128 " table &&
	refuse 1 "tree-L001: several switches" \
		"$sfabric" whatif --snapshot two.snap --down tree-L001:5'

test_expect_success 'JSON is as the schema says' '
	if /usr/bin/python3 -c "import jsonschema"; then
		"$sfabric" whatif --engine updn --json >answer.json &&
		/usr/bin/python3 "$SFAB_SRCDIR/tests/lib/valid.py" \
			"$SFAB_SRCDIR/doc/schema/whatif.json" answer.json \
			suggested.json based.json
	fi'

test_expect_success 'what is not there, what is in use' '
	refuse 1 "nobody: no such host" "$sfabric" whatif --move nobody=tree-L001:1 &&
	refuse 1 "tree-L099: no such switch" "$sfabric" whatif --move n0001=tree-L099:1 &&
	refuse 1 "tree: several have this name: tree-L001, tree-L002" \
		"$sfabric" whatif --down tree &&
	refuse 1 "no such port (expected 1-8)" "$sfabric" whatif --move n0001=tree-L001:9 &&
	refuse 1 "n0001 and n0002 would be there" \
		"$sfabric" whatif --move n0001=tree-L001:2 &&
	refuse 1 "no such switch" "$sfabric" whatif --down n0001 &&
	refuse 1 "expected HOST=SWITCH:PORT" "$sfabric" whatif --move n0001 &&
	"$sfabric" import out/opensm-subnet.lst out/opensm-lfts.dump \
		--io "n[0001-0004]" --engine ufm --output other.snap &&
	refuse 1 "--base-option routing_engine=NAME names another" \
		"$sfabric" whatif --snapshot other.snap --down tree-L001:5 &&
	"$sfabric" whatif --snapshot other.snap --down tree-L001:5 \
		--base-option routing_engine=ftree'

test_expect_success 'what OpenSM does not know' '
	refuse 1 "Unrecognized token: \"nonsense\"" \
		"$sfabric" whatif --opensm-option nonsense=1 &&
	refuse 1 "cannot find or setup routing engine" \
		"$sfabric" whatif --engine nonsense'

test_expect_success 'wrong command lines' '
	refuse 2 "no change" "$sfabric" whatif &&
	refuse 2 "expected KEY=VALUE" "$sfabric" whatif --opensm-option x &&
	refuse 2 "expected io" "$sfabric" whatif --suggest x &&
	refuse 2 "not with others" "$sfabric" whatif --suggest io --engine x &&
	refuse 2 "not with others" "$sfabric" whatif --suggest io --output x &&
	refuse 2 "expected auto" "$sfabric" whatif --io-guid-file x &&
	refuse 2 "expected auto" "$sfabric" whatif --io-order x'

is_private () {
	test -n "$(ls private)"
}

test_expect_success 'a signal: one line, no program and no file is left' '
	{ "$sfabric" whatif --snapshot wolf.snap --engine updn \
		>text 2>messages & } &&
	pid=$! &&
	sim_until 60 is_private &&
	kill -TERM $pid &&
	test_expect_code 1 wait $pid &&
	grep "stopped by signal 15" messages && test ! -s text &&
	test -z "$(ls -A private)" && ! grep "@sfabric-$pid-" /proc/net/unix'

test_done
