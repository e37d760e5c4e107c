/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.h - the running jobs: what the fabric already carries
 *
 * Keeps for every running job its sparse demand, for every resource the total
 * (background B) and which jobs are on it, so that starting, ending, suspending
 * or resuming a job costs what that job touches, whoever else is there.  The
 * first slowdown or harm after that finds those of all jobs anew: O(resources +
 * the lists of the worst of them), at most twice what all jobs touch.  Not
 * thread-safe; one owner.
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
 * A job starts.  @id may be any number that is not running yet (SFAB_EINVAL
 * else).  @spec is copied as far as needed.
 */
int sfab_jobs_add(struct sfab_jobs *js, uint64_t id,
		  const struct sfab_spec *spec, struct sfab_err *err);
/* It ends; removing an unknown id is fine (events may come twice). */
void sfab_jobs_remove(struct sfab_jobs *js, uint64_t id);
/*
 * The same, and its load is still expected in what is measured (measured.h).
 * The last SFAB_JOBS_ENDED_MAX of them are remembered, a suspended one is not.
 */
#define SFAB_JOBS_ENDED_MAX 1024
void sfab_jobs_end(struct sfab_jobs *js, uint64_t id, uint64_t now_s);
/* A suspended job loads nothing; both are idempotent. */
void sfab_jobs_suspend(struct sfab_jobs *js, uint64_t id);
void sfab_jobs_resume(struct sfab_jobs *js, uint64_t id);
/*
 * When it began (seconds since 1970) and how long it may run: what a look
 * ahead over the queue needs.  Without it the job is taken to stay.
 */
void sfab_jobs_set_times(struct sfab_jobs *js, uint64_t id, uint64_t start_s,
			 uint64_t limit_s);
int sfab_jobs_has(const struct sfab_jobs *js, uint64_t id);
uint32_t sfab_jobs_count(const struct sfab_jobs *js);

/*
 * The part of their hosts (0..1) whose jobs send more to their own hosts than to
 * IO; 0 when none run.  O(1), the same in whatever order jobs were added.
 */
double sfab_jobs_talking(const struct sfab_jobs *js);

/*
 * Measured load that no job explains (bytes/s) and wait share (0..1) by
 * resource; NULL: none.  Copied.
 */
void sfab_jobs_set_measured(struct sfab_jobs *js, const double *unexplained,
			    const double *wait_share);

/*
 * B by resource: what jobs ask for as far as the IO servers let it through
 * (served.h), and what is unexplained; borrowed, [nres], until a job comes or goes.
 */
const double *sfab_jobs_background(struct sfab_jobs *js);
/* Wait share by resource; borrowed, [nres]. */
const double *sfab_jobs_wait_share(const struct sfab_jobs *js);

/*
 * Add the bytes/s that job @id sends over resources 0 .. @n-1 to @load, its part of
 * the background; nothing if it is suspended or does not run.  O(resources that it
 * uses).
 */
void sfab_jobs_add_demand(struct sfab_jobs *js, uint64_t id, uint32_t n,
			  double *load);

/* Slowdown S_j of a running job now (1.0 = the fabric does not show). */
double sfab_jobs_slowdown(struct sfab_jobs *js, uint64_t id);

/*
 * 1: running jobs write over @link to servers that hold back (sfab_ioset.held) and
 * are asked for more than they can do.  O(kinds of IO).
 */
int sfab_jobs_in_tree(struct sfab_jobs *js, uint32_t link);

/*
 * With one more job, whose IO asks for @io, servers let less of the others through:
 * returns what passes of @io (0..1).  Until the next call the functions below, and
 * sfab_jobs_harm(), are of the machine with it.  O(IO ports).
 */
double sfab_jobs_beside(struct sfab_jobs *js, const struct sfab_load *io);

/* B by resource where @where loads it, anything elsewhere; borrowed. */
const double *sfab_jobs_background_beside(struct sfab_jobs *js,
					  const struct sfab_load *where);

/* The part of @net, by load on switch-to-switch links, that is on links in trees. */
double sfab_jobs_tree_share(const struct sfab_jobs *js, const struct sfab_load *net);

/* 1: @io asks a port of set @set for something, and all for more than it can do. */
int sfab_jobs_fills(const struct sfab_jobs *js, const struct sfab_load *io,
		    uint32_t set);

/*
 * sum over running jobs of the part of their traffic between hosts, by load on
 * switch-to-switch links, that crosses links of @writes which are in no tree of
 * others.  O(jobs on the touched resources).
 */
double sfab_jobs_trees(const struct sfab_jobs *js, const struct sfab_load *writes);

/*
 * sum over running jobs j of n_j max(0, S_j with @add - S_j without): the
 * numerator of the score term "harm".  *@slowed gets the same without n_j.
 * @b: sfab_jobs_background_beside() where @add loads, if that is at hand, or NULL.
 * O(jobs on the touched resources that carry more than they can).
 */
double sfab_jobs_harm(struct sfab_jobs *js, const struct sfab_load *add,
		      const double *b, double *slowed);
/* How many jobs on how many resources all these looked at, ever: what they cost. */
uint64_t sfab_jobs_visits(const struct sfab_jobs *js);

#endif
