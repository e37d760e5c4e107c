/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepper_bound.c - the routes of a job, and the most that a link can carry in any step; see
 * stepper_private.h
 *
 * The links that a job uses are few.  They are numbered in the order in which routes meet them,
 * so that the loads of a step are a short array.
 *
 * In a step every destination receives from one rank.  A link therefore carries no more than
 * all destinations that are sent over it, and no more than all sources that send over it.  In a
 * shift by s the ranks lo .. hi send to lo + s .. hi + s.  So of the destinations only those
 * count that fit into one window of that length, wherever it lies.  The intended case is k
 * leaves x the same m port classes (port_classes.h), with ranks by leaf, then class: a window
 * of m ranks holds one destination of each class, and all shifts are clear.
 *
 * 	leaf 1: ranks 0 1 2        destinations by their uplink from leaf 1
 * 	                           . . . | a b c | a b c | a b c
 * 	                                     +-----+  any window of 3: a, b, c once
 *
 * Each route is read once, at 12 bytes a hop.  Two kinds of jobs get no bound, and read the
 * routes of each step: those on more leaves than steps are sampled, for which reading all
 * routes would cost more than the steps; and those whose routes have more than HOPS_MAX hops
 * together, over groups of ports.
 */

#include "core/load/stepper_private.h"
#include "core/resize.h"

#include <string.h>

/* -- the routes ------------------------------------------------------------- */

/* Return the index of @res in sp->link.  A new link is appended. */
static uint32_t number_link(struct sfab_stepper *sp, uint32_t res)
{
	if (sp->number[res] == SFAB_NONE) {
		sp->number[res] = sp->nlinks;
		sp->link[sp->nlinks++] =
			(struct step_link){ .res = res, .walked = SFAB_NONE, .lo = SFAB_NONE };
	}
	return sp->number[res];
}

/*
 * Note that the route from leaf @k to @rank crosses @res, maybe not for the first time, with
 * @part of what the leaf sends to it.
 */
static inline void note_hop(struct sfab_stepper *sp, uint32_t k, uint32_t rank, uint32_t res,
			    double part)
{
	uint32_t l = number_link(sp, res);
	struct step_link *e = &sp->link[l];
	const struct step_leaf *leaf = &sp->leaf[k];
	size_t row = (size_t) k * sp->c->n + rank + 1;

	if (e->row != row) {
		e->row = row;
		e->sum = 0;
	}
	e->sum += part;
	if (e->last_leaf != k + 1) {
		e->last_leaf = k + 1;
		e->part = 0;
		e->lo = leaf->lo < e->lo ? leaf->lo : e->lo;
		e->hi = leaf->hi > e->hi ? leaf->hi : e->hi;
	}
	if (e->sum > e->part) {
		e->source_rate += leaf->rate * (e->sum - e->part);
		e->part = e->sum;
		e->share = e->sum > e->share ? e->sum : e->share;
	}
	sp->receivers[(size_t) l * sp->words + rank / 64] |= UINT64_C(1) << rank % 64;
	sp->hop[sp->nhops++] = l;
}

/* Make room for @n more hops, and for the bits of @n more links. */
static int make_row_room(struct sfab_stepper *sp, uint32_t n)
{
	size_t hops = sp->nhops + n, bits = ((size_t) sp->nlinks + n) * sp->words;

	if (hops > sp->hops_cap) {
		hops = 2 * hops + 1024;
		if (sfab_resize(&sp->hop, hops, sizeof(*sp->hop)) < 0 ||
		    (!sp->m->paths && sfab_resize(&sp->share, hops, sizeof(*sp->share)) < 0))
			return -1;
		sp->hops_cap = hops;
	}
	if (bits > sp->receivers_cap) {
		if (sfab_resize(&sp->receivers, 2 * bits, sizeof(*sp->receivers)) < 0)
			return -1;
		memset(sp->receivers + sp->receivers_cap, 0,
		       (2 * bits - sp->receivers_cap) * sizeof(*sp->receivers));
		sp->receivers_cap = 2 * bits;
	}
	return 0;
}

