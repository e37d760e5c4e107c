#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# replay_policy.t - what a site's script does to thousands of jobs
#
# A made fat tree, twelve leaves of ten hosts with two uplinks each, and made
# logs of jobs of three to ten nodes.  All of them send much; two in five feel
# the fabric by a third of their time, the others by a fiftieth.  The classes
# of the table tell them apart: mpi and mixed.  Nobody gives a hint.
test_description='the script for sensitivity, replayed'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

test_have_prereq LUA || { skip_all='built without Lua'; test_done; }

mix=0.4:mpi=0.8:fluent:0.32,0.6:mpi=0.75+neighbor=0.05:montecarlo:0.02

# A single log says little: from one to another the gain varies by a tenth.
logs='7 101 202 303 404 505 606 707 808 909'

# replay SCRIPT: per class "CLASS LOSS WAIT" of policy sfabric, the mean over the logs
replay () {
	echo "${1:+Policy=\"$1\"}" >c.conf &&
	for log in $logs; do
		"$sfabric" replay $log.sacct --machine 120 --conf c.conf --snapshot tree.snap \
			--policy tree,sfabric --mix $mix --hints none --utilization 0.85 \
			--stretch loss --seeds 1-3 -P -h \
			-o policy,class,loss,wait_s_mean || return 1
	done >results &&
	awk -F'|' '{ name = $1 " " $2; loss[name] += $3; wait[name] += $4; n[name]++ }
		END { for (i in n) print i, loss[i] / n[i], wait[i] / n[i] }' \
		results | sort >result &&
	sed -n 's/^sfabric //p' result
}

# loss FILE CLASS: of its jobs, in parts of their time
loss () {
	awk -v class="$2" '$1 == class { print $2 }' "$1"
}

test_expect_success 'a fabric with few uplinks, logs of jobs' '
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" tree.snap 12 2 10 2 &&
	for log in $logs; do
		awk -v n=1000 -v s=$log -f "$SFAB_SRCDIR/tests/lib/small_log.awk" \
			>$log.sacct || return 1
	done'

test_expect_success 'sensitive jobs lose a twentieth less than by tree, with the script' '
	replay >without && sed -n "s/^tree //p" result >by-tree &&
	replay "$SFAB_SRCDIR/lua/examples/sensitivity.lua" >with &&
	tree=$(loss by-tree mpi) && before=$(loss without mpi) && after=$(loss with mpi) &&
	echo "sensitive jobs lose: tree $tree, default $before, script $after" &&
	awk "BEGIN { exit !($tree > 0.05 && $after < 0.95 * $tree && $after < $before) }"'

test_expect_success 'with the script nobody waits longer' '
	awk "FNR == NR { wait[\$1] = \$3; next }
	     \$3 > 1.02 * wait[\$1] { print; bad = 1 }
	     END { exit bad }" by-tree with'

test_expect_success 'the others lose no more than by tree' '
	awk "BEGIN { exit !($(loss with mixed) < 1.02 * $(loss by-tree mixed)) }"'

test_expect_success 'a script that says off: placed as tree places' '
	echo "return { job = function() return { mode = \"off\" } end }" >off.lua &&
	replay "$PWD/off.lua" >off &&
	sed -n "s/^tree //p" result >tree && test_cmp tree off'

test_expect_success 'names and sensitivities that are none' '
	refuse 1 "sensitivity '\''2'\'' (expected a number, 0 to 1)" "$sfabric" \
		replay --snapshot tree.snap --mix 1:mpi:a:2 &&
	refuse 1 "at most 31 bytes" "$sfabric" replay --snapshot tree.snap \
		--mix 1:mpi:abcdefghijklmnopqrstuvwxyz0123456789'

test_done
