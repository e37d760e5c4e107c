/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * port_sheet.c - quantities of links by spine switch and port; see port_sheet.h
 *
 * A row is a switch and a column one of its ports.  Rows are spines, where routes of many
 * leaves meet; a fabric without spines (a torus, one switch) shows all its switches.
 */

#include "tools/plot/port_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/tree.h"
#include "tools/ui/xalloc.h"

struct row_order {
	const struct sfab_fabric *f;
	struct sfab_tree *tree;
};

/*
 * Order rows by plane, distance from the leaves, and name, so that neighbors in a rack are
 * neighbors here, and cores are not between spines.
 */
static int compare_row(const void *a, const void *b, void *order)
{
	const struct row_order *o = order;
	uint32_t i = *(const uint32_t *) a, k = *(const uint32_t *) b;
	const struct sfab_switch *x = &o->f->switches[i];
	const struct sfab_switch *y = &o->f->switches[k];

	if (x->plane != y->plane)
		return x->plane < y->plane ? -1 : 1;
	if (o->tree->distance[i] != o->tree->distance[k])
		return o->tree->distance[i] < o->tree->distance[k] ? -1 : 1;
	return sfab_fabric_name_cmp(x->name, y->name);
}

/*
 * Find, by plane, the distance of its topmost switches from the leaves.  The top is the last
 * level that joins groups of leaves which were separate below it.  A switch that is farther
 * away is a leaf without hosts.  0: no level does, as in a torus.  Planes may be of different
 * height.
 */
static uint32_t *find_tops(const struct sfab_fabric *f, const struct sfab_tree *t)
{
	uint32_t *top = xcalloc(f->nplanes, sizeof(*top));
	uint32_t *first = xcalloc(f->nleaves, sizeof(*first));

	for (uint32_t level = 1; level < t->nlevels; level++) {
		memset(first, 0xff, f->nleaves * sizeof(*first));
		for (uint32_t l = 0; l < f->nleaves; l++) {
			uint32_t *other = &first[sfab_tree_group(t, level, l)];
			uint32_t sw = f->leaves[l].sw;

			if (t->distance[sw] != 0)
				continue;
			if (*other == SFAB_NONE)
				*other = l;
			if (sfab_tree_group(t, level - 1, l) !=
			    sfab_tree_group(t, level - 1, *other))
				top[f->switches[sw].plane] = t->height[level];
		}
	}
	free(first);
	return top;
}

void port_sheet_shape(struct sheet *s, const struct sfab_fabric *f, enum port_rows rows)
{
	struct row_order o = { f, xnonnull(sfab_tree_create(f)) };
	uint32_t *sw = xcalloc(f->nswitches, sizeof(*sw)), n = 0, max = 1;
	uint32_t *top = find_tops(f, o.tree);
	int is_flat = 1;	/* 1: there are no spines */

	for (uint32_t i = 0; i < f->nswitches; i++)
		is_flat &= sfab_switch_is_leaf(f, i);
	for (uint32_t i = 0; i < f->nswitches; i++) {
		uint32_t level = rows == PORT_TOP ? top[f->switches[i].plane] : 0;

		if (is_flat || (!sfab_switch_is_leaf(f, i) &&
				(!level || o.tree->distance[i] == level)))
			sw[n++] = i;
	}
	free(top);
	qsort_r(sw, n, sizeof(*sw), compare_row, &o);
	for (uint32_t i = 0; i < n; i++)
		max = f->switches[sw[i]].nports > max ? f->switches[sw[i]].nports : max;
	*s = (struct sheet) {
		.f = f, .nrows = n, .ncolumns = max, .row = xcalloc(n, sizeof(*s->row)),
		.row_title = is_flat ? "switch" : "spine",
		.what = is_flat ? "switch port" :
			rows == PORT_TOP ? "top spine port" : "spine port",
	};
	for (uint32_t r = 0; r < n; r++) {
		const struct sfab_switch *x = &f->switches[sw[r]];
		uint32_t level = o.tree->distance[sw[r]];

		s->row[r] = (struct heat_row) {
			.sw = sw[r],
			/* Planes may have switches of the same names. */
			.name = f->nplanes == 1 ? xstrdup(x->name) :
				xstrfmt("%s %s", f->planes[x->plane].name, x->name),
			/* Levels beyond the 255th have no gap between them. */
			.level = level < UINT8_MAX ? (uint8_t) level : UINT8_MAX,
		};
	}
	sfab_tree_destroy(o.tree);
	free(sw);
}

int port_sheet_into_is_fuller(const struct sheet *s)
{
	double max[2] = { 0 };

	for (uint32_t r = 0; r < s->nrows; r++)
		for (uint32_t c = 0; c < s->ncolumns; c++)
			for (int is_incoming = 0; is_incoming < 2; is_incoming++) {
				uint32_t link = sheet_link(s, r, c, is_incoming);

				if (link == SFAB_NONE)
					continue;
				/* A share is kept, a load is a part of what the link carries. */
				max[is_incoming] = fmax(max[is_incoming], s->value[link] /
							(s->unit == VALUE_LOAD ?
							 s->f->links[link].capacity : 1));
			}
	return max[1] > max[0] * (1 + 1e-9);
}
