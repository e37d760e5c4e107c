/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leaves.h - quantities of links as a sheet: leaf x leaf
 *
 * A cell is the largest quantity of any switch-to-switch link on the routes
 * from the row's leaf to the ports of the column's leaf.  This is the worst
 * that a host of the first meets when it sends to hosts of the second.
 */
#ifndef SFAB_PLOT_LEAVES_H
#define SFAB_PLOT_LEAVES_H

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "tools/plot/sheet.h"

/* Rows and columns: the leaves of @f. */
void leaves_shape(struct sheet *s, const struct sfab_fabric *f);

/*
 * Cells of map @map from @value by link of @f; leaves are matched by GUID.
 * Only the ports in @dst (by end port, NULL: all) count.  A pair without any
 * route is down.  -1: no memory.  O(leaves x ports x hops).
 */
int leaves_fill(struct sheet *s, uint32_t map, const struct sfab_fabric *f,
		const double *value, const uint8_t *dst, struct sfab_err *err);

#endif
