/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_sums.h - past jobs in groups: how many, and what is predicted for them
 *
 * Means are by job, of the jobs of which both predictions are known.
 */
#ifndef SFAB_PAST_SUMS_H
#define SFAB_PAST_SUMS_H

#include "tools/report/past.h"

/* Predictions within this part of each other count as equal. */
#define PAST_EQUAL 0.01

struct past_mean {
	double slowdown, p95;	/* of the jobs themselves */
	double others;		/* sum over the jobs: nodes that others lose to them */
};

struct past_sum {
	char *name;		/* of the group, owned */
	uint32_t jobs;
	double node_hours;
	uint32_t compared;	/* both predictions are known: */
	uint32_t elsewhere;	/* the search found other nodes than Slurm's */
	uint32_t better, worse;	/* predicted for our nodes, by PAST_EQUAL or more */
	struct past_mean ours, slurms;	/* valid if compared > 0 */
};

enum past_group {
	PAST_ALL, PAST_ELSEWHERE,	/* one group: all; those with other nodes */
	PAST_BY_REASON, PAST_BY_CLASS, PAST_BY_PARTITION, PAST_BY_ACCOUNT,
	PAST_BY_USER, PAST_BY_DAY,
};

/*
 * The groups, most jobs first; days in order.  [*@n], caller calls
 * past_sums_free().  O(jobs log jobs).
 */
struct past_sum *past_sums(const struct past *p, enum past_group by, uint32_t *n);
void past_sums_free(struct past_sum *sum, uint32_t n);

/* The name of the user with that number, or the number; caller frees. */
char *past_user(const char *number);

/* What was assumed of a class, and what counters found out, by job on average. */
struct past_told {
	uint32_t jobs;		/* with this class, in either */
	double told, found, error;	/* mean shares; mean of |told - found| */
};
/* By class.  Returns the jobs of which both are known; *@wrong: of these, the
   jobs whose largest class is another one. */
uint32_t past_told(const struct past *p, struct past_told told[SFAB_NCLASSES],
		   uint32_t *wrong);

/*
 * Run times against predictions.  Runs with the same user, name and nodes are
 * compared with the mean of those among them that nothing slows, by prediction.
 */
#define PAST_STEPS 5
extern const double past_step[PAST_STEPS];	/* upper ends of the ranges */
struct past_runs {
	uint32_t runs;
	double predicted;	/* mean slowdown */
	double ran;		/* mean of run time / run time of the unslowed */
};
/* Returns the number of names that have runs in several ranges. */
uint32_t past_run_times(const struct past *p, struct past_runs runs[PAST_STEPS]);

#endif
