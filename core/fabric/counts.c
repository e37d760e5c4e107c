/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts.c - how many destinations and routes cross each link; see route.h
 *
 * One walk to each LID (lid_walk.h) from all leaves that send.  Loads are then added up in
 * reverse order of the switches that it recorded, so a switch has received everything before it
 * passes it on.
 */

#include "core/fabric/lid_walk.h"
#include "core/fabric/route.h"

#include <string.h>

/* Destinations, as ports (by base LID) and as LIDs. */
struct reach {
	uint32_t ports, lids;
};

struct route_counter {
	const struct sfab_fabric *f;
	const uint8_t *src, *dst;
	uint32_t *dlids;		/* NULL: not wanted */
	double *routes;			/* NULL: not wanted */
	uint64_t pairs;
	uint32_t *sources;		/* by leaf: number of sending ports */
	struct reach *leaf_reach;	/* by leaf: what its sources reach */
	struct reach *self_reach;	/* by port: the part of that which is the port itself */
	struct sfab_lid_walk walk;
	struct sfab_arena arena;	/* all arrays but the caller's */
};

static int is_source(const struct route_counter *c, uint32_t port)
{
	const struct sfab_port *p = &c->f->ports[port];

	return p->lid && p->leaf != SFAB_NONE && c->f->links[p->inject].up &&
	       (!c->src || c->src[port]);
}

static void add_reach(struct reach *r, int is_base)
{
	r->lids++;
	r->ports += (uint32_t) is_base;
}

/*
 * Split what arrived at a switch over its ports.  A group may list a port twice.  Then the link
 * is counted once as a LID's, and its shares add up.
 */
static void pass_on_load(struct route_counter *c, uint32_t sw, int is_base)
{
	const struct sfab_fabric *f = c->f;
	struct sfab_group group = sfab_route_look_up(&f->switches[sw], c->walk.entry);
	double n = c->walk.visit[sw].sources;

	for (uint32_t i = 0; i < group.nports; i++) {
		uint32_t link = f->switches[sw].out[group.port[i]], earlier = 0;

		while (c->dlids && earlier < i && group.port[earlier] != group.port[i])
			earlier++;
		if (c->dlids && earlier == i)
			c->dlids[link]++;
		if (c->routes && is_base)
			c->routes[link] += n * group.share[i];
		if (f->links[link].kind == SFAB_LINK_ISL)
			c->walk.visit[f->links[link].to].sources += n * group.share[i];
	}
}

/* Walk from all leaves, then pass loads on in the order of the walk. */
static void count_to_lid(struct route_counter *c, uint32_t entry, uint32_t dst_port)
{
	const struct sfab_fabric *f = c->f;
	const struct sfab_port *dst = &f->ports[dst_port];
	/* Routes count by base LID only; the other LIDs of a port count as dlids. */
	int is_base = entry == dst->entry, is_own_source = is_source(c, dst_port);

	sfab_lid_walk_to(&c->walk, entry, dst_port);
	for (uint32_t l = 0; l < f->nleaves; l++) {
		uint32_t n = c->sources[l];
		struct sfab_lid_visit *v;

		if (is_own_source && dst->leaf == l)
			n--;
		if (!n || f->switches[f->leaves[l].sw].plane != dst->plane)
			continue;
		v = sfab_lid_walk_from(&c->walk, f->leaves[l].sw);
		/* Sources that cannot arrive are not counted. */
		if (!v->arrives)
			continue;
		v->sources += n;
		add_reach(&c->leaf_reach[l], is_base);
		if (dst->leaf == l)
			add_reach(&c->self_reach[dst_port], is_base);
		if (is_base)
			c->pairs += n;
	}
	for (uint32_t i = c->walk.norder; i-- > 0; )
		if (c->walk.visit[c->walk.order[i]].sources > 0)
			pass_on_load(c, c->walk.order[i], is_base);
}

/* Count the routes to all LIDs in ascending order: neighboring table entries share cache lines. */
static void count_all_lids(struct route_counter *c)
{
	const struct sfab_fabric *f = c->f;

	for (uint32_t i = 0; i < f->nports; i++)
		if (is_source(c, i))
			c->sources[f->ports[i].leaf]++;
	for (uint32_t p = 0; p < f->nplanes; p++)
		for (uint32_t entry = 0; entry < f->planes[p].nlids; entry++) {
			uint32_t to = f->planes[p].lid_port[entry];

			if (to != SFAB_NONE && f->ports[to].leaf != SFAB_NONE &&
			    (!c->dst || c->dst[to]))
				count_to_lid(c, entry, to);
		}
	/* An inject link carries what its leaf reaches, except to the port itself. */
	for (uint32_t i = 0; i < f->nports; i++) {
		const struct sfab_port *p = &f->ports[i];
		const struct reach *all;

		if (!is_source(c, i))
			continue;
		all = &c->leaf_reach[p->leaf];
		if (c->routes)
			c->routes[p->inject] = all->ports - c->self_reach[i].ports;
		if (c->dlids)
			c->dlids[p->inject] = all->lids - c->self_reach[i].lids;
	}
}

/* Count the routes over each link.  On failure the caller's arrays have been cleared. */
int sfab_route_counts(const struct sfab_fabric *f, const uint8_t *src,
		      const uint8_t *dst, uint32_t *dlids, double *routes,
		      uint64_t *pairs)
{
	struct route_counter c = { .f = f, .src = src, .dst = dst, .dlids = dlids,
				   .routes = routes };
	int failed;

	if (dlids)
		memset(dlids, 0, f->nlinks * sizeof(*dlids));
	if (routes)
		memset(routes, 0, f->nlinks * sizeof(*routes));
	c.sources = sfab_arena_take(&c.arena, f->nleaves, sizeof(*c.sources));
	c.leaf_reach = sfab_arena_take(&c.arena, f->nleaves, sizeof(*c.leaf_reach));
	c.self_reach = sfab_arena_take(&c.arena, f->nports, sizeof(*c.self_reach));
	c.walk = sfab_lid_walk_open(f, &c.arena);
	failed = c.arena.failed;
	if (!failed)
		count_all_lids(&c);
	if (pairs)
		*pairs = c.pairs;
	sfab_arena_free(&c.arena);
	return failed ? -1 : 0;
}
