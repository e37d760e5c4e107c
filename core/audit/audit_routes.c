/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_routes.c - missing routes, loops, unconnected parts, routes longer than the reverse
 * route, the engine that made them, and whether packets follow them; see audit_private.h
 */

#include "core/audit/audit_private.h"

#include "core/disjoint.h"

struct lost_routes {		/* of one plane */
	uint32_t parts;			/* unconnected parts that have leaves */
	uint64_t pairs, all;
	enum sfab_route_status status;	/* of the first lost pair */
	uint32_t leaf, port, at_switch;
};

struct route_walk {
	const struct sfab_fabric *f;
	uint32_t *part;			/* by switch: union-find parent, a lower id */
	uint8_t *hops;			/* [leaf x leaf] fewest links from the first to the second;
					   0: no route */
	uint32_t *sources;		/* by leaf: number of end ports with a LID */
	uint8_t *is_counted;		/* by switch: the part whose root it is was counted */
	struct lost_routes *lost;	/* by plane */
};

/* Set up @w.  The parts come first: no table can have a route between two parts. */
static int walk_init(struct route_walk *w, struct auditing *a)
{
	const struct sfab_fabric *f = a->f;
	size_t n = f->nleaves;

	w->f = f;
	w->part = sfab_arena_take(&a->arena, f->nswitches, sizeof(*w->part));
	w->hops = sfab_arena_take(&a->arena, n * n, sizeof(*w->hops));
	w->sources = sfab_arena_take(&a->arena, n, sizeof(*w->sources));
	w->is_counted = sfab_arena_take(&a->arena, f->nswitches, sizeof(*w->is_counted));
	w->lost = sfab_arena_take(&a->arena, f->nplanes, sizeof(*w->lost));
	if (a->arena.failed)
		return -1;
	for (uint32_t i = 0; i < f->nswitches; i++)
		w->part[i] = i;
	for (uint32_t i = 0; i < f->nlinks; i++) {
		const struct sfab_link *l = &f->links[i];

		if (l->kind == SFAB_LINK_ISL && l->up)
			sfab_disjoint_join(w->part, l->from, l->to);
	}
	for (uint32_t p = 0; p < f->nports; p++)
		if (f->ports[p].leaf != SFAB_NONE && f->ports[p].lid)
			w->sources[f->ports[p].leaf]++;
	return 0;
}

/* Walk all routes from a leaf: count parts and lost pairs, and record path lengths. */
static int walk_leaf(struct route_walk *w, uint32_t leaf, struct sfab_route *r)
{
	const struct sfab_fabric *f = w->f;
	uint32_t sw = f->leaves[leaf].sw, plane = f->switches[sw].plane;
	uint32_t part = sfab_disjoint_root(w->part, sw);
	struct lost_routes *lost = &w->lost[plane];

	lost->parts += !w->is_counted[part];
	w->is_counted[part] = 1;
	for (uint32_t p = 0; p < f->nports; p++) {
		const struct sfab_port *to = &f->ports[p];
		/* A port does not send to itself. */
		uint32_t pairs = w->sources[leaf] - (to->leaf == leaf);

		if (to->plane != plane || to->leaf == SFAB_NONE || !to->lid ||
		    /* Pairs in different parts have their own finding. */
		    !pairs || sfab_disjoint_root(w->part, to->sw) != part)
			continue;
		if (sfab_route_from(f, sw, p, r) < 0)
			return -1;
		lost->all += pairs;
		if (r->status != SFAB_ROUTE_OK) {
			if (!lost->pairs)
				*lost = (struct lost_routes) { lost->parts, 0, lost->all,
							       r->status, leaf, p, r->at_switch };
			lost->pairs += pairs;
		} else {
			uint8_t *hops = &w->hops[(size_t) leaf * f->nleaves + to->leaf];

			if (!*hops || r->n < *hops)
				*hops = (uint8_t) r->n;
		}
	}
	return 0;
}

/* Report the parts of a plane, and the pairs within a part that have no route. */
static void report_lost(struct auditing *a, uint32_t plane,
			const struct lost_routes *lost)
{
	const struct sfab_fabric *f = a->f;
	struct sfab_finding *finding;

	if (lost->parts > 1)
		sfab_audit_add(a, SFAB_RULE_PARTS, SFAB_NOTE, lost->parts,
			       sfab_audit_plane(f, plane),
			       "leaf switches are in %u parts that no cable connects", lost->parts);
	if (!lost->pairs)
		return;
	finding = sfab_audit_add(a, SFAB_RULE_UNREACHABLE, SFAB_CRITICAL, (double) lost->pairs,
				 sfab_audit_plane(f, plane),
				 "%llu of %llu pairs of end ports have no route; the first: from "
				 "leaf %.80s to %.80s (LID %u), %s at switch %.80s",
				 (unsigned long long) lost->pairs, (unsigned long long) lost->all,
				 sfab_audit_leaf(f, lost->leaf),
				 f->hosts[f->ports[lost->port].host].name,
				 f->ports[lost->port].lid, sfab_route_status_text(lost->status),
				 f->switches[lost->at_switch].name);
	finding->effect_now = finding->number;
}

