/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * route.c - walk along forwarding tables; see route.h
 *
 * A walk goes from switch to switch.  From the first port group on it advances a frontier of
 * (switch, share) pairs, one hop per round.  Branches part and meet again; a switch that
 * several branches reach in the same round is walked once.
 */

#include "core/fabric/route.h"
#include "core/resize.h"

#include <stdlib.h>
#include <string.h>

/* A switch that a part of the flow has reached, and how much of it. */
struct sfab_front {
	uint32_t sw;
	double share;
};

/*
 * Make room for every switch of the fabric at one distance, and at the next: at the first split
 * and again for a larger fabric.  The slot of a switch says where it stands in the side that is
 * being filled.  A slot left over from an earlier round points at another switch or beyond the
 * end, so nothing is cleared between rounds.
 */
static int make_sides(struct sfab_route *r, uint32_t nswitches)
{
	if (r->nswitches >= nswitches)
		return 0;
	sfab_arena_free(&r->mem);
	r->side[0] = sfab_arena_take(&r->mem, nswitches, sizeof(*r->side[0]));
	r->side[1] = sfab_arena_take(&r->mem, nswitches, sizeof(*r->side[1]));
	r->slot = sfab_arena_take(&r->mem, nswitches, sizeof(*r->slot));
	r->nswitches = r->mem.failed ? 0 : nswitches;
	return r->mem.failed ? -1 : 0;
}

void sfab_route_clear(struct sfab_route *r)
{
	free(r->hop);
	sfab_arena_free(&r->mem);
	memset(r, 0, sizeof(*r));
}

const char *sfab_route_status_text(enum sfab_route_status status)
{
	static const char *const text[] = {
		"ok",
		"no route in the table",
		"dead end",
		"routing loop",
		"no subnet in common",
		"port without LID or cable",
	};

	return status <= SFAB_ROUTE_NO_PORT ? text[status] : "?";
}

/* Append a hop.  -1: no memory, which is no property of the route. */
static int add_hop(struct sfab_route *r, uint32_t link, double share)
{
	if (r->n == r->cap) {
		uint32_t cap = r->cap ? 2 * r->cap : 16;

		if (sfab_resize(&r->hop, cap, sizeof(*r->hop)) < 0)
			return -1;
		r->cap = cap;
	}
	r->hop[r->n].link = link;
	r->hop[r->n++].share = share;
	return 0;
}

/*
 * End the route with @status.  What was walked so far stays in @r, for whoever wants to show
 * it.  Return 0.
 */
static int end_at(struct sfab_route *r, enum sfab_route_status status,
		  uint32_t sw)
{
	r->status = status;
	r->at_switch = sw;
	return 0;
}

/* Advance one switch of the frontier: add its hops and the switches they reach. */
static int advance_front(const struct sfab_fabric *f, const struct sfab_front *front,
			 uint32_t entry, uint32_t dst, struct sfab_front *next,
			 uint32_t *nnext, struct sfab_route *r)
{
	const struct sfab_switch *sw = &f->switches[front->sw];
	struct sfab_group group = sfab_route_look_up(sw, entry);
	uint32_t *slot = r->slot;

	if (!group.nports)
		return end_at(r, SFAB_ROUTE_NO_ENTRY, front->sw);
	for (uint32_t i = 0; i < group.nports; i++) {
		uint32_t link = sfab_route_out_link(f, sw, group.port[i]);
		const struct sfab_link *l = &f->links[link];
		double share = front->share * group.share[i];

		if (link == SFAB_NONE ||
		    (l->kind == SFAB_LINK_EJECT && l->to != dst))
			return end_at(r, SFAB_ROUTE_DEAD_END, front->sw);
		if (add_hop(r, link, share) < 0)
			return -1;
		if (l->kind != SFAB_LINK_ISL)
			continue;
		/* Branches that meet at a switch go on as one. */
		if (slot[l->to] < *nnext && next[slot[l->to]].sw == l->to) {
			next[slot[l->to]].share += share;
			continue;
		}
		slot[l->to] = *nnext;
		next[(*nnext)++] = (struct sfab_front){ l->to, share };
	}
	return 0;
}

/*
 * Walk on from @sw, where a group splits the flow.  @hop links precede it.  The parity of the
 * hop selects the frontier.  An eject link adds nothing to it, so an empty frontier means that
 * every branch has arrived.
 */
static int walk_parted(const struct sfab_fabric *f, uint32_t sw, uint32_t entry,
		       uint32_t dst, unsigned hop, struct sfab_route *r)
{
	uint32_t n[2] = { 0 };

	if (make_sides(r, f->nswitches) < 0)
		return -1;
	n[hop & 1] = 1;
	r->side[hop & 1][0] = (struct sfab_front) { .sw = sw, .share = 1.0 };
	for (; hop < SFAB_HOPS_MAX; hop++) {
		unsigned side = hop & 1;

		n[!side] = 0;
		for (uint32_t i = 0; i < n[side]; i++) {
			if (advance_front(f, &r->side[side][i], entry, dst,
					  r->side[!side], &n[!side], r) < 0)
				return -1;
			if (r->status != SFAB_ROUTE_OK)
				return 0;
		}
		if (n[!side] == 0)
			return 0;
		sw = r->side[!side][0].sw;
	}
	return end_at(r, SFAB_ROUTE_LOOP, sw);
}

/* Walk the route from a switch.  Most never meet a group and need no frontier. */
int sfab_route_from(const struct sfab_fabric *f, uint32_t sw, uint32_t dst,
		    struct sfab_route *r)
{
	const struct sfab_port *p = &f->ports[dst];

	r->n = 0;
	r->status = SFAB_ROUTE_OK;
	if (!p->lid || p->eject == SFAB_NONE)
		return end_at(r, SFAB_ROUTE_NO_PORT, sw);
	if (f->switches[sw].plane != p->plane)
		return end_at(r, SFAB_ROUTE_OTHER_PLANE, sw);
	for (unsigned hop = 0; hop < SFAB_HOPS_MAX; hop++) {
		struct sfab_group group = sfab_route_look_up(&f->switches[sw], p->entry);
		uint32_t link;

		if (!group.nports)
			return end_at(r, SFAB_ROUTE_NO_ENTRY, sw);
		if (group.nports > 1)
			return walk_parted(f, sw, p->entry, dst, hop, r);
		link = sfab_route_out_link(f, &f->switches[sw], *group.port);
		if (link == SFAB_NONE || (f->links[link].to != dst &&
		    f->links[link].kind == SFAB_LINK_EJECT))
			return end_at(r, SFAB_ROUTE_DEAD_END, sw);
		if (add_hop(r, link, 1.0) < 0)
			return -1;
		if (f->links[link].kind == SFAB_LINK_EJECT)
			return 0;
		sw = f->links[link].to;
	}
	return end_at(r, SFAB_ROUTE_LOOP, sw);
}

int sfab_route_ports(const struct sfab_fabric *f, uint32_t src, uint32_t dst,
		     struct sfab_route *r)
{
	const struct sfab_port *p = &f->ports[src];

	if (p->inject == SFAB_NONE || !f->links[p->inject].up) {
		r->n = 0;
		return end_at(r, SFAB_ROUTE_NO_PORT, SFAB_NONE);
	}
	if (sfab_route_from(f, p->sw, dst, r) < 0 ||
	    add_hop(r, p->inject, 1.0) < 0)
		return -1;
	/* The inject link was added last to grow the array; make room for it in front. */
	memmove(r->hop + 1, r->hop, (r->n - 1) * sizeof(*r->hop));
	r->hop[0].link = p->inject;
	r->hop[0].share = 1.0;
	return 0;
}
