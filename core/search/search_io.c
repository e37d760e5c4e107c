/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_io.c - spread IO over the links so that the worst link stays low; see propose.h
 *
 * Hosts are chosen greedily (greedy.h).  Local search (local_search.c) then improves the set by
 * the whole score.
 *
 * Candidates that put the same loads on the links are one item.  Writers on the same leaves do.
 * No two hosts do for reads, because each LID has its own route.
 */

#include "core/search/greedy.h"
#include "core/search/propose.h"

#include <math.h>

#define OFFER_STEPS 8		/* estimated cost of an offer */
#define ENTRIES_A_STEP 2	/* entries evaluated in the time of one addition to a load */
#define SETS_LEFT_MIN 2		/* sets that could be scored instead: with fewer steps left the
				   first choice is not made */
#define SLOWDOWN_MIN 1.001	/* a slowdown below this is not worth a search */
#define LOAD_NOISE 1e-3		/* of a link's capacity; a smaller load counts as none */

struct io_search {
	struct pool *p;
	struct greedy g;
	uint32_t *next;		/* by candidate: the next one of its item */
	struct sfab_err *err;
	struct sfab_arena arena;
};

static int is_sent_io(const struct sfab_traffic_part *part)
{
	return sfab_class_is_io(part->class) && part->share > 0;
}

/* -- items ------------------------------------------------------------------ */

/* Return the IO set that the job writes to; SFAB_NONE: no two hosts are equivalent. */
static uint32_t set_written(const struct pool *p)
{
	const struct sfab_traffic *t = p->rq->traffic;
	uint32_t set = SFAB_NONE;

	for (uint32_t i = 0; i < t->nparts; i++) {
		if (t->part[i].class == SFAB_IO_READ)
			return SFAB_NONE;
		if (t->part[i].class != SFAB_IO_WRITE)
			continue;
		if (sfab_model_find_set(p->m, &t->part[i], &set, NULL) < 0 ||
		    p->m->io->set[set].map == SFAB_IOMAP_GROUP)
			return SFAB_NONE;
	}
	return set;
}

/* Do two hosts put the same loads on links when they write to @set? */
static int are_alike_writers(const struct pool *p, uint32_t set, uint32_t a, uint32_t b)
{
	const struct sfab_footprints *fps = p->sc->footprints;
	const double *cpus = p->rq->cpus;

	return sfab_footprints_first_alike(fps, set, a) == sfab_footprints_first_alike(fps, set,
										       b) &&
	       (!cpus || !(cpus[a] < cpus[b] || cpus[b] < cpus[a]));
}

/* Make the items from groups of equivalent hosts, which are on one leaf. */
static void make_items(struct io_search *s)
{
	const struct pool *p = s->p;
	struct greedy_item *item = s->g.item;
	uint32_t set = set_written(p);

	for (uint32_t l = 0; l < p->choices->nleaves; l++) {
		uint32_t from = s->g.nitems;

		for (uint32_t i = p->choices->first[l]; i < p->choices->first[l + 1]; i++) {
			uint32_t k = set == SFAB_NONE ? s->g.nitems : from;

			while (k < s->g.nitems &&
			       !are_alike_writers(p, set, p->choices->host[item[k].first],
						  p->choices->host[i]))
				k++;
			if (k == s->g.nitems)
				item[s->g.nitems++] = (struct greedy_item){
					.segment = k * s->g.nsegments, .first = i };
			else
				s->next[item[k].last] = i;
			item[k].last = i;
			item[k].nhosts++;
		}
	}
}

