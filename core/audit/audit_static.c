/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_static.c - fabrics with adaptive routing: LIDs that stay static, and switches that may
 * adapt in an unknown way; see audit_private.h
 *
 * The subnet manager keeps the LIDs of devices that cannot reorder packets on one port: old
 * storage adapters, gateways, aggregation nodes.  Where all other LIDs are shared over a group,
 * these are the ones that still collide.  A LID counts as static if no leaf but its own shares
 * it.
 */

#include "core/audit/audit_private.h"

#include <stdio.h>
#include <string.h>

struct static_ports {
	uint8_t *is_static;	/* by end port */
	uint32_t *enters;	/* by switch: ports whose routes mostly enter it */
	uint32_t *seen;		/* by switch: leaves that enter it, of one port */
};

/*
 * Return the next switch from leaf @sw toward a LID.  SFAB_NONE: the LID is on a host, or there
 * is no route.
 */
static uint32_t next_switch(const struct sfab_fabric *f,
			    const struct sfab_switch *sw, uint32_t entry)
{
	uint8_t out = sw->lft[entry];
	uint32_t link = out && out <= sw->nports ? sw->out[out] : SFAB_NONE;

	return link != SFAB_NONE && f->links[link].kind == SFAB_LINK_ISL ?
	       f->links[link].to : SFAB_NONE;
}

/*
 * Does every leaf with groups keep @port on one link?  Leaves that reach it without another
 * switch do not count.
 */
static int stays_static(const struct sfab_fabric *f, uint32_t port)
{
	const struct sfab_port *p = &f->ports[port];
	uint32_t leaves = 0;

	if (!p->lid)
		return 0;
	for (uint32_t l = 0; l < f->nleaves; l++) {
		const struct sfab_switch *sw = &f->switches[f->leaves[l].sw];

		if (l == p->leaf || sw->plane != p->plane || !sw->lft_group ||
		    !sw->ngroups || !sw->has_lft)
			continue;
		if (sw->lft_group[p->entry])
			return 0;
		leaves += next_switch(f, sw, p->entry) != SFAB_NONE;
	}
	return leaves > 0;
}

/* Return the switch that most leaves enter on their way to @port, or SFAB_NONE. */
static uint32_t most_entered(const struct sfab_fabric *f, uint32_t port,
			     uint32_t *seen)
{
	const struct sfab_port *p = &f->ports[port];
	uint32_t best = SFAB_NONE;

	memset(seen, 0, f->nswitches * sizeof(*seen));
	for (uint32_t l = 0; l < f->nleaves; l++) {
		const struct sfab_switch *sw = &f->switches[f->leaves[l].sw];
		uint32_t to;

		if (l == p->leaf || sw->plane != p->plane || !sw->has_lft)
			continue;
		to = next_switch(f, sw, p->entry);
		if (to != SFAB_NONE)
			seen[to]++;
	}
	for (uint32_t s = 0; s < f->nswitches; s++)
		if (seen[s] && (best == SFAB_NONE || seen[s] > seen[best]))
			best = s;
	return best;
}

/* Report static members of @set, and the switch that most of their routes enter. */
static void report_static_set(struct auditing *a, const struct sfab_ioset *set,
			      struct static_ports *s)
{
	uint32_t max = SFAB_NONE, n = 0;

	memset(s->enters, 0, a->f->nswitches * sizeof(*s->enters));
	for (uint32_t k = 0; k < set->nmembers; k++) {
		uint32_t port = a->m->io->ioport[set->member[k]], to;

		if (!s->is_static[port])
			continue;
		n++;
		to = most_entered(a->f, port, s->seen);
		if (to == SFAB_NONE)
			continue;
		s->enters[to]++;
		if (max == SFAB_NONE || s->enters[to] > s->enters[max])
			max = to;
	}
	if (!n || max == SFAB_NONE)
		return;
	/* A single static LID on a switch collides with no other static LID. */
	sfab_audit_add(a, SFAB_RULE_STATIC, s->enters[max] > 1 ? SFAB_WARNING : SFAB_NOTE,
		       n, set->name, "%u of %u IO ports keep to static routes, though routing is "
		       "adaptive; %u of them enter %.120s from most leaves",
		       n, set->nmembers, s->enters[max], a->f->switches[max].name);
}

/* Report compute hosts whose LIDs are static: one finding that names the first of them. */
static void report_static_hosts(struct auditing *a, const struct static_ports *s)
{
	const struct sfab_fabric *f = a->f;
	uint32_t n = 0, all = 0, first = SFAB_NONE;
	struct sfab_finding *found;

	for (uint32_t p = 0; p < f->nports; p++) {
		uint32_t host = f->ports[p].host;

		if (!sfab_model_computes(a->m, host))
			continue;
		all++;
		n += s->is_static[p];
		if (s->is_static[p] && first == SFAB_NONE)
			first = host;
	}
	if (!n)
		return;
	found = sfab_audit_add(a, SFAB_RULE_STATIC, SFAB_NOTE, n, "compute hosts",
			       "%u of %u ports of compute hosts keep to static routes, though "
			       "routing is adaptive; the first is of %.120s",
			       n, all, f->hosts[first].name);
	snprintf(found->remedy, sizeof(found->remedy), "Compare the firmware and the "
		 "service levels of these adapters with those of the others.");
}

int sfab_audit_static(struct auditing *a)
{
	const struct sfab_fabric *f = a->f;
	struct static_ports s = {
		.is_static = sfab_arena_take(&a->arena, f->nports, 1),
		.enters = sfab_arena_take(&a->arena, f->nswitches, sizeof(*s.enters)),
		.seen = sfab_arena_take(&a->arena, f->nswitches, sizeof(*s.seen)),
	};

	if (a->arena.failed)
		return sfab_no_memory(a->err);
	if (f->adaptive == SFAB_ADAPTIVE_UNKNOWN) {
		sfab_audit_add(a, SFAB_RULE_ADAPTIVE, SFAB_WARNING, f->nswitches, "fabric",
			       "switches choose ports by load, or can, and nothing says among "
			       "which");
	} else if (f->adaptive == SFAB_ADAPTIVE_GROUPS) {
		/* Set the flags first, because both kinds of findings need them. */
		for (uint32_t p = 0; p < f->nports; p++)
			s.is_static[p] = (uint8_t) stays_static(f, p);
		for (uint32_t i = 0; a->m->io && i < a->m->io->nsets; i++)
			report_static_set(a, &a->m->io->set[i], &s);
		report_static_hosts(a, &s);
	}
	return 0;
}
