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
	sfab_waits_note(&p->waits, id, tier, priority);
}

void sfab_place_forget_waits(struct sfab_place *p)
{
	sfab_waits_clear(&p->waits);
}

static void add_pending_job(struct sfab_place *p,
			    const struct sfab_place_waiting *is)
{
	struct sfab_waits *w = &p->waits;
	const struct sfab_intent_job job = {
		.partition = is->partition, .who = is->who, .nodes = is->nodes,
		.limit_s = is->limit_s,
	};
	struct sfab_intent_site site = sfab_world_site(p->world);
	struct sfab_traffic own, *traffic = &w->traffic[w->queue.n];
	enum sfab_hint hint = sfab_intent_hint(&site, is->comment, is->network,
					       &own, NULL);

	sfab_intent_traffic(&site, &job, hint, &own, traffic);
	w->job[w->queue.n++] = (struct sfab_queued){
		.n = is->nodes, .limit_s = is->limit_s, .traffic = traffic,
	};
}

const struct sfab_queue *sfab_place_queue(struct sfab_place *p, uint32_t id)
{
	struct sfab_waits *w = &p->waits;

	if (!w->n)
		return NULL;
	sfab_waits_refresh(w, &p->o);
	w->queue = (struct sfab_queue){
		.now_s = (uint64_t) time(NULL), .unit_s = LIMIT_UNIT_S,
		.job = w->job,
	};
	for (uint32_t i = 0; i < w->n && w->queue.n < SFAB_QUEUE_MAX; i++)
		if (w->wait[i].is.asked_id != id && w->wait[i].is.nodes)
			add_pending_job(p, &w->wait[i].is);
	return w->queue.n ? &w->queue : NULL;
}
