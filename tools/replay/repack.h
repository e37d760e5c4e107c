/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repack.h - what would be left between jobs if all running jobs could move
 *
 * Placed anew on the empty machine, largest first, each by the search with nothing in
 * its queue.  No scheduler can do that: jobs stay where they started.  It shows how
 * much of what jobs lose to each other comes from the order in which hosts become
 * free, and how much the sizes of the jobs force on any placement.  A heuristic: the
 * true floor may be lower.
 */
#ifndef SFAB_REPLAY_REPACK_H
#define SFAB_REPLAY_REPACK_H

#include "core/search/search.h"
#include "tools/replay/in_steps.h"

struct repack_job {
	uint32_t job;			/* id */
	uint32_t n;			/* hosts */
	const struct sfab_traffic *traffic;
};

/*
 * Place @job ([n], reordered) on the hosts of @avail ([nhosts] flags), which hold them
 * all, and judge the one with id @look there, with its ranks in @order.  O(n searches).  -1: SFAB_ENOMEM, or
 * an error of the search.
 */
int repack_look(struct sfab_scorer *sc, const uint8_t *avail, struct repack_job *job,
		uint32_t n, uint32_t look, struct judged_order order,
		struct in_steps *out, struct sfab_err *err);

#endif
