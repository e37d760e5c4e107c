/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maxmin.c - progressive filling of bundles of flows; see maxmin.h
 *
 * A resource is full at the level
 *
 * 	(capacity - what frozen flows hold) / shares of flows that still grow
 *
 * This level can only rise when other flows freeze, so the heap of resources by level may be
 * lazy.  The top entry is recomputed; if its level rose it goes back, else its flows freeze at
 * that level.
 *
 * The load of a sender's link is not stored: until the link is full, it is the load of the
 * group in all bundles, except in the one that the sender does not send in.
 */

#include "core/predict/maxmin.h"

#include <math.h>

/* Rounding alone must not send a resource back forever. */
#define SAME_LEVEL (1 + 1e-12)

struct heap_item {
	double level;
	uint32_t res;
};

struct sender {
	uint32_t res, group;
	uint32_t except;	/* the bundle that it does not send in, or SFAB_NONE */
	int full;		/* 1: its link is full; 2: since this call of freeze_senders() */
};

struct resource_state {		/* together: a hop touches all of it */
	double held;		/* bytes/s of frozen flows */
	double growing;		/* shares of growing flows */
	uint32_t nbundles;	/* bundles that still grow */
};

struct group_state {
	double held;		/* levels of its frozen bundles */
	uint32_t growing;	/* number of bundles that still grow */
};

struct filling {
	uint32_t nres;
	double *cap;		/* bytes/s; INFINITY: no limit */
	const struct sfab_bundles *b;
	double max;
	double *rate, *level;
	double *growing;	/* by bundle: amount that still grows */
	double *frozen;		/* by bundle: level at which its links froze it, or 0 */
	struct resource_state *state;	/* by resource */
	uint32_t *first;	/* [nres + 1] into bundle */
	uint32_t *bundle;	/* by resource that can be full: its bundles */
	uint32_t *group_of;	/* by bundle */
	struct group_state *group;
	struct sender *sender;
	uint32_t *sender_of;	/* by resource: a sender, or SFAB_NONE */
	struct heap_item *heap;
	uint32_t nheap;
	struct sfab_arena arena;
};

static double share_of_hop(const struct filling *g, uint32_t k)
{
	return g->b->share ? g->b->share[k] : 1.0;
}

static int is_lower_level(const struct heap_item *a, const struct heap_item *b)
{
	return a->level < b->level || (a->level == b->level && a->res < b->res);
}

