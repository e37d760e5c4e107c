/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs_private.h - the running jobs as jobs.c keeps and lookahead.c reads them */
#ifndef SFAB_JOBS_PRIVATE_H
#define SFAB_JOBS_PRIVATE_H

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(elt) ((elt)->lost = 1)
#include <uthash.h>

#include "core/load/jobs.h"
#include "core/load/served.h"

struct use {
	double x;		/* bytes/s, a whole number */
	uint32_t res;
	uint32_t at;		/* index in the list of the resource */
};

struct job_part {		/* of a job's traffic */
	uint32_t kind;		/* of IO (served.h), or SFAB_NONE: all that is not */
	uint32_t end;		/* in use: where it ends */
};

struct job {
	uint64_t id;
	uint32_t n;		/* hosts */
	uint32_t *host;
	uint64_t start_s, limit_s;	/* limit 0: not known */
	uint64_t end_s;		/* of one that ended, else 0 */
	struct job *later;	/* the next in the list of those */
	uint32_t nuses;
	struct use *use;	/* by part, one after the other */
	uint32_t nparts;
	struct job_part part[SFAB_TRAFFIC_PARTS + 1];
	double net_isl;		/* bytes/s of its traffic that is not IO, */
				/* over switch-to-switch links */
	uint32_t slot;		/* in felt, unless it is suspended */
	int suspended;
	int talks;		/* sends more to its own hosts than to IO */
	int lost;
	UT_hash_handle hh;
};

struct on {			/* an entry of a resource's list */
	uint32_t slot;		/* of the job */
	uint32_t use;		/* index in job->use */
};

struct on_list {
	struct on *on;
	uint32_t n, cap;
};

enum { TOP, END_TOP, NTOPS };	/* worst X/C: of all it uses, of end ports */

struct felt {			/* by a job that loads something */
	struct job *job;	/* NULL: nobody's slot */
	uint64_t known[NTOPS];	/* round in which the maximum was found */
	double top[NTOPS];	/* if that is this round; else it is 1 or less */
	uint64_t seen;		/* serial of the last harm that met it */
	double more[NTOPS];	/* the maxima in that harm */
};

struct hot {			/* a resource that carries more than it can */
	double x;		/* X/C */
	uint32_t res;
};

struct sfab_jobs {
	const struct sfab_model *m;
	struct job *jobs;	/* hash by id */
	double *background;	/* what passes of jobs, and unexplained */
	double *from_jobs;	/* what they ask for */
	double *total;		/* that and unexplained */
	struct served served;
	int is_stale;		/* its parts are not those of now */
	double *beside;		/* background beside one more job, where it was asked */
	double *unexplained;
	double *wait_share;
	struct on_list *list;	/* by resource */
	struct sfab_load scratch;
	struct felt *felt;	/* by slot */
	uint32_t *spare;	/* [nspare] slots that nobody has */
	uint32_t nslots, nspare;
	uint32_t *met;		/* slots of the harm at hand; room for all */
	uint64_t serial;	/* of that */
	struct hot *hot;	/* [nres] room for those that are over 1 */
	uint64_t round;		/* of finding maxima */
	int settled;		/* they are those of now */
	uint64_t nuses;		/* of jobs not suspended */
	uint64_t looked;	/* entries of lists looked at for maxima, ever */
	uint64_t visits;	/* the same for harm */
	struct job *ended, **last_ended;	/* oldest first */
	uint32_t nended;
	uint64_t nhosts, ntalking;	/* of jobs not suspended; of those that talk */
};

/* NULL: it does not run. */
struct job *sfab_jobs_find(const struct sfab_jobs *js, uint64_t id);
/* Find the maxima of all jobs, if loads changed (jobs_felt.c). */
void sfab_jobs_settle(struct sfab_jobs *js);

/* A job with its demand, in no list yet.  NULL with *err.  (jobs_demand.c) */
struct job *sfab_jobs_new_job(struct sfab_jobs *js, uint64_t id,
			      const struct sfab_spec *spec, struct sfab_err *err);
void sfab_jobs_free_job(struct job *j);

/* After jobs came or went that do IO: what passes now. */
void sfab_jobs_settle_parts(struct sfab_jobs *js);

/* What passes of the @i-th use of a job, in bytes/s. */
double sfab_jobs_passing(const struct sfab_jobs *js, const struct job *j, uint32_t i);

/* After unexplained loads changed: backgrounds and slowdowns again. */
void sfab_jobs_total(struct sfab_jobs *js);

#endif
