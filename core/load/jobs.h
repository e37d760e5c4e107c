/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.h - the running jobs: the load that the fabric already carries
 *
 * For every running job this keeps its sparse demand.  For every resource it keeps the total
 * (background B) and the list of jobs on it.  Starting, ending, suspending or resuming a job
 * therefore costs only what that job touches, however many others run.  Not thread-safe; one
 * owner.
 */
#ifndef SFAB_JOBS_H
#define SFAB_JOBS_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/load.h"
#include "core/load/model.h"

struct sfab_jobs;		/* opaque */

/* Begin without jobs.  @m is borrowed.  NULL: out of memory. */
struct sfab_jobs *sfab_jobs_create(const struct sfab_model *m);
void sfab_jobs_destroy(struct sfab_jobs *js);		/* NULL is fine */

/*
 * Start a job.  @id may be any number that is not running yet (else SFAB_EINVAL).  @job is
 * copied as far as needed.
 */
int sfab_jobs_add(struct sfab_jobs *js, uint64_t id,
		  const struct sfab_job *job, struct sfab_err *err);
/* Remove a job that ends.  An unknown id is fine (events may arrive twice). */
void sfab_jobs_remove(struct sfab_jobs *js, uint64_t id);
/*
 * End a job whose load is still expected in the measurements (measured.h).  The last
 * SFAB_JOBS_ENDED_MAX such jobs are remembered.  A suspended job is not remembered.
 */
#define SFAB_JOBS_ENDED_MAX 1024
void sfab_jobs_end(struct sfab_jobs *js, uint64_t id, uint64_t now_s);
/*
 * Suspend or resume a job: a suspended one loads nothing.  Both are idempotent.  An unknown id
 * is fine.
 */
void sfab_jobs_suspend(struct sfab_jobs *js, uint64_t id);
void sfab_jobs_resume(struct sfab_jobs *js, uint64_t id);
/* Set when the job began, since 1970, for measured.h.  An unknown id is fine. */
void sfab_jobs_set_start(struct sfab_jobs *js, uint64_t id, uint64_t start_s);
/* Does the job run, or is it suspended?  0: it is unknown, or it ended. */
int sfab_jobs_has(const struct sfab_jobs *js, uint64_t id);
/* Count the jobs that run or are suspended. */
uint32_t sfab_jobs_count(const struct sfab_jobs *js);

/*
 * Set, by resource, the measured load that no job explains (bytes/s) and the wait share (0..1).
 * NULL: none.  Copied.
 */
void sfab_jobs_set_measured(struct sfab_jobs *js, const double *unexplained,
			    const double *wait_share);

/*
 * Return B by resource: the part of the jobs' demand that the IO servers let through
 * (served.c), plus unexplained load.  Borrowed, [nres], valid until a job starts or ends.
 */
const double *sfab_jobs_background(struct sfab_jobs *js);
/* Return the same, but with each link that waits at least as full as its wait share says. */
const double *sfab_jobs_background_with_waits(struct sfab_jobs *js);

/*
 * Add the bytes/s that job @id sends over resources 0 .. @n-1 to @load: the part of its demand
 * that is in the background.  Adds nothing if the job is suspended or not running.  O(resources
 * that it uses).
 */
void sfab_jobs_add_demand(struct sfab_jobs *js, uint64_t id, uint32_t n,
			  double *load);

/* Set @others to B, by resource, without what job @id adds. */
void sfab_jobs_background_without(struct sfab_jobs *js, uint64_t id, double *others);
/*
 * Return the slowdown of a running job by the present mean loads, for replay: the fullest of
 * its resources, by the fullest end port or IO server of them, both at least 1.  What the job
 * loses in its phases is computed by sfab_score().  O(resources that it uses).
 */
double sfab_jobs_slowdown(struct sfab_jobs *js, uint64_t id);

/*
 * Assume one more job, whose IO sends @io.  It takes server bandwidth from the other jobs.
 * Return the part of @io that the servers let through (0..1).  The functions below describe the
 * machine with that job until this is called again.  O(IO ports).
 */
double sfab_jobs_assume(struct sfab_jobs *js, const struct sfab_load *io);

/* Does @io have load on a port of set @set of which more is asked in all than it can do? */
int sfab_jobs_overload_set(const struct sfab_jobs *js, const struct sfab_load *io,
			   uint32_t set);

/*
 * Return the nodes that the running jobs lose to a job whose mean load is @add: the sum over
 * jobs of n_j f (S with it - S without), in their phases (phases.h).  Estimated: jobs_lost.c
 * says how.  O(jobs on the touched switch-to-switch links).
 */
double sfab_jobs_lost_to(struct sfab_jobs *js, const struct sfab_load *add);

/*
 * Return S - 1 of @net, traffic that is not IO, because of congestion.  A switch-to-switch link
 * is congested if running jobs write over it to servers that hold data back
 * (sfab_ioset.holds_writes) and that are asked for more than they can take.  @net keeps a
 * quarter of its rate there, so the result is three times the part of its load that is on such
 * links.
 */
double sfab_jobs_lost_in_congestion(const struct sfab_jobs *js, const struct sfab_load *net);

/*
 * Return the nodes that the running jobs lose if the links of @writes get congested.  Each job
 * loses by the part of its non-IO load that is on links of @writes which are not congested yet.
 * O(jobs on the touched resources).
 */
double sfab_jobs_lost_to_congestion(const struct sfab_jobs *js, const struct sfab_load *writes);

/*
 * Return the nodes that the running jobs would lose to a load of the capacity of one
 * switch-to-switch link, on average over all links.  Suspended jobs do not count.  O(1).
 */
double sfab_jobs_exposed(const struct sfab_jobs *js);

/* Return how many (job, resource) pairs these functions have visited so far. */
uint64_t sfab_jobs_visits(const struct sfab_jobs *js);

#endif
