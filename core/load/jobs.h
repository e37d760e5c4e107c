/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.h - the running jobs: what the fabric already carries
 *
 * For every running job this keeps its sparse demand.  For every resource it
 * keeps the total (background B) and the list of jobs on it.  Starting, ending,
 * suspending or resuming a job therefore costs only what that job touches,
 * however many others run.  The first call for slowdown or harm after such a
 * change recomputes the maxima of all jobs.  That costs O(resources + length of
 * the job lists of the most loaded ones), at most twice the resources that all
 * jobs touch together.  Not thread-safe; one owner.
 */
#ifndef SFAB_JOBS_H
#define SFAB_JOBS_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/model.h"

struct sfab_jobs;		/* opaque */

struct sfab_jobs *sfab_jobs_create(const struct sfab_model *m);
void sfab_jobs_destroy(struct sfab_jobs *js);		/* NULL is fine */

/*
 * A job starts.  @id may be any number that is not running yet (else
 * SFAB_EINVAL).  @spec is copied as far as needed.
 */
int sfab_jobs_add(struct sfab_jobs *js, uint64_t id,
		  const struct sfab_spec *spec, struct sfab_err *err);
/* A job ends.  Removing an unknown id is fine (events may arrive twice). */
void sfab_jobs_remove(struct sfab_jobs *js, uint64_t id);
/*
 * The same, but its load is still expected in the measurements (measured.h).
 * The last SFAB_JOBS_ENDED_MAX such jobs are remembered.  A suspended job is
 * not remembered.
 */
#define SFAB_JOBS_ENDED_MAX 1024
void sfab_jobs_end(struct sfab_jobs *js, uint64_t id, uint64_t now_s);
/* A suspended job loads nothing; both are idempotent. */
void sfab_jobs_suspend(struct sfab_jobs *js, uint64_t id);
void sfab_jobs_resume(struct sfab_jobs *js, uint64_t id);
/*
 * Set when the job began (seconds since 1970) and how long it may run;
 * lookahead over the queue needs both.  Without times a job is assumed never to
 * end.
 */
void sfab_jobs_set_times(struct sfab_jobs *js, uint64_t id, uint64_t start_s,
			 uint64_t limit_s);
int sfab_jobs_has(const struct sfab_jobs *js, uint64_t id);
uint32_t sfab_jobs_count(const struct sfab_jobs *js);

/*
 * Of the hosts with jobs, the part (0..1) whose jobs send more to their own
 * hosts than to IO; 0 when no jobs run.  O(1).  The result does not depend on
 * the order of additions.
 */
double sfab_jobs_talking(const struct sfab_jobs *js);

/*
 * Set, by resource, the measured load that no job explains (bytes/s) and the
 * wait share (0..1).  NULL: none.  Copied.
 */
void sfab_jobs_set_measured(struct sfab_jobs *js, const double *unexplained,
			    const double *wait_share);

/*
 * B by resource: the part of the jobs' demand that the IO servers let through
 * (served.h), plus unexplained load.  Borrowed, [nres], valid until a job
 * starts or ends.
 */
const double *sfab_jobs_background(struct sfab_jobs *js);
/* Wait share by resource; borrowed, [nres]. */
const double *sfab_jobs_wait_share(const struct sfab_jobs *js);

/*
 * Add the bytes/s that job @id sends over resources 0 .. @n-1 to @load, as
 * counted in the background.  Adds nothing if the job is suspended or not
 * running.  O(resources that it uses).
 */
void sfab_jobs_add_demand(struct sfab_jobs *js, uint64_t id, uint32_t n,
			  double *load);

/* Slowdown S_j of a running job now (1.0: the fabric does not slow it). */
double sfab_jobs_slowdown(struct sfab_jobs *js, uint64_t id);

/*
 * 1: running jobs write over @link to servers that hold data back
 * (sfab_ioset.held) and that are asked for more than they can take.  O(kinds of
 * IO).
 */
int sfab_jobs_in_tree(struct sfab_jobs *js, uint32_t link);

/*
 * Assume one more job, whose IO sends @io.  It takes server bandwidth from the
 * other jobs.  Returns the part of @io that the servers let through (0..1).  The
 * functions below, including sfab_jobs_harm(), describe the machine with that job
 * until this is called again.  O(IO ports).
 */
double sfab_jobs_beside(struct sfab_jobs *js, const struct sfab_load *io);

/* B by resource where @where has load, undefined elsewhere; borrowed. */
const double *sfab_jobs_background_beside(struct sfab_jobs *js,
					  const struct sfab_load *where);

/*
 * The part (0..1) of @net's load on switch-to-switch links that is on links in
 * congestion trees (sfab_jobs_in_tree()).
 */
double sfab_jobs_tree_share(const struct sfab_jobs *js, const struct sfab_load *net);

/*
 * 1: @io has load on a port of set @set, and the total demand exceeds what that
 * port can do.
 */
int sfab_jobs_fills(const struct sfab_jobs *js, const struct sfab_load *io,
		    uint32_t set);

/*
 * What a new congestion tree on the links of @writes does to the running jobs.
 * For each job this is a part (0..1) of its traffic between its own hosts,
 * weighted by load on switch-to-switch links: the part on links of @writes that
 * are not in a tree yet.  Returns the sum over the jobs.  O(jobs on the touched
 * resources).
 */
double sfab_jobs_trees(const struct sfab_jobs *js, const struct sfab_load *writes);

/*
 * Sum over running jobs j of n_j max(0, S_j with @add - S_j without): the
 * numerator of the score term "harm".  *@slowed is set to the same sum without
 * n_j.  @b: sfab_jobs_background_beside() for @add if the caller has it, or
 * NULL.  O(jobs on the touched resources that carry more than their capacity).
 */
double sfab_jobs_harm(struct sfab_jobs *js, const struct sfab_load *add,
		      const double *b, double *slowed);
/* Number of (job, resource) pairs that these functions have visited so far. */
uint64_t sfab_jobs_visits(const struct sfab_jobs *js);

#endif
