/* SPDX-License-Identifier: GPL-2.0-or-later */
/* curve.h - how often answers are right, by the confidence that they state */
#ifndef SFAB_BENCH_CURVE_H
#define SFAB_BENCH_CURVE_H

#include <stdint.h>
#include <stdio.h>

#define CURVE 5
static const double curve_from[CURVE] = { 0, 0.5, 0.8, 0.9, 0.95 };

struct curve {
	uint32_t n, right;
	double stated;
};

static inline void curve_add(struct curve c[CURVE], double stated, int right)
{
	int at = CURVE - 1;

	while (stated < curve_from[at])
		at--;
	c[at].n++;
	c[at].stated += stated;
	c[at].right += (uint32_t) right;
}

/* "curve", then for each class how many, the mean of what they state, how many are right. */
static inline void curve_print(const struct curve c[CURVE])
{
	printf("curve");
	for (int i = 0; i < CURVE; i++)
		printf(" %u %.3f %u", c[i].n, c[i].n ? c[i].stated / c[i].n : 0, c[i].right);
	printf("\n");
}

#endif
