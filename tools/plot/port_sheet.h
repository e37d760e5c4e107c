/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * port_sheet.h - quantities of links as a sheet: spine switch x port
 *
 * LANL's picture: how many ports of the spine switches do the routes use, and how evenly?
 * Without spines (a single switch), all switches are rows.
 */
#ifndef SFAB_PORT_SHEET_H
#define SFAB_PORT_SHEET_H

#include "core/fabric/fabric.h"
#include "tools/plot/sheet.h"

enum port_direction {
	PORT_FULLER,		/* of loads; else out of the ports */
	PORT_OUT,
	PORT_INTO,
};

enum port_rows {
	PORT_SPINES,
	PORT_TOP,		/* in each plane, those that join the last leaves */
};

/* Make a sheet without values, whose rows are the spines of @f by plane and name. */
void port_sheet_shape(struct sheet *s, const struct sfab_fabric *f, enum port_rows rows);

/* Is the fullest port fullest by what enters it?  0 if both directions are equal.  O(ports). */
int port_sheet_into_is_fuller(const struct sheet *s);

#endif
