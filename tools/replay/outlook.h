/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outlook.h - what a policy may know about the jobs to come
 *
 * The queue with its time limits, as the scheduler sees it, and how well the
 * last jobs that ended kept theirs.  Nothing about the future, neither arrivals
 * nor run times, unless requested.
 */
#ifndef SFAB_REPLAY_OUTLOOK_H
#define SFAB_REPLAY_OUTLOOK_H

#include <stdint.h>

#include "core/search/search.h"
#include "tools/replay/sim.h"

#define OUTLOOK_PAST 256	/* ended jobs whose limits are compared */

struct outlook {
	struct sfab_queue queue;	/* result of the last outlook_look() */
	struct sfab_queued job[SFAB_QUEUE_MAX];
	float ratio[OUTLOOK_PAST];
	uint32_t nratios, next;
};

/* A job of that limit ended after this many seconds. */
void outlook_ended(struct outlook *o, double seconds, double limit);

/* The queue after the job that starts now; borrowed until the next call. */
const struct sfab_queue *outlook_look(struct outlook *o, const struct sim *s);

/*
 * The same with knowledge that only an oracle has: run times instead of limits,
 * what jobs really send, and, after the queue, the next arrivals as if they
 * waited.
 */
const struct sfab_queue *outlook_foresee(struct outlook *o, const struct sim *s);

/* Whole seconds of a limit, at least one: 0 would mean "not known". */
uint64_t outlook_limit(double limit);

#endif
