/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order_walk.c - the loads of all steps, kept up to date while ranks change; see
 * order_private.h
 *
 * The links from each node to each other are found once, so that the search needs no route.
 * Nodes of one leaf share a row of routes: tables route by destination, so their flows follow
 * the same path from the leaf on.  Links are numbered by first use, so that an array by link
 * covers only what the job can touch.
 *
 * A swap moves the flows that its ranks send and receive, and no others: a few links in each
 * step, whatever the size of the job.
 *
 * Loads are whole numbers (ORDER_FULL is a full link), so that adding and taking away the same
 * flow ends at the same load; in floating point, millions of swaps would drift.  The excess of
 * a step is in floating point; it is restored from old_excess[] when a swap is undone.
 */

#include "core/search/order_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/route.h"
#include "core/resize.h"

/* A load of 1, a full link. */
#define ORDER_FULL 4096
/* A flow never counts as more than this many full links, so that sums fit. */
#define ORDER_LOAD_MAX 64
/* An excess this small is rounding. */
#define ORDER_ROUNDING 1e-9

/* -- the routes -------------------------------------------------------------- */

/*
 * Add the routes from node @a to @b in all rails; pairs without a route add nothing.  @number:
 * by link, its number.
 */
static int add_pair(struct order_walk *w, uint32_t a, uint32_t b, struct sfab_route *route,
		    uint32_t *number)
{
	const struct sfab_model *m = w->m;
	const struct sfab_port *ports = m->f->ports;

	for (uint32_t rail = 0; rail < m->nrails && a != b; rail++) {
		size_t at = (size_t) rail * m->f->nhosts;
		uint32_t src = m->rail_src[at + a], dst = m->rail_dst[at + b];

		if (src == SFAB_NONE || dst == SFAB_NONE || ports[src].leaf == ports[dst].leaf)
			continue;
		if (sfab_route_from(m->f, ports[src].sw, dst, route) < 0)
			return -1;
		for (uint32_t i = 0; route->status == SFAB_ROUTE_OK && i < route->n; i++) {
			const struct sfab_hop *hop = &route->hop[i];
			double load = ports[src].rate * hop->share * m->inv_cap[hop->link];

			if (!m->isl[hop->link])
				continue;
			if (sfab_resize_one_more(&w->hop, w->nhops, sizeof(*w->hop)) < 0)
				return -1;
			if (number[hop->link] == SFAB_NONE)
				number[hop->link] = w->nlinks++;
			load = fmin(load, ORDER_LOAD_MAX) * ORDER_FULL;
			w->hop[w->nhops++] = (struct order_hop){ number[hop->link],
								 (int32_t) lround(load) };
		}
	}
	return 0;
}

/* Find the rows of the nodes, and the routes of each row to each node. */
static int find_node_routes(struct order_walk *w)
{
	uint32_t *first_of = sfab_arena_take(&w->arena, w->n, sizeof(*first_of));
	uint32_t *number = sfab_arena_take_ones(&w->arena, w->m->f->nlinks, sizeof(*number));
	struct sfab_route route = { 0 };
	int rc = 0;

	w->row = sfab_arena_take(&w->arena, w->n, sizeof(*w->row));
	if (w->arena.failed)
		return -1;
	/* first_of[] has the first node of each row. */
	for (uint32_t i = 0; i < w->n; i++) {
		uint32_t r = 0;

		while (r < w->nrows &&
		       !sfab_model_sends_alike(w->m, w->host[first_of[r]], w->host[i]))
			r++;
		w->row[i] = r;
		if (r == w->nrows)
			first_of[w->nrows++] = i;
	}
	w->first = sfab_arena_take(&w->arena, (size_t) w->nrows * w->n + 1, sizeof(*w->first));
	if (!w->first)
		return -1;
	for (size_t i = 0; rc == 0 && i < (size_t) w->nrows * w->n; i++) {
		rc = add_pair(w, w->host[first_of[i / w->n]], w->host[i % w->n], &route, number);
		w->first[i + 1] = w->nhops;
	}
	sfab_route_clear(&route);
	return rc;
}

/* -- the steps --------------------------------------------------------------- */

/* Set who sends to whom in step number @step of @pattern. */
static void link_ranks(struct order_step *s, enum sfab_pattern pattern, uint32_t n,
		       uint32_t step)
{
	memset(s->sender, 0xFF, n * sizeof(*s->sender));
	for (uint32_t i = 0; i < n; i++) {
		s->receiver[i] = sfab_pattern_peer(pattern, n, step, i);
		if (s->receiver[i] != SFAB_NONE)
			s->sender[s->receiver[i]] = i;
	}
}

/* Make the steps of all patterns of the mix.  Each has an equal part of its pattern's weight. */
static int open_steps(struct order_walk *w, const double mix[SFAB_NPATTERNS])
{
	double weights = 0;

	for (int p = 0; p < SFAB_NPATTERNS; p++)
		weights += mix[p] > 0 ? mix[p] : 0;
	for (int p = 0; p < SFAB_NPATTERNS; p++) {
		uint32_t n = mix[p] > 0 ? sfab_pattern_steps((enum sfab_pattern) p, w->n) : 0;

		/* An order tuned to sampled steps is no better in the steps between them. */
		if (n > SFAB_STEPS_MAX)
			continue;
		for (uint32_t i = 0; i < n; i++) {
			struct order_step *s = &w->step[w->nsteps++];

			s->weight = mix[p] / weights / n;
			s->receiver = sfab_arena_take(&w->arena, w->n, sizeof(*s->receiver));
			s->sender = sfab_arena_take(&w->arena, w->n, sizeof(*s->sender));
			if (w->arena.failed)
				return -1;
			link_ranks(s, (enum sfab_pattern) p, w->n, i);
		}
	}
	return 0;
}

