/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload.h - the jobs of a replay: a trace fitted to a fabric, with traffic
 *
 * Node counts are scaled by (hosts of the fabric / nodes of the traced machine).  Run times are
 * assumed to be those of an idle fabric.  What a job sends and reports is drawn by (seed, job),
 * so that one choice never shifts another.
 */
#ifndef SFAB_REPLAY_WORKLOAD_H
#define SFAB_REPLAY_WORKLOAD_H

#include <stdint.h>

#include "core/err.h"
#include "tools/replay/mix.h"
#include "tools/replay/trace.h"

enum random_purpose {
	RANDOM_MODEL,		/* the synthetic workload */
	RANDOM_KIND,		/* what a job sends */
	RANDOM_LIMIT,		/* how well its limit is known */
	RANDOM_SEARCH = 4,	/* seed of its placement; 3 had a use in published figures */
	RANDOM_SAMPLE,		/* whether its throughput is computed */
};

/*
 * Return the state of a stream of random numbers (core/random.h), one for each (seed, purpose,
 * index), so that what one consumer draws never shifts another.
 */
uint64_t workload_random(uint64_t seed, enum random_purpose purpose, uint64_t index);

struct replay_job {
	double submit;				/* seconds since the first */
	double run;				/* on an idle fabric, > 0 */
	double limit;				/* what the scheduler knows, >= run */
	uint32_t nodes;
	unsigned class;				/* of what it sends (mix.h) */
	const struct mix_kind *kind;		/* its name and sensitivity */
	const struct sfab_traffic *traffic;	/* what it sends */
	const struct sfab_traffic *stated;	/* what the policy is told */
};

struct workload_options {
	uint64_t seed;
	uint32_t hosts;		/* of the fabric */
	uint32_t machine;	/* nodes of the traced machine, > 0 */
	uint32_t njobs;		/* first part of the trace; 0: all */
	/* What all jobs are assumed to send, by --hints none.  NULL: hints count. */
	const struct sfab_traffic *site;
};

struct workload {
	uint32_t n;
	uint32_t cut;		/* jobs that want more nodes than the machine has */
	struct replay_job *job;	/* sorted by submit time */
	const struct mix *mix;	/* borrowed */
	struct sfab_traffic site;
};

/* Make a workload of a trace.  Jobs without a time limit get one to three times their run time. */
void workload_make(struct workload *w, const struct trace *t,
		   const struct mix *mix, const struct workload_options *o);
void workload_free(struct workload *w);		/* twice is fine */

#endif
