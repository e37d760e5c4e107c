/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookahead_private.h - a future: lookahead_draw.c draws it, lookahead.c plays
 * it
 */
#ifndef SFAB_LOOKAHEAD_PRIVATE_H
#define SFAB_LOOKAHEAD_PRIVATE_H

#include "core/load/jobs_private.h"
#include "core/search/lookahead.h"

#define STARTS 12		/* starts per future */
#define FUTURES 2		/* if run times are drawn, else one */
#define LOADED_MAX 64		/* hosts; the load of a larger pending job is ignored */

struct event {
	int is_start;
	const struct job *job;	/* end of a running job */
	int queued;		/* start: index in the queue */
	int start;		/* start, or end of that start; -1: the job being
				   placed */
};

struct future {
	uint32_t n;
	struct event *event;	/* room for jobs + 2 STARTS + 2 */
};

/*
 * Draw a future of @rq->queue with @free hosts left besides those of the job
 * being placed.  @random is the random state.  -1: out of memory.
 */
int sfab_ahead_draw(const struct sfab_request *rq, const struct sfab_jobs *js,
		    uint32_t free, uint64_t *random, struct future *f);

#endif
