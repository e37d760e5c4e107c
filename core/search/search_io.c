/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_io.c - spread IO over the links so that the worst link stays low
 *
 * Hosts are chosen greedily (greedy.h).  Local search (local_search.h) goes on from
 * there; it judges by the whole score.
 */

#include "core/search/search_io_private.h"

#include <math.h>
#include <stdlib.h>

#define OFFER_STEPS 8		/* estimated cost of an offer */
#define ENTRIES_A_STEP 2	/* entries evaluated in the time of one addition to a load */
#define SETS 2			/* sets that could be scored instead: with fewer steps left the
				   first choice is not made */
#define CLEAR 1.001		/* a slowdown: less is not worth a search */

/* Worst link of one host of item @i alone. */
static double peak_of(const struct io_search *s, uint32_t i)
{
	const struct segment *x = &s->g.segment[s->g.item[i].segment];
	double peak = 0;

	for (uint32_t k = 0; k < s->g.nsegments; k++)
		peak = fmax(peak, (double) (x[k].scale * x[k].v.peak));
	return peak;
}

/*
 * Make the vectors of all items.  If offering all would cost too much, make
 * those of every N-th item, with growing offset, until they have enough hosts.
 */
static int know_items(struct io_search *s)
{
	uint64_t cost = (uint64_t) OFFER_STEPS * s->g.nitems;
	uint32_t room = 0, want = s->p->need + s->p->need / 4;
	uint32_t every = (uint32_t) (cost / (s->p->max_steps + 1u)) + 1;

	for (uint32_t from = 0; from < every && (!from || room < want); from++)
		for (uint32_t i = from; i < s->g.nitems; i += every) {
			if (sfab_io_know(s, i) < 0)
				return -1;
			room += s->g.item[i].room;
		}
	return 0;
}

/* About the lowest load that any host puts on its worst link. */
static double least_peak(struct io_search *s)
{
	double least = INFINITY;

	for (uint32_t i = 0; i < s->g.nitems; i++)
		if (sfab_io_is_known(s, i) && peak_of(s, i) > 0)
			least = fmin(least, peak_of(s, i));
	return isfinite(least) ? least : 1;
}

static int search_items(struct io_search *s, uint32_t *pick)
{
	struct greedy *g = &s->g;
	uint32_t n = 0;

	if (sfab_io_base(s) < 0)
		return -1;
	sfab_io_items(s);
	if (!g->nlinks)
		return 0;	/* one switch: all sets are equal */
	if (know_items(s) < 0)
		return -1;
	/*
	 * The worst load is not known in advance: it lies between the load of one host and
	 * N times that, or it is what other jobs send.  p = 16 can distinguish loads a
	 * hundred times smaller or larger.
	 */
	sfab_greedy_start(g, least_peak(s) * sqrt(s->p->need));
	for (uint32_t i = 0; i < g->nitems; i++)
		if (sfab_io_is_known(s, i))
			sfab_greedy_offer(g, i);
	sfab_greedy_fill(g, s->p->need);
	s->p->steps += (uint32_t) (g->steps / ENTRIES_A_STEP);
	/* The first candidates of each chosen item. */
	for (uint32_t i = 0; i < g->nitems; i++)
		for (uint32_t k = 0; k < g->item[i].taken; k++)
			pick[n++] = sfab_io_host(s, &g->item[i], k);
	return sfab_pool_try(s->p, pick, s->err);
}

/*
 * 1: the best set so far waits for links while it does IO, and there are steps to do
 * something about it.  Jobs that send mostly IO try in any case.
 */
static int io_waits(const struct pool *p)
{
	const struct sfab_traffic *t = p->rq->traffic;

	if (p->steps + (uint64_t) SETS * p->one > p->max_steps &&
	    sfab_traffic_share(t, 1) < sfab_traffic_share(t, 0))
		return 0;
	for (uint32_t i = 0; i < t->nparts; i++)
		if (sfab_class_is_io(t->part[i].class) && t->part[i].share > 0 &&
		    p->best.score.lost.part[i].beside > CLEAR)
			return 1;
	return 0;
}

int sfab_propose_io(struct pool *p, struct sfab_err *err)
{
	struct io_search s = { .p = p, .err = err };
	struct sfab_arena *a = &s.arena;
	struct greedy *g = &s.g;
	uint32_t hosts = p->nhosts + 1, res = p->m->nres;
	int rc;

	if (!io_waits(p))
		return 0;
	for (uint32_t i = 0; i < p->rq->traffic->nparts; i++)
		g->nsegments += sfab_class_is_io(p->rq->traffic->part[i].class) &&
				p->rq->traffic->part[i].share > 0;
	g->item = sfab_arena_take(a, hosts, sizeof(*g->item));
	g->segment = sfab_arena_take(a, (size_t) hosts * g->nsegments, sizeof(*g->segment));
	g->heap = sfab_arena_take(a, hosts, sizeof(*g->heap));
	g->link = sfab_arena_take(a, res, sizeof(*g->link));
	g->base = sfab_arena_take(a, res, sizeof(*g->base));
	g->cell = sfab_arena_take(a, res, sizeof(*g->cell));
	s.order = sfab_arena_take(a, hosts, sizeof(*s.order));
	rc = a->failed ? sfab_no_memory(err) : search_items(&s, p->pick);
	sfab_arena_free(a);
	return rc;
}
