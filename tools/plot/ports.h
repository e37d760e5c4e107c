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
	PORTS_FULLER,		/* of loads; else out of the ports */
	PORTS_OUT,
	PORTS_INTO,
};

enum ports_rows {
	PORTS_SPINES,
	PORTS_TOP,		/* in each plane, those that join the last leaves */
};

/*
 * A sheet without values.  Rows: the spines of @f by plane and name; the functions below
 * want the same fabric.
 */
void ports_shape(struct sheet *s, const struct sfab_fabric *f, enum ports_rows rows);

/* "spine port", "top spine port", or "switch port" if there are no spines. */
const char *ports_what(const struct sfab_fabric *f, enum ports_rows rows);

/*
 * Is the fullest port one that something enters?  0 if both directions are alike.  O(ports).
 */
int ports_into_is_fuller(const struct sheet *s);

#endif
