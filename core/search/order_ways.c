/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order_ways.c - the links between switches from each node of a job to each other
 *
 * Computed once, so that the search needs no route.  Nodes of one leaf share a row of
 * ways: with destination-based tables, what they send takes the same path from the
 * leaf on.  Links are numbered by first use, so that an array by link covers only what
 * the job can touch.
 */

#include "core/search/order_private.h"

#include <math.h>
#include <stdlib.h>

#include "core/fabric/route.h"
#include "core/resize.h"

/* A flow is never counted as more than so many full links, so that sums fit. */
#define ORDER_LOAD_MAX 64

struct way_maker {
	const struct sfab_model *m;
	struct order_ways *w;
	struct sfab_route route;
	uint32_t *number;	/* by link: its number by use */
	size_t nhops;
};

/* Add the ways of all rails; pairs without a route add nothing. */
static int add_pair(struct way_maker *k, uint32_t a, uint32_t b)
{
	const struct sfab_model *m = k->m;
	const struct sfab_port *ports = m->f->ports;
	struct order_ways *w = k->w;

	for (uint32_t rail = 0; rail < m->nrails && a != b; rail++) {
		size_t at = (size_t) rail * m->f->nhosts;
		uint32_t src = m->rail_src[at + a], dst = m->rail_dst[at + b];

		if (src == SFAB_NONE || dst == SFAB_NONE || ports[src].leaf == ports[dst].leaf)
			continue;
		if (sfab_route_from(m->f, ports[src].sw, dst, &k->route) < 0)
			return -1;
		for (uint32_t i = 0; k->route.status == SFAB_ROUTE_OK && i < k->route.n; i++) {
			const struct sfab_hop *hop = &k->route.hop[i];
			double load = ports[src].rate * hop->share * m->inv_cap[hop->link];

			if (!m->isl[hop->link])
				continue;
			if (sfab_one_more(&w->hop, k->nhops, sizeof(*w->hop)) < 0)
				return -1;
			if (k->number[hop->link] == SFAB_NONE)
				k->number[hop->link] = w->nlinks++;
			load = fmin(load, ORDER_LOAD_MAX) * ORDER_FULL;
			w->hop[k->nhops++] = (struct order_hop){ k->number[hop->link],
								 (int32_t) lround(load) };
		}
	}
	return 0;
}

/* 1: both send to any third node over the same links, at the same rates. */
static int send_alike(const struct sfab_model *m, uint32_t a, uint32_t b)
{
	for (uint32_t rail = 0; rail < m->nrails; rail++) {
		size_t at = (size_t) rail * m->f->nhosts;
		uint32_t x = m->rail_src[at + a], y = m->rail_src[at + b];

		if (x == SFAB_NONE && y == SFAB_NONE)
			continue;
		if (x == SFAB_NONE || y == SFAB_NONE ||
		    m->f->ports[x].leaf != m->f->ports[y].leaf ||
		    m->f->ports[x].rate != m->f->ports[y].rate)
			return 0;
	}
	return 1;
}

/* A row is that of its first node, and of no node to itself. */
static int add_way_rows(struct way_maker *k, const uint32_t *host, const uint32_t *of)
{
	struct order_ways *w = k->w;

	w->first = calloc((size_t) w->nrows * w->n + 1, sizeof(*w->first));
	if (!w->first)
		return -1;
	for (uint32_t r = 0; r < w->nrows; r++)
		for (uint32_t j = 0; j < w->n; j++) {
			if (add_pair(k, host[of[r]], host[j]) < 0)
				return -1;
			w->first[(size_t) r * w->n + j + 1] = k->nhops;
		}
	return 0;
}

int sfab_order_ways_make(struct order_ways *w, const struct sfab_model *m,
		    const uint32_t *host, uint32_t n)
{
	struct way_maker k = { .m = m, .w = w };
	uint32_t *of = calloc(n + 1u, sizeof(*of));	/* by row: its first node */
	int rc = -1;

	*w = (struct order_ways){ .n = n };
	w->row = calloc(n + 1u, sizeof(*w->row));
	k.number = malloc((m->f->nlinks + 1u) * sizeof(*k.number));
	if (of && w->row && k.number) {
		for (uint32_t i = 0; i < m->f->nlinks; i++)
			k.number[i] = SFAB_NONE;
		/* Nodes that send alike share a row. */
		for (uint32_t i = 0; i < n; i++) {
			uint32_t r = 0;

			while (r < w->nrows && !send_alike(m, host[of[r]], host[i]))
				r++;
			w->row[i] = r;
			if (r == w->nrows)
				of[w->nrows++] = i;
		}
		rc = add_way_rows(&k, host, of);
	}
	sfab_route_clear(&k.route);
	free(k.number);
	free(of);
	if (rc < 0)
		sfab_order_ways_free(w);
	return rc;
}

void sfab_order_ways_free(struct order_ways *w)
{
	free(w->row);
	free(w->first);
	free(w->hop);
	*w = (struct order_ways){ 0 };
}
