# SPDX-License-Identifier: GPL-2.0-or-later
# small_log.awk -v n=JOBS -v s=SEED [-v skip=DRAWS] - a log of jobs as sacct -P prints it,
# for a machine of 120 nodes: 3 to 10 nodes each.  Seeds that are near each other begin
# alike: skip some draws.
function draw(k) { s = s * 16807 % 2147483647; return s % k }
BEGIN {
	for (i = 0; i < skip; i++)
		draw(3)
	print "Submit|ElapsedRaw|NNodes|Timelimit"
	for (i = 1; i <= n; i++) {
		nodes = 3 + draw(8)
		run = 600 + draw(6000)
		t += draw(200)
		printf "2026-01-%02dT%02d:%02d:%02d|%d|%d|%02d:%02d:%02d\n",
			1 + t / 86400, t % 86400 / 3600, t % 3600 / 60, t % 60, run,
			nodes, 2 * run / 3600, 2 * run % 3600 / 60, 2 * run % 60
	}
}
