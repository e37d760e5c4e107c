/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order_walk.c - the loads of all steps, kept up to date while ranks change
 *
 * A swap moves the flows that its ranks send and receive, and no others: a few
 * links in each step, whatever the size of the job.
 *
 * Loads are whole numbers (ORDER_FULL is a full link), so that adding and taking away
 * the same flow ends at the same load; in floating point, millions of swaps would
 * drift.  The excess of a step is in floating point; it is restored from before[] when
 * a swap is undone.
 */

#include "core/search/order_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/resize.h"

/* An excess this small is rounding. */
#define ORDER_ROUNDING 1e-9

static void link_ranks(struct order_step *s, enum sfab_pattern pattern, uint32_t n,
		       uint32_t step)
{
	memset(s->from, 0xFF, n * sizeof(*s->from));
	for (uint32_t i = 0; i < n; i++) {
		s->to[i] = sfab_pattern_peer(pattern, n, step, i);
		if (s->to[i] != SFAB_NONE)
			s->from[s->to[i]] = i;
	}
}

static int open_steps(struct order_walk *w, const double mix[SFAB_NPATTERNS])
{
	double weights = 0;

	for (int p = 0; p < SFAB_NPATTERNS; p++)
		weights += mix[p] > 0 ? mix[p] : 0;
	for (int p = 0; p < SFAB_NPATTERNS; p++) {
		uint32_t n = mix[p] > 0 ? sfab_pattern_steps((enum sfab_pattern) p, w->n) : 0;

		/* An order made for a sample is no better in the steps between. */
		if (n > SFAB_STEPS_MAX)
			continue;
		for (uint32_t i = 0; i < n; i++) {
			struct order_step *s = &w->step[w->nsteps++];

			s->weight = mix[p] / weights / n;
			s->to = malloc((w->n + 1u) * sizeof(*s->to));
			s->from = malloc((w->n + 1u) * sizeof(*s->from));
			if (!s->to || !s->from)
				return -1;
			link_ranks(s, (enum sfab_pattern) p, w->n, i);
		}
	}
	return 0;
}

int sfab_order_walk_open(struct order_walk *w, const struct order_ways *ways,
		    const double mix[SFAB_NPATTERNS])
{
	uint32_t n = ways->n;

	*w = (struct order_walk){ .ways = ways, .n = n };
	w->step = calloc((size_t) SFAB_NPATTERNS * SFAB_STEPS_MAX, sizeof(*w->step));
	w->rank = calloc(n + 1u, sizeof(*w->rank));
	w->seen = calloc(n + 1u, sizeof(*w->seen));
	if (!w->step || !w->rank || !w->seen || open_steps(w, mix) < 0)
		return -1;
	w->before = calloc(w->nsteps + 1u, sizeof(*w->before));
	w->load = calloc((size_t) w->nsteps * ways->nlinks + 1, sizeof(*w->load));
	return w->before && w->load ? 0 : -1;
}

void sfab_order_walk_close(struct order_walk *w)
{
	for (uint32_t s = 0; w->step && s < SFAB_NPATTERNS * SFAB_STEPS_MAX; s++) {
		free(w->step[s].to);
		free(w->step[s].from);
	}
	free(w->step);
	free(w->rank);
	free(w->seen);
	free(w->before);
	free(w->load);
	free(w->change);
	*w = (struct order_walk){ 0 };
}

/*
 * A step waits for its worst link.  The fourth power is a smooth stand-in for that
 * maximum: it can be kept up to date by sums, and it rewards a swap that relieves one
 * of two equally bad links, which the maximum does not see.
 */
static double excess_of(int32_t load)
{
	double x = load > ORDER_FULL ? (load - ORDER_FULL) * (1.0 / ORDER_FULL) : 0;

	return x * x * x * x;
}

/* The hops of what @rank sends in step @s; returns how many. */
static size_t hops_of(const struct order_walk *w, uint32_t s, uint32_t rank,
		      const struct order_hop **hop)
{
	const struct order_ways *ways = w->ways;
	uint32_t to = w->step[s].to[rank];
	size_t at;

	if (to == SFAB_NONE)
		return 0;
	at = (size_t) ways->row[w->rank[rank]] * w->n + w->rank[to];
	*hop = ways->hop + ways->first[at];
	return ways->first[at + 1] - ways->first[at];
}

