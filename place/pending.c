/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.c - the pending jobs as input for the search's lookahead
 *
 * The head of the queue with sizes and limits; each job is assumed to use its
 * whole limit.  Run times of past jobs, which only slurmctld knows, are not used,
 * so that the preview sees the same queue.
 */

#include "place/place_private.h"

#include <time.h>

/*
 * Slurm's limits are in minutes.  With ends rounded to minutes, a preview and a
 * decision made seconds later order the ends in the same way.
 */
#define LIMIT_UNIT_S 60

void sfab_place_wait(struct sfab_place *p, uint32_t id, uint32_t tier,
		     uint32_t priority)
{
	sfab_pending_queue_note(&p->pending, id, tier, priority);
}

void sfab_place_forget_pending(struct sfab_place *p)
{
	sfab_pending_queue_clear(&p->pending);
}

static void add_pending_job(struct sfab_place *p,
			    const struct sfab_place_waiting *is)
{
	struct sfab_pending_queue *pending = &p->pending;
	const struct sfab_intent_job job = {
		.partition = is->partition, .who = is->who, .nodes = is->nodes,
		.limit_s = is->limit_s,
	};
	struct sfab_intent_site site = sfab_generation_site(p->generation);
	struct sfab_traffic own, *traffic = &pending->traffic[pending->queue.n];
	enum sfab_hint hint = sfab_intent_hint(&site, is->comment, is->network,
					       &own, NULL);

	sfab_intent_traffic(&site, &job, hint, &own, traffic, NULL);
	pending->job[pending->queue.n++] = (struct sfab_queued){
		.n = is->nodes, .limit_s = is->limit_s, .traffic = traffic,
	};
}

const struct sfab_queue *sfab_place_queue(struct sfab_place *p, uint32_t id)
{
	struct sfab_pending_queue *pending = &p->pending;

	if (!pending->n)
		return NULL;
	sfab_pending_queue_refresh(pending, &p->o);
	pending->queue = (struct sfab_queue){
		.now_s = (uint64_t) time(NULL), .unit_s = LIMIT_UNIT_S,
		.job = pending->job,
	};
	for (uint32_t i = 0; i < pending->n && pending->queue.n < SFAB_QUEUE_MAX;
	     i++)
		if (pending->wait[i].is.asked_id != id && pending->wait[i].is.nodes)
			add_pending_job(p, &pending->wait[i].is);
	return pending->queue.n ? &pending->queue : NULL;
}
