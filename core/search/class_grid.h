/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_grid.h - the hosts of a fabric as a grid: rows x port classes
 *
 * On level 1 a row is a leaf and a column is a port class (classes.h): a cell
 * holds the hosts of one leaf that all other leaves reach over the same uplink.
 * On level 2 a row is a pod and a column is a class of level 2: a cell holds the
 * hosts of one pod that all other pods reach over the same uplink of the switch
 * above the leaf.  A job whose hosts fill the same columns of each of its rows,
 * a rectangle, meets itself on no link of that level.
 *
 * A host with several ports is in the column of all its classes together, one
 * for each rail.
 */
#ifndef SFAB_CLASS_GRID_H
#define SFAB_CLASS_GRID_H

#include "core/load/model.h"

#define SFAB_GRID_COLUMNS 512u	/* a level with more columns has no grid */

struct sfab_grid {
	uint32_t nrails;
	uint32_t nrows, ncolumns;
	uint32_t *row;		/* by leaf */
	uint32_t *pod;		/* by row: rows of one pod reach each other without
				   the level above */
	uint32_t *column;	/* by host; SFAB_NONE: in no class */
	uint32_t *up;		/* [(row * ncolumns + column) * nrails + rail] the link
				   by which the row sends to the column; SFAB_NONE:
				   none */
	uint32_t *down;		/* [host * nrails + rail] the link of this level on
				   the way down to the host */
};

struct sfab_class_grid {
	uint32_t nlevels;	/* 0: the tables have no classes */
	struct sfab_grid level[2];	/* level 2: only if there are several pods */
};

/*
 * Learn the classes of @m and arrange its hosts by them.  NULL: out of memory.
 * Keeps no reference to @m.  O(sfab_classes_learn() + hosts x rows).
 */
struct sfab_class_grid *sfab_class_grid_create(const struct sfab_model *m);
void sfab_class_grid_destroy(struct sfab_class_grid *g);	/* NULL is fine */

#endif
