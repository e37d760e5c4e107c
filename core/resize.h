/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize.h - arrays that grow
 *
 * @array points to the pointer to the array.  Functions return 0, or -1 if there is no memory;
 * the array is then unchanged.
 */
#ifndef SFAB_RESIZE_H
#define SFAB_RESIZE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"

/* Make space for @n entries of @size bytes. */
static inline int sfab_resize(void *array, size_t n, size_t size)
{
	void *entries;

	memcpy(&entries, array, sizeof(entries));
	entries = realloc(entries, n * size);
	if (!entries)
		return -1;
	memcpy(array, &entries, sizeof(entries));
	return 0;
}

/*
 * Make space for one more entry after the first @n.  The space doubles when @n is a power of
 * two, so an array needs no field for its capacity.
 */
static inline int sfab_resize_one_more(void *array, size_t n, size_t size)
{
	return n & (n - 1) ? 0 : sfab_resize(array, n ? 2 * n : 1, size);
}

/* Append a copy of @entry, @size bytes, to the *@n entries.  -1 with *@err: SFAB_ENOMEM. */
static inline int sfab_resize_append(void *array, uint32_t *n, const void *entry, size_t size,
				     struct sfab_err *err)
{
	char *entries;

	if (sfab_resize_one_more(array, *n, size) < 0)
		return sfab_no_memory(err);
	memcpy(&entries, array, sizeof(entries));
	memcpy(entries + (*n)++ * size, entry, size);
	return 0;
}

#endif
