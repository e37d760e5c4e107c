/* SPDX-License-Identifier: GPL-2.0-or-later */
/* greedy.c - choose the cheapest items; see greedy.h */

#include "core/search/greedy.h"

#include <math.h>

#define SQUARINGS 4		/* p = 16 */
#define CHUNK 8			/* entries between two comparisons with the limit */
#define CALL_STEPS 8		/* steps of a cost or a choice, besides its entries */
#define SMALL -1.0		/* below every cost: stop after the negative entries */
#define MAX_16 100		/* a load at most, in units of M: 100^16 fits a float */

static inline float power_of(float x)
{
	for (int k = 0; k < SQUARINGS; k++)
		x *= x;
	return x;
}

static double cost_part(struct greedy *g, const struct greedy_segment *s, uint32_t from,
			uint32_t n)
{
	const struct sfab_ioentry *e = s->v.entry + from;
	float scale = s->scale * g->inv_scale, sum = 0;

	g->steps += n;
	for (uint32_t k = 0; k < n; k++) {
		const struct greedy_cell *c = &g->cell[e[k].res];

		sum += power_of(c->x + e[k].v * scale) - c->power;
	}
	return (double) sum;
}

/*
 * Evaluate the cost of an item only until it exceeds @limit.  Negative entries come first and
 * are always added in full: without them a partial sum is no lower bound.
 */
static double cost_of(struct greedy *g, const struct greedy_item *it, double limit)
{
	const struct greedy_segment *s = &g->segment[it->segment];
	double cost = 0;

	g->steps += CALL_STEPS;
	for (uint32_t i = 0; i < g->nsegments; i++)
		cost += cost_part(g, &s[i], 0, s[i].v.nless);
	for (uint32_t i = 0; i < g->nsegments; i++)
		for (uint32_t k = s[i].v.nless; k < s[i].v.n && cost <= limit; k += CHUNK)
			cost += cost_part(g, &s[i], k, s[i].v.n - k < CHUNK ?
					  s[i].v.n - k : CHUNK);
	return cost;
}

static int is_cheaper_item(const struct greedy *g, uint32_t a, uint32_t b)
{
	const struct greedy_item *x = &g->item[a], *y = &g->item[b];

	return x->cost < y->cost || (x->cost == y->cost && a < b);
}

static void sift_down(struct greedy *g, uint32_t i)
{
	uint32_t x = g->heap[i], child;

	while ((child = 2 * i + 1) < g->nheap) {
		if (child + 1 < g->nheap &&
		    is_cheaper_item(g, g->heap[child + 1], g->heap[child]))
			child++;
		if (!is_cheaper_item(g, g->heap[child], x))
			break;
		g->heap[i] = g->heap[child];
		i = child;
	}
	g->heap[i] = x;
}

void sfab_greedy_offer(struct greedy *g, uint32_t i)
{
	g->item[i].cost = cost_of(g, &g->item[i], SMALL);
	g->heap[g->nheap++] = i;
}

/* Bring the cheapest item to the top. */
static struct greedy_item *find_cheapest(struct greedy *g)
{
	for (;;) {
		struct greedy_item *it = &g->item[g->heap[0]];
		double min = INFINITY;

		/* The second lowest cost is that of a child of the top. */
		for (uint32_t i = 1; i < 3 && i < g->nheap; i++)
			min = fmin(min, g->item[g->heap[i]].cost);
		it->cost = cost_of(g, it, min);
		if (!(it->cost > min))	/* written so that NaN ends the loop */
			return it;
		sift_down(g, 0);
	}
}

void sfab_greedy_fill(struct greedy *g, uint32_t n)
{
	for (uint32_t i = g->nheap / 2; i-- > 0;)
		sift_down(g, i);
	for (; n && g->nheap; n--) {
		struct greedy_item *it = find_cheapest(g);

		/* Choose one host of the item: add its vector to the loads. */
		for (uint32_t i = 0; i < g->nsegments; i++) {
			const struct greedy_segment *s = &g->segment[it->segment + i];
			float scale = s->scale * g->inv_scale;

			for (uint32_t k = 0; k < s->v.n; k++) {
				struct greedy_cell *c = &g->cell[s->v.entry[k].res];

				c->x += s->v.entry[k].v * scale;
				c->power = power_of(c->x);
			}
			g->steps += CALL_STEPS + 2 * s->v.n;
		}
		if (++it->taken == it->nhosts)
			g->heap[0] = g->heap[--g->nheap];
		if (g->nheap)
			sift_down(g, 0);
	}
}

void sfab_greedy_start(struct greedy *g, double scale)
{
	double max = 0;

	/* Use @scale, or the smallest with which the powers of the loads are finite. */
	for (uint32_t k = 0; k < g->nlinks; k++)
		max = fmax(max, g->base[g->link[k]]);
	g->inv_scale = (float) (1 / fmax(scale, max / MAX_16));
	for (uint32_t k = 0; k < g->nlinks; k++) {
		struct greedy_cell *c = &g->cell[g->link[k]];

		c->x = (float) g->base[g->link[k]] * g->inv_scale;
		c->power = power_of(c->x);
	}
	g->steps += g->nlinks;
}
