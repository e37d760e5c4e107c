/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ascending.h - comparison of numbers and of lists of them, for qsort() and bsearch() */
#ifndef SFAB_ASCENDING_H
#define SFAB_ASCENDING_H

#include <stdint.h>

static inline int sfab_ascending_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

	return (x > y) - (x < y);
}

static inline int sfab_ascending_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

	return (x > y) - (x < y);
}

static inline int sfab_ascending_double(const void *a, const void *b)
{
	double x = *(const double *) a, y = *(const double *) b;

	return (x > y) - (x < y);
}

/* Compare @n keys.  The first that differs decides. */
static inline int sfab_ascending_keys(const uint64_t *a, const uint64_t *b, int n)
{
	int i = 0;

	while (i < n - 1 && a[i] == b[i])
		i++;
	return sfab_ascending_u64(&a[i], &b[i]);
}

#endif