/* Read the route from leaf @k to @rank.  1: read; 0: there is no route; -1: out of memory. */
static int read_route_row(struct sfab_stepper *sp, uint32_t k, uint32_t rank, uint32_t dst)
{
	struct sfab_leaf_route route;
	int rc = sfab_model_leaf_route(sp->m, sp->leaf[k].leaf, dst, &sp->walk, &route);

	if (rc <= 0)
		return rc;
	if (make_row_room(sp, route.n) < 0)
		return -1;
	for (uint32_t i = 0; i < route.n; i++) {
		struct sfab_hop hop = sfab_leaf_route_hop(&route, i);

		if (sp->share)
			sp->share[sp->nhops] = hop.share;
		note_hop(sp, k, rank, hop.link, hop.share);
	}
	return 1;
}

/*
 * Read the rows of a rail, and note who gets and sends over each link.  1: there are more hops
 * than HOPS_MAX; -1: no memory.
 */
static int read_rail_rows(struct sfab_stepper *sp, uint32_t rail)
{
	uint32_t n = sp->c->n;
	const struct step_flow *flow = &sp->flow[(size_t) rail * n];

	for (uint32_t k = sp->first[rail]; k < sp->first[rail + 1]; k++)
		for (uint32_t i = 0; i < n; i++) {
			size_t row = (size_t) k * n + i;
			int rc = 1;

			sp->row[row] = (uint32_t) sp->nhops;
			if (flow[i].dst != SFAB_NONE)
				rc = read_route_row(sp, k, i, flow[i].dst);
			if (rc < 0)
				return -1;
			if (sp->nhops > HOPS_MAX)
				return 1;
			sp->nlost += rc == 0;
			sp->exceeds[row] = rc ? 0 : STEPS_LOST;
		}
	return 0;
}

/* -- the bound -------------------------------------------------------------- */

/*
 * Count the most ranks that get over the link in a window as long as its range of sources.
 * Windows wrap around from the last rank to the first.
 */
static uint32_t fullest_window(struct sfab_stepper *sp, uint32_t l)
{
	uint32_t n = sp->c->n, span = sp->link[l].hi - sp->link[l].lo + 1, max = 0, end = 0;
	const uint64_t *bits = sp->receivers + (size_t) l * sp->words;
	uint32_t nreceivers = 0, *rank = sp->window;	/* that get over it, ascending */

	for (uint32_t w = 0; w < sp->words; w++)
		for (uint64_t b = bits[w]; b; b &= b - 1)
			rank[nreceivers++] = 64 * w + (uint32_t) __builtin_ctzll(b);
	if (span >= n)
		return nreceivers;
	for (uint32_t i = 0; i < nreceivers; i++) {
		for (; end < i + nreceivers; end++) {
			uint64_t last = end < nreceivers ? rank[end] :
							   rank[end - nreceivers] + (uint64_t) n;

			if (last >= (uint64_t) rank[i] + span)
				break;
		}
		max = end - i > max ? end - i : max;
	}
	return max;
}

static double fastest_port_rate(const struct sfab_stepper *sp, uint32_t rail)
{
	const struct step_flow *flow = &sp->flow[(size_t) rail * sp->c->n];
	double max = 0;

	for (uint32_t i = 0; i < sp->c->n; i++)
		if (flow[i].src != SFAB_NONE && flow[i].rate > max)
			max = flow[i].rate;
	return max;
}

/* May @x bytes/s and the background exceed the capacity of the link? */
static int is_over(const struct sfab_stepper *sp, uint32_t res, double x)
{
	const double *b = sp->c->background;

	return (x + (b ? b[res] : 0)) * sp->m->inv_cap[res] > SFAB_STEP_CLEAR;
}

/*
 * Add the bounds of link @l in this rail, and clear its sums for the next rail.  In any step it
 * carries at most all that its receivers get, and at most all that its senders send.  In a
 * shift, only the receivers in one window count.
 */
