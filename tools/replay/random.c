/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random.c - splitmix64 (Steele, Lea, Flood, OOPSLA 2014); gamma variates by
 * Marsaglia and Tsang (ACM TOMS 26, 2000) from normal ones by the polar method
 */

#include "random.h"

#include <math.h>

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

uint64_t random_next(struct random *r)
{
	return mix(r->state += 0x9E3779B97F4A7C15u);
}

struct random random_of(uint64_t seed, enum random_purpose purpose,
			uint64_t index)
{
	struct random r = { mix(mix(seed + 1) + purpose + 1) };

	r.state = mix(r.state + index + 1);
	return r;
}

double random_uniform(struct random *r)
{
	return (double) (random_next(r) >> 11) * 0x1.0p-53;
}

static double normal(struct random *r)
{
	double x, y, s;

	do {
		x = 2 * random_uniform(r) - 1;
		y = 2 * random_uniform(r) - 1;
		s = x * x + y * y;
	} while (s >= 1 || s == 0);
	return x * sqrt(-2 * log(s) / s);
}

double random_gamma(struct random *r, double shape, double scale)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

	for (;;) {
		double x = normal(r), v = 1 + c * x, u;

		if (v <= 0)
			continue;
		v = v * v * v;
		u = 1 - random_uniform(r);
		if (log(u) < x * x / 2 + d - d * v + d * log(v))
			return d * v * scale;
	}
}
