/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - collectives run in steps, and each step waits for its worst link
 *
 * In a step every rank sends to at most one other and receives from at most
 * one.  With D the load of a step, B everything else and C capacity,
 *
 *   S_step = max(1, max over the links of its flows of (D + B)/C) /
 *            max(1, the same over end ports alone)
 *
 * is the time of the step relative to a fabric with unlimited links between
 * switches: 1 is perfect, 2 where two flows of full rate share a link.  The
 * value of a pattern is the mean over its steps.
 *
 * Patterns, with one rank on each of n hosts:
 *
 *   alltoall  step s = 1 .. n-1: rank i sends to i + s mod n. Open MPI sends a
 *             large all-to-all this way (ompi coll_base_alltoall.c, pairwise);
 *             so does MPICH if n is not a power of two
 *             (alltoall_intra_pairwise.c).
 *   halving   ranks i and i xor d exchange, d = 1, 2, 4, ...: allreduce and
 *             reduce-scatter. If n is not a power of two, as in MPICH
 *             (allreduce_intra_recursive_doubling.c): let p be the largest power
 *             of two below n, and r = n - p. In the first step each even rank
 *             below 2r sends to the next rank and then waits. The odd ranks
 *             below 2r become ranks 0 .. r-1 of the p that go on; ranks from 2r
 *             on follow. In the last step the odd ones send back. The first and
 *             the last step count like the others.
 *   ring      rank i sends to i + 1 mod n. All steps are the same, so there is
 *             one.
 *
 * A large pattern is sampled, and the sample depends on n alone.  It has each s
 * that is a power of two, and one step from each of equal spans.  The position
 * in the span varies from span to span, so that no leaf size coincides with all
 * of them.  In the mean the powers of two count once each, and the other
 * samples stand for all remaining steps.
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

#define SFAB_STEPS_MAX 128	/* steps sampled; with this many or fewer, all */

/* A slower step has a conflict; a faster one counts as 1. */
#define SFAB_STEP_CLEAR (1 + 1e-9)

const char *sfab_pattern_name(enum sfab_pattern pattern);

/* Steps of @pattern among @n ranks; 0 for fewer than two. */
uint32_t sfab_pattern_steps(enum sfab_pattern pattern, uint32_t n);

/* The rank that @rank sends to in @step (0 .. steps - 1), or SFAB_NONE. */
uint32_t sfab_pattern_peer(enum sfab_pattern pattern, uint32_t n, uint32_t step,
			   uint32_t rank);

/* Write the sampled steps to @step, ascending; returns their number. */
uint32_t sfab_pattern_sample(enum sfab_pattern pattern, uint32_t n,
			     uint32_t step[SFAB_STEPS_MAX]);

/* 1: @step is in the sample of every n. */
int sfab_pattern_always(enum sfab_pattern pattern, uint32_t step);

/* A job whose traffic is a collective; the arrays are borrowed. */
struct sfab_collective {
	uint32_t n;
	const uint32_t *host;	/* by rank, no duplicates */
	const double *cpus;	/* by rank: CPUs held / CPUs of the node; NULL: 1 */
	double share;		/* of the rate of its ports, 0..1 */
	const double *background;	/* bytes/s by resource; NULL: none */
};

struct sfab_step {
	uint32_t step;
	double slowdown;	/* S_step */
	uint32_t worst_link;	/* the link between switches that sets it; the lowest
				   if several, SFAB_NONE: no conflict */
};

struct sfab_steps {
	uint32_t nsteps;	/* of the pattern */
	uint32_t looked;	/* steps that were sampled */
	uint32_t conflicts;	/* of these, steps with S_step above 1 */
	uint32_t walked;	/* of these, steps that the bound could not clear */
	uint64_t lost;		/* pairs without a route, in the steps walked */
	double mean;		/* of S_step; 1 for a pattern without steps */
	struct sfab_step worst;	/* the first of the slowest steps */
};

struct sfab_stepper;		/* scratch for one thread */
struct sfab_stepper *sfab_stepper_create(const struct sfab_model *m);
void sfab_stepper_destroy(struct sfab_stepper *sp);	/* NULL is fine */

/*
 * Take @c, which must stay valid until the next call, and bound for every link
 * between switches what it carries in any shift.  Look at the destinations that
 * are sent over the link, and slide a window over the ranks, as long as from
 * the first to the last rank that sends over it.  The bound is the largest
 * number of these destinations in one window, and at most what these ranks
 * send.  A link that stays within its capacity by this bound (and B) has no
 * conflict in any shift.  A step none of whose flows crosses another link is 1
 * and need not be walked.  This settles jobs on k leaves x the same m port
 * classes (classes.h) if ranks are ordered by leaf, then class.  Each port of a
 * host sends to the peer's port of the same number, as in sfab_demand().
 * O(leaves x n x hops), n the hosts of @c.  Jobs on more than SFAB_STEPS_MAX
 * leaves get no bound.  -1: SFAB_ENOMEM.
 */
int sfab_stepper_take(struct sfab_stepper *sp, const struct sfab_collective *c,
		      struct sfab_err *err);

/*
 * Slowdowns of the job taken, in the steps of @pattern.  @each (NULL, or room
 * for the sample) is set to the sampled steps in order.  If the bound clears
 * all links, looked is nsteps and @each is not touched.  Steps of halving are
 * always walked.  O(sampled steps x n), times hops for steps that the bound
 * leaves open.  -1: SFAB_ENOMEM.
 */
int sfab_stepper_steps(struct sfab_stepper *sp, enum sfab_pattern pattern,
		       struct sfab_steps *out, struct sfab_step *each,
		       struct sfab_err *err);

#endif
