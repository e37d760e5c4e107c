/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps_private.h - what steps.c and steps_bound.c share */
#ifndef SFAB_STEPS_PRIVATE_H
#define SFAB_STEPS_PRIVATE_H

#include <stddef.h>

#include "core/fabric/route.h"
#include "core/load/steps.h"

struct step_leaf {		/* a leaf with ports of the job, in one rail */
	uint32_t leaf;
	uint32_t lo, hi;	/* first and last rank there */
	double sends;		/* bytes/s of its ports together */
};

struct step_flow {		/* the flow of a rank in one rail */
	uint32_t src, dst;	/* end ports; SFAB_NONE: no flow */
	uint32_t at;		/* index of its leaf among the job's leaves */
	double rate;		/* bytes/s */
};

/* Bounds for what crosses a link of a rail in any shift. */
struct step_link {
	double by_dst, by_src;	/* sum of destinations' shares; bytes/s of sources */
	uint32_t lo, hi;	/* first and last rank on leaves that send over it */
	uint32_t uses;		/* end of its list of uses, SFAB_NONE: empty */
};

struct step_use {		/* one destination sent over a link */
	uint32_t rank, before;	/* before: the previous use, SFAB_NONE: the first */
	double share;		/* the largest share over all leaves */
};

struct sfab_stepper {
	const struct sfab_model *m;
	const struct sfab_collective *c;
	struct step_flow *flow;	/* [rail * n + rank] */
	struct step_leaf *leaf;
	struct step_use *window;	/* [n] uses of a link, ascending */
	uint32_t nflows, nleaves;
	uint32_t *first;	/* [nrails + 1]: first leaf of each rail */
	uint32_t *place;	/* [nleaves of the fabric] index among the job's
				   leaves, for one rail */
	struct step_link *link;	/* by resource */
	struct step_use *use;
	uint32_t nuses, room;
	uint8_t *open;		/* [leaf * n + rank]: the route may cross a link
				   above capacity */
	size_t nopen;
	int is_bound, is_clear;	/* a bound was found; by it no link is above capacity */
	struct sfab_load step;	/* loads of the current step */
	struct sfab_load over;	/* links used in the current rail */
	struct sfab_load most;	/* the bound, summed over rails */
	struct sfab_route way;	/* switch-to-switch links of the current route */
};

/*
 * Find the switch-to-switch links from @leaf to end port @dst and put them into
 * sp->way.  1: found; 0: no route; -1: out of memory.
 */
int sfab_stepper_way(struct sfab_stepper *sp, uint32_t leaf, uint32_t dst);

/*
 * Find the links that a shift may push above capacity, and the routes across
 * them.
 */
int sfab_stepper_bound(struct sfab_stepper *sp);	/* -1: no memory */

/* @l plus background, relative to the link's capacity. */
static inline double stepper_filled(const struct sfab_stepper *sp,
				    const struct sfab_load *l, uint32_t res)
{
	const double *b = sp->c->background;

	return (l->v[res] + (b ? b[res] : 0)) * sp->m->inv_cap[res];
}

#endif
