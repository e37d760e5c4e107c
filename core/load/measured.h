/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measured.h - what the links of a fabric were seen to carry, and what of it
 * the running jobs do not explain
 *
 * Rates are means that forget by half in a half-life H (whoever samples made
 * them so).  A job that has sent x bytes/s since s and, if it ended, until e,
 * stands in a mean at time t with
 *
 *     x (2^-(max(0, t - e) / H) - 2^-(max(0, t - s) / H))
 *
 * so a job that just began explains nothing yet and one that just ended still
 * does: what is left is the unexplained load
 *
 *     U = max(0, mean - what the jobs explain), less than NOISE x C is 0
 *
 * which joins the background B.  When samples stop, U and wait shares halve
 * with each H after FRESH seconds and are 0 after STEPS of them; they change
 * in steps, so that a preview in the same minute finds the same.
 */
#ifndef SFAB_MEASURED_H
#define SFAB_MEASURED_H

#include <stdint.h>

#include "core/fabric/fabric.h"
#include "core/load/jobs.h"

#define SFAB_MEASURED_FRESH_S 300	/* PerfMgr samples each 180 s */
#define SFAB_MEASURED_STEPS 8
#define SFAB_MEASURED_NOISE 0.01	/* of the capacity: management, heartbeats */
#define SFAB_HOT_WAIT 0.1		/* wait share from which a link is hot */
#define SFAB_HOT_RATE 0.9		/* of its capacity, too */

struct sfab_measured {
	const struct sfab_fabric *f;	/* borrowed */
	double half_life_s;
	double *rate;		/* [nlinks] bytes/s; < 0: unknown */
	double *wait;		/* [nlinks] 0..1; < 0: unknown */
	uint64_t *time_s;	/* [nlinks] of the sample, since 1970 */
};

/* All unknown.  NULL: memory.  @f must outlive it. */
struct sfab_measured *sfab_measured_create(const struct sfab_fabric *f);
void sfab_measured_destroy(struct sfab_measured *ms);	/* NULL is fine */

/*
 * Why a link is hot.  An end port that is full makes its own link wait while
 * the links between switches are quiet: other hosts or other routes do not
 * help, so HOST does not enter the score's "live".  A hot link into the fabric
 * with a hot link behind the leaf is FABRIC: what is full is further on.
 */
enum sfab_bottleneck { SFAB_BOTTLENECK_NONE, SFAB_BOTTLENECK_HOST,
		       SFAB_BOTTLENECK_FABRIC };
enum sfab_bottleneck sfab_measured_bottleneck(const struct sfab_measured *ms,
					      uint32_t link);
const char *sfab_bottleneck_name(enum sfab_bottleneck b);	/* "none", ... */

/* What is left of a value sampled at @time_s: 1, 1/2, 1/4 ... 0. */
double sfab_measured_weight(const struct sfab_measured *ms, uint64_t time_s,
			    uint64_t now_s);

/* When a weight changes next, UINT64_MAX: never.  O(links). */
uint64_t sfab_measured_next(const struct sfab_measured *ms, uint64_t now_s);

/*
 * Jobs that ended before this explain nothing any more: after SFAB_MEASURED_STEPS
 * half-lives less than 0.4 % of a load is left in a mean.
 */
uint64_t sfab_measured_since(double half_life_s, uint64_t now_s);

/*
 * Put unexplained load and wait shares of now on @js, whose jobs have their
 * times (sfab_jobs_set_times(); without a start: it always ran), those that
 * ended (sfab_jobs_end()) among them.  An IO port gets what its links have.
 * NULL: nothing is measured.  O(links + loads of jobs).
 */
void sfab_measured_apply(const struct sfab_measured *ms, struct sfab_jobs *js,
			 uint64_t now_s);

#endif
