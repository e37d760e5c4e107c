/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outlook.c - the queue and the past, for policies; see outlook.h */

#include "tools/replay/outlook.h"

#include <math.h>

uint64_t outlook_limit(double limit)
{
	return limit > 1 ? (uint64_t) ceil(limit) : 1;
}

void outlook_ended(struct outlook *o, double seconds, double limit)
{
	double ratio = seconds / limit;

	o->ratio[o->next] = ratio < 1 ? (float) ratio : 1;
	o->next = (o->next + 1) % OUTLOOK_PAST;
	if (o->nratios < OUTLOOK_PAST)
		o->nratios++;
}

static const struct sfab_queue *
give_queue(struct outlook *o, const struct sim *s, uint32_t n, uint32_t nratios)
{
	o->queue = (struct sfab_queue) {
		.now_s = (uint64_t) s->now, .n = n, .job = o->job,
		.nratios = nratios, .ratio = o->ratio,
	};
	return &o->queue;
}

const struct sfab_queue *outlook_look(struct outlook *o, const struct sim *s)
{
	uint32_t n = s->nqueue < SFAB_QUEUE_MAX ? s->nqueue : SFAB_QUEUE_MAX;

	for (uint32_t i = 0; i < n; i++) {
		const struct replay_job *j = &s->w->job[s->queue[i]];

		o->job[i] = (struct sfab_queued) {
			.n = j->nodes, .limit_s = outlook_limit(j->limit),
			.traffic = j->told,
		};
	}
	return give_queue(o, s, n, o->nratios);
}

/*
 * What no scheduler can know: run times for limits, jobs that have not arrived.  It
 * bounds what better estimates would be worth to a policy.
 */
const struct sfab_queue *outlook_foresee(struct outlook *o, const struct sim *s)
{
	uint32_t coming = s->w->n - s->arrived, n = s->nqueue + coming;

	n = n < SFAB_QUEUE_MAX ? n : SFAB_QUEUE_MAX;
	for (uint32_t i = 0; i < n; i++) {
		const struct replay_job *j =
		    &s->w->job[i < s->nqueue ? s->queue[i]
					     : s->arrived + i - s->nqueue];

		o->job[i] = (struct sfab_queued) {
			.n = j->nodes, .limit_s = outlook_limit(j->run),
			.traffic = j->traffic,
		};
	}
	return give_queue(o, s, n, 0);
}
