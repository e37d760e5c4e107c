#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ordinary.t - the job of which nobody tells anything: ./quickstart case ordinary
test_description='the job of which nobody tells anything'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cases/case.sh"
case_run ordinary

test_expect_success 'by topology/tree writes and steps suffer' '
	figure write-tree 10 20 && figure clear-tree 0 40'
test_expect_success 'one node a leaf repairs the writes only' '
	figure write-spread 54.9 55.1 && figure clear-spread 0 40'
test_expect_success 'sfabric has both' '
	figure write-sfabric 54.9 55.1 && figure clear-sfabric 70 70 &&
	figure time-sfabric 1 1.005'
test_expect_success 'a day of jobs loses half as much' '
	awk "{ lost[\$1] = \$2 } END {
		exit !(lost[\"lost-sfabric\"] < 0.6 * lost[\"lost-tree\"] &&
		       lost[\"lost-sfabric\"] < 0.6 * lost[\"lost-spread\"]) }" case/figures'
case_documented
test_done