/*
 * Report pairs of leaves whose routes differ in length by direction.  Leaves of other planes
 * have no hops to each other (0) and are skipped.
 */
static void report_asymmetric(struct auditing *a, const struct route_walk *w,
			      uint32_t plane)
{
	const struct sfab_fabric *f = a->f;
	uint32_t n = 0, from = 0, to = 0;
	size_t leaves = f->nleaves;

	for (uint32_t i = 0; i < leaves; i++)
		for (uint32_t k = 0; k < i; k++) {
			unsigned there = w->hops[i * leaves + k];
			unsigned back = w->hops[k * leaves + i];

			if (f->switches[f->leaves[i].sw].plane != plane ||
			    !there || !back || there == back || n++)
				continue;
			from = there > back ? i : k;
			to = there > back ? k : i;
		}
	if (n)
		sfab_audit_add(a, SFAB_RULE_ASYMMETRIC, SFAB_WARNING, n, sfab_audit_plane(f, plane),
			       "%u pairs of leaves have a longer path there than back; the first: "
			       "%.120s to %.120s, %u links there, %u back",
			       n, sfab_audit_leaf(f, from), sfab_audit_leaf(f, to),
			       w->hops[from * leaves + to], w->hops[to * leaves + from]);
}

int sfab_audit_routes(struct auditing *a)
{
	struct route_walk w;
	int rc = walk_init(&w, a);

	for (uint32_t l = 0; l < a->f->nleaves && rc == 0; l++)
		rc = walk_leaf(&w, l, &a->route);
	for (uint32_t p = 0; p < a->f->nplanes && rc == 0; p++) {
		uint32_t sw, lid;

		report_lost(a, p, &w.lost[p]);
		report_asymmetric(a, &w, p);
		/* One loop is enough: after a new sweep an audit shows the next one. */
		rc = sfab_route_find_loop(a->f, p, &sw, &lid);
		if (rc <= 0)
			continue;
		rc = 0;
		sfab_audit_add(a, SFAB_RULE_LOOP, SFAB_CRITICAL, lid, sfab_audit_plane(a->f, p),
			       "the tables send LID %u around a loop through switch %.150s",
			       lid, a->f->switches[sw].name)->effect_now = 1;
	}
	return rc < 0 ? sfab_no_memory(a->err) : 0;
}

/*
 * Compare with the engines requested now, or else with those that OpenSM tried when it made
 * these tables.  A later engine of the list is the site's choice if the first gives up.  An
 * engine that is not in the list is not.
 */
int sfab_audit_engine(struct auditing *a)
{
	for (uint32_t p = 0; p < a->f->nplanes; p++) {
		struct sfab_plane plane = a->f->planes[p];
		int is_listed;

		if (a->ask->engine)
			plane.asked = a->ask->engine;
		if (!sfab_plane_fell_back(&plane))
			continue;
		is_listed = sfab_plane_asked_for(&plane) > 0;
		sfab_audit_add(a, SFAB_RULE_ENGINE, is_listed ? SFAB_NOTE : SFAB_CRITICAL, 1,
			       sfab_audit_plane(a->f, p), is_listed ?
			       "routed by %.60s, a later engine of %.60s" :
			       "routed by %.60s, but %.60s was requested",
			       plane.engine, plane.asked);
	}
	return 0;
}

/*
 * Report whether the measured bytes follow the tables, as the caller found.  If they do, the
 * finding is a note, so that the figure is shown in any case.
 */
int sfab_audit_followed(struct auditing *a)
{
	int bad = a->ask->followed < a->ask->min_followed;
	double percent = 100 * a->ask->followed;
	struct sfab_finding *finding;

	if (!a->ask->followed_known)
		return 0;
	finding = sfab_audit_add(a, SFAB_RULE_STRAYS, bad ? SFAB_CRITICAL : SFAB_NOTE, percent,
				 "fabric", "%.0f %% of the measured bytes are where the tables say",
				 percent);
	if (!bad)
		finding->remedy[0] = '\0';
	return 0;
}