/* Look up the vectors of a host, one for each part that is IO.  -1: see *s->err. */
static int set_vectors(struct io_search *s, uint32_t host, struct greedy_segment *to)
{
	const struct pool *p = s->p;
	const struct sfab_traffic *t = p->rq->traffic;
	double cpus = p->rq->cpus ? p->rq->cpus[host] : 1.0;

	for (uint32_t i = 0; i < t->nparts; i++) {
		uint32_t set;

		if (!is_sent_io(&t->part[i]))
			continue;
		if (sfab_model_find_set(p->m, &t->part[i], &set, s->err) < 0 ||
		    sfab_footprints_get(p->sc->footprints, t->part[i].class, set, host,
					&to->v, s->err) < 0)
			return -1;
		to++->scale = (float) (cpus / p->ends[i]);
	}
	return 0;
}

static struct greedy_segment *segments_of(struct io_search *s, uint32_t i)
{
	return &s->g.segment[s->g.item[i].segment];
}

/* Were the vectors of item @i made? */
static int has_vectors(struct io_search *s, uint32_t i)
{
	return segments_of(s, i)->v.entry != NULL;
}

/*
 * Make the vectors of all items.  If offering all would cost too much, make those of every N-th
 * item, with growing offset, until they have enough hosts.
 */
static int make_item_vectors(struct io_search *s)
{
	uint64_t cost = (uint64_t) OFFER_STEPS * s->g.nitems;
	uint32_t nhosts = 0, want = s->p->need + s->p->need / 4;
	uint32_t every = (uint32_t) (cost / (s->p->max_steps + 1u)) + 1;

	for (uint32_t from = 0; from < every && (!from || nhosts < want); from++)
		for (uint32_t i = from; i < s->g.nitems; i += every) {
			const struct greedy_item *it = &s->g.item[i];

			if (set_vectors(s, s->p->choices->host[it->first], segments_of(s, i)) < 0)
				return -1;
			nhosts += it->nhosts;
		}
	return 0;
}

/* -- loads before a host is chosen, in units of capacity --------------------- */

static void add_to_base(struct io_search *s, const struct sfab_footprint *v,
			double scale)
{
	for (uint32_t k = 0; k < v->n; k++)
		s->g.base[v->entry[k].res] += scale * (double) v->entry[k].v;
}

/*
 * Put the common part of all hosts of the job into the base.  With different CPU shares the
 * largest is used: a host's own part may only lower it.
 */
static int add_common(struct io_search *s)
{
	const struct pool *p = s->p;
	const struct sfab_traffic *t = p->rq->traffic;
	double cpus = p->rq->cpus ? 0 : 1;
	struct sfab_footprint v;
	uint32_t set;

	for (uint32_t i = 0; p->rq->cpus && i < p->choices->nhosts; i++)
		cpus = fmax(cpus, p->rq->cpus[p->choices->host[i]]);
	for (uint32_t i = 0; i < t->nparts; i++) {
		if (!is_sent_io(&t->part[i]))
			continue;
		if (sfab_model_find_set(p->m, &t->part[i], &set, s->err) < 0 ||
		    sfab_footprints_get(p->sc->footprints, t->part[i].class, set, SFAB_NONE,
					&v, s->err) < 0)
			return -1;
		add_to_base(s, &v, cpus / p->ends[i] * p->rq->n);
	}
	return 0;
}

/* Set the base: the common part, the load of other jobs, and that of the hosts of p->base. */
static int make_base(struct io_search *s)
{
	const struct sfab_model *m = s->p->m;
	struct greedy_segment x[SFAB_TRAFFIC_PARTS];

	if (add_common(s) < 0)
		return -1;
	/* A smaller load is not that of other jobs: the subnet manager always sends a little. */
	for (uint32_t e = 0; e < m->f->nlinks; e++) {
		double others = sfab_pool_fullness(s->p, e);

		if (!m->isl[e])
			continue;
		s->g.link[s->g.nlinks++] = e;
		s->g.base[e] += others < LOAD_NOISE ? 0 : others;
	}
	for (uint32_t i = 0; i < s->p->nbase; i++) {
		if (set_vectors(s, s->p->base[i], x) < 0)
			return -1;
		for (uint32_t k = 0; k < s->g.nsegments; k++)
			add_to_base(s, &x[k].v, (double) x[k].scale);
	}
	return 0;
}

