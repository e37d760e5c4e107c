/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_io.c - spread IO over the links: keep the worst link low
 *
 * Every candidate adds a fixed vector of loads V (iovec.h) to the
 * switch-to-switch links, so a set is chosen one by one, always the cheapest
 * in the p-norm
 *
 *	cost(V) = sum over links ((L + V) / M)^p - (L / M)^p
 *
 * with L what is on the link already.  Costs only grow while hosts are added,
 * so a heap with lazy re-evaluation finds the exact minimum.  First p = 8, then
 * 32 with M the worst link of the best set so far; without that scale high
 * powers vanish.
 *
 * A link keeps L / M and its power, so that a cost is one power an entry.
 *
 * Then rounds of repair: a few hosts are dropped, at random or because they
 * are on the worst link, and as many chosen again from them and a sample of
 * the others; the change stays if the norm did not grow.
 *
 * An item is a group of hosts that are alike (alike.c), to be taken as often as
 * it has hosts.
 */

#include "iovec.h"
#include "search_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_POWER 8
#define LAST_POWER 32
#define SAMPLE_REPAIR 4		/* candidates per dropped host in a repair */
#define FIRST_PART 4		/* of the steps, at most, for offers of a fill */
#define WORST_EVERY 8		/* repairs between looks for the worst link */
#define TRIES_ON_WORST 4
#define SEGMENTS SFAB_TRAFFIC_PARTS

struct item {
	struct sfab_iovec v[SEGMENTS];
	float scale[SEGMENTS];
	uint32_t nv;
	uint32_t host0, room;	/* candidates that it stands for, in p->host */
	uint32_t taken;
	uint32_t round;		/* in which the cost was computed */
	uint32_t listed;	/* serial of the last list it was on */
	double cost;
};

struct cell {			/* a link */
	float x;		/* L / M */
	float power;		/* (L / M)^p */
};

struct greedy {
	struct pool *p;
	uint32_t nitems;
	struct item *item;
	double *base;		/* L of background and base, by resource */
	struct cell *cell;	/* by resource */
	uint32_t *link;		/* all switch-to-switch links */
	uint32_t nlinks;
	uint32_t *heap, nheap;
	uint32_t *sel;		/* item of each chosen host */
	uint32_t nsel;
	uint32_t *out;		/* dropped in the repair at hand */
	uint32_t serial;
	uint32_t worst;		/* link, as of the last look */
	double scale;		/* M */
	float inv_scale;	/* 1 / M */
	unsigned power;
	uint32_t *order;	/* candidates, alike ones together */
	int failed;		/* a vector could not be had: *err says why */
	struct sfab_err *err;
};

static float power_of(float x, unsigned p)
{
	for (; p > 1; p /= 2)
		x *= x;
	return x;
}

static double cost_of(struct greedy *g, const struct item *it)
{
	double cost = 0;

	for (uint32_t s = 0; s < it->nv; s++) {
		const struct sfab_iovec *v = &it->v[s];
		float scale = it->scale[s] * g->inv_scale;

		for (uint32_t k = 0; k < v->n; k++) {
			const struct cell *c = &g->cell[v->res[k]];

			cost += power_of(c->x + v->v[k] * scale, g->power) -
				c->power;
		}
		g->p->steps += v->n;
	}
	return cost;
}

static void add_vector(struct greedy *g, const struct item *it, float sign)
{
	for (uint32_t s = 0; s < it->nv; s++) {
		const struct sfab_iovec *v = &it->v[s];
		float scale = sign * it->scale[s] * g->inv_scale;

		for (uint32_t k = 0; k < v->n; k++) {
			struct cell *c = &g->cell[v->res[k]];

			c->x += v->v[k] * scale;
			c->power = power_of(c->x, g->power);
		}
		g->p->steps += v->n;
	}
}

static void choose(struct greedy *g, uint32_t i)
{
	add_vector(g, &g->item[i], 1);
	g->item[i].taken++;
	g->sel[g->nsel++] = i;
}

