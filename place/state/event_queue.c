/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_queue.c - from the asking thread to the loader; see event_queue.h
 *
 * The asking thread runs under slurmctld's locks and must never wait.  If an event cannot be
 * queued, the queue is marked as lost, and the loader's copy is useless until all jobs have
 * been reported once more (enum sfab_events_lost).
 */

#include "place/state/event_queue.h"

#include <stdlib.h>

void sfab_event_free(struct sfab_event *event)
{
	if (event->nodes)
		sfab_nodes_clear(event->nodes);
	free(event->nodes);
	sfab_running_free_job(event->job);
	free(event);
}

void sfab_event_queue_lose(struct sfab_event_queue *queue)
{
	int none = SFAB_LOST_NONE;

	atomic_compare_exchange_strong(&queue->loss, &none, SFAB_LOST_SOME);
}

int sfab_event_queue_forget(struct sfab_event_queue *queue)
{
	int some = SFAB_LOST_SOME;

	return atomic_compare_exchange_strong(&queue->loss, &some, SFAB_LOST_ALL);
}

int sfab_event_queue_begin_anew(struct sfab_event_queue *queue)
{
	int all = SFAB_LOST_ALL;

	return atomic_compare_exchange_strong(&queue->loss, &all, SFAB_LOST_NONE);
}

int sfab_event_queue_wait(const struct sfab_event_queue *queue)
{
	return atomic_load(&queue->newest) ||
	       atomic_load(&queue->loss) == SFAB_LOST_SOME;
}

/* Copy an event and what it points to.  NULL: no memory. */
static struct sfab_event *copy_event(const struct sfab_event *event)
{
	struct sfab_event *copy = malloc(sizeof(*copy));
	int has_failed = 0;

	if (!copy)
		return NULL;
	*copy = *event;
	if (event->nodes) {
		copy->nodes = calloc(1, sizeof(*copy->nodes));
		has_failed = !copy->nodes || sfab_nodes_set(copy->nodes, event->nodes->node,
							    event->nodes->n);
	}
	if (event->job) {
		copy->job = sfab_running_copy(event->job);
		has_failed = !copy->job;
	}
	if (!has_failed)
		return copy;
	sfab_event_free(copy);
	return NULL;
}

/*
 * Push onto a lock-free stack; sfab_event_queue_collect() takes all of it at once and reverses
 * it.  As nothing pops single items, there is no ABA problem.
 */
void sfab_event_queue_push(struct sfab_event_queue *queue, const struct sfab_event *event)
{
	int has_room = !atomic_load(&queue->loss) &&
		       atomic_load(&queue->nwaiting) < SFAB_EVENT_QUEUE_MAX;
	struct sfab_event *copy = has_room ? copy_event(event) : NULL;
	struct sfab_event *last = atomic_load(&queue->newest);

	if (!copy) {
		sfab_event_queue_lose(queue);
		return;
	}
	atomic_fetch_add(&queue->nwaiting, 1);
	do
		copy->next = last;
	while (!atomic_compare_exchange_weak(&queue->newest, &last, copy));
}

struct sfab_event *sfab_event_queue_collect(struct sfab_event_queue *queue)
{
	struct sfab_event *event = atomic_exchange(&queue->newest, NULL);
	struct sfab_event *oldest = NULL;
	unsigned n = 0;

	while (event) {
		struct sfab_event *earlier = event->next;

		event->next = oldest;
		oldest = event;
		event = earlier;
		n++;
	}
	atomic_fetch_sub(&queue->nwaiting, n);
	return oldest;
}
