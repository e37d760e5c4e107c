/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.h - the jobs that began in a span of time, from decision logs
 *
 * One pass over the log: a job of a few hundred bytes for each start.  A job that
 * began again (requeued) is there twice.  Lines that cannot be read are counted and
 * skipped; a field that an older version did not write is not known.
 */
#ifndef SFAB_PAST_H
#define SFAB_PAST_H

#include <json-c/json.h>
#include <stdio.h>
#include <uthash.h>

#include "core/load/traffic.h"
#include "place/request/reason.h"
#include "tools/ui/table.h"

/*
 * What is predicted to be lost on a set of nodes: nodes, for the time that the job would
 * take on an ideal fabric.
 */
struct past_loss {
	double slowdown;	/* of the job itself, >= 1; 0: not known */
	double own;		/* lost by the job */
	double shape;		/* part of own that it would lose alone, too */
	double others;		/* lost by other jobs to this one */
	double servers;		/* lost by the job as IO servers are full; neither in own nor
				   in others */
	double of_class[SFAB_NCLASSES];	/* own, by class of its traffic */
};

struct past_job {
	uint64_t id;
	double begun_s;		/* since 1970 */
	double ran_s;		/* run time; 0: not known, or it waited again */
	uint32_t nodes;
	int reason;		/* enum sfab_reason; -1: a word not known */
	int observes;		/* its mode is observe */
	/* "" if not known: */
	char *partition, *name;
	char *source;		/* of its traffic */
	char user[12];		/* the number */
	int class;		/* with the largest share; -1: sends nothing */
	double told[SFAB_NCLASSES];	/* share by class that was assumed */
	int is_found;		/* counters found out what it sent: */
	double found[SFAB_NCLASSES];
	int compared;		/* both predictions are there: */
	int same;		/* the same nodes */
	struct past_loss ours, slurms;	/* by the traffic found, if there is any */
	double assumed_saved;	/* what would be saved if it had sent what was assumed */
	UT_hash_handle hh;	/* of those that have not ended */
};

#define PAST_EQUAL 0.01		/* of a job's nodes: smaller differences do not matter */

struct past_full {
	double at_s, hours;	/* of full links, since the line before */
};

struct past {
	double since_s, until_s;	/* a job counts if it began in [since, until) */
	char only_user[16];	/* the number of the user whose jobs count; "": all */
	uint32_t n;
	struct past_job **job;	/* [n] in order of begin */
	uint64_t lines, bad;
	double first_s, last_s;	/* begin of the first and last job */
	uint32_t nfull;
	struct past_full *full;		/* [nfull] by line of the log */
	double full_before;		/* hours up to the last line that has them; < 0: none */
	uint64_t fingerprint;		/* of the snapshot that was used last */
	struct past_job *open;		/* hash: jobs that have not ended */
};

/* No job; call past_free() at last. */
void past_init(struct past *p, double since_s, double until_s);
/* Add the jobs of one more log: the older one first. */
void past_read(struct past *p, FILE *in);
void past_free(struct past *p);		/* twice is fine */

/* What is predicted where the job ran: on our nodes if it was placed. */
static inline const struct past_loss *past_here(const struct past_job *job)
{
	return job->reason == SFAB_PLACED ? &job->ours : &job->slurms;
}

/* Hours that it would have taken on an ideal fabric, by prediction; 0: not known. */
static inline double past_ideal_hours(const struct past_job *job)
{
	return job->nodes ? job->ran_s / 3600 / (1 + past_here(job)->own / job->nodes) : 0;
}

/* Nodes lost, by the job and by others to it. */
static inline double past_lost(const struct past_loss *x)
{
	return x->own + x->others;
}

/* Nodes that are saved on our nodes. */
static inline double past_saved(const struct past_job *job)
{
	return past_lost(&job->slurms) - past_lost(&job->ours);
}

/* 1: sfabric has other nodes for it than Slurm, and that matters. */
int past_moved(const struct past_job *job);

/* Node hours; 0: its run time is not known. */
static inline double past_node_hours(const struct past_job *job)
{
	return job->ran_s / 3600 * job->nodes;
}

/* What a start line says, but for names and time, which stay unset. */
void past_job_of_line(struct past_job *job, struct json_object *line);

/* The class with the largest of @share, [SFAB_NCLASSES]; -1: it sends nothing. */
int past_largest_class(const double *share);

