/* SPDX-License-Identifier: GPL-2.0-or-later */
/* easy.c - EASY backfill on counts of nodes; see easy.h */

#include "easy.h"

#include <math.h>
#include <stdlib.h>

static int cmp_end(const void *a, const void *b)
{
	const struct easy_end *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->nodes > y->nodes) - (x->nodes < y->nodes);
}

struct easy_reservation easy_reserve(uint32_t free_nodes, struct easy_end *end,
				     uint32_t nends, uint32_t need, double now)
{
	struct easy_reservation r = { free_nodes >= need ? now : INFINITY, 0 };

	qsort(end, nends, sizeof(*end), cmp_end);
	for (uint32_t i = 0; i < nends; i++) {
		if (free_nodes >= need && end[i].time > r.time)
			break;
		free_nodes += end[i].nodes;
		if (free_nodes >= need)
			r.time = end[i].time;
	}
	if (free_nodes >= need)
		r.spare = free_nodes - need;
	return r;
}

uint32_t easy_next(uint32_t free_nodes, struct easy_end *end, uint32_t nends,
		   const struct easy_job *queue, uint32_t nqueue, double now)
{
	struct easy_reservation r;

	if (!nqueue || !free_nodes)
		return EASY_NONE;
	if (queue[0].nodes <= free_nodes)
		return 0;
	r = easy_reserve(free_nodes, end, nends, queue[0].nodes, now);
	for (uint32_t i = 1; i < nqueue && i <= EASY_DEPTH; i++)
		if (queue[i].nodes <= free_nodes &&
		    (now + queue[i].limit <= r.time || queue[i].nodes <= r.spare))
			return i;
	return EASY_NONE;
}
