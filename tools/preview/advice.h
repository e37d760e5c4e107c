/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * advice.h - numbers of hosts next to a job's that would suit it clearly better
 *
 * One is judged by the slowest class of its traffic, at full rate beside the running jobs:
 * the S of phases.h.
 */
#ifndef SFAB_ADVICE_H
#define SFAB_ADVICE_H

#include <stdio.h>

#include "tools/preview/preview_context.h"

struct advised {
	uint32_t n;		/* hosts; 0: no advice */
	double slowest;		/* S */
	double lost;		/* nodes: the score */
};

struct advice {
	struct advised own, fewer, more;	/* own.n 0: none of them is set */
};

/*
 * Searches for up to four hosts more and fewer, but no more than a quarter of the job,
 * unless it has hardly a conflict.
 * Only what at most half as much is lost with is kept, the nearest of each side.
 */
struct advice advice_find(struct preview_context *p, const struct sfab_choice *c);

/* "60 or 64 nodes: no conflict; 63: 1.40 times as long"; nothing without advice. */
void advice_text(const struct advice *a, FILE *out);
/* The job's own number and the better ones, ascending. */
struct json_object *advice_json(const struct advice *a);

#endif
