/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_effects.h - what a change does to the jobs that run
 */
#ifndef SFAB_WHATIF_JOB_EFFECTS_H
#define SFAB_WHATIF_JOB_EFFECTS_H

#include "core/load/ioset.h"
#include "tools/site/joblist.h"
#include "tools/ui/table.h"

struct job_rate {		/* with all other jobs on the same routes */
	double gbs;		/* that it gets if all its flows go at one rate */
	double slowdown;
	double overlap, io_sharing;	/* the terms of score.h */
};

/* Of each job, in the order of the list; caller frees.  NULL with *err. */
struct job_rate *jobs_rates(const struct sfab_fabric *f,
			      const struct sfab_iosets *io,
			      const struct joblist *list, struct sfab_err *err);

/* 0: alike, 1: it gets more than before, -1: less, or shares more links. */
int jobs_change(const struct job_rate *now, const struct job_rate *then);

extern const struct column jobs_columns[];

enum jobs_which { JOBS_ALL, JOBS_CHANGED };

/* A row for each; @only NULL: of all.  Caller destroys. */
struct table *jobs_table(const struct joblist *list,
			 const struct joblist_job *only,
			 const struct job_rate *now,
			 const struct job_rate *then, enum jobs_which which);

#endif
