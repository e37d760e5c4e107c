/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * variates.h - repeatable random numbers
 *
 * One state is one stream (core/random.h).  random_of() returns a separate one for each
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

uint64_t random_of(uint64_t seed, enum random_purpose purpose, uint64_t index);

/* Gamma distribution, mean @shape x @scale; @shape >= 1. */
double random_gamma(uint64_t *r, double shape, double scale);

#endif