/* Add (@sign 1) or take away (-1) what @rank sends in step @s. */
static void move_flow(struct order_walk *w, uint32_t s, uint32_t rank, int sign)
{
	struct order_step *step = &w->step[s];
	const struct order_hop *hop = NULL;
	size_t n = hops_of(w, s, rank, &hop);

	if (w->nchanges + n > w->room) {
		size_t room = 2 * (w->nchanges + n);

		if (sfab_resize(&w->change, room, sizeof(*w->change)) < 0) {
			w->no_memory = 1;
			return;
		}
		w->room = room;
	}
	for (size_t i = 0; i < n; i++) {
		size_t at = (size_t) s * w->ways->nlinks + hop[i].link;
		int32_t was = w->load[at];

		w->change[w->nchanges++] = (struct order_change){ (uint32_t) at, was };
		w->load[at] = was + sign * hop[i].load;
		step->excess += excess_of(w->load[at]) - excess_of(was);
	}
	w->work += n + 1;
}

/* The same for the flow of @rank, if it has one that was not yet moved. */
static void move_once(struct order_walk *w, uint32_t s, uint32_t rank, int sign)
{
	if (rank == SFAB_NONE || w->seen[rank] == w->stamp)
		return;
	w->seen[rank] = w->stamp;
	move_flow(w, s, rank, sign);
}

/*
 * In each step up to four flows: what the two send, and what is sent to them.  Some of
 * these may be the same flow, if the two talk to each other.
 */
static void move_pair(struct order_walk *w, uint32_t a, uint32_t b, int sign)
{
	for (uint32_t s = 0; s < w->nsteps; s++) {
		w->stamp++;
		move_once(w, s, a, sign);
		move_once(w, s, b, sign);
		move_once(w, s, w->step[s].from[a], sign);
		move_once(w, s, w->step[s].from[b], sign);
	}
}

static void swap_ranks(struct order_walk *w, uint32_t a, uint32_t b)
{
	uint32_t node = w->rank[a];

	w->rank[a] = w->rank[b];
	w->rank[b] = node;
}

void sfab_order_walk_swap(struct order_walk *w, uint32_t a, uint32_t b)
{
	w->nchanges = 0;
	for (uint32_t s = 0; s < w->nsteps; s++)
		w->before[s] = w->step[s].excess;
	move_pair(w, a, b, -1);
	swap_ranks(w, a, b);
	move_pair(w, a, b, 1);
}

/* Backward: a load may have changed twice, and its first value is the right one. */
void sfab_order_walk_undo(struct order_walk *w, uint32_t a, uint32_t b)
{
	while (w->nchanges) {
		const struct order_change *c = &w->change[--w->nchanges];

		w->load[c->at] = c->load;
	}
	for (uint32_t s = 0; s < w->nsteps; s++)
		w->step[s].excess = w->before[s];
	swap_ranks(w, a, b);
}

int sfab_order_walk_is_crowded(struct order_walk *w, uint32_t rank)
{
	for (uint32_t s = 0; s < w->nsteps; s++) {
		const struct order_hop *hop = NULL;
		size_t n = hops_of(w, s, rank, &hop);
		const int32_t *load = w->load + (size_t) s * w->ways->nlinks;

		w->work++;
		if (w->step[s].excess <= ORDER_ROUNDING)
			continue;
		for (size_t i = 0; i < n; i++)
			if (load[hop[i].link] > ORDER_FULL)
				return 1;
	}
	return 0;
}

double sfab_order_walk_take(struct order_walk *w, const uint32_t *rank)
{
	memcpy(w->rank, rank, w->n * sizeof(*rank));
	memset(w->load, 0, (size_t) w->nsteps * w->ways->nlinks * sizeof(*w->load));
	for (uint32_t s = 0; s < w->nsteps; s++) {
		w->step[s].excess = 0;
		w->nchanges = 0;
		for (uint32_t i = 0; i < w->n; i++)
			move_flow(w, s, i, 1);
	}
	return sfab_order_walk_cost(w);
}

double sfab_order_walk_cost(const struct order_walk *w)
{
	double sum = 0;

	for (uint32_t s = 0; s < w->nsteps; s++)
		if (w->step[s].excess > ORDER_ROUNDING)
			sum += w->step[s].weight * sqrt(sqrt(w->step[s].excess));
	return sum;
}
