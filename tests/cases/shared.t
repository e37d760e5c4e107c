#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shared.t - one InfiniBand for MPI and IO, one port for all cores: ./quickstart case shared
test_description='one InfiniBand for MPI and IO, one port for all cores'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cases/case.sh"
case_run shared

test_expect_success 'a port is shared by 16 cores' '
	figure port 0.25 0.25'
test_expect_success 'cores of neighbours write a fraction of what they could' '
	figure write-neighbours 0.014 0.017 && figure mpi-neighbours 0.25 0.25'
test_expect_success 'spread over all uplinks IO hosts are the limit' '
	figure write-spread 0.0530 0.0540 && figure mpi-spread 0.20 0.25'
case_documented
test_done
