/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts.c - how many destinations and routes cross each link
 *
 * The table entries for one LID form a tree with the destination as its root
 * (with port groups, an acyclic graph).  It is walked once, depth first, from
 * all leaves that send.  A switch is recorded after all switches between it and
 * the destination.  Loads are then added up in reverse order, so a switch has
 * received everything before it passes it on:
 *
 *      leaf 3 --\
 *      leaf 2 --->- spine ---> leaf 1 ---> port       recorded: leaf 1, spine,
 *                                                      leaf 2, leaf 3
 */

#include "core/fabric/route.h"
#include "core/fabric/route_private.h"

#include <string.h>

#include "core/arena.h"

struct visit {			/* a switch, for the current LID */
	uint32_t lid_serial;	/* not the current serial: not visited */
	uint8_t open;		/* on the stack */
	uint8_t ok;		/* all routes from here end at the destination */
	uint8_t hops;		/* switches on the longest of them */
	double sources;		/* ports whose routes pass through here */
};

/* Destinations, as ports (by base LID) and as LIDs. */
struct reach {
	uint32_t ports, lids;
};

struct frame {
	uint32_t sw;
	uint32_t next;		/* next entry of ways to follow */
	struct choice ways;
};

struct counting {
	const struct sfab_fabric *f;
	const uint8_t *src, *dst;
	uint32_t *dlids;	/* NULL: not wanted */
	double *routes;		/* NULL: not wanted */
	uint64_t pairs;
	uint32_t *sources;	/* by leaf: number of sending ports */
	struct reach *from;	/* by leaf: what its sources reach */
	struct reach *itself;	/* by port: the part of that which is the port itself */
	uint32_t entry, to;	/* that of the current LID, and its end port */
	uint32_t lid_serial;
	struct visit *visit;	/* by switch */
	struct frame *stack;
	uint32_t *order;	/* switches in recorded order */
	uint32_t norder;
	struct sfab_arena arena;	/* all arrays but the caller's */
};

static int is_source(const struct counting *c, uint32_t port)
{
	const struct sfab_port *p = &c->f->ports[port];

	return p->lid && p->leaf != SFAB_NONE && c->f->links[p->inject].up &&
	       (!c->src || c->src[port]);
}

/* lid_serial marks visits of this LID, so the array need not be cleared for each. */
static void enter_switch(struct counting *c, struct frame *top, uint32_t sw)
{
	struct visit *v = &c->visit[sw];

	top->sw = sw;
	top->next = 0;
	top->ways = look_up(&c->f->switches[sw], c->entry);
	v->lid_serial = c->lid_serial;
	v->open = 1;
	v->ok = top->ways.n > 0;
	v->hops = 1;
	v->sources = 0;
}

/*
 * Follow the next entry.  Returns the switch that it leads to if that must be
 * visited first, else SFAB_NONE.
 */
static uint32_t take_way(struct counting *c, struct frame *top)
{
	const struct sfab_fabric *f = c->f;
	struct visit *v = &c->visit[top->sw], *far;
	uint32_t link = out_link(f, &f->switches[top->sw],
				 top->ways.port[top->next]);

	if (link != SFAB_NONE && f->links[link].kind == SFAB_LINK_EJECT &&
	    f->links[link].to == c->to) {
		top->next++;
		return SFAB_NONE;
	}
	/* A dead end or the wrong end port: nothing that comes here arrives. */
	v->ok = link != SFAB_NONE && f->links[link].kind == SFAB_LINK_ISL;
	if (!v->ok)
		return SFAB_NONE;
	far = &c->visit[f->links[link].to];
	if (far->lid_serial != c->lid_serial)
		return f->links[link].to;
	/* A switch that is still on the stack closes a loop. */
	v->ok = !far->open && far->ok && far->hops < SFAB_HOPS_MAX;
	if (far->hops >= v->hops)
		v->hops = far->hops + 1;
	top->next++;
	return SFAB_NONE;
}

/* Visit @sw and everything between it and the destination; no recursion. */
static void visit_switches(struct counting *c, uint32_t sw)
{
	struct frame *top = c->stack;

	enter_switch(c, top, sw);
	for (;;) {
		struct visit *v = &c->visit[top->sw];

		if (v->ok && top->next < top->ways.n) {
			sw = take_way(c, top);
			if (sw != SFAB_NONE)
				enter_switch(c, ++top, sw);
			continue;
		}
		v->open = 0;
		c->order[c->norder++] = top->sw;
		if (top == c->stack)
			return;
		top--;
	}
}

static void add_reach(struct reach *r, int is_base)
{
	r->lids++;
	r->ports += (uint32_t) is_base;
}

/*
 * Split what arrived at a switch over its ports.  A group may list a port twice.  Then the
 * link is counted once as a LID's, and its shares add up.
 */
