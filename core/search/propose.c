/* SPDX-License-Identifier: GPL-2.0-or-later */
/* propose.c - sets to begin with: the plain policies, units, and rectangles */

#include "core/search/rectangles.h"
#include "core/search/search_private.h"

#include <string.h>

/*
 * Measured by make bench-packing: each width counts, more than these of a width do not.
 */
#define NTH 4			/* rectangles of each width and order of rows */
#define NARROW 8		/* up to this width all are tried, then those that differ
				   in their number of rows */

/* What topology/tree takes.  It is always tried, so that there is a set to return. */
int sfab_propose_tree(struct pool *p, struct sfab_err *err)
{
	sfab_pick_plain(p, SFAB_POLICY_TREE, p->pick);
	if (sfab_pool_try(p, p->pick, err) < 0)
		return -1;
	memcpy(p->tree, p->try, p->rq->n * sizeof(*p->tree));
	return 0;
}

/* All else that `sfabric place` prints beside the choice. */
int sfab_propose_plain(struct pool *p, struct sfab_err *err)
{
	static const enum sfab_policy plain[] = {
		SFAB_POLICY_RANDOM, SFAB_POLICY_CONTIGUOUS, SFAB_POLICY_SPREAD,
	};

	for (unsigned i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		sfab_pick_plain(p, plain[i], p->pick);
		if (sfab_pool_try(p, p->pick, err) < 0)
			return -1;
	}
	return 0;
}

int sfab_propose_units(struct pool *p, struct sfab_err *err)
{
	for (int i = 0; i < SFAB_NUNITS; i++) {
		struct sfab_units *u = sfab_scorer_units(p->sc, (enum sfab_unit) i);

		sfab_units_set_free(u, p->is_candidate);
		sfab_units_best_fit(u, p->is_candidate, p->need, p->pick);
		sfab_units_set_free(u, p->rq->avail);
		if (sfab_pool_try(p, p->pick, err) < 0)
			return -1;
	}
	return 0;
}

static int try_width(struct pool *p, struct sfab_rectangles *r, uint32_t width,
		     struct sfab_err *err)
{
	for (uint32_t i = 0; i < NTH; i++)
		for (int rows = SFAB_ROWS_FULLEST; rows <= SFAB_ROWS_EMPTIEST; rows++)
			if (sfab_rectangles_find(r, p->need, width, i, (enum sfab_rows) rows,
						 p->pick) &&
			    sfab_pool_try(p, p->pick, err) < 0)
				return -1;
	return 0;
}

/*
 * Wider ones with the same number of rows leave fewer hosts over, so that the widest
 * of them is the one to try.
 */
static int try_widths(struct pool *p, struct sfab_rectangles *r, uint32_t columns,
		      struct sfab_err *err)
{
	for (uint32_t width = 1; width <= columns && width <= p->need; width++)
		if ((width <= NARROW || p->need / width != p->need / (width + 1)) &&
		    sfab_pool_go_on(p) && try_width(p, r, width, err) < 0)
			return -1;
	return 0;
}

static int try_stripes(struct pool *p, struct sfab_rectangles *r, uint32_t columns,
		       struct sfab_err *err)
{
	for (uint32_t block = 1; block <= columns && block <= p->need; block *= 2)
		for (uint32_t i = 0; i < NTH && sfab_pool_go_on(p); i++)
			if (sfab_rectangles_find_striped(r, p->need, block, i, p->pick) &&
			    sfab_pool_try(p, p->pick, err) < 0)
				return -1;
	return 0;
}

int sfab_propose_rectangles(struct pool *p, struct sfab_err *err)
{
	const struct sfab_class_grid *g = sfab_scorer_grid(p->sc);
	struct sfab_rectangles *r;
	int rc;

	if (!g->nlevels || !(p->best.score.total > 0))
		return 0;
	r = sfab_rectangles_create(&g->level[0], p->m->host_leaf, p->m->f->nhosts);
	if (!r)
		return sfab_no_memory(err);
	sfab_rectangles_set_free(r, p->is_candidate);
	rc = try_stripes(p, r, g->level[0].ncolumns, err);
	if (rc == 0)
		rc = try_widths(p, r, g->level[0].ncolumns, err);
	sfab_rectangles_destroy(r);
	return rc;
}
