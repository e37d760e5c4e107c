/* SPDX-License-Identifier: GPL-2.0-or-later */
/* share_errors.h - errors of the shares of a job that has hosts together with other jobs */
#ifndef SFAB_SHARE_ERRORS_H
#define SFAB_SHARE_ERRORS_H

#include "core/estimate/estimate_private.h"

struct sfab_share_errors;		/* the jobs of each host, and scratch */

/* Create the errors of @s, in s->arena.  NULL: out of memory.  O(hosts of all jobs). */
struct sfab_share_errors *sfab_share_errors_create(struct estimate_solver *s);

struct share_error {
	double error;		/* of the job's shares together */
	double own_error;	/* that error if the traffic of other jobs on its hosts were
				   known */
	double shares;		/* sum of the job's shares, and of those of other jobs that
				   its hosts' rates cannot tell apart */
};

/*
 * Set @out to the errors of the shares of job @j.  O(entries of the columns of the jobs on its
 * hosts).
 */
void sfab_share_errors_find(struct sfab_share_errors *k, uint32_t j, struct share_error *out);

#endif
