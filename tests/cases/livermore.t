#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# livermore.t - a full fat tree of three levels: ./quickstart case livermore
test_description='what a node reaches as more take part'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cases/case.sh"
case_run livermore

test_expect_success 'by minhop four times the nodes have half the rate, as published' '
	figure falls 0.44 0.52'
test_expect_success 'cabling and engine decide it' '
	figure_below falls directors && figure_below directors scatter &&
	figure_below scatter ftree && figure ftree 0.88 0.96'
test_expect_success 'minhop comes down by a twelfth of the ports that ftree uses' '
	figure used 12 12 && figure used-ftree 144 144 && figure used-directors 36 36'
test_expect_success 'the mean is between the worst and the best bisection' '
	figure_below worst at500 && figure_below at500 best && figure at128 0.8 0.88'
case_documented
test_done
