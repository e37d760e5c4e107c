/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alike.h - what the shares of a job may err by, if other jobs have its hosts, too
 *
 * Columns that load the same links cannot be told apart: only their sum is known.  So
 * the errors of a job's shares are those of one covariance,
 *
 *     (A' W A + P)^-1,   W = 1 / (error of a rate)^2
 *
 * of its columns and of those of the jobs that have some of its hosts which resemble
 * them most.  What such a job is found to send may be this one's as well, so its classes
 * count even if they have no share.  P says that a share that nothing is known of errs by
 * about as much as there is.  A job with hosts of its own is judged by its own columns alone.
 */
#ifndef SFAB_ALIKE_H
#define SFAB_ALIKE_H

#include "core/estimate/job_columns.h"

struct sfab_alike;		/* who has which hosts, and scratch */

/* In @a.  NULL: out of memory.  Both are borrowed.  O(hosts of all jobs). */
struct sfab_alike *sfab_alike_create(struct sfab_arena *a, const struct job_columns *c,
				     const struct sfab_estimate_job *job);

struct column_errors {
	double split;		/* of the job's shares together, */
	double own;		/* and if what other jobs on its hosts send were known */
	double of;		/* sum of its shares, and of others' as far as alike */
};

/*
 * Of job @j, with shares @x by column and errors @sigma by link.  O(entries of the
 * columns of the jobs on its hosts).
 */
void sfab_alike_errors(struct sfab_alike *k, const double *x, const double *sigma,
		       uint32_t j, struct column_errors *out);

#endif
