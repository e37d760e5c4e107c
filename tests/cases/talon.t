#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# talon.t - Sandia Talon: ./quickstart case talon
test_description='Sandia Talon: CBench rotate, placements, an unknown job'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cases/case.sh"
case_run talon

test_expect_success 'no loss on one chip, loss beyond' '
	figure chip 1 1 && figure begins 24 24 && figure begins-random 12 12'
test_expect_success 'at 64 nodes CBench loses more, the less regular the tables' '
	figure minhop 0.93 0.95 && figure ftree 0.93 0.95 &&
	figure scatter 0.71 0.75 && figure random 0.58 0.64 &&
	figure slowest 0.25 0.31 && figure chosen 0.7 0.95'
# With scattered ports five draws of the jobs do not tell which of the two is less.
test_expect_success 'jobs on random nodes lose most, those of sfabric least by minhop' '
	figure_below minhop-sfabric minhop-tree &&
	figure scatter-sfabric 0.45 0.54 && figure scatter-tree 0.52 0.54 &&
	figure_below minhop-tree minhop-drawn &&
	figure_below scatter-tree scatter-drawn'
test_expect_success 'counters keep a job off the links of an unknown one' '
	figure_below seeing blind'
case_documented
test_done
