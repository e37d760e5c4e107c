#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# talon.t - Sandia Talon: ./quickstart case talon
test_description='Sandia Talon: CBench rotate, placements, an unknown job'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cases/case.sh"
case_run talon

test_expect_success 'no loss on one chip, loss beyond' '
	figure chip 1 1 && figure begins 24 24'
test_expect_success 'at 64 nodes bandwidth sharing loses 3 to 20 %' '
	figure minhop 0.95 0.99 && figure ftree 0.95 0.99 &&
	figure minhop-pairs 0.86 0.91 && figure random 0.78 0.86 &&
	figure random-pairs 0.75 0.85 && figure worst 0.2 0.5'
test_expect_success 'jobs on random nodes lose most, those of sfabric least' '
	figure_below minhop-sfabric minhop-tree &&
	figure_below random-sfabric random-tree &&
	figure minhop-drawn 1.3 1.6 && figure minhop-tree 1.0 1.1 &&
	figure minhop-sfabric 1.0 1.07 &&
	figure random-drawn 1.4 1.6 && figure random-tree 1.1 1.2 &&
	figure random-sfabric 1.05 1.15'
test_expect_success 'counters keep a job off the links of an unknown one' '
	figure blind 1.15 1.25 && figure seeing 1 1.02'
case_documented
test_done
