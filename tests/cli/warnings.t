#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# warnings.t - what import and show fabric say about odd fabrics
test_description='warnings about a fabric'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

io='--io n[0021-0024]'
at='Nov 20 21:56:56 078249 [BF29F6C0] 0x02 -> '

# warned TEXT: by import into odd.snap, by show, and by show in JSON
warned () {
	grep "^sfabric: warning: " err | grep -F "$1" &&
	"$sfabric" show fabric --snapshot odd.snap $nodes 2>shown >/dev/null &&
	grep "^sfabric: warning: " shown | grep -F "$1" &&
	"$sfabric" show fabric --snapshot odd.snap $nodes --json 2>/dev/null |
	"$field" warnings >list && grep -F "$1" list
}

test_expect_success 'nothing to say of a fabric that is as it should be' '
	import_small odd.snap $io 2>err && test_cmp /dev/null err &&
	"$sfabric" show fabric --snapshot odd.snap 2>err >out &&
	test_cmp /dev/null err'

test_expect_success 'the engine that OpenSM fell back to' '
	{
		echo "${at}ucast_mgr_route: ftree: cannot build lid matrices" &&
		echo "${at}osm_ucast_mgr_process: updn tables configured on all switches" &&
		echo "${at}SUBNET UP"
	} >opensm.log && gzip opensm.log &&
	"$sfabric" import opensm.log.gz files/opensm-subnet.lst \
		files/opensm.fdbs $io --output odd.snap 2>err &&
	warned "routed by updn, the second engine of ftree,updn: those before it gave up"'

test_expect_success 'the log of a standby subnet manager is refused' '
	echo "${at}Entering STANDBY state" >standby.log &&
	refuse 1 "sfabric: standby.log:1: this subnet manager is standby" \
		"$sfabric" import standby.log files/opensm-subnet.lst \
		files/opensm.fdbs $io --output bad.snap &&
	! test -e bad.snap'

# word FINGERPRINT SM [LINE]: beside odd.snap
word () {
	printf "sfabric-alive 1\nfingerprint %s\nsm %s\ntime 1000000000\n$3" \
		$1 $2 >fabric.alive
}

# shown TEXT: show fabric warns of it; shown with nothing: of nothing
shown () {
	"$sfabric" show fabric --snapshot odd.snap 2>shown >/dev/null &&
	if test $# = 0; then
		test_cmp /dev/null shown
	else
		grep -F "sfabric: warning: $1" shown
	fi
}

test_expect_success 'whose word it is: a standby, two masters' '
	import_small odd.snap $io &&
	word 0x1 0x0002c90300100001 && shown &&
	word 0x0 0x17 "standby 1\n" &&
	shown "fabric.alive was written by a standby subnet manager, 0x0000000000000017" &&
	word 0x1 0x17 &&
	shown "two subnet managers: the snapshot is by 0x0002c90300100001, " &&
	rm fabric.alive'

test_expect_success 'pairs without a route: how many, and which' '
	lid=$(sed -n "s/.*{n0001[^}]*} LID:\([0-9A-F]*\) .*/\1/p" \
		files/opensm-subnet.lst | head -n 1) &&
	sed "s/^0x$lid : [0-9]* .*/0x$lid : UNREACHABLE/I" files/opensm.fdbs >fdbs &&
	"$sfabric" import files/opensm-subnet.lst fdbs $io --output odd.snap 2>err &&
	warned "pairs (leaf, end port) have no route: " &&
	grep " to n0001 LID [0-9]* (no route in the table), " err'

test_expect_success 'switches without a table: refused, or said' '
	awk "/Switch/ && n++ { exit } { print }" files/opensm.fdbs >one &&
	refuse 1 "has no forwarding table" "$sfabric" import \
		files/opensm-subnet.lst one $io --output bad.snap &&
	"$sfabric" import files/opensm-subnet.lst one $io --partial \
		--output odd.snap 2>err &&
	warned "switches have no forwarding table, "'

test_expect_success 'nodes without a port, hosts that nobody uses' '
	nodes="--nodes n[0001-0019],x1,x2" &&
	import_small odd.snap $io $nodes 2>err &&
	warned "2 of 21 nodes have no port on the fabric, for example x1" &&
	warned "1 hosts are neither nodes nor in an IO set, for example n0020" &&
	refuse 1 "[" import_small odd.snap $io --nodes "n["'

test_expect_success 'adaptive routing' '
	nodes= &&
	sed -n -e "s/^0x\([0-9A-Fa-f]*\) : \([0-9]*\) .*/0x\1 \2 Static 0/p" \
		-e "/Switch/{s/.*Switch/Switch/p;c Groups Definition:\n0 0 0 1,2\nLFT Definition:" \
		-e "}" files/opensm.fdbs >static.far &&
	sed "0,/ 00[1-9] Static/s/Static/Free/2;0,/ 00[1-9] Static/s/ Static/ Free/" \
		static.far >adaptive.far &&
	"$sfabric" import files/opensm-subnet.lst adaptive.far $io \
		--output odd.snap 2>err &&
	warned "adaptive routing: switches choose ports by load"'

test_done
