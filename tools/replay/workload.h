/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload.h - the jobs of a replay: a trace fitted to a fabric, with traffic
 *
 * Node counts are scaled by (hosts of the fabric / nodes of the traced
 * machine).  Run times are assumed to be those of an idle fabric.  What a job
 * sends and reports is drawn by (seed, job), so that one choice never shifts
 * another.
 */
#ifndef SFAB_REPLAY_WORKLOAD_H
#define SFAB_REPLAY_WORKLOAD_H

#include <stdint.h>

#include "core/err.h"
#include "tools/replay/mix.h"
#include "tools/replay/trace.h"

struct replay_job {
	double submit;		/* seconds since the first */
	double run;		/* on an idle fabric, > 0 */
	double limit;		/* what the scheduler knows, >= run */
	uint32_t nodes;
	enum job_class class;
	const struct mix_kind *kind;		/* its name and sensitivity */
	const struct sfab_traffic *traffic;	/* what it sends */
	const struct sfab_traffic *told;	/* what the policy is told */
};

struct workload_options {
	uint64_t seed;
	uint32_t hosts;		/* of the fabric */
	uint32_t machine;	/* nodes of the traced machine, > 0 */
	uint32_t first, njobs;	/* part of the trace; 0: all from @first */
	double limit_low;	/* limits that the log lacks: run time x */
	double limit_high;	/*   uniform low..high; >= 1 */
	int all_limits;		/* 1: replace the limits of the log too */
	double wrong_hints;	/* 0..1: fraction of jobs with a wrong hint */
	int io;			/* 1: wrong hints may name IO */
	const double *shares;	/* default share by class */
	const struct sfab_traffic *site;	/* NULL: hints are heard; else
				   none is and this is what jobs are taken for */
};

#define WORKLOAD_CLAIMS 4

struct workload {
	uint32_t n;
	struct replay_job *job; /* sorted by submit time */
	const struct mix *mix;	/* borrowed */
	struct sfab_traffic site;
	struct sfab_traffic claim[WORKLOAD_CLAIMS];
};

/* SFAB_EINVAL: that part of the trace has no job. */
int workload_make(struct workload *w, const struct trace *t,
		  const struct mix *mix, const struct workload_options *o,
		  struct sfab_err *err);
void workload_free(struct workload *w);		/* twice is fine */

#endif
