/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * packing.h - which units of the machine are kept whole for the jobs to come
 *
 *              columns (port classes)
 *            |  a  |  b  |  c  |
 *   leaf 1   | n1  | n2  | n3  |	   a leaf: hosts on one switch
 *   leaf 2   | n4  | n5  | n6  |	   a column: hosts of one port class
 *   leaf 3   | n7  | n8  | n9  |
 *
 * Jobs on whole leaves exchange without switch-to-switch links.  Jobs on whole columns use one
 * uplink of each leaf that nobody else uses, and write by as many uplinks as they have leaves.
 * Which packing pays off depends on the fabric, on where IO is, and on what jobs send:
 * sfab_packings_play() finds out.
 *
 * A job breaks a unit if it uses some of its free hosts and leaves others.
 *
 * Where uplinks are few, jobs to come also wait for what a job sends between switches.
 */
#ifndef SFAB_PACKING_H
#define SFAB_PACKING_H

#include <stdint.h>

#include "core/load/model.h"
#include "core/search/class_grid.h"

enum sfab_unit {
	SFAB_UNIT_LEAF,
	SFAB_UNIT_COLUMN,	/* of level 1; hosts in no class are one unit */
};
#define SFAB_NUNITS 2

struct sfab_packing {
	enum sfab_unit unit;
	double price;		/* nodes lost for each unit that a job breaks; 0: no unit
				   is kept whole */
	int spares_links;	/* 1: the load that a set adds to switch-to-switch links has a
				   price, too, as if jobs to come used all links evenly */
	uint32_t max_leaves;	/* limit of leaves of a job, or as few as it needs if that is
				   more; 0: any number */
};
extern const struct sfab_packing sfab_default_packing;	/* leaves, as stock Slurm keeps whole */

/* The compute hosts by unit. */
struct sfab_units {
	uint32_t n;
	uint32_t *unit_of;	/* unit by host; SFAB_NONE: no compute host, or not cabled */
	uint32_t *first;	/* [n + 1] into host */
	uint32_t *host;		/* by unit, then leaf and port */
	uint32_t *free;		/* by unit: hosts that may be used */
	uint32_t nfree;		/* sum of free */
	uint32_t *taken;	/* by unit: scratch, 0 between calls */
};

/*
 * Compare how well @a and @b free hosts fit @need.  >0: @a is better, <0: @b is.  If both are
 * enough the smaller group is better, otherwise the larger one.
 */
static inline int sfab_packing_compare_fit(uint32_t a, uint32_t b, uint32_t need)
{
	if (a >= need && b >= need)
		return (a < b) - (a > b);
	return (a > b) - (a < b);
}

/* Make the units, all hosts free; the arrays are in @a.  -1: out of memory.  O(hosts). */
int sfab_units_init(struct sfab_units *u, struct sfab_arena *a, const struct sfab_model *m,
		    const struct sfab_class_grid *g, enum sfab_unit unit);
/* Set which hosts are free.  @avail: [nhosts] 1: may be used; NULL: all.  O(hosts). */
void sfab_units_set_free(struct sfab_units *u, const uint8_t *avail);

static inline uint32_t sfab_unit_size(const struct sfab_units *u, uint32_t unit)
{
	return u->first[unit + 1] - u->first[unit];
}

/*
 * Return how many units the free hosts @host break.  A unit that was free as a whole counts 1,
 * any other 1/2.  O(n).
 */
double sfab_units_broken(struct sfab_units *u, const uint32_t *host, uint32_t n);

/*
 * Return the part of its price that a unit is worth when @n more of the free hosts are used:
 * all of it once half of the machine is in use, less before, since an idle machine has units
 * enough.
 */
double sfab_units_scarcity(const struct sfab_units *u, uint32_t n);

/*
 * Choose @n hosts of @avail by best fit.  Use the unit with the fewest free hosts that holds
 * all of them; else the one with the most, and so on with the rest.  Of equal units use the
 * first.  Write the hosts to @pick, and return how many they are: fewer than @n where units do
 * not hold as many, since hosts with other roles are in none.  O(units x units that are used +
 * hosts).
 */
uint32_t sfab_units_best_fit(struct sfab_units *u, const uint8_t *avail, uint32_t n,
			     uint32_t *pick);

#endif
