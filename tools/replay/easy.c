/* SPDX-License-Identifier: GPL-2.0-or-later */
/* easy.c - EASY backfill on counts of nodes; see easy.h */

#include "tools/replay/easy.h"

#include <math.h>

struct sfab_easy sfab_easy_reserve(uint32_t free_nodes,
				   const struct sfab_easy_end *end, uint32_t n,
				   uint32_t need)
{
	struct sfab_easy r = { -INFINITY, 0 };

	/*
	 * All ends at the same time are taken together, so the result does not
	 * depend on the order of @end.
	 */
	while (free_nodes < need) {
		double next = INFINITY;

		for (uint32_t i = 0; i < n; i++)
			if (end[i].time > r.time && end[i].time < next)
				next = end[i].time;
		r.time = next;
		if (next == INFINITY)
			return r;
		for (uint32_t i = 0; i < n; i++)
			if (end[i].time == next)
				free_nodes += end[i].nodes;
	}
	r.spare = free_nodes - need;
	return r;
}

uint32_t easy_next(uint32_t free_nodes, const struct sfab_easy_end *end,
		   uint32_t nends, const struct easy_job *queue, uint32_t nqueue,
		   double now)
{
	struct sfab_easy r;

	if (!nqueue || !free_nodes)
		return EASY_NONE;
	if (queue[0].nodes <= free_nodes)
		return 0;
	r = sfab_easy_reserve(free_nodes, end, nends, queue[0].nodes);
	for (uint32_t i = 1; i < nqueue && i <= EASY_DEPTH; i++)
		if (queue[i].nodes <= free_nodes &&
		    sfab_easy_allows(&r, now + queue[i].limit, queue[i].nodes))
			return i;
	return EASY_NONE;
}
