/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash.c - XXH64: four lanes eat 32 bytes at a time, are merged, the rest of
 * the input follows in 8, 4 and 1 bytes, and the bits are mixed
 */

#include "hash.h"
#include "little.h"

#define P1 0x9E3779B185EBCA87u
#define P2 0xC2B2AE3D27D4EB4Fu
#define P3 0x165667B19E3779F9u
#define P4 0x85EBCA77C2B2AE63u
#define P5 0x27D4EB2F165667C5u

static uint64_t rotate(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static uint64_t eat(uint64_t lane, uint64_t word)
{
	return rotate(lane + word * P2, 31) * P1;
}

static uint64_t merge(uint64_t h, uint64_t lane)
{
	return (h ^ eat(0, lane)) * P1 + P4;
}

/* All whole blocks of 32 bytes; *@at becomes the place after them. */
static uint64_t eat_blocks(const uint8_t **at, const uint8_t *end)
{
	uint64_t a = P1 + P2, b = P2, c = 0, d = -P1, h;
	const uint8_t *p = *at;

	for (; end - p >= 32; p += 32) {
		a = eat(a, sfab_get64(p));
		b = eat(b, sfab_get64(p + 8));
		c = eat(c, sfab_get64(p + 16));
		d = eat(d, sfab_get64(p + 24));
	}
	*at = p;
	h = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
	return merge(merge(merge(merge(h, a), b), c), d);
}

static uint64_t mix(uint64_t h)
{
	h = (h ^ h >> 33) * P2;
	h = (h ^ h >> 29) * P3;
	return h ^ h >> 32;
}

uint64_t sfab_hash64(const uint8_t *p, size_t n)
{
	const uint8_t *end = p + n;
	uint64_t h = n >= 32 ? eat_blocks(&p, end) : P5;

	h += n;
	for (; end - p >= 8; p += 8)
		h = rotate(h ^ eat(0, sfab_get64(p)), 27) * P1 + P4;
	for (; end - p >= 4; p += 4)
		h = rotate(h ^ sfab_get32(p) * P1, 23) * P2 + P3;
	for (; p < end; p++)
		h = rotate(h ^ *p * P5, 11) * P1;
	return mix(h);
}
