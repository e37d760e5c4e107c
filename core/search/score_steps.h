/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * score_steps.h - the terms of the score that go by the steps of mpi traffic
 *
 * A part of the scorer (score.h).  It exists if the model goes by steps.
 */
#ifndef SFAB_SCORE_STEPS_H
#define SFAB_SCORE_STEPS_H

#include "core/load/io_way.h"
#include "core/search/score.h"

struct sfab_step_scorer;
/* NULL: out of memory. */
struct sfab_step_scorer *sfab_step_scorer_create(const struct sfab_model *m);
void sfab_step_scorer_destroy(struct sfab_step_scorer *ss);	/* NULL is fine */
/* The hosts by port classes; borrowed, never NULL. */
const struct sfab_class_grid *sfab_step_scorer_grid(const struct sfab_step_scorer *ss);
/* The links by which all hosts write; borrowed, never NULL. */
const struct sfab_io_way *sfab_step_scorer_way(const struct sfab_step_scorer *ss);

/*
 * The term io_way of a job that puts @net on the links and has @used hosts on each
 * leaf.
 */
double sfab_slowed_by_io(const struct sfab_step_scorer *ss, const struct sfab_load *net,
			 const struct sfab_space *room, const uint32_t *used,
			 const struct sfab_traffic *t);

/*
 * Change self and contention in @out by what steps say, and set alone, beside and
 * in_steps.  SFAB_MPI_STEPS: what steps say counts where it is more than the mean.
 * SFAB_MPI_BOTH: half of what the job loses alone is added to self, and twice what it
 * loses to others to contention.  Steps run at the full rate of the ports, and count
 * for the share of mpi.  @all and @io: the job's whole load and that of its IO, in
 * bytes/s by resource.  @js NULL: an empty machine.  @out has all terms by means; its
 * total is not updated.  1: for SFAB_MPI_BOTH, the score rises by more than @most
 * (INFINITY: any), and the terms are not changed.  -1 with *err: SFAB_ENOMEM.
 * O(sampled steps x n x hops); *@work grows by about the link additions that it took.
 */
int sfab_score_by_steps(struct sfab_step_scorer *ss, struct sfab_jobs *js,
			const struct sfab_spec *spec, const struct sfab_load *all,
			const struct sfab_load *io, double most, struct sfab_score *out,
			uint64_t *work, struct sfab_err *err);

#endif
