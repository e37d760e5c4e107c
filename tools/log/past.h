/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.h - the jobs that began in a span of time, from decision logs
 *
 * The log is read in one pass, which keeps a few hundred bytes for each start.  A job that was
 * requeued is in the list twice.  Lines that cannot be read are counted and skipped.  A field
 * that an older version did not write counts as not known.
 */
#ifndef SFAB_PAST_H
#define SFAB_PAST_H

#include <json-c/json.h>
#include <stdio.h>
#include <uthash.h>

#include "core/load/traffic.h"
#include "place/request/reason.h"

/*
 * The predicted loss on a set of nodes: as many nodes as if they stood idle for the time that
 * the job would take on an ideal fabric.
 */
struct past_loss {
	double slowdown;		/* of the job itself, >= 1; 0: not known */
	double own_loss;		/* of the job */
	double shape;			/* part of own_loss that it would lose alone, too */
	double others_loss;		/* of other jobs to this one */
	double servers;			/* lost to full IO servers; in neither of the others */
	double by_class[SFAB_NCLASSES];	/* own_loss, by class of its traffic */
};

struct past_job {
	uint64_t id;
	double begun_s;			/* since 1970 */
	double ran_s;			/* run time; 0: not known, or it waited again */
	uint32_t nodes;
	int reason;			/* enum sfab_reason; -1: a word not known */
	int observes;			/* its mode was observe */
	char *partition, *name;		/* "": not known */
	char *source;			/* of its traffic; "": not known */
	char user[12];			/* the number; "": not known */
	int class;			/* with the largest share; -1: sends nothing */
	double assumed[SFAB_NCLASSES];	/* share by class that was assumed */
	int is_found;			/* counters measured what it sent */
	double found[SFAB_NCLASSES];	/* share by class as measured */
	int is_compared;		/* predictions exist for our nodes and for Slurm's */
	int is_same;			/* ours and Slurm's are the same nodes */
	struct past_loss ours, slurms;	/* by the measured traffic, if there is any */
	double assumed_saved;		/* what would be saved if it had sent what was assumed */
	UT_hash_handle hh;		/* in past.running */
};

#define PAST_EQUAL 0.01		/* of a job's nodes: smaller differences do not matter */

struct past_full {
	double at_s;		/* time of the line */
	double hours;		/* of full links since the line before */
};

struct past {
	double since_s, until_s;	/* a job counts if it began in [since, until) */
	char only_user[16];		/* the number of the user whose jobs count; "": all */
	uint32_t n;
	struct past_job **job;		/* [n] in order of begin */
	uint64_t nlines, nbad;		/* all lines; those that cannot be read */
	double log_s;			/* the earliest time of any line; INFINITY: none has one */
	double first_s, last_s;		/* begin of the first and last job */
	uint32_t nfull;
	struct past_full *full;		/* [nfull] by line of the log */
	double full_before;		/* hours up to the last line that has them; < 0: none */
	uint64_t fingerprint;		/* of the snapshot that was used last */
	struct past_job *running;	/* hash: jobs that have not ended */
};

/* Start without any job.  past_free() frees what is read. */
void past_init(struct past *p, double since_s, double until_s);
/* Add the jobs of one more log: the older one first. */
void past_read(struct past *p, FILE *in);
void past_free(struct past *p);		/* twice is fine */

/* The prediction for the nodes where the job ran: ours if it was placed. */
static inline const struct past_loss *past_here(const struct past_job *job)
{
	return job->reason == SFAB_PLACED ? &job->ours : &job->slurms;
}

/* The predicted hours of the job on an ideal fabric; 0: not known. */
static inline double past_ideal_hours(const struct past_job *job)
{
	return job->nodes ? job->ran_s / 3600 / (1 + past_here(job)->own_loss / job->nodes) : 0;
}

/* Nodes that the job loses, and that other jobs lose to it. */
static inline double past_lost(const struct past_loss *x)
{
	return x->own_loss + x->others_loss;
}

/* How many nodes less are lost on our nodes than on Slurm's. */
static inline double past_saved(const struct past_job *job)
{
	return past_lost(&job->slurms) - past_lost(&job->ours);
}

/* Did sfabric choose other nodes than Slurm, and is the loss different by more than PAST_EQUAL? */
int past_nodes_differ(const struct past_job *job);

/* The job's node hours; 0: its run time is not known. */
static inline double past_node_hours(const struct past_job *job)
{
	return job->ran_s / 3600 * job->nodes;
}

/* Fill @job from a start line, all but names and times. */
void past_job_of_line(struct past_job *job, struct json_object *line);

/* The class with the largest of @share, [SFAB_NCLASSES]; -1: it sends nothing. */
int past_largest_class(const double *share);

#endif
