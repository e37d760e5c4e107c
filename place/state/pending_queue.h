/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending_queue.h - the pending jobs that the look-ahead sees, best first
 *
 * A table of fixed size: each job that slurmctld asks about is noted by its id,
 * and the job that would start last makes room.  The scheduler asks about the
 * first of its queue again and again, so those are always here.  What a job is
 * now is asked when it is needed, by sfab_place_options.waiting; a job that does
 * not wait any more is dropped then.  Nothing here grows with the queue.
 */
#ifndef SFAB_PLACE_PENDING_QUEUE_H
#define SFAB_PLACE_PENDING_QUEUE_H

#include <stdint.h>

#include "core/search/search.h"
#include "place/place.h"

#define SFAB_WAITS 256		/* jobs that are remembered */

struct sfab_wait {
	uint32_t id;
	struct sfab_place_waiting is;	/* texts hold while jobs are looked at */
};

struct sfab_waits {
	uint32_t n;
	struct sfab_wait wait[SFAB_WAITS + 1];	/* in order of their starts */

	/* the summary of the last sfab_place_queue() */
	struct sfab_queue queue;
	struct sfab_queued job[SFAB_QUEUE_MAX];
	struct sfab_traffic traffic[SFAB_QUEUE_MAX];
};

/* Job @id waits.  O(SFAB_WAITS). */
void sfab_waits_note(struct sfab_waits *w, uint32_t id, uint32_t tier,
		     uint32_t priority);
void sfab_waits_clear(struct sfab_waits *w);

/*
 * Ask what each job is now, drop those that wait no more, and put the others in
 * order: partition's tier, priority, id.
 */
void sfab_waits_refresh(struct sfab_waits *w,
			const struct sfab_place_options *o);

#endif
