/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measured.h - the measured load of links, and the part that running jobs do not explain
 *
 * Rates are exponential means with half-life H; whoever samples computes them.  Take a job that
 * has sent x bytes/s since s and, if it ended, until e.  At time t it contributes
 *
 *     x (2^-(max(0, t - e) / H) - 2^-(max(0, t - s) / H))
 *
 * to a mean.  So a job that just began explains nothing yet, and one that just ended still
 * does.  The rest is the unexplained load
 *
 *     U = max(0, mean - what the jobs explain), less than NOISE x C is 0
 *
 * which is added to the background B.  When samples stop, U and wait shares halve with each H
 * after FRESH seconds, and are 0 after STEPS halvings.  They change in steps, so a preview in
 * the same minute sees the same values.
 */
#ifndef SFAB_MEASURED_H
#define SFAB_MEASURED_H

#include <stdint.h>

#include "core/fabric/fabric.h"
#include "core/load/jobs.h"

#define SFAB_MEASURED_FRESH_S 300	/* seconds; PerfMgr samples every 180 s */
#define SFAB_MEASURED_STEPS 8
#define SFAB_MEASURED_NOISE 0.01	/* of the capacity: management traffic, heartbeats */
#define SFAB_FULL_WAIT 0.1	/* a link with at least this wait share is full */
#define SFAB_FULL_RATE 0.9	/* so is one, or a server, at this part of its capacity: a mean
				   rate of 10 % error is hardly higher */

struct sfab_measured {
	const struct sfab_fabric *f;	/* borrowed */
	double half_life_s;
	double *rate;			/* [nlinks] bytes/s; < 0: unknown */
	double *wait;			/* [nlinks] 0..1; < 0: unknown */
	uint64_t *time_s;		/* [nlinks] time of the sample, since 1970 */
	struct sfab_arena arena;	/* holds all arrays above */
};

/* Create one with all rates unknown.  NULL: out of memory.  @f must outlive the result. */
struct sfab_measured *sfab_measured_create(const struct sfab_fabric *f);
void sfab_measured_destroy(struct sfab_measured *ms);	/* NULL is fine */

/*
 * Why a link is hot.  A full end port makes its own link wait while the links between switches
 * are quiet.  Other routes do not help then, so sfab_measured_apply() ignores waits whose cause
 * is HOST.  If a link into the fabric is hot and so is a link beyond the leaf, the cause is
 * FABRIC: the full link is further on.
 */
enum sfab_bottleneck { SFAB_BOTTLENECK_NONE, SFAB_BOTTLENECK_HOST,
		       SFAB_BOTTLENECK_FABRIC };
enum sfab_bottleneck sfab_measured_bottleneck(const struct sfab_measured *ms,
					      uint32_t link);
const char *sfab_bottleneck_name(enum sfab_bottleneck b);	/* "none", ... */

/* Return the weight of a value sampled at @time_s: 1, 1/2, 1/4 ... 0. */
double sfab_measured_weight(const struct sfab_measured *ms, uint64_t time_s,
			    uint64_t now_s);

/* Return the time at which a weight changes next.  UINT64_MAX: never.  O(links). */
uint64_t sfab_measured_next_change(const struct sfab_measured *ms, uint64_t now_s);

/*
 * Return the time before which jobs must have ended to explain nothing any more: after
 * SFAB_MEASURED_STEPS half-lives less than 0.4 % of a load is left in a mean.
 */
uint64_t sfab_measured_forgotten_before(double half_life_s, uint64_t now_s);

/*
 * Set the unexplained loads and wait shares at this time on @js.  Its jobs need their starts
 * (sfab_jobs_set_start()).  A job without one is assumed to have always run.  Jobs that ended
 * (sfab_jobs_end()) are included.  An IO port gets the values of its links.  NULL: nothing is
 * measured.  O(links + loads of jobs).
 */
void sfab_measured_apply(const struct sfab_measured *ms, struct sfab_jobs *js,
			 uint64_t now_s);

#endif
