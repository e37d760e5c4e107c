/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pattern.c - who sends to whom in a step, and which steps are sampled */

#include "core/load/pattern.h"

#include <stdlib.h>

#include "core/ascending.h"
#include "core/fabric/fabric.h"

/*
 * 2^32 / golden ratio: its multiples modulo 2^32 are evenly spread and have no period that
 * could match a leaf size.
 */
#define GOLDEN_RATIO_32 2654435769u

const double sfab_default_mix[SFAB_NPATTERNS] = {
	[SFAB_ALLTOALL] = 0.3,
	[SFAB_ALLREDUCE] = 0.4,
	[SFAB_RING] = 0.1,
	[SFAB_UNIFORM] = 0.2,
};

const char *sfab_pattern_name(enum sfab_pattern pattern)
{
	static const char name[SFAB_NPATTERNS][12] = {
		[SFAB_ALLTOALL] = "alltoall",
		[SFAB_ALLREDUCE] = "allreduce",
		[SFAB_RING] = "ring",
		[SFAB_UNIFORM] = "uniform",
	};

	return pattern < SFAB_NPATTERNS ? name[pattern] : "?";
}

/* Return the highest power of two that is at most @n, or 1 if that is 0. */
static uint32_t power_below(uint32_t n)
{
	uint32_t p = 1;

	while (p <= n / 2)
		p *= 2;
	return p;
}

/* Return the logarithm to base 2 of @power, a power of two. */
static uint32_t log_of(uint32_t power)
{
	uint32_t k = 0;

	while (power >>= 1)
		k++;
	return k;
}

uint32_t sfab_pattern_steps(enum sfab_pattern pattern, uint32_t n)
{
	uint32_t p = power_below(n);

	if (n < 2)
		return 0;
	switch (pattern) {
	case SFAB_ALLTOALL:
		return n - 1;
	case SFAB_ALLREDUCE:
		return log_of(p) + (p < n ? 2 : 0);
	case SFAB_RING:
	case SFAB_UNIFORM:
		return 1;
	}
	return 0;
}

/*
 * Return the partner of @rank.  Pairs among the first 2r ranks are folded: the even rank sends
 * to the odd one in the first step, and the odd one sends back in the last.
 */
static uint32_t allreduce_partner(uint32_t n, uint32_t step, uint32_t rank)
{
	uint32_t p = power_below(n), r = n - p, k = log_of(p), peer;

	if (r && (step == 0 || step > k)) {
		if (rank >= 2 * r || rank % 2 != (step > k))
			return SFAB_NONE;
		return step > k ? rank - 1 : rank + 1;
	}
	if (r) {
		step--;
		if (rank < 2 * r && rank % 2 == 0)
			return SFAB_NONE;
	}
	peer = (rank < 2 * r ? rank / 2 : rank - r) ^ (1u << step);
	return peer < r ? 2 * peer + 1 : peer + r;
}

uint32_t sfab_pattern_peer(enum sfab_pattern pattern, uint32_t n, uint32_t step,
			   uint32_t rank)
{
	switch (pattern) {
	case SFAB_ALLTOALL:
		return (uint32_t) ((rank + 1ull + step) % n);
	case SFAB_ALLREDUCE:
		return allreduce_partner(n, step, rank);
	case SFAB_RING:
		return (uint32_t) ((rank + 1ull) % n);
	case SFAB_UNIFORM:
		return SFAB_NONE;
	}
	return SFAB_NONE;
}

int sfab_pattern_always(enum sfab_pattern pattern, uint32_t step)
{
	return pattern != SFAB_ALLTOALL || ((step + 1) & step) == 0;
}

uint32_t sfab_pattern_sample(enum sfab_pattern pattern, uint32_t n, uint32_t max,
			     uint32_t step[SFAB_STEPS_MAX])
{
	uint32_t nsteps = sfab_pattern_steps(pattern, n), found = 0, spans, kept = 0;

	if (nsteps <= max) {
		for (uint32_t i = 0; i < nsteps; i++)
			step[i] = i;
		return nsteps;
	}
	/* Shift 2^k is step 2^k - 1. */
	for (uint64_t shift = 1; shift <= nsteps; shift *= 2)
		step[found++] = (uint32_t) shift - 1;
	/* One step from each of so many equal spans. */
	spans = max - found;
	for (uint32_t i = 0; i < spans; i++) {
		double position = i + (uint32_t) (i * GOLDEN_RATIO_32) / 4294967296.0;

		step[found + i] = (uint32_t) (position * nsteps / spans);
	}
	qsort(step, max, sizeof(*step), sfab_ascending_u32);
	for (uint32_t i = 0; i < max; i++)
		if (i == 0 || step[i] != step[i - 1])
			step[kept++] = step[i];
	return kept;
}
