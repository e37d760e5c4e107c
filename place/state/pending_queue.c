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
static int is_ahead_in_queue(const struct sfab_pending_entry *a,
			     const struct sfab_pending_entry *b)
{
	if (a->is.tier != b->is.tier)
		return a->is.tier > b->is.tier;
	if (a->is.priority != b->is.priority)
		return a->is.priority > b->is.priority;
	return a->id < b->id;
}

/* Entry @i is new or has changed: move it up to its position. */
static void move_up(struct sfab_pending_queue *pending, uint32_t i)
{
	struct sfab_pending_entry wait = pending->wait[i];

	for (; i && is_ahead_in_queue(&wait, &pending->wait[i - 1]); i--)
		pending->wait[i] = pending->wait[i - 1];
	pending->wait[i] = wait;
}

/* Index of the job, or n.  The scheduler asks in the order of the queue. */
static uint32_t find_waiting(const struct sfab_pending_queue *pending, uint32_t id)
{
	uint32_t i = pending->last;

	for (uint32_t end = i + 2; i < end && i < pending->n; i++)
		if (pending->wait[i].id == id)
			return i;
	for (i = 0; i < pending->n && pending->wait[i].id != id; i++)
		;
	return i;
}

/* Usually the job is already known, or would start too late to be kept. */
void sfab_pending_queue_note(struct sfab_pending_queue *pending, uint32_t id,
			     uint32_t tier, uint32_t priority)
{
	struct sfab_pending_entry wait = {
		.id = id, .is = { .tier = tier, .priority = priority },
	};
	uint32_t i;

	if (pending->n == SFAB_PENDING_MAX &&
	    is_ahead_in_queue(&pending->wait[pending->n - 1], &wait))
		return;
	i = pending->last = find_waiting(pending, id);
	if (i < pending->n && pending->wait[i].is.tier == tier &&
	    pending->wait[i].is.priority == priority)
		return;
	if (i < pending->n) {
		pending->n--;
		memmove(&pending->wait[i], &pending->wait[i + 1],
			(pending->n - i) * sizeof(pending->wait[0]));
	}
	pending->wait[pending->n] = wait;
	move_up(pending, pending->n);
	if (pending->n < SFAB_PENDING_MAX)
		pending->n++;
}

void sfab_pending_queue_clear(struct sfab_pending_queue *pending)
{
	pending->n = 0;
}

void sfab_pending_queue_refresh(struct sfab_pending_queue *pending,
				const struct sfab_place_options *o)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < pending->n; i++) {
		struct sfab_pending_entry wait = { .id = pending->wait[i].id };

		if (!o->waiting || !o->waiting(o->context, wait.id, &wait.is))
			continue;
		pending->wait[n] = wait;
		move_up(pending, n++);
	}
	pending->n = n;
}
