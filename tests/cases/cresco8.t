#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cresco8.t - all-to-all on NDR, alone and beside others: ./quickstart case cresco8
test_description='halves of a block of nodes beside each other'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cases/case.sh"
case_run cresco8

test_expect_success 'tables in order keep every second node apart from the others' '
	figure ftree-links 0 0 && figure ftree-256 1 1 && figure alone-256 14 16'
test_expect_success 'scattered tables do not: 128 nodes lose as much as was measured' '
	figure scatter-links 160 168 && figure scatter-64 0.99 1 && figure scatter-128 0.7 0.8'
test_expect_success 'two jobs that sfabric places have the full rate beside each other' '
	figure placed 25 25 && figure beside 1 1'
case_documented
test_done
