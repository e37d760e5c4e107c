#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# mustang.t - LANL Mustang: ./quickstart case mustang
test_description='LANL Mustang: ports that routes use, IO hosts moved'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cases/case.sh"
case_run mustang

test_expect_success 'of 54 x 32 ports ftree uses one a host' '
	figure total 1728 1728 && figure ports 1600 1600 &&
	figure ports-guid 1600 1600 && figure ports-moved 1600 1600 &&
	figure ports-updn 780 860'
test_expect_success 'writes enter three spines, however IO hosts are told' '
	figure io 96 96 && figure io-guid 96 96 && figure io-moved 1500 1728'
test_expect_success 'moving IO hosts helps, and so does placing' '
	figure worst 15.9 16.1 && figure worst-guid 16 40 &&
	figure worst-moved 200 256 && figure placed 255.9 256.1'
case_documented
test_done
