/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outlook.h - what a policy may know of the jobs to come
 *
 * The queue with its limits, as the scheduler sees it, and how well limits were
 * kept by the last jobs that ended.  Nothing of the future, no arrivals, no
 * run times, unless it is asked for.
 */
#ifndef SFAB_REPLAY_OUTLOOK_H
#define SFAB_REPLAY_OUTLOOK_H

#include <stdint.h>

#include "core/search/search.h"
#include "tools/replay/sim.h"

#define OUTLOOK_PAST 256	/* jobs that ended, whose limits are compared */

struct outlook {
	struct sfab_queue queue;	/* of the last outlook_look() */
	struct sfab_queued job[SFAB_QUEUE_MAX];
	float ratio[OUTLOOK_PAST];
	uint32_t nratios, next;
};

/* A job of that limit ended after so many seconds. */
void outlook_ended(struct outlook *o, double seconds, double limit);

/* The queue behind the job that starts now; borrowed until the next call. */
const struct sfab_queue *outlook_look(struct outlook *o, const struct sim *s);

/*
 * The same as only an oracle knows it: run times for limits, what jobs really
 * send, and behind the queue those that will arrive next, as if they waited.
 */
const struct sfab_queue *outlook_foresee(struct outlook *o, const struct sim *s);

/* Whole seconds of a limit, at least one: 0 would be "not known". */
uint64_t outlook_limit(double limit);

#endif
