#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rotate.t - shares of pairs that send at once
test_description='sfabric rotate'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

test_expect_success 'a snapshot' '
	import_small small.snap --io "n[0021-0024]" &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT'

test_expect_success 'both patterns, each, JSON' '
	golden rotate.txt "$sfabric" rotate &&
	golden rotate-each.txt "$sfabric" rotate --nodes "n[0001-0012]" \
		--shifts 11 --bisections 2 --each &&
	golden rotate.json "$sfabric" rotate --json'

test_expect_success 'step by step: the same as of so many hosts' '
	golden rotate-step.txt "$sfabric" rotate -w "n[0001-0014]" --step 6 &&
	fields=pattern,patterns,pairs,mean_share,p05_share,worst_share &&
	for last in 06 12 14; do
		"$sfabric" rotate -w "n[0001-00$last]" -hP -o $fields ||
			return 1
	done >each &&
	"$sfabric" rotate -w "n[0001-0014]" --step 6 -hP -o $fields >steps &&
	test_cmp each steps'

test_expect_success 'on one leaf nobody notices' '
	"$sfabric" rotate -w "n[0001-0004]" -hP -o mean_share,worst_share |
	sort -u >actual &&
	echo "1|1" >expected &&
	test_cmp expected actual'

# two hosts a leaf swap with the other leaf: the worst link carries what the
# tables say of just these pairs
test_expect_success 'a share is one over the flows on the worst link' '
	"$sfabric" rotate -w "n[0001-0002,0005-0006]" --shifts 3 --each -hP \
		--bisections 0 -o shift,worst_share | sed -n "s/^2|//p" >actual &&
	for pair in 1:5 2:6 5:1 6:2; do
		"$sfabric" route n000${pair%:*} n000${pair#*:} -hP \
			-o source,kind,switch,port |
		grep "^n000${pair%:*}|isl"
	done | cut -d"|" -f3,4 | sort | uniq -c | sort -n |
		awk "END { print 1 / \$1 }" >expected &&
	test_cmp expected actual'

test_expect_success 'wrong command lines and sets' '
	refuse 1 "1 host (expected at least 2)" "$sfabric" rotate -w n0001 &&
	refuse 1 "n9999" "$sfabric" rotate -w "n[0001,9999]" &&
	refuse 2 "shifts" "$sfabric" rotate --shifts x'

test_done