/* Give the host at place @k of the chosen ones back. */
static uint32_t drop(struct greedy *g, uint32_t k)
{
	uint32_t i = g->sel[k];

	add_vector(g, &g->item[i], -1);
	g->item[i].taken--;
	g->sel[k] = g->sel[--g->nsel];
	return i;
}

static int before(const struct greedy *g, uint32_t a, uint32_t b)
{
	const struct item *x = &g->item[a], *y = &g->item[b];

	return x->cost < y->cost || (x->cost == y->cost && a < b);
}

static void sift_down(struct greedy *g, uint32_t i)
{
	uint32_t x = g->heap[i], child;

	while ((child = 2 * i + 1) < g->nheap) {
		if (child + 1 < g->nheap &&
		    before(g, g->heap[child + 1], g->heap[child]))
			child++;
		if (!before(g, g->heap[child], x))
			break;
		g->heap[i] = g->heap[child];
		i = child;
	}
	g->heap[i] = x;
}

/* Look up what a host sends; *g->err says why it cannot be had. */
static int set_vectors(struct greedy *g, struct item *it, uint32_t host)
{
	const struct pool *p = g->p;
	const struct sfab_traffic *t = p->rq->traffic;
	double cpus = p->rq->cpus ? p->rq->cpus[host] : 1.0;

	it->nv = 0;
	for (uint32_t i = 0; i < t->nparts; i++) {
		uint32_t set;

		if (!sfab_class_is_io(t->part[i].class) || !(t->part[i].share > 0))
			continue;
		if (sfab_model_set(p->m, &t->part[i], &set, g->err) < 0 ||
		    sfab_iovecs_get(sfab_scorer_iovecs(p->sc), t->part[i].class,
				    set, host, &it->v[it->nv], g->err) < 0)
			return -1;
		it->scale[it->nv++] = (float) (t->part[i].share * cpus);
	}
	return 0;
}

/* Put an item on the list to choose from, unless it is there or used up. */
static void offer(struct greedy *g, uint32_t i)
{
	struct item *it = &g->item[i];

	if (it->listed == g->serial || it->taken == it->room || g->failed)
		return;
	if (!it->nv && set_vectors(g, it, g->p->host[g->order[it->host0]]) < 0) {
		g->failed = 1;
		return;
	}
	it->listed = g->serial;
	it->cost = cost_of(g, it);
	it->round = 0;
	g->heap[g->nheap++] = i;
}

static void new_list(struct greedy *g)
{
	g->serial++;
	g->nheap = 0;
}

/* Choose @n hosts from the list, always the cheapest; returns their cost. */
static double fill(struct greedy *g, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = g->nheap / 2; i-- > 0;)
		sift_down(g, i);
	for (uint32_t round = 0; n && g->nheap;) {
		uint32_t top = g->heap[0];
		struct item *it = &g->item[top];

		if (it->round != round) {
			it->cost = cost_of(g, it);
			it->round = round;
			sift_down(g, 0);
			continue;
		}
		sum += it->cost;
		choose(g, top);
		round++;
		n--;
		if (it->taken == it->room)
			g->heap[0] = g->heap[--g->nheap];
		if (g->nheap)
			sift_down(g, 0);
	}
	return sum;
}

/* Find the worst link; returns its load, L. */
static double look_for_worst(struct greedy *g)
{
	uint32_t worst = g->link[0];

	for (uint32_t k = 1; k < g->nlinks; k++)
		if (g->cell[g->link[k]].x > g->cell[worst].x)
			worst = g->link[k];
	g->p->steps += g->nlinks;
	g->worst = worst;
	return (double) g->cell[worst].x * g->scale;
}

/* Loads anew, in units of M = @scale, of background, base and chosen hosts. */
static void sum_up(struct greedy *g, double scale)
{
	g->scale = scale;
	g->inv_scale = (float) (1 / scale);
	for (uint32_t k = 0; k < g->nlinks; k++) {
		struct cell *c = &g->cell[g->link[k]];

		c->x = (float) (g->base[g->link[k]] / scale);
		c->power = power_of(c->x, g->power);
	}
	for (uint32_t k = 0; k < g->nsel; k++)
		add_vector(g, &g->item[g->sel[k]], 1);
	g->p->steps += g->nlinks;
}

