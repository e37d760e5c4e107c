/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_spines.c - do the tables use the cables between switches, and evenly?
 *
 * All compute hosts send to all others.  Two links are in one tier if the same
 * of their ends are leaves.  Within a tier an even load would be best.
 */

#include "core/audit/audit_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/route.h"

#define HOT_LEAST 1.1		/* times the even load; less is not reported */

/*
 * Sums over its links: bytes/s that all-to-all puts on them, and what they can
 * carry.
 */
struct tier {
	double load, capacity;
};

struct spine_spread { /* of one plane */
	uint32_t links, unused;
	double ends;		/* fullest end port, at least 1 */
	double top;		/* fullest link between switches */
	uint32_t hot;		/* that link */
	struct tier tier[AUDIT_TIERS];
};

static uint32_t plane_of(const struct sfab_fabric *f, const struct sfab_link *l)
{
	return l->kind == SFAB_LINK_INJECT ? f->ports[l->from].plane :
					     f->switches[l->from].plane;
}

/* Links to hosts only say how slow the ends themselves are. */
static void add_link_to_spread(const struct sfab_model *m, uint32_t i,
			       double load, const double *routes,
			       struct spine_spread *s)
{
	const struct sfab_link *l = &m->f->links[i];
	double x = load * m->inv_cap[i];

	if (!l->up)
		return;
	if (l->kind != SFAB_LINK_ISL) {
		s->ends = x > s->ends ? x : s->ends;
		return;
	}
	s->links++;
	s->unused += routes[i] == 0;
	s->tier[sfab_audit_tier(m->f, l)].load += load;
	s->tier[sfab_audit_tier(m->f, l)].capacity += l->capacity;
	if (x > s->top) {
		s->top = x;
		s->hot = i;
	}
}

/* Each compute host sends at full rate, evenly to all others. */
static int all_to_all(struct auditing *a, struct sfab_load *load)
{
	struct sfab_traffic traffic = {
		.nparts = 1, .part = { { .class = SFAB_MPI, .share = 1 } },
	};
	struct sfab_spec spec = { .traffic = &traffic };
	uint32_t *host = sfab_audit_compute(a->m, &spec.n);
	int rc;

	if (!host)
		return sfab_no_memory(a->err);
	spec.host = host;
	rc = spec.n ? sfab_demand(a->m, &spec, load, load, NULL, a->err) : 0;
	free(host);
	return rc;
}

static int report_unused(struct auditing *a, const char *plane,
			 const struct spine_spread *s)
{
	double share = (double) s->unused / s->links;
	struct sfab_finding *n = sfab_audit_add(a, SFAB_RULE_SPINE_UNUSED,
					   sfab_severity_of_loss(share),
					   "%.150s", plane);

	if (!n)
		return -1;
	n->number = s->unused;
	n->unit = "links";
	snprintf(n->what, sizeof(n->what), "%u of %u links between switches "
		 "carry no route between any two end ports", s->unused,
		 s->links);
	snprintf(n->remedy, sizeof(n->remedy), "sfabric plot --into shows which. Only OpenSM "
		 "can tell whether another engine uses them: sfabric whatif --engine NAME, "
		 "with names of opensm(8) such as dfsssp. It helps if bisect and rotate are "
		 "higher under THEN than under NOW, and no rate of IO is lower.");
	n->now = s->links - s->unused;
	n->then = s->links;
	n->effect = "links in use at best";
	return 0;
}

/* Load of the fullest tier if the load in each tier were even. */
static double even_tier_load(const struct spine_spread *s)
{
	double top = 0;

	for (unsigned t = 0; t < AUDIT_TIERS; t++)
		if (s->tier[t].load > top * s->tier[t].capacity)
			top = s->tier[t].load / s->tier[t].capacity;
	return top;
}

static double at_least_1(double x)
{
	return x > 1 ? x : 1;
}

/* Fullest links and even loads, by plane. */
static void add_spreads(const struct sfab_model *m, const struct sfab_load *load,
			const double *routes, struct spine_spread *s)
{
	const struct sfab_fabric *f = m->f;

	for (uint32_t i = 0; i < f->nlinks; i++)
		add_link_to_spread(m, i, load->v[i], routes, &s[plane_of(f, &f->links[i])]);
	for (uint32_t p = 0; p < f->nplanes; p++)
		s[p].ends = at_least_1(s[p].ends);
}

