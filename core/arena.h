/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena.h - arrays that are allocated one by one and freed together */
#ifndef SFAB_ARENA_H
#define SFAB_ARENA_H

#include <stddef.h>

struct sfab_arena {		/* zero it before the first use */
	struct arena_block *last;
	int failed;		/* 1: out of memory, now or before */
};

/* Allocate @n elements of @size bytes, all zero.  @n may be 0.  NULL: out of memory. */
void *sfab_arena_take(struct sfab_arena *a, size_t n, size_t size);

/* Do the same with all bits set, which is SFAB_NONE for uint32_t. */
void *sfab_arena_take_ones(struct sfab_arena *a, size_t n, size_t size);

/* Copy @text, or its first @n bytes.  NULL: out of memory. */
char *sfab_arena_strdup(struct sfab_arena *a, const char *text);
char *sfab_arena_strndup(struct sfab_arena *a, const char *text, size_t n);

/* Move all arrays of @from to @a, which frees them from now on. */
void sfab_arena_take_over(struct sfab_arena *a, struct sfab_arena *from);

/* Free all arrays.  The arena is then empty and can be used again. */
void sfab_arena_free(struct sfab_arena *a);

#endif
