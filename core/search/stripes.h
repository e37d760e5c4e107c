/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stripes.h - sets of hosts in stripes over the grid of leaves and port classes
 *
 * No two flows of a shift, or of a step of recursive halving, share an uplink if ranks are in
 * the order of rows and the last ranks have columns of their own.  This holds for any number of
 * hosts.
 */
#ifndef SFAB_STRIPES_H
#define SFAB_STRIPES_H

#include <stdint.h>

#include "core/search/class_grid.h"

struct sfab_stripes;		/* scratch for one thread */

/*
 * @avail: [nhosts] 1: the host may be used.  The result is in @a; @g and @avail must outlive
 * it.  NULL: out of memory.  O(hosts + rows x columns).
 */
struct sfab_stripes *sfab_stripes_create(struct sfab_arena *a, const struct sfab_class_grid *g,
					 const uint8_t *avail);

/*
 * Put the @nth set of @n hosts into @pick.  Of n = 2^p + r ranks the first 2 r are folded: two
 * and two become one.  A row has @block, a power of two, of the 2^p ranks that result.  There
 * are @block columns, or twice as many if ranks are folded, and rank k is in column k mod that:
 *
 *	             a  b  c  d  e  f
 *	   leaf 1    0  1  2  3  .  .	14 hosts, block 2: 0-1, 2-3 ... 10-11 are folded.
 *	   leaf 2    4  5  6     7  .	Leaf 2 lacks d: e is as good.  12 and 13 are not
 *	   leaf 3    8  9 10 11  .  .	in a and b, where 0 and 1 are, which follow them.
 *	   leaf 4    .  .  .  . 12 13
 *
 * So consecutive hosts are in different columns, and in any step a leaf sends to consecutive
 * hosts.  A block whose row lacks a cell has another column there, or is on two rows.  Ranks
 * are in the order of hosts, which must also be the order of rows.
 *
 * The @nth set begins at the nth smallest column that has n / columns free cells.  The call
 * writes to @pick whether it finds a set or not.  1: found.  O(columns^2 x rows / 64 + n x
 * columns).
 */
int sfab_stripes_find(struct sfab_stripes *r, uint32_t n, uint32_t block,
		      uint32_t nth, uint32_t *pick);

#endif
