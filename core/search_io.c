/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_io.c - spread IO over the links: keep the worst link low
 *
 * Every candidate adds a fixed vector of loads V (in units of capacity) to the
 * switch-to-switch links, so a set is chosen one by one, always the cheapest
 * in the p-norm
 *
 *	cost(V) = sum over links ((L + V) / M)^p - (L / M)^p
 *
 * with L what is on the link already.  Costs only grow while hosts are added,
 * so a heap with lazy re-evaluation finds the exact minimum.  p goes 4, 8, 16,
 * 32 with M the worst link of the best set so far; without that scale high
 * powers vanish.  Then some hosts are dropped at random, those on the worst
 * link twice as likely, and added again the same way; no worse is kept.
 *
 * Writers on one leaf are alike: there an item is a leaf that may be taken as
 * often as it has hosts; else an item is a host.
 */

#include "search_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REFILLS 24

struct item {
	uint32_t first, n;	/* entries of V */
	uint32_t host0, room;	/* candidates that it stands for */
	uint32_t taken;
	double cost;
	uint32_t round;		/* in which the cost was computed */
};

struct greedy {
	struct pool *p;
	uint32_t nitems;
	struct item *item;
	uint32_t nent, capent;
	uint32_t *res;
	double *v;		/* V in units of capacity */
	double *base;		/* L of background and base, by resource */
	double *load;		/* L now */
	uint32_t *heap, nheap;
	uint32_t *kept;		/* taken counts of the best set */
	double scale;		/* M */
	unsigned power;
	double best;		/* worst link of the best set */
	int leaf_alike;
};

static double power_of(double x, unsigned p)
{
	for (; p > 1; p /= 2)
		x *= x;
	return x;
}

static double cost_of(struct greedy *g, const struct item *it)
{
	double cost = 0, inv = 1.0 / g->scale;

	for (uint32_t k = it->first; k < it->first + it->n; k++) {
		double l = g->load[g->res[k]] * inv;

		cost += power_of(l + g->v[k] * inv, g->power) -
			power_of(l, g->power);
	}
	g->p->steps += it->n;
	return cost;
}

static void add_item(struct greedy *g, struct item *it, double sign)
{
	for (uint32_t k = it->first; k < it->first + it->n; k++)
		g->load[g->res[k]] += sign * g->v[k];
	it->taken += sign > 0 ? 1u : -1u;
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

static void heap_make(struct greedy *g)
{
	g->nheap = 0;
	for (uint32_t i = 0; i < g->nitems; i++) {
		if (g->item[i].taken == g->item[i].room)
			continue;
		g->item[i].cost = cost_of(g, &g->item[i]);
		g->item[i].round = 0;
		g->heap[g->nheap++] = i;
	}
	for (uint32_t i = g->nheap / 2; i-- > 0;)
		sift_down(g, i);
}

/* Add @n hosts, always the cheapest. */
static void fill(struct greedy *g, uint32_t n)
{
	heap_make(g);
	for (uint32_t round = 0; n && g->nheap;) {
		struct item *it = &g->item[g->heap[0]];

		if (it->round != round) {
			it->cost = cost_of(g, it);
			it->round = round;
			sift_down(g, 0);
			continue;
		}
		add_item(g, it, 1);
		round++;
		n--;
		if (it->taken == it->room)
			g->heap[0] = g->heap[--g->nheap];
		if (g->nheap)
			sift_down(g, 0);
	}
}

static double worst_link(const struct greedy *g)
{
	double worst = 0;

	for (uint32_t k = 0; k < g->nent; k++)
		if (g->load[g->res[k]] > worst)
			worst = g->load[g->res[k]];
	return worst;
}

static void start_over(struct greedy *g)
{
	for (uint32_t k = 0; k < g->nent; k++)
		g->load[g->res[k]] = g->base[g->res[k]];
	for (uint32_t i = 0; i < g->nitems; i++)
		g->item[i].taken = 0;
}

static void keep(struct greedy *g, double worst)
{
	g->best = worst;
	for (uint32_t i = 0; i < g->nitems; i++)
		g->kept[i] = g->item[i].taken;
}

static void restore(struct greedy *g)
{
	start_over(g);
	for (uint32_t i = 0; i < g->nitems; i++)
		while (g->item[i].taken < g->kept[i])
			add_item(g, &g->item[i], 1);
}

/* The kept counts as hosts: the first of each item's candidates. */
static int try_kept(struct greedy *g, uint32_t *pick, struct sfab_err *err)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->nitems; i++)
		for (uint32_t k = 0; k < g->kept[i]; k++)
			pick[n++] = g->p->host[g->item[i].host0 + k];
	return sfab_pool_try(g->p, pick, err);
}

