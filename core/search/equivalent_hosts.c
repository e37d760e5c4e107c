/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * equivalent_hosts.c - candidates that put the same loads on the links
 *
 * Writers on the same leaves are equivalent.  No two hosts are equivalent for
 * reads, because each LID has its own route.
 */

#include "core/search/search_private.h"

/* The set that is written to; SFAB_NONE: no two hosts are equivalent. */
static uint32_t set_written(const struct pool *p)
{
	const struct sfab_traffic *t = p->rq->traffic;
	uint32_t set = SFAB_NONE;

	for (uint32_t i = 0; i < t->nparts; i++) {
		if (t->part[i].class == SFAB_IO_READ)
			return SFAB_NONE;
		if (t->part[i].class != SFAB_IO_WRITE)
			continue;
		if (sfab_model_set(p->m, &t->part[i], &set, NULL) < 0 ||
		    p->m->io->set[set].map == SFAB_IOMAP_GROUP)
			return SFAB_NONE;
	}
	return set;
}

/* 0: the candidates with indices @a and @b are equivalent. */
static int compare_alike(const struct pool *p, uint32_t set, uint32_t a, uint32_t b)
{
	const struct sfab_footprints *fps = p->sc->footprints;
	uint32_t x = sfab_footprints_like(fps, set, p->host[a]);
	uint32_t y = sfab_footprints_like(fps, set, p->host[b]);
	int c = (x > y) - (x < y);

	if (c == 0 && p->rq->cpus)
		c = (p->rq->cpus[p->host[a]] > p->rq->cpus[p->host[b]]) -
		    (p->rq->cpus[p->host[a]] < p->rq->cpus[p->host[b]]);
	return c;
}

uint32_t sfab_equivalent_groups(const struct pool *p, uint32_t *order, uint32_t *first)
{
	uint32_t set = set_written(p), n = 0;

	for (uint32_t i = 0; i < p->nhosts; i++)
		order[i] = i;
	/*
	 * Equivalent hosts are on one leaf, so it is enough to sort within each leaf.
	 * Insertion sort: a leaf has few hosts, and equivalent ones stay in fabric
	 * order.
	 */
	for (uint32_t l = 0; set != SFAB_NONE && l < p->nleaves; l++)
		for (uint32_t i = p->first[l] + 1; i < p->first[l + 1]; i++) {
			uint32_t x = order[i], k = i;

			for (; k > p->first[l] && compare_alike(p, set, order[k - 1], x) > 0; k--)
				order[k] = order[k - 1];
			order[k] = x;
		}
	for (uint32_t i = 0; i < p->nhosts; i++)
		if (set == SFAB_NONE || i == 0 ||
		    compare_alike(p, set, order[i - 1], order[i]) != 0)
			first[n++] = i;
	first[n] = p->nhosts;
	return n;
}
