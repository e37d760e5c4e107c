/* SPDX-License-Identifier: GPL-2.0-or-later */
/* propose.c - sets to begin with: the plain policies, units, stripes, and even rows */

#include "core/search/propose.h"
#include "core/search/even_rows.h"
#include "core/search/stripes.h"

#include <stdlib.h>
#include <string.h>

#define NTH 4			/* stripes of each width that are tried; results hardly differ
				   from 2 to 8 (make bench-cases) */
#define NARROW 2		/* limits of columns of even rows that are tried beside no limit;
				   results hardly differ from 1 to 4 (make bench-cases) */

int sfab_propose_tree(struct pool *p, struct sfab_err *err)
{
	sfab_pool_pick_plain(p, SFAB_POLICY_TREE, p->pick);
	sfab_pool_fill(p, p->pick);
	p->best->tree_host = malloc(p->rq->n * sizeof(*p->trial));
	if (!p->best->tree_host)
		return sfab_no_memory(err);
	memcpy(p->best->tree_host, p->trial, p->rq->n * sizeof(*p->trial));
	return sfab_pool_try(p, p->pick, err);
}

int sfab_propose_plain(struct pool *p, struct sfab_err *err)
{
	static const enum sfab_policy plain[] = {
		SFAB_POLICY_RANDOM, SFAB_POLICY_CONTIGUOUS, SFAB_POLICY_SPREAD,
	};

	for (unsigned i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		sfab_pool_pick_plain(p, plain[i], p->pick);
		if (sfab_pool_try(p, p->pick, err) < 0)
			return -1;
	}
	return 0;
}

int sfab_propose_units(struct pool *p, struct sfab_err *err)
{
	for (int i = 0; i < SFAB_NUNITS; i++) {
		struct sfab_units *u = &p->sc->unit[i];
		uint32_t n;

		sfab_units_set_free(u, p->choices->is_candidate);
		n = sfab_units_best_fit(u, p->choices->is_candidate, p->need, p->pick);
		sfab_units_set_free(u, p->rq->avail);
		if (n == p->need && sfab_pool_try(p, p->pick, err) < 0)
			return -1;
	}
	return 0;
}

int sfab_propose_stripes(struct pool *p, struct sfab_err *err)
{
	const struct sfab_class_grid *g = p->sc->grid;
	struct sfab_stripes *r;
	int rc = 0;

	if (!g->ncolumns || !(p->best->score.total > 0))
		return 0;
	r = sfab_stripes_create(&p->arena, g, p->choices->is_candidate);
	if (!r)
		return sfab_no_memory(err);
	for (uint32_t block = 1; block <= g->ncolumns && block <= p->need; block *= 2)
		for (uint32_t i = 0; i < NTH && rc == 0 && sfab_pool_may_go_on(p); i++)
			if (sfab_stripes_find(r, p->need, block, i, p->pick))
				rc = sfab_pool_try(p, p->pick, err);
	return rc;
}

/* Try few columns, which meet few other jobs, and more columns, which have more free hosts. */
static int try_even_rows(struct pool *p, struct sfab_even_rows *r, uint32_t width, int folds,
			 struct sfab_err *err)
{
	uint32_t all = p->sc->grid->ncolumns, columns = 0;

	for (uint32_t more = 0; columns < all; more++) {
		columns = (folds ? 2 * width : width) + more;
		if (more == NARROW || columns > all)
			columns = all;
		for (int rows = SFAB_ROWS_FULLEST; rows <= SFAB_ROWS_EMPTIEST; rows++)
			if (sfab_even_rows_find(r, p->need, width, folds,
						(enum sfab_rows) rows, columns, p->pick) &&
			    sfab_pool_try(p, p->pick, err) < 0)
				return -1;
	}
	return 0;
}

int sfab_propose_even_rows(struct pool *p, struct sfab_err *err)
{
	const struct sfab_class_grid *g = p->sc->grid;
	struct sfab_even_rows *r;
	int rc = 0;

	if (!g->ncolumns || !(p->best->score.total > 0))
		return 0;
	r = sfab_even_rows_create(&p->arena, g, p->choices->is_candidate);
	if (!r)
		return sfab_no_memory(err);
	for (uint32_t width = 1; width <= p->need && width <= g->ncolumns &&
	     rc == 0 && sfab_pool_may_go_on(p); width++)
		for (int folds = 0; folds < 2 && rc == 0; folds++)
			rc = try_even_rows(p, r, width, folds, err);
	return rc;
}
