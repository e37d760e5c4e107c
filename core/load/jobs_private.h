/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs_private.h - the running jobs as stored by jobs.c */
#ifndef SFAB_JOBS_PRIVATE_H
#define SFAB_JOBS_PRIVATE_H

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(elt) ((elt)->unhashed = 1)
#include <uthash.h>

#include "core/load/jobs.h"

#define SERVED_ALL (1 - 1e-9)	/* a larger served part counts as 1 */

struct job_use {
	double rate;		/* load, bytes/s, rounded to a whole number */
	struct job_part *part;	/* the part of the traffic that sends it */
	uint32_t res;
	uint32_t list;		/* index in js->list; SFAB_NONE: no switch-to-switch link */
	uint32_t list_index;	/* index in that list */
};

struct job_part {		/* one part of a job's traffic */
	struct loaded_job *job;
	uint32_t kind;			/* of IO: 2 x set for writes, + 1 for reads; SFAB_NONE: not
					   IO */
	uint32_t first, end;		/* its uses: indices into job->use */
	double share;			/* part of the job's time */
	double ends;			/* E at full rate (phases.h); 1: not IO */
	/* for IO, kept for sfab_jobs_lost_to(): */
	double slowdown_with;		/* S with the new job */
	double slowdown_now;		/* S without it */
	uint64_t slowdown_now_at;	/* js->changes when @slowdown_now was found */
};

/*
 * A use by IO that needs at most this part of its link, at full rate, is weak.  No job waits
 * for it where the mean load leaves as much free, so most are never visited.
 */
#define JOBS_WEAK 0.1

#define JOBS_EXPOSED 1024	/* parts of a node; whole numbers sum alike in any order */

struct loaded_job {
	uint64_t id;
	uint32_t n;			/* hosts */
	uint64_t start_s;		/* 0: unknown */
	uint64_t end_s;			/* when it ended, 0: it runs */
	struct loaded_job *next_ended;	/* next in the list of ended jobs */
	uint32_t nuses;
	struct job_use *use;		/* all parts, one after the other */
	uint32_t nparts;
	struct job_part part[SFAB_TRAFFIC_PARTS + 1];
	double net_isl;			/* bytes/s of non-IO traffic on switch-to-switch links */
	double exposed;			/* nodes it loses if each switch-to-switch link that it uses
					   gets a load of its capacity, in 1/JOBS_EXPOSED */
	int suspended;
	int unhashed;			/* no memory: it is not in the hash */
	/* sfab_jobs_lost_to(): */
	uint64_t seen_serial;		/* serial of the last call that reached it */
	struct loaded_job *next_met;	/* the job that was reached after it */
	double largest_load;		/* largest load that is added to a link of its */
	double sum_of_loads;		/* of these loads, each by what it sends there */
	double shared_rate;		/* certificate.c: bytes/s on the links of another job */
	UT_hash_handle hh;
};

struct job_use_list {		/* uses of one resource by jobs that are not suspended */
	struct job_use **use;
	uint32_t n, cap;
};

struct io_served {		/* the IO of a kind, all jobs together */
	double ratio;		/* served / asked, 0..1: the part that the servers let through */
	int is_overloaded;	/* held writes to an overloaded port */
};

struct sfab_jobs {
	const struct sfab_model *m;
	struct loaded_job *jobs;	/* hash by id */
	double *background;		/* the part of the jobs' load that passes, plus unexplained
					   load */
	double *demand;			/* total demand of the jobs */
	double *total;			/* demand plus unexplained */
	uint32_t nkinds;		/* kinds of IO, 2 x sets */
	double **kind_demand;		/* [nkinds][nres] bytes/s; NULL: no job asked for it yet */
	struct io_served *served;	/* [nkinds] what passes now (served.c) */
	/* [nkinds] what would pass beside one more job */
	struct io_served *served_assumed;
	int served_differs;		/* served_assumed is not the same as served */
	int is_stale;			/* served is out of date */
	double *unexplained;
	double *wait_share;
	double *background_with_waits;	/* background, with waiting links as full; computed when
					   asked for */
	int is_waiting;			/* some link waits */
	uint64_t with_waits_changes;	/* changes when background_with_waits was set */
	struct job_use_list *list;	/* [2 * nres] uses of each resource, then those by IO that
					   are weak (jobs_lost.c) */
	struct sfab_load scratch;
	uint64_t serial;		/* of the current call of sfab_jobs_lost_to() */
	uint64_t changes;		/* changes of loads so far, plus 1 */
	uint64_t nuses;			/* uses of all jobs that are not suspended */
	double exposed;			/* sum of exposed of all jobs that are not suspended */
	uint32_t nlinks;		/* number of switch-to-switch links */
	uint64_t visits;		/* list entries that sfab_jobs_lost_to() visited so far */
	/* oldest first */
	struct loaded_job *ended, **last_ended;
	uint32_t nended;
	struct sfab_arena arena;	/* holds the arrays by resource */
};

/* Return D/E of a use (phases.h), as a part of the capacity of its link. */
static inline double sfab_job_use_fill(const struct sfab_jobs *js, const struct job_use *u)
{
	return u->rate * js->m->inv_cap[u->res] / (u->part->share * u->part->ends);
}

/* Find the job with this id.  NULL: it does not run. */
struct loaded_job *sfab_jobs_find(const struct sfab_jobs *js, uint64_t id);
/*
 * Compute js->served from js->total.  1: a part that passes has changed.  O(members of the
 * sets).
 */
int sfab_jobs_update_served(struct sfab_jobs *js);

/* Update js->served and the backgrounds after jobs with IO started or ended. */
void sfab_jobs_settle_served(struct sfab_jobs *js);

/* Return the bytes/s of a use that the servers let through. */
double sfab_jobs_served_rate(const struct sfab_jobs *js, const struct job_use *u);

/* Do held writes of a kind that is over in @served congest @link? */
static inline int sfab_io_served_congests(const struct sfab_jobs *js,
					  const struct io_served *served, uint32_t link)
{
	for (uint32_t k = 0; k < js->nkinds; k++)
		if (served[k].is_overloaded && js->kind_demand[k][link] > 0)
			return 1;
	return 0;
}

/* Recompute total loads and backgrounds after unexplained loads changed. */
void sfab_jobs_update_totals(struct sfab_jobs *js);

#endif
