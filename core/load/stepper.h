/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepper.h - collectives run in steps, and each step waits for its worst link
 *
 * In a step every rank sends to at most one other and receives from at most one.  With D the
 * load of a step, B everything else and C capacity,
 *
 *   S_step = max(1, max over the links of its flows of (D + B)/C) /
 *            max(1, the same over end ports alone)
 *
 * is the time of the step relative to a fabric with unlimited links between switches: 1 is
 * perfect, 2 where two flows of full rate share a link.  The value of a pattern (pattern.h) is
 * the mean over its steps.  uniform is one step, whose D is what sfab_demand() has for mpi of
 * the same share.
 */
#ifndef SFAB_STEPPER_H
#define SFAB_STEPPER_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/load.h"
#include "core/load/model.h"
#include "core/load/pattern.h"

/* A slower step has a conflict; a faster one counts as 1. */
#define SFAB_STEP_CLEAR (1 + 1e-9)

/* A job whose traffic is a collective; the arrays are borrowed. */
struct sfab_collective {
	uint32_t n;
	const uint32_t *host;		/* by rank, no duplicates */
	const double *cpus;		/* by rank: CPUs held / CPUs of the node; NULL: 1 */
	double share;			/* part of the rate of its ports that it sends at, 0..1 */
	const double *background;	/* bytes/s of others by resource; NULL: none */
	uint32_t max_steps;		/* sampled of a pattern, at most; 0: SFAB_STEPS_MAX */
};

struct sfab_step {
	uint32_t step;
	double slowdown;	/* S_step */
	uint32_t worst_link;	/* the link between switches that sets it; the lowest
				   if several, SFAB_NONE: no conflict */
};

struct sfab_steps {
	uint32_t nsteps;	/* of the pattern */
	uint32_t nsampled;	/* steps that were sampled */
	uint32_t conflicts;	/* of these, steps with S_step above 1 */
	uint32_t walked;	/* of these, steps that the bound could not clear */
	uint64_t lost;		/* pairs without a route, in the steps walked; uniform
				   counts none */
	double mean;		/* of S_step; 1 for a pattern without steps */
	struct sfab_step worst;	/* the first of the slowest steps */
};

struct sfab_stepper;		/* scratch for one thread */
struct sfab_stepper *sfab_stepper_create(const struct sfab_model *m);	/* borrows @m */
void sfab_stepper_destroy(struct sfab_stepper *sp);	/* NULL is fine */

/*
 * Take @c, which must stay valid until the next call, and bound what each link carries in any
 * step (stepper_bound.c): steps that the bound clears have S 1 and are not walked.  Each port
 * of a host sends to the peer's port of the same number, as in sfab_demand().  O(leaves x n x
 * hops), n the hosts of @c; at most 50 MB.  -1: SFAB_ENOMEM.
 */
int sfab_stepper_take(struct sfab_stepper *sp, const struct sfab_collective *c,
		      struct sfab_err *err);

/* Return the hops read and loads added up so far for the job taken. */
uint64_t sfab_stepper_work(const struct sfab_stepper *sp);

/*
 * Return the load of pattern uniform for the job taken, which is that of sfab_demand(): the
 * mean of all shifts.  Borrowed until the next job is taken; NULL: SFAB_ENOMEM.
 */
const struct sfab_load *sfab_stepper_at_once(struct sfab_stepper *sp, struct sfab_err *err);

/*
 * Find the slowdowns of the job taken, in the steps of @pattern.  @each (NULL, or space for the
 * sample) is set to the sampled steps in order.  If the bound clears all links, nsampled is
 * nsteps and @each is not touched.  Steps of allreduce are always walked.  O(sampled steps x
 * n), times hops for steps that the bound leaves open; uniform: leaves x n x hops.  -1:
 * SFAB_ENOMEM.
 */
int sfab_stepper_steps(struct sfab_stepper *sp, enum sfab_pattern pattern,
		       struct sfab_steps *out, struct sfab_step *each,
		       struct sfab_err *err);

/* A job that sends several patterns, one after the other. */
struct sfab_mixed {
	double mean;		/* of the patterns' means by weight; 1: no weights */
	/* weight 0: all zero */
	struct sfab_steps pattern[SFAB_NPATTERNS];
};

/*
 * Find the slowdowns of the job taken, in all patterns that have a weight in @mix
 * (sfab_traffic_mix()).  -1: SFAB_ENOMEM.
 */
int sfab_stepper_mixed(struct sfab_stepper *sp, const double mix[SFAB_NPATTERNS],
		       struct sfab_mixed *out, struct sfab_err *err);

/* What the patterns cost a job, alone and beside others. */
struct sfab_weighing {
	double max;		/* in: stop when beside is above this; INFINITY: never */
	double alone, beside;	/* out: means of the patterns by weight */
};

/*
 * Set beside as sfab_stepper_mixed() does, and alone as it does without others, in one walk.
 * 1: beside is above x->max, and the means are as if the remaining steps had S 1.  Patterns
 * that cost least to compute come first, since they may already exceed the maximum.  Where an
 * end port may be full, all steps are computed and 1 is not returned.  -1: SFAB_ENOMEM.
 */
int sfab_stepper_weigh(struct sfab_stepper *sp, const double mix[SFAB_NPATTERNS],
		       struct sfab_weighing *x, struct sfab_err *err);

#endif
