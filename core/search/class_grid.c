/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_grid.c - port classes by host, and the links that they use
 *
 * A column is a distinct tuple of classes, one for each rail.  The link from a
 * row to a column is read from the route of one leaf of the row to one host of
 * the column: the classes say that the other routes go the same way.
 */

#include "core/search/class_grid.h"

#include <stdlib.h>
#include <string.h>

#include "core/fabric/route.h"
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
			  const struct sfab_classes *c, uint32_t level)
{
	uint32_t nhosts = m->f->nhosts, nrails = m->nrails;
	uint32_t *tuple = calloc((size_t) nhosts * nrails + 1, sizeof(*tuple));
	uint32_t *known = calloc((size_t) SFAB_GRID_COLUMNS * nrails + 1, sizeof(*known));

	for (uint32_t h = 0; tuple && h < nhosts; h++)
		for (uint32_t r = 0; r < nrails; r++) {
			uint32_t port = m->rail_dst[(size_t) r * nhosts + h];

			tuple[(size_t) h * nrails + r] = port == SFAB_NONE ?
				SFAB_NONE : sfab_class_of(c, level, port);
		}
	if (tuple && known)
		g->ncolumns = number_tuples(tuple, nhosts, nrails, known, g->column);
	free(tuple);
	free(known);
	return tuple && known ? 0 : -1;
}

/* List the links between switches from @leaf to @port in @way. */
static int list_way(const struct sfab_model *m, uint32_t leaf, uint32_t port,
		    struct sfab_route *r, uint32_t way[SFAB_HOPS_MAX], uint32_t *n)
{
	*n = 0;
	if (m->paths) {
		const uint16_t *row = sfab_path(m->paths, leaf, port);

		while (*n < m->paths->width && row[*n] < SFAB_PATH_LOST) {
			way[*n] = row[*n];
			++*n;
		}
		return 0;
	}
	if (sfab_route_from(m->f, m->f->leaves[leaf].sw, port, r) < 0)
		return -1;
	for (uint32_t i = 0; i < r->n && *n < SFAB_HOPS_MAX; i++)
		if (m->isl[r->hop[i].link])
			way[(*n)++] = r->hop[i].link;
	return 0;
}

/*
 * Find the links of level @level from all rows to one port of @host: the
 * @level-th from either end of the way.
 */
static int find_links_to(struct sfab_grid *g, const struct sfab_model *m,
			 uint32_t level, uint32_t host, uint32_t rail,
			 struct sfab_route *r)
{
	const struct sfab_fabric *f = m->f;
	uint32_t port = m->rail_dst[(size_t) rail * f->nhosts + host];
	uint32_t *down = &g->down[(size_t) host * g->nrails + rail];
	uint32_t way[SFAB_HOPS_MAX], n, *up;

	if (port == SFAB_NONE || g->column[host] == SFAB_NONE)
		return 0;
	for (uint32_t l = 0; l < f->nleaves; l++) {
		if (g->row[l] == g->row[f->ports[port].leaf] ||
		    f->switches[f->leaves[l].sw].plane != f->ports[port].plane)
			continue;
		up = &g->up[((size_t) g->row[l] * g->ncolumns + g->column[host]) *
			    g->nrails + rail];
		if (*up != SFAB_NONE && *down != SFAB_NONE)
			continue;
		if (list_way(m, l, port, r, way, &n) < 0)
			return -1;
		if (n < 2 * level)
			continue;
		*up = *up == SFAB_NONE ? way[level - 1] : *up;
		*down = *down == SFAB_NONE ? way[n - level] : *down;
	}
	return 0;
}

static int find_links(struct sfab_grid *g, const struct sfab_model *m, uint32_t level)
{
	struct sfab_route r = { 0 };
	int rc = 0;

	for (uint32_t h = 0; h < m->f->nhosts && rc == 0; h++)
		for (uint32_t k = 0; k < g->nrails && rc == 0; k++)
			rc = find_links_to(g, m, level, h, k, &r);
	sfab_route_clear(&r);
	return rc;
}

/* Pod of a leaf: the leaves that meet one switch away. */
static uint32_t pod_of_leaf(const struct sfab_model *m, uint32_t leaf)
{
	const struct sfab_tree *t = m->tree;

	return t->nlevels > 1 && t->height[1] == 1 ? sfab_tree_group(t, 1, leaf) : 0;
}

/* Rows of level 1 are leaves, those of level 2 are pods. */
static void number_rows(struct sfab_grid *g, const struct sfab_model *m, uint32_t level)
{
	for (uint32_t l = 0; l < m->f->nleaves; l++) {
		g->row[l] = level == 1 ? l : pod_of_leaf(m, l);
		g->pod[g->row[l]] = level == 1 ? pod_of_leaf(m, l) : 0;
		g->nrows = g->row[l] >= g->nrows ? g->row[l] + 1 : g->nrows;
	}
}

static uint32_t *alloc_none(size_t n)
{
	uint32_t *a = malloc((n + 1) * sizeof(*a));

	if (a)
		memset(a, 0xFF, (n + 1) * sizeof(*a));
	return a;
}

static int fill_grid(struct sfab_grid *g, const struct sfab_model *m,
		     const struct sfab_classes *c, uint32_t level)
{
	g->nrails = m->nrails;
	g->row = alloc_none(m->f->nleaves);
	g->pod = alloc_none(m->f->nleaves);
	g->column = alloc_none(m->f->nhosts);
	if (!g->row || !g->pod || !g->column || number_columns(g, m, c, level) < 0)
		return -1;
	number_rows(g, m, level);
	g->up = alloc_none((size_t) g->nrows * g->ncolumns * g->nrails);
	g->down = alloc_none((size_t) m->f->nhosts * g->nrails);
	return g->up && g->down ? find_links(g, m, level) : -1;
}

static int fill_levels(struct sfab_class_grid *g, const struct sfab_model *m,
		       const struct sfab_classes *c)
{
	for (uint32_t level = 1; level <= 2; level++) {
		struct sfab_grid *x = &g->level[level - 1];

		if (fill_grid(x, m, c, level) < 0)
			return -1;
		if (!x->ncolumns || x->nrows < 2)
			break;
		g->nlevels = level;
	}
	return 0;
}

struct sfab_class_grid *sfab_class_grid_create(const struct sfab_model *m)
{
	struct sfab_err err;
	struct sfab_classes *c = sfab_classes_learn(m, &err);
	struct sfab_class_grid *g = calloc(1, sizeof(*g));
	int rc = c && g ? fill_levels(g, m, c) : -1;

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
	for (int i = 0; i < 2; i++) {
		free(g->level[i].row);
		free(g->level[i].pod);
		free(g->level[i].column);
		free(g->level[i].up);
		free(g->level[i].down);
	}
	free(g);
}