static int chain(struct greedy *g, uint32_t *pick, struct sfab_err *err)
{
	g->scale = 1;
	g->best = INFINITY;
	for (g->power = 4; g->power <= 32; g->power *= 2) {
		double worst;

		start_over(g);
		fill(g, g->p->need);
		worst = worst_link(g);
		if (worst <= g->best)
			keep(g, worst);
		if (try_kept(g, pick, err) < 0)
			return -1;
		if (!(g->best > 0))
			return 0;
		g->scale = g->best;
		if (!sfab_pool_go_on(g->p))
			break;
	}
	return 0;
}

static int on_worst(const struct greedy *g, const struct item *it, double worst)
{
	for (uint32_t k = it->first; k < it->first + it->n; k++)
		if (g->load[g->res[k]] >= worst * (1 - 1e-9))
			return 1;
	return 0;
}

static uint32_t drop_some(struct greedy *g, double part)
{
	double worst = worst_link(g);
	uint32_t dropped = 0;

	for (uint32_t i = 0; i < g->nitems; i++) {
		struct item *it = &g->item[i];
		double chance = on_worst(g, it, worst) ? 2 * part : part;

		for (uint32_t k = it->taken; k > 0; k--)
			if (pool_uniform(g->p) < chance) {
				add_item(g, it, -1);
				dropped++;
			}
	}
	return dropped;
}

static int refill(struct greedy *g, uint32_t *pick, struct sfab_err *err)
{
	static const double part[] = { 0.08, 0.16, 0.33 };

	for (int r = 0; r < REFILLS && g->best > 0 && sfab_pool_go_on(g->p); r++) {
		double worst;

		restore(g);
		g->power = r % 2 ? 32 : 16;
		g->scale = g->best * (r % 4 < 2 ? 1.0 : 0.95);
		fill(g, drop_some(g, part[r % 3]));
		worst = worst_link(g);
		if (worst > g->best * (1 + 1e-12))
			continue;
		keep(g, worst);
		if (try_kept(g, pick, err) < 0)
			return -1;
	}
	return 0;
}

/* Remember the switch-to-switch part of @l as the vector of an item. */
static int add_vector(struct greedy *g, struct item *it, const struct sfab_load *l)
{
	if (g->nent + l->ntouched > g->capent) {
		uint32_t cap = 2 * g->capent + l->ntouched + 1024;
		uint32_t *res = realloc(g->res, cap * sizeof(*res));
		double *v;

		if (!res)
			return -1;
		g->res = res;
		v = realloc(g->v, cap * sizeof(*v));
		if (!v)
			return -1;
		g->v = v;
		g->capent = cap;
	}
	it->first = g->nent;
	for (uint32_t i = 0; i < l->ntouched; i++) {
		uint32_t e = l->touched[i];

		if (!g->p->m->isl[e])
			continue;
		g->res[g->nent] = e;
		g->v[g->nent++] = l->v[e] * g->p->m->inv_cap[e];
	}
	it->n = g->nent - it->first;
	return 0;
}

static int vector_of(struct greedy *g, uint32_t host, struct sfab_load *net,
		     struct sfab_load *io, struct sfab_err *err)
{
	const struct sfab_request *rq = g->p->rq;
	double one = 1;
	struct sfab_spec spec = { .n = 1, .host = &host, .traffic = rq->traffic,
				  .cpus = rq->cpus ? &rq->cpus[host] : &one };

	sfab_load_clear(net);
	sfab_load_clear(io);
	if (sfab_demand(g->p->m, &spec, net, io, NULL, err) < 0)
		return -1;
	g->p->steps += io->ntouched;
	return 0;
}

