/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending_queue.c - the pending jobs that the lookahead sees; see pending_queue.h
 *
 * Slurm reports pending jobs in any order and number.  Only the ones that would
 * start first are kept.
 */

#include "place/state/pending_queue.h"

#include <string.h>

/* Would @a start before @b? */
static int is_ahead_in_queue(const struct sfab_wait *a,
			     const struct sfab_wait *b)
{
	if (a->is.tier != b->is.tier)
		return a->is.tier > b->is.tier;
	if (a->is.priority != b->is.priority)
		return a->is.priority > b->is.priority;
	return a->id < b->id;
}

/* Entry @i is new or has changed: move it up to its position. */
static void move_up(struct sfab_waits *w, uint32_t i)
{
	struct sfab_wait wait = w->wait[i];

	for (; i && is_ahead_in_queue(&wait, &w->wait[i - 1]); i--)
		w->wait[i] = w->wait[i - 1];
	w->wait[i] = wait;
}

/* Usually the job is already known, or would start too late to be kept. */
void sfab_waits_note(struct sfab_waits *w, uint32_t id, uint32_t tier,
		     uint32_t priority)
{
	struct sfab_wait wait = {
		.id = id, .is = { .tier = tier, .priority = priority },
	};
	uint32_t i = 0;

	if (w->n == SFAB_WAITS && is_ahead_in_queue(&w->wait[w->n - 1], &wait))
		return;
	while (i < w->n && w->wait[i].id != id)
		i++;
	if (i < w->n && w->wait[i].is.tier == tier &&
	    w->wait[i].is.priority == priority)
		return;
	if (i < w->n) {
		w->n--;
		memmove(&w->wait[i], &w->wait[i + 1],
			(w->n - i) * sizeof(w->wait[0]));
	}
	w->wait[w->n] = wait;
	move_up(w, w->n);
	if (w->n < SFAB_WAITS)
		w->n++;
}

void sfab_waits_clear(struct sfab_waits *w)
{
	w->n = 0;
}

void sfab_waits_refresh(struct sfab_waits *w,
			const struct sfab_place_options *o)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n; i++) {
		struct sfab_wait wait = { .id = w->wait[i].id };

		if (!o->waiting || !o->waiting(o->context, wait.id, &wait.is))
			continue;
		w->wait[n] = wait;
		move_up(w, n++);
	}
	w->n = n;
}
