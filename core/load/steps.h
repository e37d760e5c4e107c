/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - collectives go in steps, and each step waits for its worst link
 *
 * In a step every rank sends to at most one other, and gets from at most one.
 * With D the load of a step, B everything else and C capacity,
 *
 *   S_step = max(1, max over the links of its flows of (D + B)/C) /
 *            max(1, the same over end ports alone)
 *
 * is the time of the step over the time on a fabric with unlimited links between
 * switches: 1 is perfect, 2 where two flows of full rate meet on a link.  The figure
 * of a pattern is the mean over its steps.
 *
 * Patterns, with one rank on each of n hosts:
 *
 *   alltoall  step s = 1 .. n-1: rank i sends to i + s mod n.  A large all-to-all as
 *             Open MPI sends it (ompi coll_base_alltoall.c, pairwise), and MPICH
 *             where n is no power of two (alltoall_intra_pairwise.c).
 *   halving   ranks i and i xor d exchange, d = 1, 2, 4, ...: allreduce and
 *             reduce-scatter.  Where n is no power of two, as MPICH does it
 *             (allreduce_intra_recursive_doubling.c): with p the power of two below
 *             n and r = n - p, first each even rank below 2r sends to the next rank
 *             and takes no further part; the odd ones there become ranks 0 .. r-1 of
 *             the p that go on, those from 2r on follow; at last the odd ones send
 *             back.  The first and the last step are steps like the others.
 *   ring      rank i sends to i + 1 mod n.  All its steps are the same: it has one.
 *
 * A large pattern is looked at by a sample that depends on n alone: each s that is a
 * power of two, and one step in each of equal spans, at a place in the span that
 * differs from span to span, so that no size of a leaf is hit by all.  In the mean
 * the powers of two stand for themselves and the others for all that are left.
 */
#ifndef SFAB_STEPS_H
#define SFAB_STEPS_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/model.h"

enum sfab_pattern {
	SFAB_ALLTOALL,
	SFAB_HALVING,
	SFAB_RING,
};
#define SFAB_NPATTERNS 3

#define SFAB_STEPS_MAX 128	/* of a pattern are looked at; all up to here */

/* A step that is slower than this has a conflict; what is faster counts as 1. */
#define SFAB_STEP_CLEAR (1 + 1e-9)

const char *sfab_pattern_name(enum sfab_pattern pattern);

/* Steps of @pattern among @n ranks; 0 for fewer than two. */
uint32_t sfab_pattern_steps(enum sfab_pattern pattern, uint32_t n);

/* To whom @rank sends in @step (0 .. steps - 1), or SFAB_NONE. */
uint32_t sfab_pattern_peer(enum sfab_pattern pattern, uint32_t n, uint32_t step,
			   uint32_t rank);

/* The steps that are looked at, ascending, into @step; returns how many. */
uint32_t sfab_pattern_sample(enum sfab_pattern pattern, uint32_t n,
			     uint32_t step[SFAB_STEPS_MAX]);

/* Is @step of any sample? */
int sfab_pattern_always(enum sfab_pattern pattern, uint32_t step);

/* What sends in steps; the arrays are borrowed. */
struct sfab_collective {
	uint32_t n;
	const uint32_t *host;	/* by rank, no doubles */
	const double *cpus;	/* by rank: CPUs held / CPUs of the node; NULL: 1 */
	double share;		/* of the rate of its ports, 0..1 */
	const double *background;	/* bytes/s by resource; NULL: none */
};

struct sfab_step {
	uint32_t step;
	double slowdown;	/* S_step */
	uint32_t worst_link;	/* that link between switches; the lowest of
				   several, SFAB_NONE: no conflict */
};

struct sfab_steps {
	uint32_t nsteps;	/* of the pattern */
	uint32_t looked;	/* those that the mean is of */
	uint32_t conflicts;	/* of these, with S_step above 1 */
	uint32_t walked;	/* of these, those that the bound left open */
	uint64_t lost;		/* pairs in steps walked that have no route */
	double mean;		/* of S_step; 1 for a pattern without steps */
	struct sfab_step worst;	/* the first of the slowest steps */
};

struct sfab_stepper;		/* scratch of one thread */
struct sfab_stepper *sfab_stepper_create(const struct sfab_model *m);
void sfab_stepper_destroy(struct sfab_stepper *sp);	/* NULL is fine */

/*
 * Take up @c, which must live until the next one is, and find for every link between
 * switches what it carries at most in any shift: of the destinations that are sent
 * over it as many as one window of ranks can hold, as long as from the first to the
 * last rank that sends over it, and no more than these ranks send.  A link within
 * its capacity by that (and B) conflicts in no shift, and a step none of whose flows
 * crosses another link is 1 and need not be walked.  k leaves x the same m port
 * classes (classes.h) are settled so, with ranks leaf by leaf in order of class.
 * Each host's ports send to the peer's port of the same number, as sfab_demand() has
 * it.  O(leaves x n x hops), n the hosts of @c; no bound is found for jobs on more
 * than SFAB_STEPS_MAX leaves.  -1: SFAB_ENOMEM.
 */
int sfab_stepper_take(struct sfab_stepper *sp, const struct sfab_collective *c,
		      struct sfab_err *err);

/*
 * What was taken up, in steps of @pattern.  @each (NULL, or room for the sample) gets
 * those looked at, in order; where the bound clears all links looked is nsteps and
 * @each is left alone.  Steps of halving are always walked.  O(steps looked at x n),
 * and x hops where the bound left the step open.  -1: SFAB_ENOMEM.
 */
int sfab_stepper_steps(struct sfab_stepper *sp, enum sfab_pattern pattern,
		       struct sfab_steps *out, struct sfab_step *each,
		       struct sfab_err *err);

#endif
