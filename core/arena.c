/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arena.c - a list of blocks; see arena.h
 *
 * Each array is a block of its own, so that valgrind and sanitizers see where it ends.
 */

#include "core/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
	struct arena_block *previous;
	max_align_t array[];
};

void *sfab_arena_take(struct sfab_arena *a, size_t n, size_t size)
{
	struct arena_block *b = NULL;

	if (n <= (SIZE_MAX - sizeof(*b)) / size)
		b = calloc(1, sizeof(*b) + n * size);
	if (!b) {
		a->failed = 1;
		return NULL;
	}
	b->previous = a->last;
	a->last = b;
	return b->array;
}

void *sfab_arena_take_ones(struct sfab_arena *a, size_t n, size_t size)
{
	void *array = sfab_arena_take(a, n, size);

	return array ? memset(array, 0xFF, n * size) : NULL;
}

char *sfab_arena_strndup(struct sfab_arena *a, const char *text, size_t n)
{
	char *copy = sfab_arena_take(a, n + 1, 1);

	return copy ? memcpy(copy, text, n) : NULL;
}

char *sfab_arena_strdup(struct sfab_arena *a, const char *text)
{
	return sfab_arena_strndup(a, text, strlen(text));
}

void sfab_arena_take_over(struct sfab_arena *a, struct sfab_arena *from)
{
	struct arena_block **first = &from->last;

	while (*first)
		first = &(*first)->previous;
	*first = a->last;
	a->last = from->last;
	from->last = NULL;
}

void sfab_arena_free(struct sfab_arena *a)
{
	while (a->last) {
		struct arena_block *b = a->last;

		a->last = b->previous;
		free(b);
	}
	a->failed = 0;
}
