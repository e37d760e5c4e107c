/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending_queue.h - the pending jobs that the lookahead sees, in order of start
 *
 * A table of fixed size: each job that slurmctld asks about is recorded by its id,
 * and the job that would start last is evicted.  The scheduler asks about the head
 * of its queue again and again, so those jobs are always here.  A job's details
 * are fetched only when needed, by sfab_place_options.waiting; a job that is no
 * longer pending is dropped then.  Nothing here grows with the queue.
 */
#ifndef SFAB_PLACE_PENDING_QUEUE_H
#define SFAB_PLACE_PENDING_QUEUE_H

#include <stdint.h>

#include "core/search/search.h"
#include "place/place.h"

#define SFAB_PENDING_MAX 256		/* jobs remembered */

struct sfab_pending_entry {
	uint32_t id;
	struct sfab_place_waiting is;	/* strings: until the next refresh */
};

struct sfab_pending_queue {
	uint32_t n;
	uint32_t last;		/* the entry that was noted last */
	struct sfab_pending_entry wait[SFAB_PENDING_MAX + 1];	/* in order of starts */

	/* result of the last sfab_place_queue() */
	struct sfab_queue queue;
	struct sfab_queued job[SFAB_QUEUE_MAX];
	struct sfab_traffic traffic[SFAB_QUEUE_MAX];
};

/* Job @id is pending.  O(SFAB_PENDING_MAX); O(1) for a known job in its turn. */
void sfab_pending_queue_note(struct sfab_pending_queue *pending, uint32_t id,
			     uint32_t tier, uint32_t priority);
void sfab_pending_queue_clear(struct sfab_pending_queue *pending);

/*
 * Fetch the details of each job, drop those no longer pending, and sort the others
 * by the tier of their partition, priority, id.
 */
void sfab_pending_queue_refresh(struct sfab_pending_queue *pending,
				const struct sfab_place_options *o);

#endif
