/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reserve.h - room for one more in an array that readers fill */
#ifndef SFAB_RESERVE_H
#define SFAB_RESERVE_H

#include <stdint.h>
#include <stdlib.h>

#include "core/err.h"

/*
 * Returns @array with space for one more entry of @size bytes after its @n entries;
 * capacity doubles when @n is 0 or a power of two.  NULL with *@err: no memory,
 * @array is unchanged.
 */
static inline void *sfab_room(void *array, uint32_t n, size_t size,
			      struct sfab_err *err)
{
	void *grown;

	if (n & (n - 1))
		return array;
	grown = realloc(array, (n ? 2 * (size_t) n : 1) * size);
	if (!grown)
		sfab_no_memory(err);
	return grown;
}

#endif