static void start_over(struct greedy *g, double scale)
{
	for (uint32_t i = 0; i < g->nitems; i++)
		g->item[i].taken = 0;
	g->nsel = 0;
	sum_up(g, scale);
}

/* The chosen counts as hosts: the first of each item's candidates. */
static int try_chosen(struct greedy *g, uint32_t *pick, struct sfab_err *err)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->nitems; i++)
		for (uint32_t k = 0; k < g->item[i].taken; k++)
			pick[n++] = g->p->host[g->order[g->item[i].host0 + k]];
	return sfab_pool_try(g->p, pick, err);
}

/*
 * All items; where that costs too much, every so many of them, in turns, until
 * there is room enough.
 */
static void offer_first(struct greedy *g)
{
	uint32_t start = g->p->steps, room = 0, one, step;
	uint32_t want = g->p->need + g->p->need / 4;

	new_list(g);
	offer(g, 0);
	room += g->item[0].room;
	one = g->p->steps - start + 1;
	step = (uint32_t) ((uint64_t) one * g->nitems * FIRST_PART /
			   (g->p->max_steps + 1u)) + 1;
	for (uint32_t from = 0; from < step && (from == 0 || room < want); from++)
		for (uint32_t i = from; i < g->nitems; i += step) {
			if (i == 0)
				continue;
			offer(g, i);
			room += g->item[i].room;
		}
}

static int first_fill(struct greedy *g, uint32_t *pick, struct sfab_err *err)
{
	double worst = 1;

	for (g->power = FIRST_POWER;; g->power = LAST_POWER) {
		start_over(g, worst);
		offer_first(g);
		fill(g, g->p->need);
		worst = look_for_worst(g);
		if (!(worst > 0) || g->power == LAST_POWER)
			break;
		if (g->p->steps > g->p->bound / 2)
			break;
	}
	return g->failed ? -1 : try_chosen(g, pick, err);
}

static int loads(const struct item *it, uint32_t res)
{
	for (uint32_t s = 0; s < it->nv; s++)
		for (uint32_t k = 0; k < it->v[s].n; k++)
			if (it->v[s].res[k] == res)
				return 1;
	return 0;
}

/* A chosen host that loads the worst link, or any. */
static uint32_t find_on_worst(struct greedy *g)
{
	uint32_t place = 0;

	for (int k = 0; k < TRIES_ON_WORST; k++) {
		const struct item *it;

		place = (uint32_t) (sfab_random(&g->p->random) % g->nsel);
		it = &g->item[g->sel[place]];
		for (uint32_t s = 0; s < it->nv; s++)
			g->p->steps += it->v[s].n / 4;
		if (loads(it, g->worst))
			break;
	}
	return place;
}

/* Drop @n hosts, the first from the worst link; returns what that saves. */
static double drop_some(struct greedy *g, uint32_t n)
{
	double saved = 0;

	for (uint32_t k = 0; k < n; k++) {
		uint32_t place = k == 0 ? find_on_worst(g) :
			(uint32_t) (sfab_random(&g->p->random) % g->nsel);

		g->out[k] = drop(g, place);
		saved += cost_of(g, &g->item[g->out[k]]);
	}
	return saved;
}

static void take_back(struct greedy *g, uint32_t n, uint32_t from)
{
	while (g->nsel > from)
		drop(g, g->nsel - 1);
	for (uint32_t k = 0; k < n; k++)
		choose(g, g->out[k]);
}

