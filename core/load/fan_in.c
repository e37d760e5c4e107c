/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fan_in.c - sum traffic to one end port switch by switch; see fan_in.h
 *
 * A leaf puts its rate on its own link at once and hands it to the switch at the far end.  Only
 * where that switch has not been met, the tables are walked from the leaf.  The walk records a
 * switch after all that it leads to.  Read backwards, every switch comes before those that it
 * leads to, so one pass hands all sums on.
 */

#include "core/load/fan_in.h"
#include "core/fabric/route.h"

#define LOOKUP_COST 2		/* additions that take as long as the lookup of a switch */

void sfab_fan_in_start(struct sfab_fan_in *x, struct sfab_load *load, uint32_t dst)
{
	const struct sfab_port *p = &x->walk.f->ports[dst];

	x->load = load;
	x->is_reachable = p->lid && p->eject != SFAB_NONE;
	sfab_lid_walk_to(&x->walk, p->entry, dst);
}

void sfab_fan_in_expect(const struct sfab_fan_in *x, uint32_t leaf)
{
	const struct sfab_fabric *f = x->walk.f;
	const struct sfab_switch *sw = &f->switches[f->leaves[leaf].sw];

	if (sw->lft_group)
		__builtin_prefetch(sw->lft_group + x->walk.entry);
	__builtin_prefetch(sw->lft + x->walk.entry);
}

/* Hand @rate from @sw to the next switch.  1: done, the rest of the route is known. */
static int hand_on(struct sfab_fan_in *x, uint32_t sw, double rate)
{
	const struct sfab_fabric *f = x->walk.f;
	struct sfab_group group = sfab_route_look_up(&f->switches[sw], x->walk.entry);
	uint32_t link = SFAB_NONE;
	struct sfab_lid_visit *next;

	if (group.nports == 1)
		link = sfab_route_out_link(f, &f->switches[sw], *group.port);
	if (link == SFAB_NONE || f->links[link].kind != SFAB_LINK_ISL)
		return 0;
	next = &x->walk.visit[f->links[link].to];
	if (next->serial != x->walk.serial || !next->arrives || next->hops >= SFAB_HOPS_MAX)
		return 0;
	sfab_load_add(x->load, link, rate);
	next->sources += rate;
	return 1;
}

void sfab_fan_in_send(struct sfab_fan_in *x, uint32_t leaf, double rate)
{
	uint32_t sw = x->walk.f->leaves[leaf].sw;
	struct sfab_lid_visit *v;

	x->load->adds += LOOKUP_COST;
	if (!x->is_reachable || hand_on(x, sw, rate))
		return;
	v = sfab_lid_walk_from(&x->walk, sw);
	v->sources += v->arrives ? rate : 0;
}

void sfab_fan_in_finish(struct sfab_fan_in *x)
{
	const struct sfab_fabric *f = x->walk.f;

	for (uint32_t i = x->walk.norder; i-- > 0;) {
		const struct sfab_lid_visit *v = &x->walk.visit[x->walk.order[i]];
		const struct sfab_switch *sw = &f->switches[x->walk.order[i]];
		struct sfab_group group = sfab_route_look_up(sw, x->walk.entry);

		for (uint32_t k = 0; v->sources > 0 && k < group.nports; k++) {
			uint32_t link = sw->out[group.port[k]];
			double rate = v->sources * group.share[k];

			sfab_load_add(x->load, link, rate);
			if (f->links[link].kind == SFAB_LINK_ISL)
				x->walk.visit[f->links[link].to].sources += rate;
		}
		x->load->adds += v->arrives ? LOOKUP_COST : 0;
	}
}
