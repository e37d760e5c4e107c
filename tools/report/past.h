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
#include <stdint.h>
#include <stdio.h>

#include "core/load/traffic.h"
#include "place/request/reason.h"

struct past_prediction {
	double slowdown;	/* of the job itself, >= 1 */
	double others;		/* nodes that other jobs lose to it */
};

struct past_job {
	uint64_t id;
	double begun_s;		/* since 1970 */
	double ran_s;		/* run time; 0: not known, or it waited again */
	uint32_t nodes;
	int reason;		/* enum sfab_reason; -1: a word not known */
	int observes;		/* its mode is observe */
	/* borrowed from the log's texts; "" if not known; the user's number */
	const char *partition, *account, *user, *name;
	int class;		/* with the largest share; -1: sends nothing */
	double told[SFAB_NCLASSES];	/* share by class that was assumed */
	int is_found;		/* counters found out what it sent: */
	double found[SFAB_NCLASSES];
	int compared;		/* both predictions are there: */
	int same;		/* the same nodes */
	struct past_prediction ours, slurms;
};

struct past_text;

struct past {
	double since_s, until_s;	/* a job counts if it began in [since, until) */
	char only_user[16];	/* the number of the user whose jobs count; "": all */
	uint32_t n;
	struct past_job *job;	/* [n] in order of begin */
	uint64_t lines, bad;
	double first_s, last_s;	/* begin of the first and last job */
	struct past_text *texts;
	struct past_open *open;		/* jobs that have not ended */
};

/* No job; call past_free() at last. */
void past_init(struct past *p, double since_s, double until_s);
/* Add the jobs of one more log: the older one first. */
void past_read(struct past *p, FILE *in);
void past_free(struct past *p);		/* twice is fine */

/* What is predicted where the job ran: on our nodes if it was placed. */
static inline const struct past_prediction *past_here(const struct past_job *job)
{
	return job->reason == SFAB_PLACED ? &job->ours : &job->slurms;
}

/* Node hours; 0: its run time is not known. */
static inline double past_node_hours(const struct past_job *job)
{
	return job->ran_s / 3600 * job->nodes;
}

/* What a start line says, but for names and time, which stay unset. */
void past_job_of_line(struct past_job *job, struct json_object *line);

/* enum sfab_reason of a word of the log; -1: NULL, or a newer version's. */
int past_reason(const char *word);

/* Seconds since 1970 of the time in a line; -1: none. */
double past_time(const char *text);

#endif
