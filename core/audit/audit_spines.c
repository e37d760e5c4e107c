/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_spines.c - do the tables use the cables between switches, and evenly?  See
 * audit_private.h
 *
 * All compute hosts send to all others.  Two links are in one tier if the same of their ends
 * are leaves.  Within a tier an even load would be best.
 */

#include "core/audit/audit_private.h"
#include "core/load/demand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HOT_MIN 1.1		/* times the even load; less is not reported */

/* Sums over its links: bytes/s that all-to-all puts on them, and what they can carry. */
struct tier {
	double load, capacity;
};

struct spine_spread { /* of one plane */
	uint32_t links, unused;
	double ends;		/* how full the fullest end port is, at least 1 */
	double fullest;		/* how full the fullest link between switches is */
	uint32_t hot_link;	/* that link */
	struct tier tier[AUDIT_TIERS];
};

/*
 * Add the load of link @i to the spread.  Links to hosts only count for the slowdown of end
 * ports.
 */
static void add_link_to_spread(const struct sfab_model *m, uint32_t i,
			       double load, struct spine_spread *s)
{
	const struct sfab_link *l = &m->f->links[i];
	double x = load * m->inv_cap[i];

	if (!l->up)
		return;
	if (l->kind != SFAB_LINK_ISL) {
		s->ends = fmax(s->ends, x);
		return;
	}
	s->links++;
	s->tier[sfab_audit_tier(m->f, l)].load += load;
	s->tier[sfab_audit_tier(m->f, l)].capacity += l->capacity;
	if (x > s->fullest) {
		s->fullest = x;
		s->hot_link = i;
	}
}

/* Set *@s, by plane, for all-to-all: each compute host sends at full rate, evenly to all others. */
static int spread_all_to_all(struct auditing *a, struct spine_spread **s)
{
	const struct sfab_model *m = a->m;
	const struct sfab_fabric *f = m->f;
	struct sfab_traffic traffic = {
		.nparts = 1, .part = { { .class = SFAB_MPI, .share = 1 } },
	};
	struct sfab_job job = { .traffic = &traffic };
	uint32_t *host = sfab_audit_list_compute_hosts(m, &job.n);
	struct sfab_load load = { 0 };
	int rc;

	*s = sfab_arena_take(&a->arena, f->nplanes, sizeof(**s));
	job.host = host;
	if (!host || !*s || sfab_load_init(&load, m->nres) < 0)
		rc = sfab_no_memory(a->err);
	else
		rc = job.n ? sfab_demand(m, &job, &load, a->err) : 0;
	for (uint32_t i = 0; i < f->nlinks && rc == 0; i++)
		add_link_to_spread(m, i, load.v[i], &(*s)[sfab_link_plane(f, i)]);
	for (uint32_t p = 0; p < f->nplanes && rc == 0; p++)
		(*s)[p].ends = fmax((*s)[p].ends, 1);
	sfab_load_free(&load);
	free(host);
	return rc;
}

static void report_unused(struct auditing *a, const char *plane,
			  const struct spine_spread *s)
{
	double share = (double) s->unused / s->links;
	struct sfab_finding *finding = sfab_audit_add(
		a, SFAB_RULE_SPINE_UNUSED, sfab_severity_of_loss(share), s->unused, plane,
		"%u of %u links between switches carry no route between any two end ports",
		s->unused, s->links);

	finding->effect_now = s->links - s->unused;
	finding->effect_then = s->links;
}

/*
 * Report the fullest link between switches.  Compare three times: now, with even routes, and
 * the ideal one (1).
 */
static void report_hot(struct auditing *a, const struct spine_spread *s,
		       const double *routes)
{
	const struct sfab_link *l = &a->f->links[s->hot_link];
	double even = 0, now = fmax(s->fullest / s->ends, 1), then;
	char port[AUDIT_PORT_SIZE];
	struct sfab_finding *finding;

	/* Load of the fullest tier if the load in each tier were even. */
	for (unsigned t = 0; t < AUDIT_TIERS; t++)
		if (s->tier[t].load > even * s->tier[t].capacity)
			even = s->tier[t].load / s->tier[t].capacity;
	then = fmax(even / s->ends, 1);
	/* Compare with even loads, not with 1: an oversubscribed tree is slow with any routes. */
	if (now < HOT_MIN * then)
		return;
	finding = sfab_audit_add(a, SFAB_RULE_SPINE_HOT, sfab_severity_of_loss(1 - then / now),
				 routes[s->hot_link], sfab_audit_port(a->f, s->hot_link, port),
				 "the fullest link, to %.120s port %u, carries %.6g routes: "
				 "all-to-all of all hosts takes %.2f times as long as without "
				 "this link", sfab_link_to_name(a->f, s->hot_link), l->to_port,
				 routes[s->hot_link], now);
	snprintf(finding->remedy, sizeof(finding->remedy),
		 "Even routes on these cables would take %.2f times as long: a bound that no "
		 "engine may reach. Only OpenSM can tell which engine helps: sfabric whatif "
		 "--engine NAME, with names of opensm(8) such as dfsssp. It helps if all-to-all "
		 "is lower under THEN than under NOW, and no rate of IO is lower.", then);
	finding->effect_now = now;
	finding->effect_then = then;
}

int sfab_audit_spines(struct auditing *a)
{
	const struct sfab_fabric *f = a->f;
	/* by link: pairs of end ports routed over it */
	double *routes = sfab_arena_take(&a->arena, f->nlinks, sizeof(*routes));
	struct spine_spread *s;

	if (spread_all_to_all(a, &s) < 0)
		return -1;
	if (!routes || sfab_route_counts(f, NULL, NULL, NULL, routes, NULL) < 0)
		return sfab_no_memory(a->err);
	for (uint32_t i = 0; i < f->nlinks; i++)
		if (f->links[i].kind == SFAB_LINK_ISL && f->links[i].up)
			s[sfab_link_plane(f, i)].unused += routes[i] == 0;
	for (uint32_t p = 0; p < f->nplanes; p++) {
		if (s[p].unused)
			report_unused(a, sfab_audit_plane(f, p), &s[p]);
		if (s[p].fullest > 0)
			report_hot(a, &s[p], routes);
	}
	return 0;
}

int sfab_audit_all_to_all(const struct sfab_model *m, double *slowdown, struct sfab_err *err)
{
	struct auditing a = { .m = m, .f = m->f, .err = err };
	struct spine_spread *s;
	int rc = spread_all_to_all(&a, &s);

	*slowdown = 1;
	for (uint32_t p = 0; p < m->f->nplanes && rc == 0; p++)
		*slowdown = fmax(*slowdown, s[p].fullest / s[p].ends);
	sfab_arena_free(&a.arena);
	return rc;
}
