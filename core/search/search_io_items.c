/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search_io_items.c - set up the IO search: items, vectors, base loads */

#include "core/search/search_io_private.h"

#include <math.h>
#include <stdlib.h>

#define NOISE 1e-3		/* of a link; less counts as nothing */

/* Look up the vectors of a host; -1 with *s->err. */
static int set_vectors(struct io_search *s, uint32_t host, struct segment *to)
{
	const struct pool *p = s->p;
	const struct sfab_traffic *t = p->rq->traffic;
	double cpus = p->rq->cpus ? p->rq->cpus[host] : 1.0;

	for (uint32_t i = 0; i < t->nparts; i++) {
		uint32_t set;

		if (!sfab_class_is_io(t->part[i].class) || !(t->part[i].share > 0))
			continue;
		if (sfab_model_set(p->m, &t->part[i], &set, s->err) < 0 ||
		    sfab_footprints_get(p->sc->footprints,
					t->part[i].class, set, host, &to->v,
					s->err) < 0)
			return -1;
		to++->scale = (float) (cpus / p->ends[i]);
	}
	return 0;
}

int sfab_io_know(struct io_search *s, uint32_t i)
{
	const struct item *it = &s->g.item[i];

	return set_vectors(s, sfab_io_host(s, it, 0), &s->g.segment[it->segment]);
}

void sfab_io_items(struct io_search *s)
{
	/* the heap is not in use yet: its memory holds the groups' starts */
	uint32_t *first = s->g.heap;

	s->g.nitems = sfab_equivalent_groups(s->p, s->order, first);
	for (uint32_t i = 0; i < s->g.nitems; i++) {
		s->g.item[i].segment = i * s->g.nsegments;
		s->g.item[i].host0 = first[i];
		s->g.item[i].room = first[i + 1] - first[i];
	}
}

static void add_to_base(struct io_search *s, const struct sfab_footprint *v,
			double scale)
{
	for (uint32_t k = 0; k < v->n; k++)
		s->g.base[v->entry[k].res] += scale * (double) v->entry[k].v;
}

/*
 * Put the common part of all hosts of the job into the base.  With different
 * CPU shares the largest is used: a host's own part may only lower it.
 */
static int add_common(struct io_search *s)
{
	const struct sfab_traffic *t = s->p->rq->traffic;
	double cpus = s->p->rq->cpus ? 0 : 1;
	struct sfab_footprint v;
	uint32_t set;

	for (uint32_t i = 0; s->p->rq->cpus && i < s->p->nhosts; i++)
		cpus = fmax(cpus, s->p->rq->cpus[s->p->host[i]]);
	for (uint32_t i = 0; i < t->nparts; i++) {
		if (!sfab_class_is_io(t->part[i].class) || !(t->part[i].share > 0))
			continue;
		if (sfab_model_set(s->p->m, &t->part[i], &set, s->err) < 0 ||
		    sfab_footprints_common(s->p->sc->footprints,
					   t->part[i].class, set, &v, s->err) < 0)
			return -1;
		add_to_base(s, &v, cpus / s->p->ends[i] * s->p->rq->n);
	}
	return 0;
}

/* Loads before a host is chosen, in units of capacity. */
int sfab_io_base(struct io_search *s)
{
	const struct sfab_model *m = s->p->m;
	struct segment x[SFAB_TRAFFIC_PARTS];

	if (add_common(s) < 0)
		return -1;
	/* Of other jobs; counters always show a little: the subnet manager's own packets. */
	for (uint32_t e = 0; e < m->f->nlinks; e++) {
		double others = pool_fullness(s->p, e);

		if (!m->isl[e])
			continue;
		s->g.link[s->g.nlinks++] = e;
		s->g.base[e] += others < NOISE ? 0 : others;
	}
	for (uint32_t i = 0; i < s->p->nbase; i++) {
		if (set_vectors(s, s->p->base[i], x) < 0)
			return -1;
		for (uint32_t k = 0; k < s->g.nsegments; k++)
			add_to_base(s, &x[k].v, (double) x[k].scale);
	}
	return 0;
}
