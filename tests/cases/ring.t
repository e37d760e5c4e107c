#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ring.t - a ring of hosts without a switch: ./quickstart case ring
test_description='four hosts in a ring, one of them bonded'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cases/case.sh"
case_run ring

test_expect_success 'two pairs are neighbours, four effectively one hop apart' '
	figure hops-b-c 0 0 && figure hops-c-d 0 0 &&
	for pair in b-d a-b a-c a-d; do
		figure hops-$pair 1 1 || return 1
	done'
test_expect_success 'a blocked cable makes a chain, and a star has three direct pairs' '
	grep -qx "stp 3 2 1" case/figures && grep -qx "star 3 3 0" case/figures'
test_expect_success 'a cable carries 1051 MB/s, a host in between 754' '
	figure rate-b-c 1051 1051 && figure rate-c-d 1051 1051 &&
	figure rate-b-d 754 754 && figure rate-c-a 754 754'
test_expect_success 'the bonded host sends both ways at once' '
	figure rate-a-b 1508 1508 && figure rate-a-c 1508 1508 &&
	figure rate-a-d 1508 1508 && figure rate-b-a 1051 1051'
test_expect_success 'all at once: less than alone, more than in lockstep' '
	figure together 5000 6000 && figure together-lockstep 2900 3200'
case_documented
test_done