/* Do all hosts of a leaf write alike, so that one vector serves them all? */
static int leaf_alike(const struct pool *p)
{
	const struct sfab_traffic *t = p->rq->traffic;
	const struct sfab_fabric *f = p->m->f;

	for (uint32_t i = 0; i < t->nparts; i++) {
		uint32_t set;

		if (t->part[i].class == SFAB_IO_READ)
			return 0;
		if (t->part[i].class == SFAB_IO_WRITE &&
		    (sfab_model_set(p->m, &t->part[i], &set, NULL) < 0 ||
		     p->m->io->set[set].map == SFAB_IOMAP_GROUP))
			return 0;
	}
	for (uint32_t i = 0; i < p->nhosts; i++) {
		const struct sfab_host *h = &f->hosts[p->host[i]];

		if (h->nports != 1 ||
		    (i && f->ports[h->port0].rate !=
			   f->ports[f->hosts[p->host[0]].port0].rate) ||
		    (p->rq->cpus && p->rq->cpus[p->host[i]] !=
			   p->rq->cpus[p->host[0]]))
			return 0;
	}
	return 1;
}

static int make_items(struct greedy *g, struct sfab_load *net,
		      struct sfab_load *io, struct sfab_err *err)
{
	struct pool *p = g->p;

	g->leaf_alike = leaf_alike(p);
	g->nitems = g->leaf_alike ? p->nleaves : p->nhosts;
	for (uint32_t i = 0; i < g->nitems; i++) {
		struct item *it = &g->item[i];

		it->host0 = g->leaf_alike ? p->first[i] : i;
		it->room = g->leaf_alike ? pool_free(p, i) : 1;
		if (vector_of(g, p->host[it->host0], net, io, err) < 0)
			return -1;
		if (add_vector(g, it, io) < 0)
			return sfab_fail(err, SFAB_ENOMEM, "search: no memory");
	}
	return 0;
}

/* Background, and what the base sends, in units of capacity. */
static int make_base(struct greedy *g, struct sfab_load *net,
		     struct sfab_load *io, struct sfab_err *err)
{
	const struct sfab_model *m = g->p->m;

	if (g->p->js)
		for (uint32_t e = 0; e < m->nres; e++)
			g->base[e] = sfab_jobs_background(g->p->js)[e] * m->inv_cap[e];
	for (uint32_t i = 0; i < g->p->nbase; i++) {
		if (vector_of(g, g->p->base[i], net, io, err) < 0)
			return -1;
		for (uint32_t k = 0; k < io->ntouched; k++) {
			uint32_t e = io->touched[k];

			g->base[e] += io->v[e] * m->inv_cap[e];
		}
	}
	return 0;
}

static int search(struct greedy *g, struct sfab_load *net, struct sfab_load *io,
		  uint32_t *pick, struct sfab_err *err)
{
	if (make_base(g, net, io, err) < 0 || make_items(g, net, io, err) < 0 ||
	    chain(g, pick, err) < 0)
		return -1;
	return refill(g, pick, err);
}

int sfab_search_io(struct pool *p, uint32_t *pick, struct sfab_err *err)
{
	struct greedy g = { .p = p };
	struct sfab_load net = { 0 }, io = { 0 };
	int rc = -1;

	g.item = calloc(p->nhosts + 1u, sizeof(*g.item));
	g.heap = calloc(p->nhosts + 1u, sizeof(*g.heap));
	g.kept = calloc(p->nhosts + 1u, sizeof(*g.kept));
	g.base = calloc(p->m->nres + 1u, sizeof(*g.base));
	g.load = calloc(p->m->nres + 1u, sizeof(*g.load));
	if (g.item && g.heap && g.kept && g.base && g.load &&
	    sfab_load_init(&net, p->m->nres) == 0 &&
	    sfab_load_init(&io, p->m->nres) == 0)
		rc = search(&g, &net, &io, pick, err);
	else
		sfab_fail(err, SFAB_ENOMEM, "search: no memory");
	sfab_load_free(&net);
	sfab_load_free(&io);
	free(g.item);
	free(g.heap);
	free(g.kept);
	free(g.base);
	free(g.load);
	free(g.res);
	free(g.v);
	return rc;
}
