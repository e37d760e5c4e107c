/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_grid.h - the hosts of a fabric as a grid: rows x port classes
 *
 * A row is a leaf and a column is a port class (port_classes.h): a cell holds the hosts of one
 * leaf that all other leaves reach over the same uplink.  A job whose hosts fill the same
 * columns of each of its rows, a rectangle, does not meet itself on these links.
 *
 * A host with several ports is in the column of all its classes together, one for each rail.
 */
#ifndef SFAB_CLASS_GRID_H
#define SFAB_CLASS_GRID_H

#include "core/load/model.h"

#define SFAB_GRID_COLUMNS_MAX 512u	/* at most; a fabric with more gets no grid */

struct sfab_class_grid {
	uint32_t nrows;		/* all leaves */
	uint32_t ncolumns;	/* 0: the tables have no classes */
	uint32_t *column;	/* by host; SFAB_NONE: in no class */
	uint32_t *first;	/* [nrows + 1] into host */
	uint32_t *host;		/* by row, ascending: hosts that are in a class */
	uint32_t *by_name;	/* [nrows] rows by their first host, the rest SFAB_NONE */
};

/*
 * Learn the classes of @m and arrange its hosts by them, in @a.  NULL: out of memory.  Keeps no
 * reference to @m.  O(sfab_port_classes_learn() + hosts x columns).
 */
struct sfab_class_grid *sfab_class_grid_create(struct sfab_arena *a,
					       const struct sfab_model *m);

/*
 * Sort the columns whose @count [ncolumns] is at least @min into @order [ncolumns], the lowest
 * count first, ties by column.  The low half of an entry is its column.  Return the number of
 * sorted columns.
 */
uint32_t sfab_class_grid_sort(const struct sfab_class_grid *g, const uint32_t *count,
			      uint32_t min, uint64_t *order);

#endif