static void move_on(struct counting *c, uint32_t sw, int is_base)
{
	const struct sfab_fabric *f = c->f;
	struct choice ways = look_up(&f->switches[sw], c->entry);
	double n = c->visit[sw].sources;

	for (uint32_t i = 0; i < ways.n; i++) {
		uint32_t link = f->switches[sw].out[ways.port[i]], before = 0;

		while (c->dlids && before < i && ways.port[before] != ways.port[i])
			before++;
		if (c->dlids && before == i)
			c->dlids[link]++;
		if (c->routes && is_base)
			c->routes[link] += n * ways.share[i];
		if (f->links[link].kind == SFAB_LINK_ISL)
			c->visit[f->links[link].to].sources += n * ways.share[i];
	}
}

/* All leaves set out, then loads are passed on in the order of the walk. */
static void count_to_lid(struct counting *c)
{
	const struct sfab_fabric *f = c->f;
	const struct sfab_port *dst = &f->ports[c->to];
	/*
	 * Routes count by base LID only; the other LIDs of a port count as
	 * dlids.
	 */
	int is_base = c->entry == dst->entry, itself = is_source(c, c->to);

	c->lid_serial++;
	c->norder = 0;
	for (uint32_t l = 0; l < f->nleaves; l++) {
		uint32_t n = c->sources[l];

		if (itself && dst->leaf == l)
			n--;
		if (n && f->switches[f->leaves[l].sw].plane == dst->plane) {
			uint32_t sw = c->f->leaves[l].sw;

			/*
			 * The sources of a leaf send; those that cannot arrive
			 * are not counted.
			 */
			if (c->visit[sw].lid_serial != c->lid_serial)
				visit_switches(c, sw);
			if (!c->visit[sw].ok)
				continue;
			c->visit[sw].sources += n;
			add_reach(&c->from[l], is_base);
			if (c->f->ports[c->to].leaf == l)
				add_reach(&c->itself[c->to], is_base);
			if (is_base)
				c->pairs += n;
		}
	}
	while (c->norder--)
		if (c->visit[c->order[c->norder]].sources > 0)
			move_on(c, c->order[c->norder], is_base);
}

/* LIDs in ascending order: neighboring table entries share cache lines. */
static void count_all_lids(struct counting *c)
{
	const struct sfab_fabric *f = c->f;

	for (uint32_t i = 0; i < f->nports; i++)
		if (is_source(c, i))
			c->sources[f->ports[i].leaf]++;
	for (uint32_t p = 0; p < f->nplanes; p++)
		for (c->entry = 0; c->entry < f->planes[p].nlids; c->entry++) {
			c->to = f->planes[p].lid_port[c->entry];
			if (c->to != SFAB_NONE && f->ports[c->to].leaf != SFAB_NONE &&
			    (!c->dst || c->dst[c->to]))
				count_to_lid(c);
		}
	/* An inject link carries what its leaf reaches, except to the port itself. */
	for (uint32_t i = 0; i < f->nports; i++) {
		const struct sfab_port *p = &f->ports[i];
		const struct reach *all;

		if (!is_source(c, i))
			continue;
		all = &c->from[p->leaf];
		if (c->routes)
			c->routes[p->inject] = all->ports - c->itself[i].ports;
		if (c->dlids)
			c->dlids[p->inject] = all->lids - c->itself[i].lids;
	}
}

/* On failure the caller's arrays have been cleared. */
int sfab_route_counts(const struct sfab_fabric *f, const uint8_t *src,
		      const uint8_t *dst, uint32_t *dlids, double *routes,
		      uint64_t *pairs)
{
	struct counting c = { .f = f, .src = src, .dst = dst, .dlids = dlids,
			      .routes = routes };
	int failed;

	if (dlids)
		memset(dlids, 0, f->nlinks * sizeof(*dlids));
	if (routes)
		memset(routes, 0, f->nlinks * sizeof(*routes));
	c.sources = sfab_arena_take(&c.arena, f->nleaves, sizeof(*c.sources));
	c.from = sfab_arena_take(&c.arena, f->nleaves, sizeof(*c.from));
	c.itself = sfab_arena_take(&c.arena, f->nports, sizeof(*c.itself));
	c.visit = sfab_arena_take(&c.arena, f->nswitches, sizeof(*c.visit));
	c.stack = sfab_arena_take(&c.arena, f->nswitches, sizeof(*c.stack));
	c.order = sfab_arena_take(&c.arena, f->nswitches, sizeof(*c.order));
	failed = c.arena.failed;
	if (!failed)
		count_all_lids(&c);
	if (pairs)
		*pairs = c.pairs;
	sfab_arena_free(&c.arena);
	return failed ? -1 : 0;
}
