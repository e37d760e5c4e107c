/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search_io_private.h - what search_io.c searches in, search_io_items.c makes it */
#ifndef SFAB_SEARCH_IO_PRIVATE_H
#define SFAB_SEARCH_IO_PRIVATE_H

#include "core/search/greedy.h"
#include "core/search/search_private.h"

struct io_search {
	struct pool *p;
	struct greedy g;
	uint32_t *order;	/* candidates, alike ones together */
	uint32_t *out;		/* dropped in the repair at hand */
	uint32_t *best;		/* items of the best set so far */
	uint32_t *able, nable;	/* items that a better set can have */
	uint32_t every;		/* so many items are known: all, every other ... */
	uint32_t worst;		/* link, as of the last look */
	int is_busy;		/* others send over switch-to-switch links */
	int failed;		/* a vector could not be had: *err says why */
	struct sfab_err *err;
};

/* Candidates that are alike become one item each. */
void sfab_io_items(struct io_search *s);

/* What is there before a host is chosen, and on which links, in their capacities. */
int sfab_io_base(struct io_search *s);

/* Host @k of item @it. */
static inline uint32_t sfab_io_host(const struct io_search *s, const struct item *it,
				    uint32_t k)
{
	return s->p->host[s->order[it->host0 + k]];
}

/* Vectors are looked up when they are needed; s->failed: one could not be had. */
static inline int sfab_io_is_known(const struct io_search *s, uint32_t i)
{
	return s->g.segment[s->g.item[i].segment].v.entry != NULL;
}
void sfab_io_know(struct io_search *s, uint32_t i);

#endif
