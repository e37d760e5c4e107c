/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts.c - how many destinations and routes cross each link
 *
 * Sources on one leaf share the path to a destination, so one walk from each
 * leaf carries all of them.
 */

#include "route.h"

#include <stdlib.h>
#include <string.h>

struct counting {
	const struct sfab_fabric *f;
	const uint8_t *src, *dst;
	uint32_t *dlids;	/* or NULL */
	double *routes;		/* or NULL */
	uint64_t pairs;
	uint32_t *sources;	/* by leaf: ports that send */
	uint32_t *reached;	/* by leaf: destinations, for inject links */
	uint32_t *mark;		/* by link: last LID counted in dlids, + 1 */
	uint32_t lid_serial;
	struct sfab_route r;
};

static int is_source(const struct counting *c, uint32_t port)
{
	const struct sfab_port *p = &c->f->ports[port];

	return p->lid && p->leaf != SFAB_NONE && c->f->links[p->inject].up &&
	       (!c->src || c->src[port]);
}

static int is_destination(const struct counting *c, uint32_t port)
{
	const struct sfab_port *p = &c->f->ports[port];

	return p->lid && p->leaf != SFAB_NONE && (!c->dst || c->dst[port]);
}

/* Count one walk: @w sources behind the leaf it started from. */
static void count_walk(struct counting *c, uint32_t w, int is_base)
{
	for (uint32_t i = 0; i < c->r.n; i++) {
		uint32_t link = c->r.hop[i].link;

		if (c->mark && c->mark[link] != c->lid_serial) {
			c->mark[link] = c->lid_serial;
			c->dlids[link]++;
		}
		if (c->routes && is_base)
			c->routes[link] += w * c->r.hop[i].share;
	}
}

static int count_to_lid(struct counting *c, uint32_t dst, uint32_t offset)
{
	const struct sfab_fabric *f = c->f;
	int itself = is_source(c, dst);

	c->lid_serial++;
	for (uint32_t l = 0; l < f->nleaves; l++) {
		uint32_t w = c->sources[l];

		if (itself && f->ports[dst].leaf == l)
			w--;
		if (!w || f->switches[f->leaves[l].sw].plane != f->ports[dst].plane)
			continue;
		if (sfab_route_from_lid(f, f->leaves[l].sw, dst, offset, &c->r) < 0)
			return -1;
		if (c->r.status != SFAB_ROUTE_OK)
			continue;
		count_walk(c, w, offset == 0);
		if (offset == 0) {
			c->pairs += w;
			c->reached[l]++;
		}
	}
	return 0;
}

/* An inject link carries its port's pairs to all that its leaf reaches. */
static int count_inject(struct counting *c)
{
	const struct sfab_fabric *f = c->f;

	for (uint32_t i = 0; i < f->nports; i++) {
		const struct sfab_port *p = &f->ports[i];
		uint32_t n;

		if (!is_source(c, i))
			continue;
		n = c->reached[p->leaf];
		if (n && p->eject != SFAB_NONE && (!c->dst || c->dst[i])) {
			/* it is among its leaf's destinations unless alone */
			if (sfab_route_from(f, p->sw, i, &c->r) < 0)
				return -1;
			if (c->r.status == SFAB_ROUTE_OK &&
			    c->sources[p->leaf] > 1)
				n--;
		}
		if (c->routes)
			c->routes[p->inject] = n;
		if (c->dlids)
			c->dlids[p->inject] = n;
	}
	return 0;
}

static int count_all(struct counting *c)
{
	const struct sfab_fabric *f = c->f;

	for (uint32_t i = 0; i < f->nports; i++)
		if (is_source(c, i))
			c->sources[f->ports[i].leaf]++;
	for (uint32_t i = 0; i < f->nports; i++) {
		if (!is_destination(c, i))
			continue;
		for (uint32_t k = 0; k < 1u << f->ports[i].lmc; k++)
			if (count_to_lid(c, i, k) < 0)
				return -1;
	}
	return count_inject(c);
}

int sfab_route_counts(const struct sfab_fabric *f, const uint8_t *src,
		      const uint8_t *dst, uint32_t *dlids, double *routes,
		      uint64_t *pairs)
{
	struct counting c = { .f = f, .src = src, .dst = dst, .dlids = dlids,
			      .routes = routes };
	int rc = -1;

	c.sources = calloc(f->nleaves + 1u, sizeof(*c.sources));
	c.reached = calloc(f->nleaves + 1u, sizeof(*c.reached));
	if (dlids)
		c.mark = calloc(f->nlinks + 1u, sizeof(*c.mark));
	if (dlids)
		memset(dlids, 0, f->nlinks * sizeof(*dlids));
	if (routes)
		memset(routes, 0, f->nlinks * sizeof(*routes));
	if (c.sources && c.reached && (!dlids || c.mark))
		rc = count_all(&c);
	if (pairs)
		*pairs = c.pairs;
	free(c.sources);
	free(c.reached);
	free(c.mark);
	sfab_route_clear(&c.r);
	return rc;
}

uint64_t sfab_route_unreachable(const struct sfab_fabric *f)
{
	struct sfab_route r = { 0 };
	uint64_t n = 0;

	for (uint32_t l = 0; l < f->nleaves; l++)
		for (uint32_t i = 0; i < f->nports; i++) {
			if (f->ports[i].plane != f->switches[f->leaves[l].sw].plane)
				continue;
			if (sfab_route_from(f, f->leaves[l].sw, i, &r) == 0 &&
			    r.status != SFAB_ROUTE_OK)
				n++;
		}
	sfab_route_clear(&r);
	return n;
}
