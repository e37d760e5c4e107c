/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * variates.c - streams of splitmix64 (core/random.h); gamma variates by
 * Marsaglia and Tsang (ACM TOMS 26, 2000) from normal ones by the polar method
 */

#include "tools/replay/variates.h"

#include <math.h>

#include "core/random.h"

uint64_t random_of(uint64_t seed, enum random_purpose purpose, uint64_t index)
{
	uint64_t stream = sfab_mix(sfab_mix(seed + 1) + purpose + 1);

	return sfab_mix(stream + index + 1);
}

static double draw_normal(uint64_t *r)
{
	double x, y, s;

	do {
		x = 2 * sfab_uniform(r) - 1;
		y = 2 * sfab_uniform(r) - 1;
		s = x * x + y * y;
	} while (s >= 1 || s == 0);
	return x * sqrt(-2 * log(s) / s);
}

double random_gamma(uint64_t *r, double shape, double scale)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

	for (;;) {
		double x = draw_normal(r), v = 1 + c * x, u;

		if (v <= 0)
			continue;
		v = v * v * v;
		u = 1 - sfab_uniform(r);
		if (log(u) < x * x / 2 + d - d * v + d * log(v))
			return d * v * scale;
	}
}
