/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ports.h - quantities of links as a sheet: spine switch x port
 *
 * LANL's picture: how many ports of the spine switches do the routes use, and
 * how evenly?  Without spines (a single switch), all switches are rows.
 */
#ifndef SFAB_PLOT_PORTS_H
#define SFAB_PLOT_PORTS_H

#include "core/fabric/fabric.h"
#include "tools/plot/sheet.h"

enum ports_direction {
	PORTS_FULLER,		/* ports_fuller() says which */
	PORTS_OUT,
	PORTS_INTO,
};

enum ports_rows {
	PORTS_SPINES,
	PORTS_TOP,		/* in each plane, those that join the last leaves */
};

/*
 * Rows: the spines of @f by plane and name.  Names are borrowed from it; the functions
 * below want the same fabric.
 */
void ports_shape(struct sheet *s, const struct sfab_fabric *f, enum ports_rows rows);

/* "spine port", "top spine port", or "switch port" if there are no spines. */
const char *ports_what(const struct sfab_fabric *f, enum ports_rows rows);

/*
 * By cell, the link of @f that leaves the port or enters it, or SFAB_NONE.
 * Caller frees.  O(ports).
 */
uint32_t *ports_links(const struct sheet *s, const struct sfab_fabric *f,
		      enum ports_direction direction);

/*
 * The direction with the fullest port, from bytes or shares @value by link; out of the
 * ports if both are alike.  O(ports).
 */
enum ports_direction ports_fuller(const struct sheet *s, const struct sfab_fabric *f,
				  const double *value, int is_share);

/*
 * Cells from @value by link of @f: of the link that leaves the port, or of the link that
 * enters it.  O(ports).
 */
void ports_fill(struct sheet *s, const struct sfab_fabric *f,
		const double *value, enum ports_direction direction);

#endif
