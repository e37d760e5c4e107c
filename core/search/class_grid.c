/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_grid.c - port classes by host
 *
 * A column is a distinct tuple of classes, one for each rail.
 */

#include "core/search/class_grid.h"

#include <stdlib.h>
#include <string.h>

#include "core/load/port_classes.h"

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
static int number_columns(struct sfab_class_grid *g, const struct sfab_model *m,
			  const struct sfab_port_classes *c)
{
	uint32_t nhosts = m->f->nhosts, nrails = m->nrails;
	struct sfab_arena a = { 0 };
	uint32_t *tuple = sfab_arena_take(&a, (size_t) nhosts * nrails, sizeof(*tuple));
	uint32_t *known = sfab_arena_take(&a, (size_t) SFAB_GRID_COLUMNS * nrails,
					  sizeof(*known));
	int rc = a.failed ? -1 : 0;

	for (uint32_t h = 0; rc == 0 && h < nhosts; h++)
		for (uint32_t r = 0; r < nrails; r++) {
			uint32_t port = m->rail_dst[(size_t) r * nhosts + h];

			tuple[(size_t) h * nrails + r] = port == SFAB_NONE ?
				SFAB_NONE : c->of[port];
		}
	if (rc == 0)
		g->ncolumns = number_tuples(tuple, nhosts, nrails, known, g->column);
	if (g->nrows < 2)
		g->ncolumns = 0;
	sfab_arena_free(&a);
	return rc;
}

/* The row of @host, or SFAB_NONE. */
static uint32_t row_of(const struct sfab_class_grid *g, const struct sfab_model *m,
		       uint32_t host)
{
	return g->column[host] != SFAB_NONE ? m->host_leaf[host] : SFAB_NONE;
}

/* Count, then place: from the end of each row to its begin. */
static void list_rows(struct sfab_class_grid *g, const struct sfab_model *m)
{
	uint32_t row, named = 0;

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
}

static int fill_grid(struct sfab_class_grid *g, const struct sfab_model *m,
		     const struct sfab_port_classes *c)
{
	g->nrows = m->f->nleaves;
	g->column = sfab_arena_take_ones(&g->arena, m->f->nhosts, sizeof(*g->column));
	g->host = sfab_arena_take(&g->arena, m->f->nhosts, sizeof(*g->host));
	g->first = sfab_arena_take(&g->arena, g->nrows + 1u, sizeof(*g->first));
	g->by_name = sfab_arena_take_ones(&g->arena, g->nrows, sizeof(*g->by_name));
	if (g->arena.failed || number_columns(g, m, c) < 0)
		return -1;
	list_rows(g, m);
	return 0;
}

struct sfab_class_grid *sfab_class_grid_create(const struct sfab_model *m)
{
	struct sfab_err err;
	struct sfab_port_classes *c = sfab_port_classes_learn(m, &err);
	struct sfab_class_grid *g = calloc(1, sizeof(*g));
	int rc = c && g ? fill_grid(g, m, c) : -1;

	sfab_port_classes_destroy(c);
	if (rc == 0)
		return g;
	sfab_class_grid_destroy(g);
	return NULL;
}

void sfab_class_grid_destroy(struct sfab_class_grid *g)
{
	if (!g)
		return;
	sfab_arena_free(&g->arena);
	free(g);
}
