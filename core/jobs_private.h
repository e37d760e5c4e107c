/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs_private.h - the running jobs as jobs.c keeps and ahead.c reads them */
#ifndef SFAB_JOBS_PRIVATE_H
#define SFAB_JOBS_PRIVATE_H

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(elt) ((elt)->lost = 1)
#include <uthash.h>

#include "jobs.h"

struct use {
	uint32_t res;
	double x;		/* bytes/s, a whole number */
	uint32_t at;		/* index in the list of the resource */
};

struct job {
	uint64_t id;
	uint32_t n;		/* hosts */
	uint32_t *host;
	uint64_t start_s, limit_s;	/* limit 0: not known */
	uint64_t end_s;		/* of one that ended, else 0 */
	struct job *later;	/* the next in the list of those */
	uint32_t nuses;
	struct use *use;
	int suspended;
	int talks;		/* sends more to its own hosts than to IO */
	double top, end_top;	/* worst X/C: of all it uses, of end ports */
	uint64_t seen;		/* serial of the last harm that met it */
	double new_top, new_end_top;
	int lost;
	UT_hash_handle hh;
};

struct on {			/* an entry of a resource's list */
	struct job *job;
	uint32_t use;		/* index in job->use */
};

struct on_list {
	struct on *on;
	uint32_t n, cap;
};

struct sfab_jobs {
	const struct sfab_model *m;
	struct job *jobs;	/* hash by id */
	double *background;	/* jobs and unexplained */
	double *from_jobs;
	double *unexplained;
	double *wait_share;
	struct on_list *list;	/* by resource */
	struct sfab_load scratch;
	struct job **met;	/* jobs of the harm at hand */
	uint32_t nmet, capmet;
	uint64_t serial;
	struct job *ended, **last_ended;	/* oldest first */
	uint32_t nended;
	uint64_t nhosts, ntalking;	/* of jobs not suspended; of those that talk */
};

/* After unexplained loads changed: backgrounds and slowdowns again. */
void sfab_jobs_total(struct sfab_jobs *js);

#endif
