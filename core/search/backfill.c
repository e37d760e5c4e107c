/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backfill.c - the reservation of EASY backfill; see backfill.h */

#include "core/search/backfill.h"

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
