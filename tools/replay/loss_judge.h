/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loss_judge.h - running jobs judged by what they lose (core/load/phases.h)
 *
 * One rank runs on each host, which the job has whole.  The job sends at full rate for its part
 * of the time, beside the mean load of the others.
 */
#ifndef SFAB_LOSS_JUDGE_H
#define SFAB_LOSS_JUDGE_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/jobs.h"
#include "core/load/model.h"

enum judged_ranks {		/* in which order hosts have the ranks */
	JUDGED_BY_NAME,		/* as the job has them, which is by name: Slurm's default */
	JUDGED_BY_LEAF,		/* leaf by leaf, by port */
	JUDGED_AS_FOUND,	/* the order that RankOrder=yes finds (core/search/order.h) */
	JUDGED_AT_RANDOM,
};

struct lost_nodes {		/* lost is the sum of f (S - 1) over the nodes */
	double nodes;		/* that were looked at */
	double alone;		/* lost on an empty machine */
	double beside;		/* lost beside the other jobs */
	double io;		/* the part of beside that IO loses */
};

/* Add @lost to @sum, @times times. */
void loss_judge_add(struct lost_nodes *sum, const struct lost_nodes *lost, double times);

struct loss_judge;		/* opaque */

/*
 * Make a judge of jobs 0 .. @njobs - 1.  @seed is for JUDGED_AT_RANDOM, so that a job has the
 * same order under each policy.
 */
struct loss_judge *loss_judge_create(const struct sfab_model *m, uint32_t njobs,
				     enum judged_ranks ranks, uint64_t seed);
void loss_judge_destroy(struct loss_judge *judge);		/* NULL is fine */

/*
 * Find what a node of the job loses now beside all other jobs in @js, where it runs.  @felt,
 * 0..1, is the part of a slowdown that the job feels.  O(resources + what the steps of all
 * patterns and its IO cost, twice, + once the search for an order).  -1: SFAB_ENOMEM.
 */
int loss_judge_lost(struct loss_judge *judge, uint32_t job, const struct sfab_job *spec,
		    double felt, struct sfab_jobs *js, struct lost_nodes *out,
		    struct sfab_err *err);

/* Forget the ranks of a job that has ended. */
void loss_judge_end(struct loss_judge *judge, uint32_t job);

#endif
