/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * variates.h - repeatable random numbers
 *
 * One state is one stream.  random_of() returns a separate stream for each
 * (seed, purpose, index), so that what one consumer draws never shifts another.
 */
#ifndef SFAB_REPLAY_VARIATES_H
#define SFAB_REPLAY_VARIATES_H

#include <stdint.h>

enum random_purpose {
	RANDOM_MODEL,		/* the synthetic workload */
	RANDOM_KIND,		/* what a job sends */
	RANDOM_LIMIT,		/* how well its limit is known */
	RANDOM_SEARCH = 4,	/* seed of its placement; 3 had a use in published figures */
	RANDOM_SAMPLE,		/* whether its throughput is computed */
};

struct random {
	uint64_t state;
};

struct random random_of(uint64_t seed, enum random_purpose purpose,
			uint64_t index);

uint64_t random_next(struct random *r);
double random_uniform(struct random *r);	/* 0 <= x < 1 */
/* Gamma distribution, mean @shape x @scale; @shape >= 1. */
double random_gamma(struct random *r, double shape, double scale);

#endif
