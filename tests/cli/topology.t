#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# topology.t - topology.conf made and compared
test_description='sfabric topology'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

test_expect_success 'a snapshot' '
	import_small small.snap --io "n[0021-0024]" &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT'

test_expect_success 'generate: lines, JSON, a set' '
	golden topology.conf "$sfabric" topology generate &&
	golden topology.json "$sfabric" topology generate --json &&
	"$sfabric" topology generate -w "n[0001-0002]" >two &&
	grep "Nodes=n\[0001-0002\]" two && test $(wc -l <two) = 1'

test_expect_success 'what was generated is right' '
	"$sfabric" topology lint topology.conf >out &&
	test ! -s out'

# a node on another leaf, one that is not there, one missing, no such switch,
# a switch twice
test_expect_success 'lint finds what is wrong' '
	sed -e "/L001/s/=n.*/=n[0001-0003,0006]/" \
		-e "/L002/s/=n.*/=n[0007-0008],x1/" \
		-e "/^SwitchName=level/s/$/,gone/" topology.conf >wrong.conf &&
	echo "SwitchName=top Switches=small-L001" >>wrong.conf &&
	test_expect_code 3 "$sfabric" topology lint wrong.conf >found &&
	golden topology-lint.txt cat found'

test_expect_success 'a hostile host name stays one plain line' '
	mkdir -p bad.files && cp files/* bad.files/ &&
	esc=$(printf "\\033") &&
	sed "s/{n0003 HCA-1}/{n${esc}c#3 HCA-1}/" files/opensm-subnet.lst \
		>bad.files/opensm-subnet.lst &&
	"$sfabric" import bad.files/* --output bad.snap &&
	"$sfabric" topology generate --snapshot bad.snap >out &&
	! grep "$esc" out && grep -F "c\\x233" out'

test_expect_success 'wrong command lines and files' '
	refuse 2 "generate or lint" "$sfabric" topology &&
	refuse 2 "expected generate or lint" "$sfabric" topology dance &&
	refuse 2 "which file" "$sfabric" topology lint &&
	refuse 2 "one word too many" "$sfabric" topology generate x &&
	refuse 1 "none.conf" "$sfabric" topology lint none.conf &&
	: >empty && refuse 1 "no SwitchName" "$sfabric" topology lint empty &&
	echo "SwitchName=a Nodes=n[" >bad &&
	refuse 1 "bad:1" "$sfabric" topology lint bad &&
	refuse 1 "n9999" "$sfabric" topology generate -w n9999'

test_done
