/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random.h - splitmix64 (Steele, Lea, Flood, OOPSLA 2014): repeatable random numbers
 *
 * The state starts as the seed and belongs to the caller.  The same mixing function hashes a
 * list of ids.
 */
#ifndef SFAB_RANDOM_H
#define SFAB_RANDOM_H

#include <stdint.h>

/* Spread neighboring numbers far apart: the finalizer of splitmix64. */
static inline uint64_t sfab_random_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static inline uint64_t sfab_random(uint64_t *state)
{
	return sfab_random_mix(*state += 0x9E3779B97F4A7C15u);
}

/* Return a number 0 <= x < 1. */
static inline double sfab_random_double(uint64_t *state)
{
	return (double) (sfab_random(state) >> 11) * 0x1.0p-53;
}

static inline uint64_t sfab_random_hash(const uint32_t *id, uint32_t n)
{
	uint64_t hash = n;

	for (uint32_t i = 0; i < n; i++) {
		hash ^= id[i];
		hash = sfab_random(&hash);
	}
	return hash;
}

#endif
