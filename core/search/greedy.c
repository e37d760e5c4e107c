/* SPDX-License-Identifier: GPL-2.0-or-later */
/* greedy.c - choose the cheapest items; see greedy.h */

#include "core/search/greedy.h"

#include <math.h>

#define FIRST SFAB_GREEDY_16	/* constant powers: the compiler unrolls the loop,
				   twice as fast */
#define LAST SFAB_GREEDY_64
#define VANISHES 0.26f		/* x^64 is close to the smallest normal float */
#define HOT 0.8f		/* of the worst load: such a link may become the
				   worst; flat from 0.5 (search_io.c) */
#define CHUNK 8			/* entries between two comparisons with the limit */
#define CALL_STEPS 8		/* of a cost or a choice, besides its entries */
#define SMALL -1.0		/* below every cost: stop after the negative entries */
#define MOST_64 3		/* in units of M: 3^64 fits into a float */
#define MOST_16 100		/* in units of M: so does 100^16 */
#define NOT_LOADED 1e-3f	/* of M: a chosen host adds more than this, or
				   nothing */

/* Flush small powers to zero: denormal numbers are slow. */
static inline float power_of(float x, int squarings)
{
	if (squarings == LAST && x < VANISHES)
		return 0;
	for (int k = 0; k < squarings; k++)
		x *= x;
	return x;
}

static inline double cost_entries(const struct cell *cell,
				  const struct sfab_ioentry *e, uint32_t n,
				  float scale, int squarings)
{
	float sum = 0;

	for (uint32_t k = 0; k < n; k++) {
		const struct cell *c = &cell[e[k].res];

		sum += power_of(c->x + e[k].v * scale, squarings) - c->power;
	}
	return (double) sum;
}

static double cost_part(struct greedy *g, const struct segment *s, uint32_t from,
			uint32_t n)
{
	float scale = s->scale * g->inv_scale;

	g->steps += n;
	return g->squarings == LAST ?
		cost_entries(g->cell, s->v.entry + from, n, scale, LAST) :
		cost_entries(g->cell, s->v.entry + from, n, scale, FIRST);
}

/*
 * Evaluate only until the cost exceeds @limit.  Negative entries come first and
 * are always added in full: without them a partial sum is no lower bound.
 */
