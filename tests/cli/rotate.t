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
		--rotations 6 --bisections 2 --each &&
	golden rotate.json "$sfabric" rotate --json'

test_expect_success 'step by step: the same as of so many hosts' '
	golden rotate-step.txt "$sfabric" rotate -w "n[0001-0014]" --step 6 &&
	fields=pattern,patterns,pairs,mean_share,p05_share,slowest_share,worst_share &&
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

# row_of_each KIND: mean and least of its patterns, from their rows
row_of_each () {
	awk -F'|' -v kind=$1 '$1 == kind {
		n++; mean += $2; slow += $3
		if ($3 != $4) bad = 1
		if (n == 1 || $4 < worst) worst = $4
	}
	END {
		printf "%.2f|%.2f|%.2f%s\n", mean / n, slow / n, worst, bad ? " differs" : ""
	}'
}

# row_of KIND: the same, from the row of all its patterns
row_of () {
	awk -F'|' -v kind=$1 '$1 == kind { printf "%.2f|%.2f|%.2f\n", $2, $3, $4 }'
}

test_expect_success 'a row is the mean and the least of its patterns' '
	for kind in rotate bisect; do
		"$sfabric" rotate -w "n[0001-0012]" --each -hP \
			-o pattern,mean_share,slowest_share,worst_share |
			row_of_each $kind >expected &&
		"$sfabric" rotate -w "n[0001-0012]" -hP \
			-o pattern,mean_share,slowest_share,worst_share |
			row_of $kind >actual &&
		test_cmp expected actual || return 1
	done'

test_expect_success 'an odd host, the last, takes no part in rotations' '
	for last in 10 11; do
		"$sfabric" rotate -w "n[0001-00$last]" --bisections 0 >odd$last ||
			return 1
	done &&
	test_cmp odd10 odd11'

# worst_of ROTATION SOURCE:DESTINATION...: one over the flows on the worst link
worst_of() {
	rotation=$1
	shift
	for pair; do
		"$sfabric" route n000${pair%:*} n000${pair#*:} -hP \
			-o source,kind,switch,port |
		grep "^n000${pair%:*}|isl"
	done | cut -d"|" -f3,4 | sort | uniq -c | sort -n |
		awk -v r=$rotation 'END { print r "|" 1 / $1 }'
}

# the lower half is on one leaf, the upper on the other
test_expect_success 'a share is one over the flows on the worst link' '
	"$sfabric" rotate -w "n[0001-0002,0005-0006]" --each -hP \
		--bisections 0 -o rotation,worst_share >actual &&
	worst_of 0 1:5 2:6 >expected && worst_of 1 1:6 2:5 >>expected &&
	test_cmp expected actual'

test_expect_success 'wrong command lines and sets' '
	refuse 1 "1 host (expected at least 2)" "$sfabric" rotate -w n0001 &&
	refuse 1 "n9999" "$sfabric" rotate -w "n[0001,9999]" &&
	refuse 2 "rotations" "$sfabric" rotate --rotations x'

test_done