/*
 * -- jobs in groups (past_sums.c) --------------------------------------------------
 *
 * Losses are in node hours: the nodes that a job was predicted to lose when it began,
 * times the hours that it would have run on an ideal fabric.  So only jobs that have
 * ended and were compared count.
 */

/* What node hours are lost to. */
enum past_cause {
	PAST_SHAPE,		/* the job's own traffic meets itself */
	PAST_JOBS,		/* jobs slow each other */
	PAST_SERVERS,		/* IO servers are full: on all nodes, so in no sum */
};
#define PAST_CAUSES 3

struct past_sum {
	char *key;		/* what its jobs have in common */
	const struct past_job *first;	/* its first job */
	uint32_t jobs;
	double node_hours;	/* of those whose run time is known */
	uint32_t compared;	/* both predictions are known */
	uint32_t moved;		/* of these, past_moved() */
	double slurm[PAST_CAUSES], sfabric[PAST_CAUSES];	/* lost on these nodes */
	double lost;		/* where the jobs ran */
	double assumed_saved;	/* if the jobs had sent what was assumed */
	uint32_t found;		/* counters found what they sent */
	uint32_t other_class;	/* most of it another class than assumed */
	double assumed, measured;	/* sums over these of all weights, */
	double found_hours;		/* of their node hours, */
	double sent[SFAB_NCLASSES];	/* and of these times the weight */
	/* jobs of known run time that the fabric does not slow, and does, by prediction: */
	uint32_t unslowed, slowed;
	double unslowed_s, slowed_s;	/* sums of run times */
	double slowdowns;		/* sum of those of the slowed */
	UT_hash_handle hh;	/* hh.next: the next group */
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
	PAST_BY_SIZE,		/* the same and the number of nodes */
};

/*
 * The groups, most node hours first; days in order; NULL: there is no job.  Caller calls
 * past_sums_free().  O(jobs).
 */
struct past_sum *past_sums(const struct past *p, enum past_group by);
void past_sums_free(struct past_sum *sum);	/* NULL is fine */

/* Hours of full links in [@from_s, @to_s); < 0: not known.  O(lines). */
double past_full_hours(const struct past *p, double from_s, double to_s);

/*
 * The jobs of mode observe, or all others: what mode on would save, or has saved with
 * those that it placed.  If programs come by chance, each with its jobs and what these
 * save, the sum has the variance of a compound Poisson process: the sum of the squares.
 */
struct past_verdict {
	uint32_t jobs, moved;
	double node_hours, saved;
	double error;		/* of saved, either way, at 95 % */
};

/*
 * Run times against predictions.  Runs that the fabric slows, by prediction, are compared
 * with the mean of those with the same user, name and nodes that it does not slow.
 */
struct past_runs {
	uint32_t programs, runs;	/* programs with both; their runs that are slowed */
	double predicted;	/* mean slowdown of these */
	double measured;	/* mean of run time / run time of the others */
};

/* The answers to the question of the report, for text and page. */
struct past_summary {
	const struct past *p;		/* borrowed */
	struct past_verdict on, observe;
	struct past_sum all;		/* of all jobs; without a key */
	struct past_runs runs;
	struct sfab_traffic sent;	/* by jobs whose traffic counters found: the mean by
					   node hours, rounded to .001 */
	double full_hours;		/* < 0: no counters */
	double followed;		/* 0..1, as in estimate.h; < 0: not known */
};

struct past_summary past_summary(const struct past *p, double followed);

/* A sentence or two for each, by line; "": there is nothing to say.  Caller frees. */
char *past_lines(const struct past_summary *s);

/* -- tables, the same for text and JSON (past_tables.c) ---------------------------- */

enum past_part {
	PART_CAUSE, PART_SOURCE, PART_DAY, PART_PARTITION, PART_PROGRAM, PART_LOSERS,
	PART_WORSE, PART_OUTCOME,
};
#define PAST_PARTS 8

extern const struct past_kind {
	const char *key;	/* in JSON */
	const char *title;	/* for people */
	const struct column *columns;
	uint32_t least;		/* with fewer rows there is nothing to show */
	enum past_group by;	/* which a row is of, if of one */
} past_kinds[PAST_PARTS];

const char *past_cause_name(enum past_cause cause);

/*
 * Make all tables, also those without rows; the caller owns them.  @top: rows of the lists of
 * jobs and programs.
 */
void past_tables(const struct past_summary *s, uint32_t top, struct table *part[PAST_PARTS]);

#endif
