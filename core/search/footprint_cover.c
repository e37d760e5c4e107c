/* SPDX-License-Identifier: GPL-2.0-or-later */
/* footprint_cover.c - which link covers which; see footprint_cover.h */

#include "core/search/footprint_cover.h"

#include <stdlib.h>
#include <string.h>

struct from {			/* what a link carries from one host */
	uint32_t row;
	float v;
};

struct sum {			/* total of what a link carries */
	double v;
	uint32_t link;
};

struct columns {		/* the loads, transposed: link by link */
	const struct loads *x;
	const float *common;
	size_t *first;		/* [nlinks + 1] into from */
	struct from *from;	/* ascending by row within a link */
	struct sum *order;	/* links by decreasing total */
	uint32_t *place;	/* by link: its index in that order */
	struct sfab_arena arena;
};

int sfab_loads_init(struct loads *x, uint32_t nlinks, uint32_t most)
{
	memset(x, 0, sizeof(*x));
	x->nlinks = nlinks;
	x->first = calloc(most + 2u, sizeof(*x->first));
	return x->first ? 0 : -1;
}

void sfab_loads_free(struct loads *x)
{
	free(x->first);
	free(x->entry);
}

int sfab_loads_add(struct loads *x, uint32_t link, float v)
{
	size_t n = x->first[x->nrows + 1];

	if (n == x->room) {
		size_t room = x->room ? 2 * x->room : 4096;
		void *more = realloc(x->entry, room * sizeof(*x->entry));

		if (!more)
			return -1;
		x->entry = more;
		x->room = room;
	}
	x->entry[n].res = link;
	x->entry[n].v = v;
	x->first[x->nrows + 1] = n + 1;
	return 0;
}

void sfab_loads_next(struct loads *x)
{
	x->nrows++;
	x->first[x->nrows + 1] = x->first[x->nrows];
}

static int cmp_sum(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;

	if (x->v < y->v || x->v > y->v)
		return x->v > y->v ? -1 : 1;
	return x->link < y->link ? -1 : x->link > y->link;
}

static void sort_links(struct columns *c)
{
	uint32_t nlinks = c->x->nlinks;

	for (uint32_t e = 0; e < nlinks; e++) {
		c->order[e].link = e;
		for (size_t k = c->first[e]; k < c->first[e + 1]; k++)
			c->order[e].v += (double) c->from[k].v;
	}
	qsort(c->order, nlinks, sizeof(*c->order), cmp_sum);
	for (uint32_t i = 0; i < nlinks; i++)
		c->place[c->order[i].link] = i;
}

static void transpose_loads(struct columns *c)
{
	const struct loads *x = c->x;
	size_t all = x->first[x->nrows];

	for (size_t k = 0; k < all; k++)
		c->first[x->entry[k].res + 1]++;
	for (uint32_t e = 0; e < x->nlinks; e++)
		c->first[e + 1] += c->first[e];
	for (uint32_t row = 0; row < x->nrows; row++)
		for (size_t k = x->first[row]; k < x->first[row + 1]; k++) {
			struct from *at = &c->from[c->first[x->entry[k].res]++];

			at->row = row;
			at->v = x->entry[k].v;
		}
	memmove(c->first + 1, c->first, x->nlinks * sizeof(*c->first));
	c->first[0] = 0;
}

/*
 * 1: link @d carries at least as much as @e from every host.  Both lists are
 * ascending by row, so one pass is enough.
 */
static int covers_link(const struct columns *c, uint32_t d, uint32_t e)
{
	size_t k = c->first[d];

	if (c->first[d + 1] - k < c->first[e + 1] - c->first[e])
		return 0;
	for (size_t i = c->first[e]; i < c->first[e + 1]; i++, k++) {
		while (k < c->first[d + 1] && c->from[k].row < c->from[i].row)
			k++;
		if (k == c->first[d + 1] || c->from[k].row != c->from[i].row ||
		    c->from[k].v < c->from[i].v)
			return 0;
	}
	return 1;
}

static size_t row_length(const struct loads *x, uint32_t row)
{
	return x->first[row + 1] - x->first[row];
}

/*
 * What link @e, which is not empty, carries from the host with the fewest
 * links.  Any link that covers @e is among the links of that host.
 */
static const struct from *shortest_row_entry(const struct columns *c,
					     uint32_t e)
{
	const struct from *best = &c->from[c->first[e]];

	for (size_t k = c->first[e] + 1; k < c->first[e + 1]; k++)
		if (row_length(c->x, c->from[k].row) <
		    row_length(c->x, best->row))
			best = &c->from[k];
	return best;
}

static int carries_more(const struct columns *c, uint32_t d, uint32_t e)
{
	return c->order[c->place[d]].v > c->order[c->place[e]].v;
}

/*
 * Find a link that carries the same as @e (@same), or a link that covers @e and
 * is not common.  @first holds the answers for the links before @e in the
 * order; only links that are their own answer qualify.  Returns @e if there is
 * none.  A link that carries nothing is covered by any link.
 */
static uint32_t find_covering_link(const struct columns *c, uint32_t e,
				   int same, const uint32_t *first)
{
	const struct from *at;

	if (c->first[e] == c->first[e + 1])
		return same ? e : c->order[0].link;
	at = shortest_row_entry(c, e);
	for (size_t k = c->x->first[at->row]; k < c->x->first[at->row + 1]; k++) {
		uint32_t d = c->x->entry[k].res;

		if (c->place[d] < c->place[e] && first[d] == d &&
		    !(c->x->entry[k].v < at->v) &&
		    (same ? !carries_more(c, d, e) : !(c->common[d] > 0)) &&
		    covers_link(c, d, e))
			return d;
	}
	return e;
}

int sfab_loads_cover(const struct loads *x, const float *common, uint32_t *cover,
		     uint32_t *same)
{
	struct columns c = { .x = x, .common = common };
	int rc;

	c.first = sfab_arena_take(&c.arena, x->nlinks + 1u, sizeof(*c.first));
	c.from = sfab_arena_take(&c.arena, x->first[x->nrows], sizeof(*c.from));
	c.order = sfab_arena_take(&c.arena, x->nlinks, sizeof(*c.order));
	c.place = sfab_arena_take(&c.arena, x->nlinks, sizeof(*c.place));
	rc = c.arena.failed ? -1 : 0;
	if (rc == 0) {
		transpose_loads(&c);
		sort_links(&c);
	}
	for (uint32_t i = 0; rc == 0 && i < x->nlinks; i++) {
		uint32_t e = c.order[i].link;

		same[e] = find_covering_link(&c, e, 1, same);
		cover[e] = same[e] != e ? cover[same[e]]
					: find_covering_link(&c, e, 0, cover);
	}
	sfab_arena_free(&c.arena);
	return rc;
}
