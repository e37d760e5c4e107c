/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replica.h - the loader's copy of nodes and running jobs, from which it prepares generations
 *
 * Preparing maps nodes to hosts, allocates storage for questions, and adds the loads of all
 * running jobs to the new tables.  Until the generation is taken, later changes are applied to
 * it too.  The asking thread then only takes pointers and applies the few changes since.
 *
 * Jobs that ended are kept while the measurements may still contain their traffic: a new
 * generation must know about them too.
 */
#ifndef SFAB_PLACE_REPLICA_H
#define SFAB_PLACE_REPLICA_H

#include "place/state/event_queue.h"
#include "place/state/generation.h"

struct sfab_replica {
	uint64_t base_serial;			/* that generations are made for; 0: no nodes */
	uint64_t serial;			/* serial of the last event */
	struct sfab_nodes nodes;
	struct sfab_running_job *jobs;		/* uthash by id */
	struct sfab_running_job *ended_jobs;	/* oldest first */
	struct sfab_running_job **ended_tail;	/* where the next one is linked */
	uint32_t nended;			/* SFAB_JOBS_ENDED_MAX at most */
};

/*
 * Apply all events.  If events were lost, the copy is empty until everything was reported
 * again.  @gen: a generation that was prepared but never taken, or NULL; it is brought up to
 * date, O(flows of the jobs that changed).  -1: @gen is unusable.
 */
int sfab_replica_read(struct sfab_replica *r, struct sfab_event_queue *queue,
		      struct sfab_generation *gen);
void sfab_replica_clear(struct sfab_replica *r);

/* Forget jobs that ended before @before_s. */
void sfab_replica_forget(struct sfab_replica *r, uint64_t before_s);

/*
 * Prepare @gen for the current nodes and jobs; without nodes it stays as it is.  -1: no memory,
 * then @gen is unusable.  O(sum over jobs of their flows).
 */
int sfab_replica_prepare(struct sfab_replica *r, struct sfab_generation *gen);

#endif
