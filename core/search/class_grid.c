/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_grid.c - port classes by host
 *
 * A column is a distinct tuple of classes, one for each rail.
 */

#include "core/search/class_grid.h"

#include <stdlib.h>
#include <string.h>

#include "core/load/classes.h"

/* Number the distinct tuples of @nrails classes; returns how many. */
static uint32_t number_tuples(const uint32_t *tuple, uint32_t nhosts,
			      uint32_t nrails, uint32_t *known, uint32_t *number)
{
	size_t size = nrails * sizeof(*tuple);
	uint32_t n = 0;

	for (uint32_t h = 0; h < nhosts; h++) {
		const uint32_t *t = tuple + (size_t) h * nrails;
		uint32_t i = 0;

		number[h] = SFAB_NONE;
		if (t[0] == SFAB_NONE)
			continue;
		while (i < n && memcmp(known + (size_t) i * nrails, t, size) != 0)
			i++;
		if (i == SFAB_GRID_COLUMNS)
			return 0;
		if (i == n)
			memcpy(known + (size_t) n++ * nrails, t, size);
		number[h] = i;
	}
	return n;
}

/* Set the column of each host.  -1: out of memory. */
static int number_columns(struct sfab_grid *g, const struct sfab_model *m,
			  const struct sfab_classes *c)
{
	uint32_t nhosts = m->f->nhosts, nrails = m->nrails;
	uint32_t *tuple = calloc((size_t) nhosts * nrails + 1, sizeof(*tuple));
	uint32_t *known = calloc((size_t) SFAB_GRID_COLUMNS * nrails + 1, sizeof(*known));

	for (uint32_t h = 0; tuple && h < nhosts; h++)
		for (uint32_t r = 0; r < nrails; r++) {
			uint32_t port = m->rail_dst[(size_t) r * nhosts + h];

			tuple[(size_t) h * nrails + r] = port == SFAB_NONE ?
				SFAB_NONE : sfab_class_of(c, 1, port);
		}
	if (tuple && known)
		g->ncolumns = number_tuples(tuple, nhosts, nrails, known, g->column);
	free(tuple);
	free(known);
	return tuple && known ? 0 : -1;
}

/* Pod of a leaf: the leaves that meet one switch away. */
static uint32_t pod_of_leaf(const struct sfab_model *m, uint32_t leaf)
{
	const struct sfab_tree *t = m->tree;

	return t->nlevels > 1 && t->height[1] == 1 ? sfab_tree_group(t, 1, leaf) : 0;
}

static uint32_t *alloc_none(size_t n)
{
	uint32_t *a = malloc((n + 1) * sizeof(*a));

	if (a)
		memset(a, 0xFF, (n + 1) * sizeof(*a));
	return a;
}

static int fill_grid(struct sfab_class_grid *g, const struct sfab_model *m,
		     const struct sfab_classes *c)
{
	struct sfab_grid *x = &g->level[0];

	x->nrows = m->f->nleaves;
	x->pod = alloc_none(m->f->nleaves);
	x->column = alloc_none(m->f->nhosts);
	if (!x->pod || !x->column || number_columns(x, m, c) < 0)
		return -1;
	for (uint32_t l = 0; l < x->nrows; l++)
		x->pod[l] = pod_of_leaf(m, l);
	g->nlevels = x->ncolumns && x->nrows > 1;
	return 0;
}

struct sfab_class_grid *sfab_class_grid_create(const struct sfab_model *m)
{
	struct sfab_err err;
	struct sfab_classes *c = sfab_classes_learn(m, &err);
	struct sfab_class_grid *g = calloc(1, sizeof(*g));
	int rc = c && g ? fill_grid(g, m, c) : -1;

	sfab_classes_destroy(c);
	if (rc == 0)
		return g;
	sfab_class_grid_destroy(g);
	return NULL;
}

void sfab_class_grid_destroy(struct sfab_class_grid *g)
{
	if (!g)
		return;
	free(g->level[0].pod);
	free(g->level[0].column);
	free(g);
}
