/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_grid.c - port classes by host
 *
 * A column is a distinct tuple of classes, one for each rail.
 */

#include "core/search/class_grid.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/load/port_classes.h"

/*
 * Number the distinct tuples of classes, and set the column of each host.  @known: scratch for
 * the tuples.
 */
static void number_columns(struct sfab_class_grid *g, const struct sfab_model *m,
			   const struct sfab_port_classes *c, uint32_t *known)
{
	uint32_t nhosts = m->f->nhosts, nrails = m->nrails, n = 0;
	size_t size = nrails * sizeof(uint32_t);

	for (uint32_t h = 0; h < nhosts && n <= SFAB_GRID_COLUMNS_MAX; h++) {
		uint32_t *t = known + (size_t) n * nrails, i = 0;

		for (uint32_t r = 0; r < nrails; r++) {
			uint32_t port = m->rail_dst[(size_t) r * nhosts + h];

			t[r] = port == SFAB_NONE ? SFAB_NONE : c->class_of[port];
		}
		if (t[0] == SFAB_NONE)
			continue;
		while (i < n && memcmp(known + (size_t) i * nrails, t, size) != 0)
			i++;
		n += i == n;
		if (n <= SFAB_GRID_COLUMNS_MAX)
			g->column[h] = i;
	}
	g->ncolumns = g->nrows < 2 || n > SFAB_GRID_COLUMNS_MAX ? 0 : n;
}

/* Return the row of @host, or SFAB_NONE. */
static uint32_t row_of(const struct sfab_class_grid *g, const struct sfab_model *m,
		       uint32_t host)
{
	return g->column[host] != SFAB_NONE ? m->host_leaf[host] : SFAB_NONE;
}

struct sfab_class_grid *sfab_class_grid_create(struct sfab_arena *a,
					       const struct sfab_model *m)
{
	struct sfab_port_classes *c = sfab_port_classes_learn(m, NULL);
	struct sfab_class_grid *g = sfab_arena_take(a, 1, sizeof(*g));
	uint32_t *known = NULL, row, named = 0;
	int rc = -1;

	if (c && g) {
		g->nrows = m->f->nleaves;
		g->column = sfab_arena_take_ones(a, m->f->nhosts, sizeof(*g->column));
		g->host = sfab_arena_take(a, m->f->nhosts, sizeof(*g->host));
		g->first = sfab_arena_take(a, g->nrows + 1u, sizeof(*g->first));
		g->by_name = sfab_arena_take_ones(a, g->nrows, sizeof(*g->by_name));
		known = sfab_arena_take(a, SFAB_GRID_COLUMNS_MAX + 1u, m->nrails * sizeof(*known));
		rc = a->failed ? -1 : 0;
	}
	if (rc == 0)
		number_columns(g, m, c, known);
	sfab_port_classes_destroy(c);
	if (rc < 0)
		return NULL;
	/* Hosts were counted by row; now fill each row from its end to its begin. */
	for (uint32_t h = 0; h < m->f->nhosts; h++) {
		row = row_of(g, m, h);
		if (row != SFAB_NONE && g->first[row]++ == 0)
			g->by_name[named++] = row;
	}
	for (row = 0; row < g->nrows; row++)
		g->first[row + 1] += g->first[row];
	for (uint32_t h = m->f->nhosts; h-- > 0;) {
		row = row_of(g, m, h);
		if (row != SFAB_NONE)
			g->host[--g->first[row]] = h;
	}
	return g;
}

uint32_t sfab_class_grid_sort(const struct sfab_class_grid *g, const uint32_t *count,
			      uint32_t min, uint64_t *order)
{
	uint32_t n = 0;

	for (uint32_t c = 0; c < g->ncolumns; c++)
		if (count[c] >= min)
			order[n++] = (uint64_t) count[c] << 32 | c;
	qsort(order, n, sizeof(*order), sfab_ascending_u64);
	return n;
}
