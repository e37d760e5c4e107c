# SPDX-License-Identifier: GPL-2.0-or-later
# to128_log.awk -v n=JOBS -v seed=SEED - a log of jobs in the Standard Workload Format:
# 1 to 128 nodes, even by logarithm, half of them powers of two; ten minutes to ten hours,
# even by logarithm.
BEGIN {
	srand(seed)
	for (i = 1; i <= n; i++) {
		size = 7 * rand()
		nodes = int(2 ^ (rand() < 0.5 ? int(size + 0.5) : size) + 0.5)
		run = int(600 * 60 ^ rand())
		t -= 300 * log(1 - rand())
		print i, int(t), 0, run, nodes, -1, -1, nodes,
		      2 * run, -1, 1, 1, 1, 1, 1, 1, -1, -1
	}
}