static void repair_once(struct greedy *g, uint32_t n)
{
	double saved = drop_some(g, n), spent;
	uint32_t from = g->nsel;

	new_list(g);
	for (uint32_t k = 0; k < n; k++)
		offer(g, g->out[k]);
	for (uint32_t k = 0; k < SAMPLE_REPAIR * n + 8; k++)
		offer(g, (uint32_t) (sfab_random(&g->p->random) % g->nitems));
	spent = fill(g, n);
	if (spent > saved)
		take_back(g, n, from);
}

/* Repairs until the steps are used up. */
static int repair(struct greedy *g, uint32_t *pick, struct sfab_err *err)
{
	uint32_t most = g->p->need < 16 ? (g->p->need + 1) / 2 : 8;
	double best = INFINITY;

	g->power = LAST_POWER;
	for (uint32_t r = 0; sfab_pool_go_on(g->p); r++) {
		double worst = r % WORST_EVERY ? best : look_for_worst(g);

		if (!(worst > 0))
			return 0;
		if (worst < best * 0.999) {
			best = worst;
			sum_up(g, best);
		}
		repair_once(g, 1 + r % most);
		if (g->failed)
			return -1;
	}
	return try_chosen(g, pick, err);
}

/* -- items --------------------------------------------------------------- */

static void make_items(struct greedy *g)
{
	/* the heap is not in use yet: room for the beginnings of the groups */
	uint32_t *first = g->heap;

	g->nitems = sfab_alike_groups(g->p, g->order, first);
	for (uint32_t i = 0; i < g->nitems; i++) {
		g->item[i].host0 = first[i];
		g->item[i].room = first[i + 1] - first[i];
	}
}

/* Background, and what the base sends, in units of capacity. */
static int make_base(struct greedy *g)
{
	const struct sfab_model *m = g->p->m;

	for (uint32_t e = 0; e < m->f->nlinks; e++) {
		if (!m->isl[e])
			continue;
		g->link[g->nlinks++] = e;
		if (g->p->js)
			g->base[e] = sfab_jobs_background(g->p->js)[e] *
				     m->inv_cap[e];
	}
	for (uint32_t i = 0; i < g->p->nbase; i++) {
		struct item it = { .nv = 0 };

		if (set_vectors(g, &it, g->p->base[i]) < 0)
			return -1;
		for (uint32_t s = 0; s < it.nv; s++)
			for (uint32_t k = 0; k < it.v[s].n; k++)
				g->base[it.v[s].res[k]] +=
					it.scale[s] * it.v[s].v[k];
	}
	return 0;
}

static int search(struct greedy *g, uint32_t *pick, struct sfab_err *err)
{
	if (make_base(g) < 0)
		return -1;
	make_items(g);
	if (!g->nlinks)
		return 0;	/* one switch: all sets are alike */
	if (first_fill(g, pick, err) < 0)
		return -1;
	return repair(g, pick, err);
}

int sfab_search_io(struct pool *p, uint32_t *pick, struct sfab_err *err)
{
	struct greedy g = { .p = p, .err = err };
	int rc;

	g.item = calloc(p->nhosts + 1u, sizeof(*g.item));
	g.heap = calloc(p->nhosts + 1u, sizeof(*g.heap));
	g.order = calloc(p->nhosts + 1u, sizeof(*g.order));
	g.sel = calloc(p->need + 1u, sizeof(*g.sel));
	g.out = calloc(p->need + 8u, sizeof(*g.out));
	g.link = calloc(p->m->nres + 1u, sizeof(*g.link));
	g.base = calloc(p->m->nres + 1u, sizeof(*g.base));
	g.cell = calloc(p->m->nres + 1u, sizeof(*g.cell));
	sfab_iovecs_begin(sfab_scorer_iovecs(p->sc));
	if (!g.item || !g.heap || !g.order || !g.sel || !g.out || !g.link ||
	    !g.base || !g.cell)
		rc = sfab_fail(err, SFAB_ENOMEM, "search: no memory");
	else
		rc = search(&g, pick, err);
	free(g.item);
	free(g.heap);
	free(g.order);
	free(g.sel);
	free(g.out);
	free(g.link);
	free(g.base);
	free(g.cell);
	return rc;
}
