#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# omnipath.t - Omni-Path: two switches, one cable between them: ./quickstart case omnipath
test_description='Omni-Path: two switches, one cable between them'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cases/case.sh"
case_run omnipath

test_expect_success 'the link between the switches is the worst' '
	grep -x "worst s1/48 to s2" case/figures &&
	figure five 0.2 0.2 && figure one 1 1'
test_expect_success 'discards are reported and do not move the score' '
	figure discards "$(sed -n "s/^quiet //p" case/figures)" \
		"$(sed -n "s/^quiet //p" case/figures)" &&
	figure seen 300000000 300000000'
test_expect_success 'waits do' '
	figure own-quiet 0.74 0.76 && figure_below own-quiet own-waits'
test_expect_success 'a full host port is said to be one, its waits do not count' '
	grep -x "bottleneck host" case/figures &&
	figure own-host 0.36 0.37'
case_documented
test_done
