#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# luna.t - LANL Luna: ./quickstart case luna
test_description='LANL Luna: ports that routes use, IO hosts moved'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cases/case.sh"
case_run luna

test_expect_success 'of 54 x 36 ports ftree uses one a host' '
	figure total 1944 1944 && figure ports 1540 1540 &&
	figure ports-guid 1540 1540 && figure ports-moved 1540 1540 &&
	figure ports-updn 1400 1480'
test_expect_success 'writes enter few spines; io_guid_file makes them fewer' '
	figure io 216 216 && figure io-guid 108 108 &&
	figure io-moved 1200 1944'
test_expect_success 'moving IO hosts helps, and so does placing' '
	figure worst 60 80 && figure worst-guid 30 45 &&
	figure worst-moved 200 256 && figure placed 255.9 256.1'
case_documented
test_done
