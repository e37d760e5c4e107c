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

void sfab_news_free(struct sfab_news_item *item)
{
	if (!item)
		return;
	if (item->nodes)
		sfab_nodes_clear(item->nodes);
	free(item->nodes);
	sfab_running_free_job(item->job);
	free(item);
}

void sfab_news_lose(struct sfab_news *news)
{
	int none = SFAB_LOST_NONE;

	atomic_compare_exchange_strong(&news->lost, &none, SFAB_LOST_SOME);
}

int sfab_news_forget(struct sfab_news *news)
{
	int some = SFAB_LOST_SOME;

	return atomic_compare_exchange_strong(&news->lost, &some, SFAB_LOST_ALL);
}

int sfab_news_begin_anew(struct sfab_news *news)
{
	int all = SFAB_LOST_ALL;

	return atomic_compare_exchange_strong(&news->lost, &all, SFAB_LOST_NONE);
}

int sfab_news_wait(const struct sfab_news *news)
{
	return atomic_load(&news->last) || atomic_load(&news->lost) == SFAB_LOST_SOME;
}

/*
 * A lock-free stack: push here, and sfab_news_collect() takes all of it at once and
 * reverses it.  As nothing pops single items, there is no ABA problem.
 */
/* Takes over @item; if it is NULL or incomplete, the event is lost. */
static void push_event(struct sfab_news *news, struct sfab_news_item *item,
		       int whole)
{
	struct sfab_news_item *last = atomic_load(&news->last);

	if (!item || !whole || atomic_load(&news->lost) ||
	    atomic_load(&news->waiting) >= SFAB_NEWS_MAX) {
		sfab_news_lose(news);
		sfab_news_free(item);
		return;
	}
	atomic_fetch_add(&news->waiting, 1);
	do
		item->next = last;
	while (!atomic_compare_exchange_weak(&news->last, &last, item));
}

void sfab_news_nodes(struct sfab_news *news, const struct sfab_nodes *nodes,
		     uint64_t serial)
{
	struct sfab_news_item *item = calloc(1, sizeof(*item));
	int whole = 0;

	if (item) {
		item->serial = serial;
		item->nodes = calloc(1, sizeof(*item->nodes));
		whole = item->nodes && !sfab_nodes_copy(item->nodes, nodes);
	}
	push_event(news, item, whole);
}

void sfab_news_job(struct sfab_news *news, const struct sfab_running_job *job)
{
	struct sfab_news_item *item = calloc(1, sizeof(*item));

	if (item) {
		item->serial = job->serial;
		item->job = sfab_running_copy(job);
	}
	push_event(news, item, item && item->job);
}

void sfab_news_end(struct sfab_news *news, uint32_t id, uint64_t serial,
		   uint64_t end_s)
{
	struct sfab_news_item *item = calloc(1, sizeof(*item));

	if (item) {
		item->serial = serial;
		item->ended = id;
		item->end_s = end_s;
	}
	push_event(news, item, item != NULL);
}

void sfab_news_anew(struct sfab_news *news, uint64_t serial)
{
	struct sfab_news_item *item = calloc(1, sizeof(*item));

	if (item) {
		item->serial = serial;
		item->anew = 1;
	}
	push_event(news, item, item != NULL);
}

struct sfab_news_item *sfab_news_collect(struct sfab_news *news)
{
	struct sfab_news_item *item = atomic_exchange(&news->last, NULL);
	struct sfab_news_item *oldest = NULL;
	unsigned n = 0;

	while (item) {
		struct sfab_news_item *before = item->next;

		item->next = oldest;
		oldest = item;
		item = before;
		n++;
	}
	atomic_fetch_sub(&news->waiting, n);
	return oldest;
}