int sfab_order_walk_open(struct order_walk *w, const struct sfab_model *m, const uint32_t *host,
			 uint32_t n, const double mix[SFAB_NPATTERNS])
{
	struct sfab_arena *a = &w->arena;

	*w = (struct order_walk){ .m = m, .host = host, .n = n };
	w->step = sfab_arena_take(a, (size_t) SFAB_NPATTERNS * SFAB_STEPS_MAX, sizeof(*w->step));
	w->rank = sfab_arena_take(a, n, sizeof(*w->rank));
	w->seen = sfab_arena_take(a, n, sizeof(*w->seen));
	if (a->failed || find_node_routes(w) < 0 || open_steps(w, mix) < 0)
		return -1;
	w->old_excess = sfab_arena_take(a, w->nsteps, sizeof(*w->old_excess));
	w->load = sfab_arena_take(a, (size_t) w->nsteps * w->nlinks, sizeof(*w->load));
	return a->failed ? -1 : 0;
}

void sfab_order_walk_close(struct order_walk *w)
{
	sfab_arena_free(&w->arena);
	free(w->hop);
	free(w->change);
}

/*
 * Return the cost of @load: its fourth power.  A step waits for its worst link, and this is a
 * smooth stand-in for that maximum.  It can be kept up to date by sums, and it rewards a swap
 * that relieves one of two equally bad links, which the maximum does not see.
 */
static double excess_of(int32_t load)
{
	double x = load > ORDER_FULL ? (load - ORDER_FULL) * (1.0 / ORDER_FULL) : 0;

	return x * x * x * x;
}

/* Set *@hop to the hops of the flow of @rank in step @s.  Return their number. */
static size_t hops_of(const struct order_walk *w, uint32_t s, uint32_t rank,
		      const struct order_hop **hop)
{
	uint32_t to = w->step[s].receiver[rank];
	size_t at;

	if (to == SFAB_NONE)
		return 0;
	at = (size_t) w->row[w->rank[rank]] * w->n + w->rank[to];
	*hop = w->hop + w->first[at];
	return w->first[at + 1] - w->first[at];
}

/* Add (@sign 1) or subtract (-1) the flow of @rank in step @s, and record the changes. */
static void move_flow(struct order_walk *w, uint32_t s, uint32_t rank, int sign)
{
	struct order_step *step = &w->step[s];
	const struct order_hop *hop = NULL;
	size_t n = hops_of(w, s, rank, &hop);

	if (w->nchanges + n > w->capacity) {
		size_t capacity = 2 * (w->nchanges + n);

		if (sfab_resize(&w->change, capacity, sizeof(*w->change)) < 0) {
			w->no_memory = 1;
			return;
		}
		w->capacity = capacity;
	}
	for (size_t i = 0; i < n; i++) {
		size_t at = (size_t) s * w->nlinks + hop[i].link;
		int32_t was = w->load[at];

		w->change[w->nchanges++] = (struct order_change){ (uint32_t) at, was };
		w->load[at] = was + sign * hop[i].load;
		step->excess += excess_of(w->load[at]) - excess_of(was);
	}
	w->work += n + 1;
}

/* Add or subtract the flow of @rank, if it has one and this was not done yet. */
static void move_once(struct order_walk *w, uint32_t s, uint32_t rank, int sign)
{
	if (rank == SFAB_NONE || w->seen[rank] == w->stamp)
		return;
	w->seen[rank] = w->stamp;
	move_flow(w, s, rank, sign);
}

/*
 * Add or subtract up to four flows in each step: those that the two ranks send, and those that
 * are sent to them.  Some of these may be the same flow, if the two talk to each other.
 */
static void move_pair(struct order_walk *w, uint32_t a, uint32_t b, int sign)
{
	for (uint32_t s = 0; s < w->nsteps; s++) {
		w->stamp++;
		move_once(w, s, a, sign);
		move_once(w, s, b, sign);
		move_once(w, s, w->step[s].sender[a], sign);
		move_once(w, s, w->step[s].sender[b], sign);
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
		w->old_excess[s] = w->step[s].excess;
	move_pair(w, a, b, -1);
	swap_ranks(w, a, b);
	move_pair(w, a, b, 1);
}

/* Restore the loads backward: one may have changed twice, and its first value is the right one. */
void sfab_order_walk_undo(struct order_walk *w, uint32_t a, uint32_t b)
{
	while (w->nchanges) {
		const struct order_change *c = &w->change[--w->nchanges];

		w->load[c->index] = c->load;
	}
	for (uint32_t s = 0; s < w->nsteps; s++)
		w->step[s].excess = w->old_excess[s];
	swap_ranks(w, a, b);
}

int sfab_order_walk_is_crowded(struct order_walk *w, uint32_t rank)
{
	for (uint32_t s = 0; s < w->nsteps; s++) {
		const struct order_hop *hop = NULL;
		size_t n = hops_of(w, s, rank, &hop);
		const int32_t *load = w->load + (size_t) s * w->nlinks;

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
	memset(w->load, 0, (size_t) w->nsteps * w->nlinks * sizeof(*w->load));
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
