/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_sums.h - past jobs in groups, and what they say together
 *
 * Losses are in node hours: the nodes that a job was predicted to lose when it began, times the
 * hours that it would have run on an ideal fabric.  So only jobs that have ended and were
 * compared count.
 */
#ifndef SFAB_PAST_SUMS_H
#define SFAB_PAST_SUMS_H

#include "tools/log/past.h"

/* What node hours are lost to. */
enum past_cause {
	PAST_SHAPE,		/* the job's own traffic meets itself */
	PAST_JOBS,		/* jobs slow each other */
	PAST_SERVERS,		/* IO servers are full: on all nodes, so in no sum */
};
#define PAST_CAUSES 3

struct past_sum {
	char *key;			/* what its jobs have in common */
	const struct past_job *first;	/* its first job */
	uint32_t jobs;
	double node_hours;		/* of those whose run time is known */
	uint32_t compared;		/* both predictions are known */
	uint32_t moved;			/* jobs with past_nodes_differ() */
	/* Lost on Slurm's and on sfabric's nodes. */
	double slurm[PAST_CAUSES], sfabric[PAST_CAUSES];
	double lost;			/* where the jobs ran */
	double assumed_saved;		/* if the jobs had sent what was assumed */
	uint32_t nfound;		/* jobs with is_found */
	uint32_t other_class;		/* those that sent mostly another class than assumed */
	double assumed, measured;	/* sums of all weights of jobs with is_found */
	double found_hours;		/* node hours of jobs with is_found */
	double sent[SFAB_NCLASSES];	/* sums of their node hours times the weight */
	uint32_t unslowed;		/* compared jobs with a run time and hardly a slowdown */
	uint32_t slowed;		/* compared jobs with a run time and a slowdown */
	double unslowed_s, slowed_s;	/* sums of their run times */
	double slowdowns;		/* sum of those of the slowed */
	UT_hash_handle hh;		/* hh.next: the next group */
};

static inline double past_sum_lost(const double cause[PAST_CAUSES])
{
	return cause[PAST_SHAPE] + cause[PAST_JOBS];
}

static inline double past_sum_saved(const struct past_sum *s)
{
	return past_sum_lost(s->slurm) - past_sum_lost(s->sfabric);
}

enum past_group {
	PAST_ALL, PAST_BY_REASON, PAST_BY_SOURCE, PAST_BY_PARTITION, PAST_BY_DAY,
	PAST_BY_PROGRAM,	/* user and job name */
	PAST_BY_SIZE,		/* user, job name and number of nodes */
};

/*
 * Make the groups, those with most node hours first, days in order.  NULL: there is no job.
 * The caller frees them with past_sums_free().  O(jobs).
 */
struct past_sum *past_sums(const struct past *p, enum past_group group);
void past_sums_free(struct past_sum *sum);	/* NULL is fine */

/* Hours of full links in [@from_s, @to_s); < 0: not known.  O(lines). */
double past_full_hours(const struct past *p, double from_s, double to_s);

/*
 * What mode on would save with the jobs of mode observe, or has saved with all others.  If
 * programs come by chance, each with its jobs and what these save, the sum has the variance of
 * a compound Poisson process: the sum of the squares.
 */
struct past_verdict {
	uint32_t jobs, moved;
	double node_hours, saved;
	double error;		/* of saved, either way, at 95 % */
};

/*
 * Run times against predictions.  Runs that the fabric slows, by prediction, are compared with
 * the mean of those with the same user, name and nodes that it does not slow.
 */
struct past_runs {
	uint32_t programs;	/* those with both kinds of runs */
	uint32_t runs;		/* slowed runs of these programs */
	double predicted;	/* mean slowdown of the slowed runs */
	double measured;	/* mean of their run time / run time of the others */
};

/* The answers to the question of the report, for text and page. */
struct past_summary {
	const struct past *p;		/* borrowed */
	struct past_verdict mode_on, mode_observe;
	struct past_sum all;		/* of all jobs; without a key */
	struct past_runs runs;
	struct sfab_traffic sent;	/* measured traffic: mean by node hours, rounded to .001 */
	double full_hours;		/* < 0: no counters */
	double followed;		/* 0..1, as in estimate.h; < 0: not known */
};

/* Sum up all jobs of @p, which must outlive the summary. */
struct past_summary past_summary(const struct past *p, double followed);

/*
 * The summary in sentences, a line for each of its parts; "": there is nothing to say.  Caller
 * frees.
 */
char *past_lines(const struct past_summary *s);

#endif
