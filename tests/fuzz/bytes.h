/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bytes.h - an input as a string of small decisions; behind its end all are 0 */
#ifndef SFAB_FUZZ_BYTES_H
#define SFAB_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct bytes {
	const uint8_t *at;
	size_t nleft;
};

static inline uint8_t take8(struct bytes *in)
{
	return in->nleft ? (in->nleft--, *in->at++) : 0;
}

static inline uint32_t take16(struct bytes *in)
{
	uint32_t low = take8(in);

	return low | (uint32_t) take8(in) << 8;
}

/* A number below @n; 0 for none. */
static inline uint32_t take_below(struct bytes *in, uint32_t n)
{
	uint32_t x = n > 256 ? take16(in) : take8(in);

	return n ? x % n : 0;
}

#endif
