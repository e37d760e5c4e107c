#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# audit.t - what is found, what is not, what is kept quiet
test_description='sfabric audit'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

# found TEXT AUDIT-OPTION...: exit status 3, and TEXT is an id
found () {
	found_id=$1
	shift
	test_expect_code 3 "$sfabric" audit "$@" >found.out &&
	grep -E "^(critical|warning) +$found_id\$" found.out
}

# four IO hosts, one a leaf, all behind the same spine
test_expect_success 'a snapshot' '
	import_small small.snap --io "n[0021-0024]" --io-capacity 2.5 &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT'

audit3 () {
	test_expect_code 3 "$sfabric" audit "$@"
}

test_expect_success 'the IO collision: text, JSON' '
	golden audit.txt audit3 && golden audit.json audit3 --json &&
	grep "^warning *io-uplinks:io/io-write" audit.txt'

test_expect_success 'the same IO hosts on one leaf are fine' '
	import_small packed.snap --io "n[0001-0004]" --io-capacity 2.5 &&
	"$sfabric" audit --snapshot packed.snap >packed &&
	grep "critical: 0, warnings: 0" packed && ! grep io-leaf packed'

test_expect_success 'a block of one host loses nothing' '
	"$sfabric" audit --block 1 >one && grep "warnings: 0" one'

test_expect_success 'known findings are silenced, by id or by rule' '
	for id in io-uplinks:io/io-write "rails;io-uplinks"; do
		echo "AuditSilence=$id" >quiet.conf &&
		"$sfabric" audit --conf quiet.conf >quiet &&
		! grep "^warning" quiet && grep "silenced: 1" quiet &&
		"$sfabric" audit --conf quiet.conf --json |
		grep "\"silenced\": true" || return 1
	done &&
	echo "AuditSilence=io-upkinks" >typo.conf &&
	found io-uplinks:io/io-write --conf typo.conf 2>err &&
	grep "no rule is called io-upkinks" err'

test_expect_success 'another engine than wanted' '
	"$sfabric" audit --snapshot packed.snap --engine ftree,updn &&
	found engine:fabric --snapshot packed.snap --engine updn &&
	printf "# x\nrouting_engine ftree\nrouting_engine dor,updn\n" >osm.conf &&
	found engine:fabric --snapshot packed.snap --opensm-conf osm.conf &&
	grep "routed by ftree, but dor,updn was requested" found.out'

# lanes EXPECTED LINE...: of opensm.conf, without routing_engine
lanes () {
	expected=$1
	shift
	printf "%s\n" "$@" >osm.conf
	"$sfabric" audit --snapshot packed.snap --opensm-conf osm.conf $lane_options >lanes.out
	grep -A 6 "^note.*lanes:fabric" lanes.out | tr -s "\n " " " | grep -q "$expected" || {
		echo "$@"
		cat lanes.out
		return 1
	}
}

# OpenSM drops the high bits of a VL where a link has fewer.
test_expect_success 'a service level that keeps jobs out of the lane of IO' '
	lane_options= share="jobs share the lane of IO: all service levels have it" &&
	lanes "jobs share the lane of IO: the subnet manager sets up no lanes" "qos FALSE" &&
	lanes "level 1 is out .*level 0. on links with 2 data VLs or more.*NCCL_IB_SL=1" "qos TRUE" &&
	lanes "level 4 is out .* with 2 data" "qos TRUE" "qos_sl2vl 0,0,0,0,1" &&
	lanes "level 2 is out .* with 4 data" "qos TRUE" "qos_sl2vl 4,0,2,0,4" \
		"max_op_vls 3" "qos_vlarb_high 0:1,2:1" "qos_vlarb_low 1:0" &&
	lanes "$share" "qos TRUE" "qos_sl2vl 4,0,2,0,4" "max_op_vls 2" &&
	lanes "$share" "qos TRUE" "max_op_vls 1" &&
	lanes "$share" "qos TRUE" "qos_sl2vl 0,0,15" &&
	lanes "$share" "qos TRUE" "qos_swe_sl2vl 3,3" "qos_sl2vl 0,3" &&
	lanes "level 3 is out" "qos TRUE" "qos_swe_sl2vl 0,0,1,1" "qos_ca_sl2vl 0,1,0,1" \
		"qos_vlarb_low (null)" &&
	lanes "$share" "qos TRUE" "qos_vlarb_low 0:64" &&
	lanes "the routing engine dfsssp may choose service levels" "qos TRUE" \
		"routing_engine ftree, dfsssp" &&
	lane_options="--io-sl 1" &&
	lanes "level 0 is out of IO.s lane (level 1)" "qos TRUE" "routing_engine ftree,updn" &&
	"$sfabric" audit --snapshot packed.snap >lanes.out; ! grep lanes: lanes.out &&
	refuse 2 "io-sl" "$sfabric" audit --io-sl 16 &&
	printf "qos TRUE\n" >osm.conf &&
	{ "$sfabric" audit --snapshot packed.snap --opensm-conf osm.conf --json >lanes.json; true; } &&
	grep "\"id\": \"lanes:fabric\"" lanes.json'

