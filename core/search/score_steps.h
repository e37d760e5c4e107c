/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * score_steps.h - the terms of the score that go by the steps of mpi traffic
 *
 * A part of the scorer (score.h).  It exists if the model goes by steps.
 */
#ifndef SFAB_SCORE_STEPS_H
#define SFAB_SCORE_STEPS_H

#include "core/search/score.h"

struct sfab_step_scorer;
/* NULL: out of memory. */
struct sfab_step_scorer *sfab_step_scorer_create(const struct sfab_model *m);
void sfab_step_scorer_destroy(struct sfab_step_scorer *ss);	/* NULL is fine */
/* The hosts by port classes; borrowed, never NULL. */
const struct sfab_class_grid *sfab_step_scorer_grid(const struct sfab_step_scorer *ss);

/*
 * Replace self and contention in @out by what steps say where that is more, and set
 * alone and beside.  @all and @io: the job's whole load and that of its IO, in
 * bytes/s by resource.  @js NULL: an empty machine.  @out has all terms by means; its
 * total is not updated.  -1 with *err: SFAB_ENOMEM.  O(sampled steps x n x hops).
 */
int sfab_score_by_steps(struct sfab_step_scorer *ss, struct sfab_jobs *js,
			const struct sfab_spec *spec, const struct sfab_load *all,
			const struct sfab_load *io, struct sfab_score *out,
			struct sfab_err *err);

#endif
