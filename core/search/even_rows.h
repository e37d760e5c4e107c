/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * even_rows.h - sets of hosts whose near ranks are in different columns
 *
 * Ranks are in the order of host ids, so leaf by leaf on most fabrics.  In a shift a leaf
 * with w ranks sends to w ranks that follow each other.  If these are in different
 * columns of the grid (class_grid.h), it sends each over an uplink of its own.  So a set
 * has no conflict with itself in any shift, but perhaps where its last ranks meet the
 * first, if no leaf has more than @width hosts, and any @width hosts that follow each
 * other are in different columns.
 *
 *	            a b c d e
 *	   leaf 1   0 1 . . .	width 2; rectangles, the same columns on each leaf, are
 *	   leaf 2   2 . 3 . .	such sets, too, but a busy machine has few of them
 *	   leaf 3   . 4 . . 5
 *
 * Recursive halving of 2^k + r ranks first folds the first 2r of them by pairs
 * (pattern.h).  If leaves have 2 @width hosts of these and @width of the others, whole
 * leaves exchange with whole leaves in all the steps that follow.
 */
#ifndef SFAB_EVEN_ROWS_H
#define SFAB_EVEN_ROWS_H

#include <stdint.h>

#include "core/search/class_grid.h"

struct sfab_even_rows;		/* scratch for one thread */

/*
 * @avail: [nhosts] 1: may be used.  In @a; @g and @avail must outlive it.  NULL: out of
 * memory.  O(hosts).
 */
struct sfab_even_rows *sfab_even_rows_create(struct sfab_arena *a, const struct sfab_class_grid *g,
					     const uint8_t *avail);

enum sfab_rows {
	SFAB_ROWS_FULLEST,	/* rows with the most free hosts first */
	SFAB_ROWS_EMPTIEST,	/* with the fewest that suffice: less of them is left over */
};

/*
 * @n hosts, @width of each row but of the last, to @pick.  They are taken greedily: rows
 * by name of as few as possible that come first by @rows, on each the first hosts that
 * are in other columns than those before.  @columns: of so many columns, those with the
 * fewest free hosts that have @n / @width of them; with as many as @width (@folds: twice)
 * they are a rectangle.  @folds: for halving, only if @n is no power of two and @width is
 * one.  1: found, 0: there are none.  O(hosts x log(rows) + columns x log(columns)).
 */
int sfab_even_rows_find(struct sfab_even_rows *r, uint32_t n, uint32_t width, int folds,
			enum sfab_rows rows, uint32_t columns, uint32_t *pick);

#endif