static void bound_link(struct sfab_stepper *sp, uint32_t l, double rate)
{
	struct step_link *e = &sp->link[l];
	uint64_t *bits = sp->receivers + (size_t) l * sp->words;
	double any, shift;
	uint32_t n = 0;

	for (uint32_t w = 0; w < sp->words; w++)
		n += (uint32_t) __builtin_popcountll(bits[w]);
	any = rate * e->share * n;
	any = any < e->source_rate ? any : e->source_rate;
	e->any_bound += any;
	shift = is_over(sp, e->res, e->any_bound) ? rate * e->share * fullest_window(sp, l) : any;
	e->shift_bound += shift < any ? shift : any;
	e->share = e->source_rate = 0;
	e->lo = SFAB_NONE;
	e->hi = 0;
	memset(bits, 0, sp->words * sizeof(*bits));
}

/* Keep only hops over links that are walked, and mark rows that may cross one above capacity. */
static void keep_rows(struct sfab_stepper *sp)
{
	size_t n = (size_t) sp->nleaves * sp->c->n, h, to = sp->nhops;

	sp->row[n] = (uint32_t) to;
	sp->nhops = 0;
	h = n ? sp->row[0] : 0;
	for (size_t i = 0; i < n; i++) {
		int open = 0;

		to = sp->row[i + 1];
		sp->row[i] = (uint32_t) sp->nhops;
		for (; h < to; h++) {
			const struct step_link *e = &sp->link[sp->hop[h]];

			if (e->walked == SFAB_NONE)
				continue;
			open |= e->is_open;
			if (sp->share)
				sp->share[sp->nhops] = sp->share[h];
			sp->hop[sp->nhops++] = e->walked;
		}
		sp->exceeds[i] |= (uint8_t) open;
		sp->is_clear &= !sp->exceeds[i];
	}
	sp->row[n] = (uint32_t) sp->nhops;
}

/* Make room for the rows of all rails.  -1: out of memory. */
static int reserve_rows(struct sfab_stepper *sp)
{
	size_t n = (size_t) sp->nleaves * sp->c->n;

	sp->nhops = 0;
	sp->nlost = 0;
	sp->words = sp->c->n / 64 + 1;
	if (n < sp->rows_cap)
		return 0;
	if (sfab_resize(&sp->row, n + 1, sizeof(*sp->row)) < 0 ||
	    sfab_resize(&sp->exceeds, n + 1, sizeof(*sp->exceeds)) < 0)
		return -1;
	sp->rows_cap = n + 1;
	return 0;
}

int sfab_stepper_bound(struct sfab_stepper *sp)
{
	uint32_t nrails = sp->m->nrails, max = sp->c->max_steps;

	for (uint32_t rail = 0; rail < nrails; rail++)
		if (sp->first[rail + 1] - sp->first[rail] > (max ? max : SFAB_STEPS_MAX))
			return 0;
	if (reserve_rows(sp) < 0)
		return -1;
	for (uint32_t rail = 0; rail < nrails; rail++) {
		double rate = fastest_port_rate(sp, rail);
		int rc = read_rail_rows(sp, rail);

		sp->nread += sp->nhops + (uint64_t) sp->nleaves * sp->c->n;
		for (uint32_t l = 0; l < sp->nlinks; l++)
			bound_link(sp, l, rate);
		if (rc < 0)
			return -1;
		if (rc > 0) {
			sfab_stepper_forget_links(sp);
			return 0;
		}
	}
	sp->is_bound = sp->is_clear = 1;
	/* Keep the links that some step may push above capacity. */
	for (uint32_t l = 0; l < sp->nlinks; l++) {
		struct step_link *e = &sp->link[l];

		e->is_open = is_over(sp, e->res, e->shift_bound);
		e->walked = is_over(sp, e->res, e->any_bound) ? sfab_stepper_add_link(sp, e->res)
						    : SFAB_NONE;
	}
	keep_rows(sp);
	return 0;
}
