/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uint.h - the larger, the smaller and the rounded quotient of unsigned integers */
#ifndef SFAB_UINT_H
#define SFAB_UINT_H

#include <stdint.h>

static inline uint32_t sfab_uint_max(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static inline uint32_t sfab_uint_min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Return a / b, rounded up.  The sum of both must fit in 64 bits. */
static inline uint64_t sfab_uint_div_up(uint64_t a, uint64_t b)
{
	return (a + b - 1) / b;
}

#endif
