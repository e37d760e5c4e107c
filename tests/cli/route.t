#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# route.t - the way from one host to another and back
test_description='sfabric route'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

test_expect_success 'a snapshot' '
	import_small small.snap --io "n[0021-0024]" &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT'

test_expect_success 'between leaves and on one leaf' '
	golden route.txt "$sfabric" route n0001 n0024 &&
	golden route-leaf.txt "$sfabric" route n0001 n0002 &&
	golden route.json "$sfabric" route n0001 n0024 --json'

# follow the dump by hand: out port of the first leaf toward LID of n0020
test_expect_success 'the first hop is what the dump says' '
	lid=$("$sfabric" show hosts -P -h -o host,lid | sed -n "s/n0020|//p") &&
	port=$(awk -v lid="$(printf "0x%04X" $lid)" \
		"\$1 == lid { print \$3 + 0; exit }" files/opensm.fdbs) &&
	"$sfabric" route n0001 n0020 -P -h -o hop,port |
	sed -n "s/^2|//p" | head -n 1 >actual &&
	echo $port >expected &&
	test_cmp expected actual'

test_expect_success 'two planes: both ways in each' '
	"$sfabric" import --plane a files/* --plane b files/* \
		--output two.snap &&
	"$sfabric" route n0001 n0024 --snapshot two.snap -h -P \
		-o source,destination,fabric | sort | uniq -c | sed "s/^ *//" >actual &&
	printf "4 %s\n" "n0001|n0024|a" "n0001|n0024|b" \
		"n0024|n0001|a" "n0024|n0001|b" >expected &&
	test_cmp expected actual'

# OpenSM says UNREACHABLE for LIDs that a table does not have
test_expect_success 'a way that does not arrive: shown, warned of, status 3' '
	lid=$(printf "0x%04X" $("$sfabric" show hosts -P -h -o host,lid |
		sed -n "s/n0021|//p")) &&
	sed "1,/^$lid/s/^$lid .*/$lid : UNREACHABLE/" files/opensm.fdbs >lost.fdbs &&
	"$sfabric" import files/opensm-subnet.lst lost.fdbs --output lost.snap &&
	refuse 3 "warning: n0001 > n0021: " \
		"$sfabric" route n0001 n0021 --snapshot lost.snap &&
	grep "^n0001 *n0021" refuse.out && grep "^n0021 *n0001" refuse.out'

test_expect_success 'hosts that are not there, wrong command lines' '
	refuse 1 "n9999: no such host" "$sfabric" route n0001 n9999 &&
	refuse 1 "same host twice" "$sfabric" route n0001 n0001 &&
	refuse 2 "two ends" "$sfabric" route n0001 &&
	refuse 2 "Too many" "$sfabric" route n0001 n0002 n0003'

test_done