# changed SED-SCRIPT FILE: a snapshot with a change in one of the files
changed () {
	rm -rf changed && cp -r files changed && sed -i "$1" "changed/$2" &&
	"$sfabric" import changed/* --engine ftree --output changed.snap
}

test_expect_success 'hosts that are swapped by name' '
	changed "s/{n0003 /{x /; s/{n0009 /{n0003 /; s/{x /{n0009 /" \
		opensm-subnet.lst &&
	"$sfabric" audit --snapshot changed.snap >out &&
	! grep host-leaf out && grep "notes: 2 (2 without effect: -v lists them)" out &&
	"$sfabric" audit -v --snapshot changed.snap >out &&
	grep "^note *host-leaf:n0003\$" out && grep "^note *host-leaf:n0009\$" out &&
	tr -s " \n" " " <out |
	grep "n0002 and n0004 are on small-L001.*effect 1 to 1 slowdown"'

# the words once; what the worst of them says, the next by name, the rest counted
test_expect_success 'findings that say the same are told as one' '
	leaf=$("$sfabric" show switches small-L001 -hP -o guid) &&
	"$SFAB_SRCDIR/tests/lib/counters.py" four.snap $leaf:1:errors=5 \
		$leaf:2:errors=9 $leaf:3:errors=7 $leaf:4:errors=1 &&
	audit3 --snapshot packed.snap --counters four.snap >out &&
	grep "^warning *link-errors: 4 findings\$" out &&
	! grep "link-errors:n" out && test 1 = $(grep -c "Clean or replace" out) &&
	tr -s " \n" " " <out >words &&
	grep "found n0002 port 1: 9 errors on the link to small-L001 port 2; also n0003 port 1, n0001 port 1 and 1 more (-v lists all)" words &&
	grep "effect at most 9 to 0 errors" words &&
	audit3 -v --snapshot packed.snap --counters four.snap >out &&
	test 4 = $(grep -c "^warning *link-errors:n" out) &&
	audit3 --snapshot packed.snap --counters four.snap --json >json &&
	test 4 = $(grep -c "\"id\": \"link-errors:n" json)'

test_expect_success 'a LID that a leaf has no route to' '
	changed "s/^0x0003 : 0.. .*/0x0003 : UNREACHABLE/" opensm.fdbs &&
	found unreachable:fabric --snapshot changed.snap'

test_expect_success 'a slow cable' '
	changed "s/\({small-L002} .*PN:08 .*small-S.*\)SPD=10/\1SPD=2.5/
		s/\(small-S.*{small-L002} .*PN:08 .*\)SPD=10/\1SPD=2.5/" \
		opensm-subnet.lst &&
	! cmp files/opensm-subnet.lst changed/opensm-subnet.lst &&
	found "link-slow:small-.*" --snapshot changed.snap &&
	grep "1 GB/s, others like it at 4" found.out'

test_expect_success 'a leaf with a cable less' '
	changed "/{small-L003} LID:.... PN:09 /d" opensm-subnet.lst &&
	found link-down:small-L003 --snapshot changed.snap &&
	grep "20 to 24 GB/s" found.out'

test_expect_success 'swapped rails' '
	sed "s/HCA-1/HCA-2/; /n0005/s/HCA-2/HCA-1/" files/opensm-subnet.lst >b.lst &&
	sed "/n0005/s/HCA-1/HCA-2/" files/opensm-subnet.lst >a.lst &&
	"$sfabric" import --plane a a.lst files/opensm.fdbs --plane b b.lst \
		files/opensm.fdbs --output rails.snap &&
	found rails:n0005 --snapshot rails.snap &&
	test 1 = $(grep -c "^warning" found.out)'

# what came damaged came over the link that enters the port
test_expect_success 'errors and discards' '
	"$SFAB_SRCDIR/tests/lib/counters.py" some.snap \
		0x0002c90200400020:1:errors=7:discards=5 &&
	found "link-errors:small-L001 port 7" --snapshot packed.snap \
		--counters some.snap &&
	found "link-discards:small-S001 port 1" --snapshot packed.snap \
		--counters some.snap &&
	"$SFAB_SRCDIR/tests/lib/counters.py" other.snap 0xdead:1:errors=7 &&
	refuse 1 "other.snap: counters of another fabric" "$sfabric" audit \
		--counters other.snap'

# a switch and a host may call themselves what they like
test_expect_success 'hostile names are harmless' '
	escape=$(printf "\033") &&
	sed "s/small-S003/$escape[2J<b>\"x\"/g; s/n0021 HCA-1/n0021$escape[31m/" \
		files/opensm-subnet.lst >evil.lst &&
	"$sfabric" import evil.lst files/opensm.fdbs --io "n[0022-0024]" \
		--output evil.snap 2>/dev/null &&
	for style in "" --json; do
		"$sfabric" audit --snapshot evil.snap $style >out
		! LC_ALL=C grep "[^[:print:]]" out || return 1
	done'

test_expect_success 'what is wrong' '
	refuse 2 "block" "$sfabric" audit --block 0 &&
	refuse 2 "not both" "$sfabric" audit --engine a --opensm-conf b &&
	refuse 1 "none: " "$sfabric" audit --opensm-conf none &&
	echo >empty.conf &&
	refuse 1 "empty.conf: no routing_engine" "$sfabric" audit \
		--opensm-conf empty.conf &&
	refuse 1 "none: " "$sfabric" audit --counters none &&
	refuse 1 "small.snap" "$sfabric" audit --counters small.snap &&
	import_small no-io.snap &&
	"$sfabric" audit --snapshot no-io.snap 2>err && grep "no IO set" err'

test_expect_success 'what counters found must be good, if it is named' '
	refuse 1 "none: " "$sfabric" audit --found none &&
	refuse 1 "small.snap: " "$sfabric" audit --found small.snap'

test_done