static void heap_push(struct filling *g, double level, uint32_t res)
{
	struct heap_item x = {level, res};
	uint32_t i = g->nheap++;

	while (i && is_lower_level(&x, &g->heap[(i - 1) / 2])) {
		g->heap[i] = g->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	g->heap[i] = x;
}

static struct heap_item heap_pop(struct filling *g)
{
	struct heap_item top = g->heap[0], x = g->heap[--g->nheap];
	uint32_t i = 0, child;

	while ((child = 2 * i + 1) < g->nheap) {
		if (child + 1 < g->nheap &&
		    is_lower_level(&g->heap[child + 1], &g->heap[child]))
			child++;
		if (!is_lower_level(&g->heap[child], &x))
			break;
		g->heap[i] = g->heap[child];
		i = child;
	}
	g->heap[i] = x;
	return top;
}

/* Return the level at which resource @e is full.  INFINITY: no flow that crosses it grows. */
static double level_of(const struct filling *g, uint32_t e)
{
	uint32_t n = g->state[e].nbundles;
	double growing = g->state[e].growing, held = g->state[e].held;

	if (g->sender_of && g->sender_of[e] != SFAB_NONE) {
		const struct sender *s = &g->sender[g->sender_of[e]];
		const struct group_state *x = &g->group[s->group];

		/*
		 * Number of bundles that the sender still sends in, and its rate in the frozen
		 * ones.
		 */
		n = x->growing;
		held = x->held;
		if (s->except != SFAB_NONE) {
			n -= g->growing[s->except] > 0;
			held -= g->frozen[s->except];
		}
		growing = n = s->full ? 0 : n;
	}
	return n ? fmax(g->cap[e] - held, 0) / growing : INFINITY;
}

/* Stop @amount of the flows of bundle @i at @level. */
static void freeze_amount(struct filling *g, uint32_t i, double amount, double level)
{
	g->rate[i] += level * amount;
	g->growing[i] -= amount;
	for (uint32_t k = g->b->first[i]; k < g->b->first[i + 1]; k++) {
		struct resource_state *e = &g->state[g->b->res[k]];
		double x = amount * share_of_hop(g, k);

		e->held += level * x;
		e->growing -= x;
		e->nbundles -= g->growing[i] == 0;
	}
	if (g->group && g->growing[i] == 0)
		g->group[g->group_of[i]].growing--;
}

/* Freeze all full senders of a leaf in one pass, since they are mostly full together. */
static void freeze_senders(struct filling *g, uint32_t group, double level)
{
	const struct sfab_bundle_group *x = &g->b->group[group];
	uint32_t n = 0;

	for (uint32_t i = x->sender0; i < x->sender0 + x->nsenders; i++) {
		struct sender *s = &g->sender[i];

		if (s->full || level_of(g, s->res) > level * SAME_LEVEL)
			continue;
		s->full = 2;
		n++;
		if (g->level)
			g->level[s->res] = level;
	}
	for (uint32_t i = x->bundle0; n && i < x->bundle0 + x->nbundles; i++) {
		uint32_t except = g->b->except[i];
		uint32_t less = except != SFAB_NONE && g->sender[except].full == 2;

		if (g->growing[i] > 0 && n > less)
			freeze_amount(g, i, n - less, level);
	}
	for (uint32_t i = x->sender0; i < x->sender0 + x->nsenders; i++)
		g->sender[i].full = g->sender[i].full != 0;
}

/* Freeze the flows that cross resource @e, which is full at @level. */
static void freeze_resource(struct filling *g, uint32_t e, double level)
{
	if (g->sender_of && g->sender_of[e] != SFAB_NONE) {
		freeze_senders(g, g->sender[g->sender_of[e]].group, level);
		return;
	}
	if (g->level)
		g->level[e] = level;
	for (uint32_t k = g->first[e]; k < g->first[e + 1]; k++) {
		uint32_t i = g->bundle[k];

		if (!(g->growing[i] > 0))
			continue;
		freeze_amount(g, i, g->growing[i], level);
		if (g->group) {
			g->frozen[i] = level;
			g->group[g->group_of[i]].held += level;
		}
	}
}

/* Freeze resources by level until all flows are frozen or at the maximum level. */
static void fill_all(struct filling *g)
{
	while (g->nheap) {
		struct heap_item x = heap_pop(g);
		double level = level_of(g, x.res);

		if (isinf(level))
			continue;
		if (level > x.level * SAME_LEVEL) {
			heap_push(g, level, x.res);
			continue;
		}
		if (x.level >= g->max)
			break;
		freeze_resource(g, x.res, x.level);
	}
	for (uint32_t i = 0; i < g->b->n && isfinite(g->max); i++)
		g->rate[i] += g->max * g->growing[i];
}

/* May resource @e be full before all flows are at the maximum level? */
static int can_be_full(const struct filling *g, uint32_t e)
{
	return g->state[e].nbundles && g->cap[e] < g->state[e].growing * g->max;
}

static void set_up_bundles(struct filling *g)
{
	const struct sfab_bundles *b = g->b;

	for (uint32_t i = 0; i < b->n; i++) {
		g->rate[i] = 0;
		g->growing[i] = b->amount[i];
		for (uint32_t k = b->first[i]; k < b->first[i + 1]; k++) {
			struct resource_state *e = &g->state[b->res[k]];

			e->growing += g->growing[i] * share_of_hop(g, k);
			e->nbundles += g->growing[i] > 0;
		}
	}
}

/*
 * List the bundles of each resource that can be full, and compute the initial levels.  Each
 * first[] moves while the lists are filled, from the end of a list to its beginning.
 */
static int set_up_lists(struct filling *g)
{
	const struct sfab_bundles *b = g->b;
	uint32_t n = 0;

	for (uint32_t e = 0; e < g->nres; e++) {
		if (can_be_full(g, e)) {
			n += g->state[e].nbundles;
			heap_push(g, level_of(g, e), e);
		}
		g->first[e] = n;
	}
	g->first[g->nres] = n;
	g->bundle = sfab_arena_take(&g->arena, n, sizeof(*g->bundle));
	if (!g->bundle)
		return -1;
	for (uint32_t i = b->n; n && i-- > 0;)
		for (uint32_t k = b->first[i]; g->growing[i] > 0 && k < b->first[i + 1]; k++)
			if (can_be_full(g, b->res[k]))
				g->bundle[--g->first[b->res[k]]] = i;
	return 0;
}

/* Set the groups, and add the links of senders to the heap, which are in no bundle. */
static void set_up_senders(struct filling *g)
{
	const struct sfab_bundles *b = g->b;

	for (uint32_t i = 0; i < b->ngroups; i++) {
		const struct sfab_bundle_group *x = &b->group[i];

		for (uint32_t k = x->sender0; k < x->sender0 + x->nsenders; k++) {
			g->sender[k] = (struct sender) { b->sender[k], i, SFAB_NONE, 0 };
			g->sender_of[b->sender[k]] = k;
		}
		for (uint32_t k = x->bundle0; k < x->bundle0 + x->nbundles; k++) {
			g->group_of[k] = i;
			g->group[i].growing += g->growing[k] > 0;
			if (b->except[k] != SFAB_NONE)
				g->sender[b->except[k]].except = k;
		}
		for (uint32_t k = x->sender0; k < x->sender0 + x->nsenders; k++)
			if (isfinite(level_of(g, b->sender[k])))
				heap_push(g, level_of(g, b->sender[k]), b->sender[k]);
	}
}

static int alloc_senders(struct filling *g)
{
	uint32_t n = g->b->n;

	g->frozen = sfab_arena_take(&g->arena, n, sizeof(*g->frozen));
	g->group_of = sfab_arena_take(&g->arena, n, sizeof(*g->group_of));
	g->group = sfab_arena_take(&g->arena, g->b->ngroups, sizeof(*g->group));
	g->sender = sfab_arena_take(&g->arena, g->b->nsenders, sizeof(*g->sender));
	g->sender_of = sfab_arena_take_ones(&g->arena, g->nres, sizeof(*g->sender_of));
	return g->arena.failed ? -1 : 0;
}

int sfab_maxmin(const struct sfab_model *m, int ends_only, const struct sfab_bundles *b,
		double max, double *rate, double *level, struct sfab_err *err)
{
	uint32_t nres = m->nres;
	struct filling g = { .nres = nres, .b = b, .max = max, .rate = rate, .level = level };
	int rc;

	g.cap = sfab_arena_take(&g.arena, nres, sizeof(*g.cap));
	g.growing = sfab_arena_take(&g.arena, b->n, sizeof(*g.growing));
	g.state = sfab_arena_take(&g.arena, nres, sizeof(*g.state));
	g.first = sfab_arena_take(&g.arena, nres + 1u, sizeof(*g.first));
	g.heap = sfab_arena_take(&g.arena, nres, sizeof(*g.heap));
	rc = g.arena.failed ? -1 : 0;
	if (rc == 0 && b->ngroups)
		rc = alloc_senders(&g);
	for (uint32_t e = 0; rc == 0 && e < nres; e++) {
		g.cap[e] = m->inv_cap[e] > 0 ? 1 / m->inv_cap[e] : 0;
		if (ends_only && m->isl[e])
			g.cap[e] = INFINITY;
		if (level)
			level[e] = INFINITY;
	}
	if (rc == 0) {
		set_up_bundles(&g);
		rc = set_up_lists(&g);
	}
	if (rc == 0) {
		if (b->ngroups)
			set_up_senders(&g);
		fill_all(&g);
	}
	sfab_arena_free(&g.arena);
	return rc < 0 ? sfab_no_memory(err) : 0;
}
