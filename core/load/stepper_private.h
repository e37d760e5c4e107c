/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepper_private.h - what the parts of the stepper share
 *
 * stepper_bound.c reads each route from a leaf of the job to one of its hosts once, into rows
 * of short numbers of links.  It finds the links that can be above capacity at all, and drops
 * the others from the rows.  stepper_walk.c adds up the loads of the remaining links, step by
 * step, and stepper.c judges the steps.
 */
#ifndef SFAB_STEPPER_PRIVATE_H
#define SFAB_STEPPER_PRIVATE_H

#include <stddef.h>

#include "core/load/stepper.h"

#define STEPS_LOST 2		/* in exceeds[]: there is no route */
#define HOPS_MAX 2000000u	/* with more, rows are not kept and there is no bound: port groups
				   then spread a route over whole levels */

struct step_leaf {		/* a leaf with ports of the job, in one rail */
	uint32_t leaf;
	uint32_t lo, hi;	/* first and last rank there */
	double rate;		/* bytes/s of its ports together */
};

struct step_flow {		/* the flow of a rank in one rail */
	uint32_t src, dst;	/* end ports; SFAB_NONE: no flow */
	uint32_t leaf_index;	/* index of its leaf among the job's leaves */
	double rate;		/* bytes/s */
};

/* A link between switches that routes of the job cross. */
struct step_link {
	uint32_t res;
	uint32_t walked;		/* its index among the links that are walked; SFAB_NONE:
					   never above capacity */
	int is_open;			/* 1: a shift may push it above capacity */
	uint32_t lo, hi;		/* in the current rail: first and last rank on leaves that
					   send over it */
	uint32_t last_leaf;		/* the last leaf that sends over it, plus 1 */
	double part;			/* the largest share of a route from this leaf */
	double share;			/* the largest share of a route from any leaf */
	size_t row;			/* the current row, plus 1 */
	double sum;			/* share of this row so far: branches of a port group may
					   meet again on a link */
	double source_rate;		/* bytes/s of the leaves that send over it */
	double any_bound, shift_bound;	/* bounds in bytes/s, summed over rails: any step, and a
					   shift */
};

/* A step that sfab_stepper_weigh() computes. */
struct step_sample {
	enum sfab_pattern pattern;
	uint32_t step;
	double weight;		/* in the mean of all patterns */
};

struct sfab_stepper {
	const struct sfab_model *m;
	const struct sfab_collective *c;
	struct step_flow *flow;		/* [rail * n + rank] */
	struct step_leaf *leaf;
	uint32_t *window;		/* [n] scratch: ranks that receive over a link */
	uint32_t nflows, nleaves;
	uint32_t *first;		/* [nrails + 1]: first leaf of each rail */
	uint32_t *job_leaf;		/* [nleaves of the fabric] index among the job's leaves, for
					   one rail */
	struct sfab_route walk;		/* scratch: where there is no table of paths */

	uint32_t *number;		/* by resource: index in link, or, without a bound, among
					   the links that are walked; SFAB_NONE: none */
	struct step_link *link;		/* [nlinks], room for all resources */
	uint32_t nlinks;
	uint64_t *receivers;		/* [link * words]: bits of ranks that receive over it, in
					   the current rail */
	uint32_t words;
	size_t receivers_cap;

	/* rows of routes, [leaf * n + rank]; only where a bound was found */
	int is_bound, is_clear;		/* is_clear: no shift has a link above capacity */
	uint32_t *row;			/* by row: where it begins in hop */
	uint8_t *exceeds;		/* by row: 1: it may cross a link above capacity in a
					   shift */
	size_t rows_cap;
	uint32_t *hop;			/* link[].walked */
	double *share;			/* by hop; NULL: 1 */
	size_t nhops, hops_cap;
	uint32_t nlost;			/* rows without a route */

	/* the links that are walked, [nwalked] */
	uint32_t nwalked;
	uint32_t *res;
	double *load, *beside, *inv_cap;
	uint64_t nread, nadded;		/* for the current job: hops read, and loads added */
	uint32_t *touched, ntouched;	/* links that the step walked last loads */
	double max_end, max_end_beside;	/* no end port is fuller in any step */
	struct sfab_load ends;		/* scratch: loads of end ports */
	struct sfab_load at_once;	/* load of uniform, if has_at_once */
	int has_at_once;		/* at_once is that of the current job */

	/* who sends to whom, by step; kept from job to job */
	uint32_t npeers;		/* number of ranks that rotation and allreduce are for */
	uint32_t *rotation;		/* [2 * n]: the ranks twice in a row */
	uint32_t *allreduce;		/* [steps * n] */
	struct sfab_arena arena;	/* holds the arrays whose size depends on the fabric */
	struct step_sample sample[SFAB_NPATTERNS * SFAB_STEPS_MAX];
	uint32_t nsamples;		/* 0: none yet */
	/* hosts and steps that sample[] was made for */
	uint32_t samples_n, samples_max;
	double samples_mix[SFAB_NPATTERNS];
};

/* -- stepper.c ----------------------------------------------------------- */

/* Empty the list of links. */
void sfab_stepper_forget_links(struct sfab_stepper *sp);

/* -- stepper_bound.c ----------------------------------------------------- */

/* Read all rows, bound what each link carries, and keep what may be above capacity. */
int sfab_stepper_bound(struct sfab_stepper *sp);	/* -1: no memory */

/* -- stepper_walk.c ------------------------------------------------------ */

/* Append @res to the links that are walked.  Return its index. */
uint32_t sfab_stepper_add_link(struct sfab_stepper *sp, uint32_t res);

/* Prepare who sends to whom among @n ranks.  -1: no memory. */
int sfab_stepper_make_peers(struct sfab_stepper *sp, uint32_t n);

/* Return, by rank, the rank that it sends to in a step.  NULL: to all at once. */
static inline const uint32_t *sfab_stepper_peers(const struct sfab_stepper *sp,
						 enum sfab_pattern pattern, uint32_t step)
{
	switch (pattern) {
	case SFAB_ALLTOALL:
		return sp->rotation + (step + 1) % sp->c->n;
	case SFAB_ALLREDUCE:
		return sp->allreduce + (size_t) step * sp->c->n;
	case SFAB_RING:
		return sp->rotation + 1 % sp->c->n;
	case SFAB_UNIFORM:
		return NULL;
	}
	return NULL;
}

/* Return how full an end port is in any step at most, with background @b (NULL: none). */
double sfab_stepper_fullest_end(struct sfab_stepper *sp, const double *b);

/* By the bound, does no flow of the step cross a link above capacity? */
int sfab_stepper_is_settled(const struct sfab_stepper *sp, enum sfab_pattern pattern,
			    const uint32_t *peer);

/*
 * Add up the loads of a step in sp->load.  *@lost grows by the flows without a route.  -1: no
 * memory.
 */
int sfab_stepper_walk(struct sfab_stepper *sp, const uint32_t *peer, uint64_t *lost);

/*
 * Return how full the fullest end port of the step is, at least 1, with background @b (NULL:
 * none).
 */
double sfab_stepper_ends(struct sfab_stepper *sp, const uint32_t *peer, const double *b);

#endif
