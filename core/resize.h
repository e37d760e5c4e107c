/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize.h - arrays that grow
 *
 * @array is where the pointer to the array is.  0, or -1 without memory: the array is then
 * as it was.
 */
#ifndef SFAB_RESIZE_H
#define SFAB_RESIZE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"

/* Space for @n entries of @size bytes. */
static inline int sfab_resize(void *array, size_t n, size_t size)
{
	void *now;

	memcpy(&now, array, sizeof(now));
	now = realloc(now, n * size);
	if (!now)
		return -1;
	memcpy(array, &now, sizeof(now));
	return 0;
}

/*
 * Space for one more entry after its @n.  It doubles when @n is 0 or a power of two, so an
 * array needs no field for its space.
 */
static inline int sfab_one_more(void *array, size_t n, size_t size)
{
	return n & (n - 1) ? 0 : sfab_resize(array, n ? 2 * n : 1, size);
}

/* A copy of the @size bytes of @entry after the *@n entries.  -1 with *err. */
static inline int sfab_append(void *array, uint32_t *n, const void *entry, size_t size,
			      struct sfab_err *err)
{
	char *now;

	if (sfab_one_more(array, *n, size) < 0)
		return sfab_no_memory(err);
	memcpy(&now, array, sizeof(now));
	memcpy(now + (*n)++ * size, entry, size);
	return 0;
}

#endif
