#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# wolf.t - LANL Wolf: ./quickstart case wolf
test_description='LANL Wolf: 64 nodes that write, as published and as remedied'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cases/case.sh"
case_run wolf

test_expect_success 'all pairs, all spine ports, one uplink towards IO' '
	figure pairs 408960 408960 && figure ports 640 640 &&
	figure uplinks 1 1'
test_expect_success '64 neighbours write at a third of 55 GB/s' '
	figure neighbours 22 24 && figure neighbours-lockstep 15 16.5 &&
	figure worst 16 20'
test_expect_success '64 nodes on eight leaves reach 35-40' '
	figure fragments 35 40'
test_expect_success 'sfabric finds the nodes that reach all of it' '
	figure placed 54.9 55.1'
test_expect_success 'io_guid_file does not help, moving IO hosts does' '
	figure guid 16 20 && figure moved 54.9 55.1'
case_documented
test_done