static double cost_of(struct greedy *g, const struct item *it, double limit)
{
	const struct segment *s = &g->segment[it->segment];
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

double sfab_greedy_cost(struct greedy *g, uint32_t i, double limit)
{
	return cost_of(g, &g->item[i], limit);
}

/* Add the vector of an item to the loads; returns the growth of the norm. */
static double add_vector(struct greedy *g, const struct item *it, float sign)
{
	double more = 0;

	for (uint32_t i = 0; i < g->nsegments; i++) {
		const struct segment *s = &g->segment[it->segment + i];
		float scale = sign * s->scale * g->inv_scale;

		for (uint32_t k = 0; k < s->v.n; k++) {
			struct cell *c = &g->cell[s->v.entry[k].res];

			float power, x = c->x + s->v.entry[k].v * scale;

			power = g->squarings == LAST ? power_of(x, LAST) :
				power_of(x, FIRST);
			more += (double) (power - c->power);
			c->x = x;
			c->power = power;
		}
		g->steps += CALL_STEPS + 2 * s->v.n;
	}
	return more;
}

void sfab_greedy_choose(struct greedy *g, uint32_t i)
{
	add_vector(g, &g->item[i], 1);
	g->item[i].taken++;
	g->sel[g->nsel++] = i;
}

double sfab_greedy_drop(struct greedy *g, uint32_t k, uint32_t *i)
{
	double saved = -add_vector(g, &g->item[g->sel[k]], -1);

	*i = g->sel[k];
	g->item[*i].taken--;
	g->sel[k] = g->sel[--g->nsel];
	return saved;
}

static int is_cheaper_item(const struct greedy *g, uint32_t a, uint32_t b)
{
	const struct item *x = &g->item[a], *y = &g->item[b];

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

void sfab_greedy_list(struct greedy *g)
{
	g->serial++;
	g->nheap = 0;
}

void sfab_greedy_offer(struct greedy *g, uint32_t i)
{
	struct item *it = &g->item[i];

	if (it->listed == g->serial || it->taken == it->room)
		return;
	it->listed = g->serial;
	it->cost = cost_of(g, it, SMALL);
	g->heap[g->nheap++] = i;
}

/* Least cost in the heap except the first: one of its two children. */
static double second_least_cost(const struct greedy *g)
{
	double cost = INFINITY;

	for (uint32_t i = 1; i < 3 && i < g->nheap; i++)
		cost = fmin(cost, g->item[g->heap[i]].cost);
	return cost;
}

/* Bring an item to the top that costs little more than the cheapest. */
static struct item *find_cheapest(struct greedy *g)
{
	for (;;) {
		struct item *it = &g->item[g->heap[0]];
		double least = second_least_cost(g),
		       limit = least + fabs(least) * g->slack;

		it->cost = cost_of(g, it, limit);
		if (!(it->cost > limit))	/* written so that NaN ends the loop */
			return it;
		sift_down(g, 0);
	}
}

double sfab_greedy_fill(struct greedy *g, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = g->nheap / 2; i-- > 0;)
		sift_down(g, i);
	for (; n && g->nheap; n--) {
		struct item *it = find_cheapest(g);

		sum += it->cost;
		sfab_greedy_choose(g, g->heap[0]);
		if (it->taken == it->room)
			g->heap[0] = g->heap[--g->nheap];
		if (g->nheap)
			sift_down(g, 0);
	}
	return sum;
}

/*
 * Use @scale, or the smallest scale with which the powers of the current loads
 * are finite.
 */
static void set_scale(struct greedy *g, double scale)
{
	g->scale = fmax(scale, g->most / (g->squarings == LAST ? MOST_64 : MOST_16));
	g->inv_scale = (float) (1 / g->scale);
}

void sfab_greedy_start(struct greedy *g, double scale)
{
	g->most = 0;
	for (uint32_t k = 0; k < g->nlinks; k++)
		g->most = fmax(g->most, g->base[g->link[k]]);
	set_scale(g, scale);
	for (uint32_t k = 0; k < g->nlinks; k++) {
		struct cell *c = &g->cell[g->link[k]];

		c->x = (float) (g->base[g->link[k]] / g->scale);
		c->power = power_of(c->x, g->squarings);
	}
	g->steps += g->nlinks;
}

static int is_loaded(const struct greedy *g, uint32_t e)
{
	return g->cell[e].x > (float) g->others[e] * g->inv_scale + NOT_LOADED;
}

void sfab_greedy_look(struct greedy *g)
{
	float top = 0;

	for (uint32_t k = 0; k < g->nlinks; k++) {
		uint32_t e = g->link[k];

		if (g->cell[e].x > top && is_loaded(g, e))
			top = g->cell[e].x;
	}
	g->nhot = 0;
	for (uint32_t k = 0; k < g->nlinks; k++)
		if (g->cell[g->link[k]].x > HOT * top)
			g->hot[g->nhot++] = g->link[k];
	g->steps += g->nlinks;
}

void sfab_greedy_rescale(struct greedy *g, double scale)
{
	double was = g->scale;
	float ratio;

	set_scale(g, scale);
	ratio = (float) (was / g->scale);
	for (uint32_t k = 0; k < g->nlinks; k++) {
		struct cell *c = &g->cell[g->link[k]];

		c->x *= ratio;
		c->power = power_of(c->x, g->squarings);
	}
	g->steps += g->nlinks;
	sfab_greedy_look(g);
}

uint32_t sfab_greedy_worst(struct greedy *g, double *load)
{
	uint32_t worst = g->link[0];
	float x = 0;

	for (uint32_t k = 0; k < g->nhot; k++) {
		uint32_t e = g->hot[k];

		if (g->cell[e].x > x && is_loaded(g, e)) {
			x = g->cell[e].x;
			worst = e;
		}
	}
	/*
	 * A comparison is cheaper than the cost of an entry: count a quarter.
	 */
	g->steps += g->nhot / 4;
	*load = (double) x * g->scale;
	return worst;
}
