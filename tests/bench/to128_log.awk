# SPDX-License-Identifier: GPL-2.0-or-later
# to128_log.awk -v n=JOBS -v seed=SEED - a log of jobs as sacct -P prints it: 1 to 128
# nodes, even by logarithm, half of them powers of two; ten minutes to ten hours, even by
# logarithm.
BEGIN {
	srand(seed)
	print "Submit|ElapsedRaw|NNodes"
	for (i = 1; i <= n; i++) {
		size = 7 * rand()
		nodes = int(2 ^ (rand() < 0.5 ? int(size + 0.5) : size) + 0.5)
		run = int(600 * 60 ^ rand())
		t -= 300 * log(1 - rand())
		printf "2026-01-%02dT%02d:%02d:%02d|%d|%d\n", 1 + t / 86400,
			t % 86400 / 3600, t % 3600 / 60, t % 60, run, nodes
	}
}
