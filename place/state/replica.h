/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replica.h - the loader's copy of nodes and running jobs, and what it is for
 *
 * A new world is made ready with it: nodes are mapped to hosts, room for
 * questions is made, the loads of all running jobs are put on the new tables.
 * As long as nobody took it, what changes is put there, too.  The asking thread
 * then takes pointers and mends the little that changed since.
 *
 * Jobs that ended are kept as long as what they sent may stand in what was
 * measured: the new world knows of them, too.
 */
#ifndef SFAB_PLACE_REPLICA_H
#define SFAB_PLACE_REPLICA_H

#include "place/state/event_queue.h"
#include "place/state/generation.h"

struct sfab_replica {
	uint64_t made_for;	/* serial that worlds are wanted for, 0: no nodes */
	uint64_t as_of;		/* of the last news */
	struct sfab_nodes nodes;
	struct sfab_running_job *jobs;	/* uthash by id */
	struct sfab_running_job *ended, **last_ended;	/* oldest first */
	uint32_t nended;	/* SFAB_JOBS_ENDED_MAX at most */
};

/*
 * Take in what there is to know.  What is lost leaves it empty, until all is told
 * anew.  @w: a world that was prepared and that nobody took, or NULL; it is brought
 * up to date, O(flows of the jobs that changed).  -1: it is no use any more.
 */
int sfab_replica_read(struct sfab_replica *r, struct sfab_news *news,
		      struct sfab_world *w);
void sfab_replica_clear(struct sfab_replica *r);

/* Jobs that ended before then are of no interest. */
void sfab_replica_forget(struct sfab_replica *r, uint64_t before_s);

/*
 * Make @w ready for the nodes and jobs of now; without nodes it stays as it is.
 * -1: memory, then it is no use.  O(sum over jobs of their flows).
 */
int sfab_replica_prepare(struct sfab_replica *r, struct sfab_world *w);

#endif