/* -- the search -------------------------------------------------------------- */

/* Estimate the lowest load that any host alone puts on its worst link. */
static double min_peak(struct io_search *s)
{
	double min = INFINITY;

	for (uint32_t i = 0; i < s->g.nitems; i++) {
		const struct greedy_segment *x = segments_of(s, i);
		double peak = 0;

		for (uint32_t k = 0; has_vectors(s, i) && k < s->g.nsegments; k++)
			peak = fmax(peak, (double) (x[k].scale * x[k].v.peak));
		if (peak > 0)
			min = fmin(min, peak);
	}
	return isfinite(min) ? min : 1;
}

/* Choose hosts for the job into @pick, and try them. */
static int search_items(struct io_search *s, uint32_t *pick)
{
	struct greedy *g = &s->g;
	uint32_t n = 0;

	if (make_base(s) < 0)
		return -1;
	make_items(s);
	if (!g->nlinks)
		return 0;	/* one switch: all sets are equal */
	if (make_item_vectors(s) < 0)
		return -1;
	/*
	 * The worst load is not known in advance: it lies between the load of one host and N
	 * times that, or it is what other jobs send.  p = 16 can distinguish loads a hundred
	 * times smaller or larger.
	 */
	sfab_greedy_start(g, min_peak(s) * sqrt(s->p->need));
	for (uint32_t i = 0; i < g->nitems; i++)
		if (has_vectors(s, i))
			sfab_greedy_offer(g, i);
	sfab_greedy_fill(g, s->p->need);
	s->p->steps += (uint32_t) (g->steps / ENTRIES_A_STEP);
	/* The first candidates of each chosen item. */
	for (uint32_t i = 0; i < g->nitems; i++)
		for (uint32_t k = g->item[i].taken, at = g->item[i].first; k--; at = s->next[at])
			pick[n++] = s->p->choices->host[at];
	return sfab_pool_try(s->p, pick, s->err);
}

/*
 * Does the best set so far wait for links while it does IO, and are there steps to do something
 * about it?  Jobs that send mostly IO try in any case.
 */
static int io_waits(const struct pool *p)
{
	const struct sfab_traffic *t = p->rq->traffic;

	if (p->steps + (uint64_t) SETS_LEFT_MIN * p->first_steps > p->max_steps &&
	    sfab_traffic_io_share(t) < sfab_traffic_net_share(t))
		return 0;
	for (uint32_t i = 0; i < t->nparts; i++)
		if (is_sent_io(&t->part[i]) && p->best->score.lost.part[i].beside > SLOWDOWN_MIN)
			return 1;
	return 0;
}

int sfab_propose_io(struct pool *p, struct sfab_err *err)
{
	struct io_search s = { .p = p, .err = err };
	struct sfab_arena *a = &s.arena;
	struct greedy *g = &s.g;
	uint32_t hosts = p->choices->nhosts + 1, res = p->m->nres;
	int rc;

	if (!io_waits(p))
		return 0;
	for (uint32_t i = 0; i < p->rq->traffic->nparts; i++)
		g->nsegments += (uint32_t) is_sent_io(&p->rq->traffic->part[i]);
	g->item = sfab_arena_take(a, hosts, sizeof(*g->item));
	g->segment = sfab_arena_take(a, (size_t) hosts * g->nsegments, sizeof(*g->segment));
	g->heap = sfab_arena_take(a, hosts, sizeof(*g->heap));
	g->link = sfab_arena_take(a, res, sizeof(*g->link));
	g->base = sfab_arena_take(a, res, sizeof(*g->base));
	g->cell = sfab_arena_take(a, res, sizeof(*g->cell));
	s.next = sfab_arena_take(a, hosts, sizeof(*s.next));
	rc = a->failed ? sfab_no_memory(err) : search_items(&s, p->pick);
	sfab_arena_free(a);
	return rc;
}
