/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unreachable.c - end ports that some leaf has no route to
 *
 * Routes from all leaves to one LID soon join.  A walk ends where an earlier
 * walk that arrived has passed.
 */

#include "core/fabric/route.h"
#include "core/fabric/route_private.h"

#include <stdlib.h>

struct reach_search {
	const struct sfab_fabric *f;
	uint32_t *arrives;	/* by switch: last port reached through it, + 1 */
	struct sfab_lost_pair *pair;
	uint32_t room;
	uint64_t n;
};

/* Does the route from @sw to @port meet a switch that is known to reach it? */
static int joins_known(const struct reach_search *z, uint32_t sw, uint32_t port)
{
	const struct sfab_fabric *f = z->f;
	uint32_t entry = f->ports[port].entry, link;

	for (unsigned hop = 0; hop < SFAB_HOPS_MAX; hop++) {
		struct choice c = look_up(&f->switches[sw], entry);

		if (z->arrives[sw] == port + 1)
			return 1;
		if (c.n != 1)
			return 0;
		link = out_link(f, &f->switches[sw], *c.port);
		if (link == SFAB_NONE || f->links[link].kind != SFAB_LINK_ISL)
			return 0;
		sw = f->links[link].to;
	}
	return 0;
}

/* A leaf with only this port has nobody who could use the route. */
static int try_leaf(struct reach_search *z, uint32_t leaf, uint32_t port,
		    struct sfab_route *r)
{
	const struct sfab_fabric *f = z->f;
	const struct sfab_leaf *l = &f->leaves[leaf];

	if ((l->nports == 1 && l->port[0] == port) || joins_known(z, l->sw, port))
		return 0;
	if (sfab_route_from(f, l->sw, port, r) < 0)
		return -1;
	if (r->status != SFAB_ROUTE_OK) {
		if (z->n < z->room)
			z->pair[z->n] = (struct sfab_lost_pair){ leaf, port, r->status };
		z->n++;
		return 0;
	}
	/* port + 1 serves as a serial number, so the array is never cleared. */
	z->arrives[l->sw] = port + 1;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct sfab_link *e = &f->links[r->hop[i].link];

		if (e->kind == SFAB_LINK_ISL)
			z->arrives[e->to] = port + 1;
	}
	return 0;
}

/* All pairs are counted; the first @room of them are given. */
int sfab_route_unreachable(const struct sfab_fabric *f, uint32_t plane,
			   uint64_t *n, struct sfab_lost_pair *pair,
			   uint32_t room)
{
	struct reach_search z = {.f = f, .pair = pair, .room = room};
	struct sfab_route r = { 0 };
	int rc = 0;

	z.arrives = calloc(f->nswitches + 1u, sizeof(*z.arrives));
	if (!z.arrives)
		return -1;
	for (uint32_t i = 0; i < f->nports; i++) {
		const struct sfab_port *p = &f->ports[i];

		if (p->plane != plane || !p->lid || p->eject == SFAB_NONE)
			continue;
		for (uint32_t l = 0; l < f->nleaves && rc == 0; l++)
			if (f->switches[f->leaves[l].sw].plane == plane)
				rc = try_leaf(&z, l, i, &r);
	}
	sfab_route_clear(&r);
	free(z.arrives);
	*n = z.n;
	return rc;
}
