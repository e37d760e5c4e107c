/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookahead_private.h - a future as lookahead_draw.c draws it up and lookahead.c
 * plays it
 */
#ifndef SFAB_LOOKAHEAD_PRIVATE_H
#define SFAB_LOOKAHEAD_PRIVATE_H

#include "core/load/jobs_private.h"
#include "core/search/lookahead.h"

#define STARTS 12		/* starts to look ahead */
#define FUTURES 2		/* drawn, when run times are not known */
#define LOADED_MAX 64		/* hosts of a pending job whose load is looked at */

struct event {
	int is_start;
	const struct job *job;	/* end of a running job */
	int queued;		/* start: index in the queue */
	int start;		/* start, or end of that start; -1: the job itself */
};

struct future {
	uint32_t n;
	struct event *event;	/* room for jobs + 2 STARTS + 2 */
};

/*
 * Draw up a future of @rq->queue with @free hosts besides those of the job
 * itself.  @random is the state of the draws.  -1: no memory.
 */
int sfab_ahead_draw(const struct sfab_request *rq, const struct sfab_jobs *js,
		    uint32_t free, uint64_t *random, struct future *f);

#endif
