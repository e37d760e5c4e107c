/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_effects.h - what a change does to the running jobs */
#ifndef SFAB_WHATIF_JOB_EFFECTS_H
#define SFAB_WHATIF_JOB_EFFECTS_H

#include "tools/site/joblist.h"
#include "tools/site/site.h"
#include "tools/ui/table.h"

struct job_rate {		/* with all other jobs on the same routes */
	double gbs;		/* its rate if all its flows have the same rate */
	double slowdown;
	double lost;		/* part of its time (phases.h) */
};

/*
 * For each job, in the order of the list, on fabric @f with IO sets and settings
 * of @site; caller frees.  NULL with *err.
 */
struct job_rate *jobs_rates(const struct sfab_fabric *f, const struct site *site,
			    const struct joblist *list, struct sfab_err *err);

/*
 * 0: no difference.  1: it gets more than before.  -1: less, or it loses more
 * time.
 */
int jobs_change(const struct job_rate *now, const struct job_rate *then);

extern const struct column jobs_columns[];

enum jobs_which { JOBS_ALL, JOBS_CHANGED };

/*
 * A row for each job; @only NULL: all jobs.  @base NULL: it is as @now; else the change is
 * the step from there.  Caller destroys.
 */
struct table *jobs_table(const struct joblist *list,
			 const struct joblist_job *only,
			 const struct job_rate *now, const struct job_rate *base,
			 const struct job_rate *then, enum jobs_which which);

#endif
