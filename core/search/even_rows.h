/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * even_rows.h - sets of hosts whose near ranks are in different columns
 *
 * Ranks are in the order of host ids, so leaf by leaf on most fabrics.  In a shift a leaf with
 * w ranks sends to w consecutive ranks.  If these are in different columns of the grid
 * (class_grid.h), it sends to each over an uplink of its own.  So a set has no conflict with
 * itself in any shift, but perhaps where its last ranks meet the first, if no leaf has more
 * than @width hosts, and any @width consecutive hosts are in different columns.
 *
 *	            a b c d e
 *	   leaf 1   0 1 . . .	width 2; rectangles, the same columns on each leaf, are
 *	   leaf 2   2 . 3 . .	such sets, too, but a busy machine has few of them
 *	   leaf 3   . 4 . . 5
 *
 * Recursive halving of 2^k + r ranks first folds the first 2r of them by pairs (pattern.h).  If
 * leaves have 2 @width hosts of these and @width of the others, whole leaves exchange with
 * whole leaves in all the steps that follow.
 */
#ifndef SFAB_EVEN_ROWS_H
#define SFAB_EVEN_ROWS_H

#include <stdint.h>

#include "core/search/class_grid.h"

struct sfab_even_rows;		/* scratch for one thread */

/*
 * @avail: [nhosts] 1: the host may be used.  The result is in @a; @g and @avail must outlive
 * it.  NULL: out of memory.  O(hosts).
 */
struct sfab_even_rows *sfab_even_rows_create(struct sfab_arena *a, const struct sfab_class_grid *g,
					     const uint8_t *avail);

enum sfab_rows {
	SFAB_ROWS_FULLEST,	/* rows with the most free hosts first */
	SFAB_ROWS_EMPTIEST,	/* rows with just enough free hosts first: they leave less over */
};

/*
 * Put a set of @n hosts into @pick: @width from each row, and the rest from the last one.
 *
 * @rows says which rows are tried first.  The search begins with as few of them as can hold @n
 * hosts, and adds rows until it finds a set.  It walks the rows in the order of their names,
 * and takes from each the first hosts whose columns the last @width ranks do not have.
 *
 * @columns: the set uses only this many columns: of those with at least @n / @width free hosts
 * the ones with the fewest.  If that is as many as @width (with @folds twice as many), the set
 * is a rectangle.  @folds: the set is one for recursive halving.  There is none unless @width
 * is a power of two and @n is not.
 *
 * 1: found, 0: there is no such set.  O(hosts x log(rows) + columns x log(columns)).
 */
int sfab_even_rows_find(struct sfab_even_rows *r, uint32_t n, uint32_t width, int folds,
			enum sfab_rows rows, uint32_t columns, uint32_t *pick);

#endif
