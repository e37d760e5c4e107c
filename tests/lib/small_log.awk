# SPDX-License-Identifier: GPL-2.0-or-later
# small_log.awk -v n=JOBS -v s=SEED [-v skip=DRAWS] - a log of jobs in the Standard
# Workload Format, for a machine of 120 nodes: 3 to 10 nodes each.  Seeds that are
# near each other begin alike: skip some draws.
function draw(k) { s = s * 16807 % 2147483647; return s % k }
BEGIN {
	for (i = 0; i < skip; i++)
		draw(3)
	print "; MaxNodes: 120\n; MaxProcs: 120"
	for (i = 1; i <= n; i++) {
		nodes = 3 + draw(8)
		run = 600 + draw(6000)
		t += draw(200)
		print i, t, 0, run, nodes, -1, -1, nodes,
		      2 * run, -1, 1, 1, 1, 1, 1, 1, -1, -1
	}
}
