/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search_io_private.h - state of the IO search; search_io_items.c sets it up */
#ifndef SFAB_SEARCH_IO_PRIVATE_H
#define SFAB_SEARCH_IO_PRIVATE_H

#include "core/search/greedy.h"
#include "core/search/search_private.h"

struct io_search {
	struct pool *p;
	struct greedy g;
	uint32_t *order;	/* candidates, equivalent ones together */
	struct sfab_err *err;
	struct sfab_arena arena;
};

/* Make one item of each group of equivalent candidates. */
void sfab_io_items(struct io_search *s);

/* Loads before a host is chosen, in units of capacity, and the links. */
int sfab_io_base(struct io_search *s);

/* Host number @k of item @it. */
static inline uint32_t sfab_io_host(const struct io_search *s, const struct item *it,
				    uint32_t k)
{
	return s->p->host[s->order[it->host0 + k]];
}

/* Has item @i its vectors? */
static inline int sfab_io_is_known(const struct io_search *s, uint32_t i)
{
	return s->g.segment[s->g.item[i].segment].v.entry != NULL;
}
/* Make them; -1 with *s->err. */
int sfab_io_know(struct io_search *s, uint32_t i);

#endif
