/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rectangles.h - sets of hosts on k rows x the same m columns
 *
 * On the grid of leaves and port classes (class_grid.h) a rectangle has no conflict
 * with itself in any shift, if its ranks are in the order of leaves.  With m = 1 it is
 * a column, with k = 1 a leaf; all between are as good for MPI, and those with many
 * rows are better for IO.
 *
 *	            a b c d e
 *	   leaf 1   x x . . .	12 hosts, width 2: 6 rows would do,
 *	   leaf 2   x x . . .	here 11 = 5 x 2 and 1 in another
 *	   leaf 3   x x . . .	column of one more row
 *	   leaf 4   x x . . .
 *	   leaf 5   x x . . .
 *	   leaf 6   . . x . .
 *
 * The hosts that are left over are in other columns of one more row: m hosts that
 * follow each other are then in different columns everywhere.  If no row has as many,
 * they are on several rows, and the set may meet itself.
 */
#ifndef SFAB_RECTANGLES_H
#define SFAB_RECTANGLES_H

#include <stdint.h>

#include "core/search/class_grid.h"

struct sfab_rectangles;		/* scratch for one thread */

/* NULL: out of memory.  @g and @host_leaf ([nhosts]) must outlive it. */
struct sfab_rectangles *sfab_rectangles_create(const struct sfab_grid *g,
					       const uint32_t *host_leaf, uint32_t nhosts);
void sfab_rectangles_destroy(struct sfab_rectangles *r);	/* NULL is fine */

/* @avail: [nhosts] 1: may be used.  O(hosts). */
void sfab_rectangles_set_free(struct sfab_rectangles *r, const uint8_t *avail);

enum sfab_rows {
	SFAB_ROWS_FULLEST,	/* rows with the most free cells first */
	SFAB_ROWS_EMPTIEST,	/* with the fewest: less of them is left over */
};

/*
 * The @nth (from 0) rectangle of @width columns for @n hosts, to @pick.  It grows from
 * the nth smallest column that has enough rows, by the smallest column that leaves
 * enough of them.  1: there is one, 0: there are no more.  O(width x columns x rows/64).
 */
int sfab_rectangles_find(struct sfab_rectangles *r, uint32_t n, uint32_t width,
			 uint32_t nth, enum sfab_rows rows, uint32_t *pick);

/*
 * A set that has no conflict in recursive halving either, whatever @n is, and that needs
 * no row with all columns.  Of n = 2^p + r ranks the first 2 r are folded: two and two
 * become one.  A row has @block, a power of two, of the 2^p that go on.  There are @block
 * columns, or twice as many if ranks are folded, and rank k is in column k mod that:
 *
 *	             a  b  c  d  e  f
 *	   leaf 1    0  1  2  3  .  .	14 hosts, block 2: 0-1, 2-3 ... 10-11 are folded.
 *	   leaf 2    4  5  6     7  .	Leaf 2 lacks d: e is as good.  12 and 13 are not
 *	   leaf 3    8  9 10 11  .  .	in a and b, where 0 and 1 are, which follow them.
 *	   leaf 4    .  .  .  . 12 13
 *
 * Hosts that follow each other are so in different columns, and what a leaf sends in any
 * step goes to such hosts.  A block whose row lacks a cell has another column there, or is
 * on two rows.  Ranks are in the order of hosts, and this must be the order of rows.
 *
 * The @nth set begins at the nth smallest column that has n / columns free cells.  Writes
 * to @pick, whether it is found or not.  1: found.  O(columns^2 x rows / 64 + n x columns).
 */
int sfab_rectangles_find_striped(struct sfab_rectangles *r, uint32_t n, uint32_t block,
				 uint32_t nth, uint32_t *pick);

#endif
