/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * advice.h - numbers of hosts next to a job's that would suit it clearly better
 *
 * A size is judged by S of phases.h: the slowdown of the slowest class of the job's traffic, at
 * full rate beside the running jobs.
 */
#ifndef SFAB_ADVICE_H
#define SFAB_ADVICE_H

#include <stdio.h>

#include "tools/preview/preview_context.h"

struct advised_size {
	uint32_t n;		/* hosts; 0: no advice */
	double slowest;		/* slowdown S of the slowest class */
	double lost;		/* the score, in nodes lost */
};

struct advice {
	struct advised_size current, smaller, larger;	/* current.n 0: none of them is set */
};

/*
 * Find better sizes for a job that is slowed: up to four hosts more and fewer, but no more than
 * a quarter of the job.  A size is better if at most half as much is lost; on each side the
 * nearest one is kept.
 */
struct advice advice_find(struct preview_context *p, const struct sfab_choice *c);

/* Print "60 or 64 nodes: no conflict; 63: 1.40 times as long"; nothing if there is no advice. */
void advice_print(const struct advice *a, FILE *out);
/* The job's own number and the better ones, ascending. */
struct json_object *advice_json(const struct advice *a);

#endif
