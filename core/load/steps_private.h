/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps_private.h - what steps.c and steps_bound.c share */
#ifndef SFAB_STEPS_PRIVATE_H
#define SFAB_STEPS_PRIVATE_H

#include <stddef.h>

#include "core/fabric/route.h"
#include "core/load/steps.h"

struct step_leaf {		/* a leaf with ports of the job, in a rail */
	uint32_t leaf;
	uint32_t lo, hi;	/* first and last rank there */
	double sends;		/* bytes/s of its ports together */
};

struct step_flow {		/* what a rank does in a rail */
	uint32_t src, dst;	/* end ports, SFAB_NONE: none */
	uint32_t at;		/* its place among the leaves */
	double rate;		/* bytes/s */
};

/* What crosses a link of a rail, whoever sends to whom. */
struct step_link {
	double by_dst, by_src;	/* shares of all destinations; bytes/s of sources */
	uint32_t lo, hi;	/* first and last rank on leaves that send over it */
	uint32_t uses;		/* the last of the list of destinations */
};

struct step_use {		/* of a link by a destination */
	uint32_t rank, before;	/* the use before, SFAB_NONE: the first */
	double share;		/* the largest of any leaf's way */
};

struct sfab_stepper {
	const struct sfab_model *m;
	const struct sfab_collective *c;
	struct step_flow *flow;	/* [rail * n + rank] */
	struct step_leaf *leaf;
	struct step_use *window;	/* [n] uses of a link, ascending */
	uint32_t nflows, nleaves;
	uint32_t *first;	/* [nrails + 1]: the leaves of a rail */
	uint32_t *place;	/* [nleaves of the fabric], of a rail */
	struct step_link *link;	/* by resource */
	struct step_use *use;
	uint32_t nuses, room;
	uint8_t *open;		/* [leaf * n + rank]: the way may be over */
	size_t nopen;
	int is_bound, is_clear;	/* there is a bound; no link can be over */
	struct sfab_load step;	/* loads of the step at hand */
	struct sfab_load over;	/* of the rail at hand: links that are used */
	struct sfab_load most;	/* the bound, all rails together */
	struct sfab_route way;	/* links between switches of the way at hand */
};

/*
 * Links between switches from @leaf to end port @dst, into sp->way: 1, 0 if there
 * is no route, -1 without memory.
 */
int sfab_stepper_way(struct sfab_stepper *sp, uint32_t leaf, uint32_t dst);

/* Find the links that may be over in a shift, and the ways that cross them. */
int sfab_stepper_bound(struct sfab_stepper *sp);	/* -1: no memory */

/* @l and what others send, over what the link can carry. */
static inline double stepper_filled(const struct sfab_stepper *sp,
				    const struct sfab_load *l, uint32_t res)
{
	const double *b = sp->c->background;

	return (l->v[res] + (b ? b[res] : 0)) * sp->m->inv_cap[res];
}

#endif
