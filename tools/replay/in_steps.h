/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * in_steps.h - running jobs judged by collectives in steps (core/load/steps.h), by the
 * links between switches that they share, and by what they lose (core/load/phases.h)
 *
 * One rank runs on each host, which the job has whole.  The job sends its share of
 * mpi in each step; for what it loses, at full rate for that part of its time.  What
 * other jobs send is their mean load.  Links are those of the routes between all pairs
 * of a job's hosts.
 */
#ifndef SFAB_REPLAY_IN_STEPS_H
#define SFAB_REPLAY_IN_STEPS_H

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
#define NJUDGED_RANKS 4

const char *judged_ranks_name(enum judged_ranks ranks);

struct judged_order {
	enum judged_ranks ranks;
	uint64_t seed;		/* of JUDGED_AT_RANDOM; the same job then has the same
				   draw under each policy */
};

struct in_steps {		/* of a job when it starts */
	int judged;		/* 1: it has mpi traffic, and the rest is set */
	int apart;		/* 1: its routes cross links between switches */
	double alone, among;	/* S, the mean over patterns and their steps */
	int shared;		/* 1: mpi traffic of another running job crosses a link
				   between switches that its own does */
};

struct lost_time {		/* of a job: sums of f (S - 1), parts of its time */
	double alone, beside;	/* on an empty machine, beside the others */
	double io;		/* of beside: by IO */
};

struct step_judge;		/* opaque */

/* For jobs 0 .. @njobs - 1.  NULL: no memory. */
struct step_judge *step_judge_create(const struct sfab_model *m, uint32_t njobs,
				     struct judged_order order);
void step_judge_destroy(struct step_judge *g);		/* NULL is fine */

/*
 * A job starts, with no links to keep if it has no mpi traffic; it ends.
 * O(n x leaves x hops).  -1: SFAB_ENOMEM.
 */
int step_judge_start(struct step_judge *g, uint32_t job,
		     const struct sfab_spec *spec, struct sfab_err *err);
void step_judge_end(struct step_judge *g, uint32_t job);

/*
 * Judge a job that runs, here and in @js, beside all others there.  O(resources
 * + what the steps of all patterns cost, twice, + the search for an order).
 */
int step_judge_look(struct step_judge *g, uint32_t job,
		    const struct sfab_spec *spec, struct sfab_jobs *js,
		    struct in_steps *out, struct sfab_err *err);

/* What the job loses now.  The same cost, and that of its IO. */
int step_judge_lost(struct step_judge *g, uint32_t job,
		    const struct sfab_spec *spec, struct sfab_jobs *js,
		    struct lost_time *out, struct sfab_err *err);

#endif
