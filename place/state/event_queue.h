/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_queue.h - from the asking thread to the loader: nodes and running jobs
 *
 * The loader needs to know what runs in order to make a new world ready before
 * anybody asks it.  Each change is pushed here without waiting and collected by
 * the loader at every tick.  A loader that does not come (a file system that
 * hangs) loses the news: new worlds are not ready, and the one in use stays.  When
 * it comes again it says so, and is told all anew.
 */
#ifndef SFAB_PLACE_EVENT_QUEUE_H
#define SFAB_PLACE_EVENT_QUEUE_H

#include <stdatomic.h>
#include <stdint.h>

#include "place/state/nodes.h"
#include "place/state/running.h"

#define SFAB_NEWS_MAX 100000u	/* changes that wait for the loader */

struct sfab_news_item {		/* one of nodes, job, a wish, or an end */
	struct sfab_news_item *next;
	struct sfab_nodes *nodes;	/* a new table; no job runs */
	struct sfab_running_job *job;	/* it is now like this */
	int anew;			/* a world for the same nodes is wanted */
	uint32_t ended;			/* else: this one ended, */
	uint64_t end_s;			/* then (seconds since 1970) */
	uint64_t serial;
};

/*
 * none -> some, by either side: nothing is pushed any more.  some -> all, by the
 * loader: it has forgotten what it knew.  all -> none, by the asking thread, which
 * tells it all there is.
 */
enum sfab_news_lost { SFAB_LOST_NONE, SFAB_LOST_SOME, SFAB_LOST_ALL };

struct sfab_news {
	_Atomic(struct sfab_news_item *) last;	/* a chain by ->next */
	atomic_uint waiting;
	atomic_int lost;	/* enum sfab_news_lost */
};

/* The asking thread's side; the thing itself is copied. */
void sfab_news_nodes(struct sfab_news *news, const struct sfab_nodes *nodes,
		     uint64_t serial);
void sfab_news_job(struct sfab_news *news, const struct sfab_running_job *job);
void sfab_news_end(struct sfab_news *news, uint32_t id, uint64_t serial,
		   uint64_t end_s);

/* All is as it was told, but worlds made before @serial are no use any more. */
void sfab_news_anew(struct sfab_news *news, uint64_t serial);

/* Either side: something was lost. */
void sfab_news_lose(struct sfab_news *news);
/* 1: all has to be told anew, and can be from now on. */
int sfab_news_begin_anew(struct sfab_news *news);

/* The loader's side: nothing is known any more, if something was lost: 1. */
int sfab_news_forget(struct sfab_news *news);
/* 1 if there may be something. */
int sfab_news_wait(const struct sfab_news *news);
/* All there is, oldest first; NULL: nothing. */
struct sfab_news_item *sfab_news_collect(struct sfab_news *news);
void sfab_news_free(struct sfab_news_item *item);	/* one; NULL is fine */

#endif
