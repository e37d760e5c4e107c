/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_queue.c - from the asking thread to the loader; see event_queue.h
 *
 * The asking thread runs under slurmctld's locks and must never wait.  If an event
 * cannot be queued, the queue is marked as lost, and the loader's copy is useless
 * until all jobs have been reported once more.  lost goes through three states:
 * NONE, SOME (an event was dropped), ALL (the loader forgot its copy), and back to
 * NONE when reporting begins again.
 */

#include "place/state/event_queue.h"

#include <stdlib.h>

void sfab_event_free(struct sfab_event *event)
{
	if (!event)
		return;
	if (event->nodes)
		sfab_nodes_clear(event->nodes);
	free(event->nodes);
	sfab_running_free_job(event->job);
	free(event);
}

void sfab_event_queue_lose(struct sfab_event_queue *queue)
{
	int none = SFAB_LOST_NONE;

	atomic_compare_exchange_strong(&queue->lost, &none, SFAB_LOST_SOME);
}

int sfab_event_queue_forget(struct sfab_event_queue *queue)
{
	int some = SFAB_LOST_SOME;

	return atomic_compare_exchange_strong(&queue->lost, &some, SFAB_LOST_ALL);
}

int sfab_event_queue_begin_anew(struct sfab_event_queue *queue)
{
	int all = SFAB_LOST_ALL;

	return atomic_compare_exchange_strong(&queue->lost, &all, SFAB_LOST_NONE);
}

int sfab_event_queue_wait(const struct sfab_event_queue *queue)
{
	return atomic_load(&queue->last) ||
	       atomic_load(&queue->lost) == SFAB_LOST_SOME;
}

/*
 * A lock-free stack: push here, and sfab_event_queue_collect() takes all of it at
 * once and reverses it.  As nothing pops single items, there is no ABA problem.
 * Takes over @event; if it is NULL or incomplete, the event is lost.
 */
static void push_event(struct sfab_event_queue *queue, struct sfab_event *event,
		       int whole)
{
	struct sfab_event *last = atomic_load(&queue->last);

	if (!event || !whole || atomic_load(&queue->lost) ||
	    atomic_load(&queue->waiting) >= SFAB_EVENT_QUEUE_MAX) {
		sfab_event_queue_lose(queue);
		sfab_event_free(event);
		return;
	}
	atomic_fetch_add(&queue->waiting, 1);
	do
		event->next = last;
	while (!atomic_compare_exchange_weak(&queue->last, &last, event));
}

void sfab_event_queue_nodes(struct sfab_event_queue *queue,
			    const struct sfab_nodes *nodes, uint64_t serial)
{
	struct sfab_event *event = calloc(1, sizeof(*event));
	int whole = 0;

	if (event) {
		event->serial = serial;
		event->nodes = calloc(1, sizeof(*event->nodes));
		whole = event->nodes && !sfab_nodes_copy(event->nodes, nodes);
	}
	push_event(queue, event, whole);
}

void sfab_event_queue_job(struct sfab_event_queue *queue,
			  const struct sfab_running_job *job)
{
	struct sfab_event *event = calloc(1, sizeof(*event));

	if (event) {
		event->serial = job->serial;
		event->job = sfab_running_copy(job);
	}
	push_event(queue, event, event && event->job);
}

void sfab_event_queue_end(struct sfab_event_queue *queue, uint32_t id,
			  uint64_t serial, uint64_t end_s)
{
	struct sfab_event *event = calloc(1, sizeof(*event));

	if (event) {
		event->serial = serial;
		event->ended = id;
		event->end_s = end_s;
	}
	push_event(queue, event, event != NULL);
}

void sfab_event_queue_anew(struct sfab_event_queue *queue, uint64_t serial)
{
	struct sfab_event *event = calloc(1, sizeof(*event));

	if (event) {
		event->serial = serial;
		event->anew = 1;
	}
	push_event(queue, event, event != NULL);
}

struct sfab_event *sfab_event_queue_collect(struct sfab_event_queue *queue)
{
	struct sfab_event *event = atomic_exchange(&queue->last, NULL);
	struct sfab_event *oldest = NULL;
	unsigned n = 0;

	while (event) {
		struct sfab_event *before = event->next;

		event->next = oldest;
		oldest = event;
		event = before;
		n++;
	}
	atomic_fetch_sub(&queue->waiting, n);
	return oldest;
}
