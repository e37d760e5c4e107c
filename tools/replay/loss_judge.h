/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loss_judge.h - running jobs judged by what they lose (core/load/phases.h)
 *
 * One rank runs on each host, which the job has whole.  The job sends at full rate for
 * its part of the time, beside the mean load of the others.
 */
#ifndef SFAB_REPLAY_LOSS_JUDGE_H
#define SFAB_REPLAY_LOSS_JUDGE_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/jobs.h"
#include "core/load/model.h"

enum judged_ranks {		/* in which order hosts have the ranks */
	JUDGED_BY_NAME,		/* as the job has them, which is by name: Slurm's default */
	JUDGED_BY_LEAF,		/* leaf by leaf, by port */
	JUDGED_AS_FOUND,	/* as RankOrder=yes, with as much work as there
				   (core/search/order.h) */
	JUDGED_AT_RANDOM,
};

struct judged_order {
	enum judged_ranks ranks;
	uint64_t seed;		/* of JUDGED_AT_RANDOM; the same job then has the same
				   draw under each policy */
};

struct lost_time {		/* of a job: sums of f (S - 1), parts of its time */
	double alone, beside;	/* on an empty machine, beside the others */
	double io;		/* of beside: by IO */
};

struct loss_judge;		/* opaque */

/* For jobs 0 .. @njobs - 1.  NULL: no memory. */
struct loss_judge *loss_judge_create(const struct sfab_model *m, uint32_t njobs,
				     struct judged_order order);
void loss_judge_destroy(struct loss_judge *g);		/* NULL is fine */

/*
 * What the job, which runs in @js, loses now beside all others there.  O(resources +
 * what the steps of all patterns and its IO cost, twice, + once the search for an order).
 * -1: SFAB_ENOMEM.
 */
int loss_judge_lost(struct loss_judge *g, uint32_t job,
		    const struct sfab_job *spec, struct sfab_jobs *js,
		    struct lost_time *out, struct sfab_err *err);

/* The job has ended: its ranks are forgotten. */
void loss_judge_end(struct loss_judge *g, uint32_t job);

#endif
