/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regroup.c - see regroup.h
 *
 * Hops are counted from the destination's switch outward, once for each port, with the links
 * that work in the plan.  A port of a switch belongs to the group if the switch behind it is
 * one hop closer.
 */

#include "tools/opensm/regroup.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/xalloc.h"

#define UNREACHED UINT32_MAX	/* hops of a switch without a way */

static int plan_has_groups(const struct cabling_plan *p)
{
	return p->f->adaptive == SFAB_ADAPTIVE_GROUPS;
}

/* Mark switches without groups as read, too: they route statically, and nothing is missing. */
void regroup_begin(const struct cabling_plan *p, struct sfab_builder *b)
{
	if (!plan_has_groups(p))
		return;
	sfab_builder_set_adaptive(b, SFAB_ADAPTIVE_GROUPS);
	for (uint32_t i = 0; i < p->f->nswitches; i++)
		sfab_builder_add_fact(b, p->f->switches[i].plane, p->f->switches[i].guid,
				      SFAB_SWITCH_GROUPS_READ);
}

/*
 * Is the LID of @port in a group of any switch of its plane?  Its entry is the column of the
 * port's first LID in all tables of the plane.
 */
static int is_port_adaptive(const struct cabling_plan *p, uint32_t port)
{
	const struct sfab_plane *plane = &p->f->planes[p->f->ports[port].plane];
	const struct sfab_port *dst = &p->f->ports[port];

	for (uint32_t i = plane->switch0; dst->lid && i < plane->switch0 + plane->nswitches; i++)
		if (p->f->switches[i].lft_group && p->f->switches[i].lft_group[dst->entry])
			return 1;
	return 0;
}

/* Return the switch that @link leads to if it is a cable that works, or SFAB_NONE. */
static uint32_t switch_over_cable(const struct cabling_plan *p, uint32_t link)
{
	const struct sfab_link *l = link == SFAB_NONE ? NULL : &p->f->links[link];

	return l && l->kind == SFAB_LINK_ISL && !p->down[link] ? l->to : SFAB_NONE;
}

/* Find the hops of all switches to @dst.  Cables work in both directions. */
static void find_plan_hops(const struct cabling_plan *p, uint32_t dst, uint32_t *hops,
			   uint32_t *queue)
{
	uint32_t n = 1;

	memset(hops, 0xFF, p->f->nswitches * sizeof(*hops));
	hops[dst] = 0;
	queue[0] = dst;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t port = 1; port <= p->f->switches[queue[i]].nports; port++) {
			uint32_t sw = switch_over_cable(p, p->f->switches[queue[i]].out[port]);

			if (sw == SFAB_NONE || hops[sw] != UNREACHED)
				continue;
			hops[sw] = hops[queue[i]] + 1;
			queue[n++] = sw;
		}
}

/*
 * Group the ports of a switch that are on a shortest way.  A single port is a group, too: the
 * table's entry may lead another way, and the two together around a loop.  All ports get the
 * same share.
 */
static int add_shortest_group(const struct cabling_plan *p, uint32_t sw, const uint32_t *hops,
			      uint32_t lid, struct sfab_builder *b, struct sfab_err *err)
{
	const struct sfab_switch *s = &p->f->switches[sw];
	double share[256];
	uint8_t ports[256];
	unsigned n = 0;

	for (uint32_t k = 1; k <= s->nports; k++) {
		uint32_t next = switch_over_cable(p, s->out[k]);

		if (next == SFAB_NONE || hops[next] + 1 != hops[sw])
			continue;
		share[n] = 1;
		ports[n++] = (uint8_t) k;
	}
	return n ? sfab_builder_add_group(b, s->plane, s->guid, lid, ports, share, n, err) : 0;
}

int regroup_port(const struct cabling_plan *p, uint32_t port, uint32_t lid, uint8_t lmc,
		 struct sfab_builder *b, struct sfab_err *err)
{
	uint32_t nswitches = p->f->nswitches, *hops;
	int rc = 0;

	if (!plan_has_groups(p) || !lid || p->sw[port] == SFAB_NONE ||
	    !cabling_plan_port_is_up(p, port) || !is_port_adaptive(p, port))
		return 0;
	hops = xcalloc(2 * (size_t) nswitches + 1, sizeof(*hops));
	find_plan_hops(p, p->sw[port], hops, hops + nswitches);
	for (uint32_t i = 0; i < nswitches; i++)
		for (uint32_t k = 0; rc == 0 && k < 1u << lmc; k++)
			/*
			 * The switch of the port itself (0 hops) delivers over its table, which
			 * has one port for it.
			 */
			if (hops[i] != UNREACHED && hops[i])
				rc = add_shortest_group(p, i, hops, lid + k, b, err);
	free(hops);
	return rc;
}
