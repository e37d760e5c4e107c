/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_queue.h - from the asking thread to the loader: nodes and running jobs
 *
 * The loader must know what runs to prepare a new generation before anyone asks it.  Each
 * change is pushed here without waiting; the loader collects all of them at every tick.  If the
 * loader stalls (a file system that hangs), events are lost: new generations are not ready, and
 * the one in use stays.  When the loader is back it says so, and everything is reported to it
 * again.
 */
#ifndef SFAB_PLACE_EVENT_QUEUE_H
#define SFAB_PLACE_EVENT_QUEUE_H

#include <stdatomic.h>
#include <stdint.h>

#include "place/nodes.h"
#include "place/running.h"

#define SFAB_EVENT_QUEUE_MAX 100000u	/* changes that may wait for the loader */

struct sfab_event {		/* one of nodes, job, anew; else an end */
	struct sfab_event *next;
	uint64_t serial;
	struct sfab_nodes *nodes;	/* a new table; no job runs yet */
	struct sfab_running_job *job;	/* the job's new state */
	int moves_base;			/* 1: nodes and jobs stay, but generations made
					   before @serial are stale */
	uint32_t ended_id;		/* this job ended */
	uint64_t end_s;			/* when it ended, seconds since 1970 */
};

/* Whether events were lost: NONE -> SOME -> ALL -> NONE. */
enum sfab_events_lost {
	SFAB_LOST_NONE,		/* set by the asking thread, which then reports everything */
	SFAB_LOST_SOME,		/* set by either side: nothing more is pushed */
	SFAB_LOST_ALL,		/* set by the loader: it has discarded what it knew */
};

struct sfab_event_queue {
	_Atomic(struct sfab_event *) newest;	/* a chain by ->next, newest first */
	atomic_uint nwaiting;
	atomic_int loss;			/* enum sfab_events_lost */
};

/* For the asking thread: add a copy of @event, with its nodes or its job. */
void sfab_event_queue_push(struct sfab_event_queue *queue, const struct sfab_event *event);

/* For either side: note that an event was lost. */
void sfab_event_queue_lose(struct sfab_event_queue *queue);
/* For the asking thread: begin to report everything again if that is due.  1: it is. */
int sfab_event_queue_begin_anew(struct sfab_event_queue *queue);

/* For the loader: note that it discards what it knew, if events were lost.  1: they were. */
int sfab_event_queue_forget(struct sfab_event_queue *queue);
/* For the loader: is there an event to collect, or a loss to handle? */
int sfab_event_queue_wait(const struct sfab_event_queue *queue);
/* For the loader: take all events, oldest first; NULL: none. */
struct sfab_event *sfab_event_queue_collect(struct sfab_event_queue *queue);
void sfab_event_free(struct sfab_event *event);	/* one */

#endif
