/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leaves.c - quantities of links by pair of leaves; see leaves.h
 *
 * A cell is a pair of leaves and shows the worst link between switches on the
 * routes from the one to the ports on the other.  That is what a job on both
 * leaves would feel.  It costs a walk of every route, leaf by port, where
 * ports.c only looks at links.
 */

#include "tools/plot/leaves.h"

#include <stdlib.h>

#include "core/fabric/route.h"
#include "tools/ui/say.h"

/* With several planes the name of the plane comes first.  Caller frees. */
static char *label_of_leaf(const struct sfab_fabric *f, uint32_t leaf)
{
	const struct sfab_switch *sw = &f->switches[f->leaves[leaf].sw];

	if (f->nplanes == 1)
		return need_copy(sw->name);
	return need_text("%s %s", f->planes[sw->plane].name, sw->name);
}

void leaves_shape(struct sheet *s, const struct sfab_fabric *f)
{
	sheet_init(s, f->nleaves, f->nleaves);
	s->what = "pairs of leaves";
	s->row_title = "from leaf";
	s->column_title = "to leaf, in the order of the rows";
	s->column = need(s->ncolumns, sizeof(*s->column));
	for (uint32_t l = 0; l < f->nleaves; l++) {
		s->row[l] = label_of_leaf(f, l);
		s->column[l] = label_of_leaf(f, l);
		s->guid[l] = f->switches[f->leaves[l].sw].guid;
	}
}

/*
 * Row of each leaf of @f, or SFAB_NONE: the sheet may belong to another fabric.
 * Fabrics mostly have the same leaves in the same order, so the search begins
 * after the last match and is short.
 */
static uint32_t *match_leaf_rows(const struct sheet *s,
				 const struct sfab_fabric *f)
{
	uint32_t *row = need(f->nleaves, sizeof(*row));
	uint32_t next = 0;

	for (uint32_t l = 0; l < f->nleaves; l++) {
		uint64_t guid = f->switches[f->leaves[l].sw].guid;

		row[l] = SFAB_NONE;
		for (uint32_t i = 0; i < s->nrows && row[l] == SFAB_NONE; i++)
			if (s->guid[(next + i) % s->nrows] == guid)
				row[l] = (next + i) % s->nrows;
		if (row[l] != SFAB_NONE)
			next = row[l] + 1;
	}
	return row;
}

/*
 * What one route adds to a cell: the worst of its switch-to-switch links.  A
 * route that fails is shown as down, unless another port of that leaf is
 * reached.  One that uses no link above 0 is shown as unused.
 */
static void add_route(const struct sfab_fabric *f, const struct sfab_route *r,
		      const double *value, struct heat_cell *c)
{
	if (r->status != SFAB_ROUTE_OK) {
		if (c->state == HEAT_NONE)
			c->state = HEAT_DOWN;
		return;
	}
	if (c->state != HEAT_USED)
		c->state = HEAT_UNUSED;
	for (uint32_t h = 0; h < r->n; h++) {
		uint32_t link = r->hop[h].link;

		if (f->links[link].kind != SFAB_LINK_ISL ||
		    value[link] <= c->value)
			continue;
		c->state = HEAT_USED;
		c->value = value[link];
	}
}

/*
 * One row: the worst link on the routes from @leaf to each other leaf.  One
 * struct for all routes, as it keeps its memory.  -1: no memory.
 */
static int fill_row(struct sheet *s, struct heatmap *m, uint32_t leaf,
		    const uint32_t *row, const struct sfab_fabric *f,
		    const double *value, const uint8_t *dst)
{
	struct sfab_route r = { 0 };
	uint32_t sw = f->leaves[leaf].sw;
	int rc = 0;

	for (uint32_t p = 0; p < f->nports && rc == 0; p++) {
		uint32_t to = f->ports[p].leaf;

		if (to == SFAB_NONE || to == leaf || row[to] == SFAB_NONE ||
		    f->ports[p].plane != f->switches[sw].plane ||
		    (dst && !dst[p]))
			continue;
		rc = sfab_route_from(f, sw, p, &r);
		if (rc == 0)
			add_route(f, &r, value,
				  &m->cell[sheet_cell(s, row[leaf], row[to])]);
	}
	sfab_route_clear(&r);
	return rc;
}

int leaves_fill(struct sheet *s, uint32_t map, const struct sfab_fabric *f,
		const double *value, const uint8_t *dst, struct sfab_err *err)
{
	uint32_t *row = match_leaf_rows(s, f);
	int rc = 0;

	for (uint32_t l = 0; l < f->nleaves && rc == 0; l++)
		if (row[l] != SFAB_NONE)
			rc = fill_row(s, &s->map[map], l, row, f, value, dst);
	free(row);
	if (rc != 0)
		return sfab_no_memory(err);
	return 0;
}
