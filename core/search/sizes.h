/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sizes.h - choose the number of hosts of a job that gives a range (-N MIN-MAX)
 *
 * Slurm gives as many as it can.  A job does the same work on n hosts as on the most M that it
 * could get, in M / n times the time:
 *
 *     time(n) = M / n x slowdown(n)	hours, if the work takes one on M ideal hosts
 *     lost(n) = M / n x total(n)	node hours
 *
 * The job gets the n that loses the fewest node hours, of those with which it ends no later
 * than with M.  A slowdown is at least 1, so n is at least M / slowdown(M).
 */
#ifndef SFAB_SIZES_H
#define SFAB_SIZES_H

#include "core/search/search.h"

#define SFAB_SIZES_MAX 4	/* smaller counts that are tried, the largest first */

struct sfab_sizing {
	uint32_t min;		/* hosts */
	/* Make the request one for @n hosts.  0: the job cannot run on so few. */
	int (*set)(void *context, uint32_t n);
	void *context;
};

/*
 * Search for rq->n hosts, then for fewer; each search has all steps.  The request is for out->n
 * hosts afterwards.  Errors: those of sfab_search(), of the first search; if a later one is
 * stopped, the best set before it is the choice.
 */
int sfab_sizes_search(struct sfab_scorer *sc, struct sfab_jobs *js,
		      struct sfab_request *rq, const struct sfab_sizing *z,
		      struct sfab_choice *out, struct sfab_err *err);

#endif