/* The finding compares three times: now, with even routes, and ideal (1). */
static int report_hot(struct auditing *a, const struct spine_spread *s,
		      const double *routes)
{
	const struct sfab_link *l = &a->f->links[s->hot];
	double now = at_least_1(s->top / s->ends);
	double then = at_least_1(even_tier_load(s) / s->ends);
	struct sfab_finding *n;

	/*
	 * Compare with even loads, not with 1: an oversubscribed tree is slow
	 * with any routes.
	 */
	if (now < HOT_LEAST * then)
		return 0;
	n = sfab_audit_add(a, SFAB_RULE_SPINE_HOT,
		      sfab_severity_of_loss(1 - then / now), "%.130s port %u",
		      sfab_link_from_name(a->f, s->hot), l->from_port);
	if (!n)
		return -1;
	n->number = routes[s->hot];
	n->unit = "routes";
	snprintf(n->what, sizeof(n->what), "the fullest link, to %.120s port %u, "
		 "carries %.6g routes: all-to-all of all hosts takes %.2f times as "
		 "long as without this link", sfab_link_to_name(a->f, s->hot),
		 l->to_port, n->number, now);
	snprintf(n->remedy, sizeof(n->remedy), "Even routes on these cables would take %.2f "
		 "times as long: a bound that no engine may reach. Only OpenSM can tell "
		 "which engine helps: sfabric whatif --engine NAME, with names of opensm(8) "
		 "such as dfsssp. It helps if all-to-all is lower under THEN than under NOW, "
		 "and no rate of IO is lower.", then);
	n->now = now;
	n->then = then;
	n->effect = "slowdown of all-to-all, the bound";
	return 0;
}

/* @routes is by link: pairs of end ports routed over it. */
static int check_spreads(struct auditing *a, const struct sfab_load *load,
			 const double *routes, struct spine_spread *s)
{
	const struct sfab_fabric *f = a->f;

	add_spreads(a->m, load, routes, s);
	for (uint32_t p = 0; p < f->nplanes; p++) {
		if (s[p].unused &&
		    report_unused(a, sfab_audit_plane(f, p), &s[p]) < 0)
			return -1;
		if (s[p].top > 0 && report_hot(a, &s[p], routes) < 0)
			return -1;
	}
	return 0;
}

int sfab_audit_spines(struct auditing *a)
{
	const struct sfab_fabric *f = a->f;
	double *routes = calloc(f->nlinks + 1u, sizeof(*routes));
	struct spine_spread *s = calloc(f->nplanes + 1u, sizeof(*s));
	struct sfab_load load = { 0 };
	int rc = -1;

	if (!routes || !s || sfab_load_init(&load, a->m->nres) < 0 ||
	    sfab_route_counts(f, NULL, NULL, NULL, routes, NULL) < 0)
		sfab_no_memory(a->err);
	else if (all_to_all(a, &load) == 0)
		rc = check_spreads(a, &load, routes, s);
	sfab_load_free(&load);
	free(routes);
	free(s);
	return rc;
}

int sfab_audit_all_to_all(const struct sfab_model *m, double *slowdown, struct sfab_err *err)
{
	const struct sfab_fabric *f = m->f;
	struct auditing a = { .m = m, .f = f, .err = err };
	double *routes = calloc(f->nlinks + 1u, sizeof(*routes));
	struct spine_spread *s = calloc(f->nplanes + 1u, sizeof(*s));
	struct sfab_load load = { 0 };
	int rc = -1;

	*slowdown = 1;
	if (!routes || !s || sfab_load_init(&load, m->nres) < 0)
		sfab_no_memory(err);
	else
		rc = all_to_all(&a, &load);
	if (rc == 0) {
		add_spreads(m, &load, routes, s);
		for (uint32_t p = 0; p < f->nplanes; p++)
			if (s[p].top / s[p].ends > *slowdown)
				*slowdown = s[p].top / s[p].ends;
	}
	sfab_load_free(&load);
	free(routes);
	free(s);
	return rc;
}
