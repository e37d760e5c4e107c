/* SPDX-License-Identifier: GPL-2.0-or-later */
/* share_errors.h - errors of the shares of a job that has hosts together with other jobs */
#ifndef SFAB_SHARE_ERRORS_H
#define SFAB_SHARE_ERRORS_H

#include "core/estimate/estimate_private.h"

struct share_errors;		/* the jobs of each host, and scratch */

/* Create the errors of @s, in s->arena.  NULL: out of memory.  O(hosts of all jobs). */
struct share_errors *sfab_share_errors_create(struct estimate_solver *s);

struct job_share_error {
	/* root of the sum of the squares of the errors of the job's shares */
	double error;
	/* the same error if the traffic of other jobs on its hosts were known */
	double own_error;
	/* sum of the job's shares, and of similar ones of other jobs times their similarity */
	double shares;
};

/*
 * Set @out to the errors of the shares of job @j.  O(entries of the columns of the jobs on its
 * hosts).
 */
void sfab_share_errors_find(struct share_errors *e, uint32_t j, struct job_share_error *out);

#endif
