/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order.c - orders to begin with, the local search, and the best of all */

#include "core/search/order_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/random.h"

/*
 * At first a swap may raise the cost by this part of the cost of one step with slowdown 2.  By
 * make bench-order, 0.02 and less are nearly alike; 0.1 and more find worse orders within the
 * same work.
 */
#define ORDER_FIRST_THRESHOLD 0.005
/* Draws of a rank, at most, until one has a flow that shares a link. */
#define ORDER_DRAWS 8
/* Jobs of more nodes are ordered without a search, which would need too much memory. */
#define ORDER_SEARCHED_MAX 4096u

const char *sfab_order_name(enum sfab_order_kind kind)
{
	static const char name[SFAB_NORDERS][8] = {
		[SFAB_ORDER_NAME] = "name",
		[SFAB_ORDER_LEAF] = "leaf",
		[SFAB_ORDER_FOUND] = "found",
	};

	return kind < SFAB_NORDERS ? name[kind] : "?";
}

/* -- orders to begin with --------------------------------------------------- */

struct order_finder {
	const struct sfab_model *m;
	const struct sfab_order_request *rq;
	const struct sfab_class_grid *grid;
	struct sfab_stepper *stepper;
	uint32_t *position;		/* by host: leaf by leaf and by port */
	struct order_key *key;		/* [n] scratch to sort */
	uint32_t *host;			/* [n] an order that is tried */
	struct sfab_order *out;
	struct sfab_err *err;
	struct sfab_arena arena;	/* position, key, host, and grid unless the caller's */
};

#define ORDER_KEYS 5

struct order_key {		/* compared one after the other; the last one is the host */
	uint64_t key[ORDER_KEYS];
};

static int compare_order_keys(const void *a, const void *b)
{
	const struct order_key *x = a, *y = b;

	return sfab_ascending_keys(x->key, y->key, ORDER_KEYS);
}

/* Set the keys by which @host is sorted: pod, leaf, port class, port, and the host itself. */
static void set_order_keys(struct order_key *k, const struct order_finder *x,
			   enum sfab_order_kind kind, uint32_t host)
{
	const struct sfab_tree *t = x->m->tree;
	uint32_t leaf = x->m->host_leaf[host];

	*k = (struct order_key){ { [ORDER_KEYS - 1] = host } };
	if (kind == SFAB_ORDER_NAME)
		return;
	k->key[3] = x->position[host];
	if (kind == SFAB_ORDER_LEAF || !x->grid->ncolumns)
		return;
	if (t->nlevels > 1 && t->height[1] == 1)	/* its pod */
		k->key[0] = sfab_tree_group(t, 1, leaf);
	k->key[1] = leaf;
	k->key[2] = x->grid->column[host];
}

/* Sort the hosts into @host: by name, by leaf, or for FOUND by pod, leaf and port class. */
static void sort_hosts(struct order_finder *x, enum sfab_order_kind kind, uint32_t *host)
{
	uint32_t n = x->rq->n;

	for (uint32_t i = 0; i < n; i++)
		set_order_keys(&x->key[i], x, kind, x->rq->host[i]);
	if (n)
		qsort(x->key, n, sizeof(*x->key), compare_order_keys);
	for (uint32_t i = 0; i < n; i++)
		host[i] = (uint32_t) x->key[i].key[ORDER_KEYS - 1];
}

/* -- the search ------------------------------------------------------------- */

static int is_order_stopped(const struct sfab_order_request *rq)
{
	return rq->stop && __atomic_load_n(rq->stop, __ATOMIC_RELAXED);
}

struct order_search {
	struct order_walk walk;
	uint32_t *best;			/* by rank, indices as in the walk */
	double cost, best_cost;
	uint64_t random, max_work;
	uint64_t tried, kept;
};

static uint32_t draw_rank(struct order_search *s)
{
	return (uint32_t) (sfab_random(&s->random) % s->walk.n);
}

/* Run the search.  Its threshold falls evenly to 0 with the work done. */
static void run_search(struct order_search *s, const struct sfab_order_request *rq)
{
	struct order_walk *w = &s->walk;
	double first = 1;

	for (uint32_t i = 0; i < w->nsteps; i++)
		if (w->step[i].weight < first)
			first = w->step[i].weight;
	first *= ORDER_FIRST_THRESHOLD;
	while (w->work < s->max_work && s->best_cost > 0 && !w->no_memory &&
	       !is_order_stopped(rq)) {
		double threshold = first * (1 - (double) w->work / (double) s->max_work);
		uint32_t a = draw_rank(s), b;
		double cost;

		/* Prefer a rank whose flows share a link with others. */
		for (int i = 1; i < ORDER_DRAWS && !sfab_order_walk_is_crowded(w, a); i++)
			a = draw_rank(s);
		b = draw_rank(s);
		w->work++;
		if (a == b)
			continue;
		s->tried++;
		sfab_order_walk_swap(w, a, b);
		cost = sfab_order_walk_cost(w);
		if (cost > s->cost + threshold) {
			sfab_order_walk_undo(w, a, b);
			continue;
		}
		s->kept++;
		s->cost = cost;
		if (cost < s->best_cost) {
			s->best_cost = cost;
			memcpy(s->best, w->rank, w->n * sizeof(*s->best));
		}
	}
}

/* Change x->host to the best order that the search finds when it starts from it. */
static int search_order(struct order_finder *x)
{
	struct order_search s = { .random = 1, .max_work = x->rq->max_work };
	struct order_walk *w = &s.walk;
	uint32_t n = x->rq->n, *start;
	int rc = sfab_order_walk_open(w, x->m, x->host, n, x->rq->mix);

	if (!s.max_work)
		s.max_work = SFAB_ORDER_WORK(n);
	start = sfab_arena_take(&w->arena, n, sizeof(*start));
	s.best = sfab_arena_take(&w->arena, n, sizeof(*s.best));
	if (rc == 0 && !w->arena.failed) {
		for (uint32_t i = 0; i < n; i++)
			s.best[i] = start[i] = i;
		s.cost = s.best_cost = sfab_order_walk_take(w, start);
		w->work = 0;
		run_search(&s, x->rq);
		for (uint32_t i = 0; i < n; i++)
			start[i] = x->host[s.best[i]];
		memcpy(x->host, start, n * sizeof(*start));
	}
	rc = rc < 0 || w->arena.failed || w->no_memory ? sfab_no_memory(x->err) : 0;
	x->out->tried += s.tried;
	x->out->kept += s.kept;
	sfab_order_walk_close(w);
	return rc;
}

/* -- the best of all -------------------------------------------------------- */

static int judge_order(const struct order_finder *x, const uint32_t *host,
		       struct sfab_mixed *steps)
{
	struct sfab_collective c = { .n = x->rq->n, .host = host, .share = 1 };

	if (is_order_stopped(x->rq))
		return sfab_fail(x->err, SFAB_ESTALE, "order stopped");
	if (sfab_stepper_take(x->stepper, &c, x->err) < 0)
		return -1;
	return sfab_stepper_mixed(x->stepper, x->rq->mix, steps, x->err);
}

/* Make @host the found order if it is better than the best so far. */
static int offer_order(const struct order_finder *x, const uint32_t *host)
{
	struct sfab_order *out = x->out;
	struct sfab_mixed steps;

	if (judge_order(x, host, &steps) < 0)
		return -1;
	if (steps.mean < out->steps[SFAB_ORDER_FOUND].mean - 1e-9) {
		out->steps[SFAB_ORDER_FOUND] = steps;
		memcpy(out->host[SFAB_ORDER_FOUND], host, x->rq->n * sizeof(*host));
	}
	return 0;
}

/* Offer the order by pod, leaf and port class, and what the search makes of the best order. */
static int improve_order(struct order_finder *x)
{
	struct sfab_order *out = x->out;

	sort_hosts(x, SFAB_ORDER_FOUND, x->host);
	if (offer_order(x, x->host) < 0)
		return -1;
	if (x->rq->n > ORDER_SEARCHED_MAX || !(out->steps[SFAB_ORDER_FOUND].mean > SFAB_STEP_CLEAR))
		return 0;
	memcpy(x->host, out->host[SFAB_ORDER_FOUND], x->rq->n * sizeof(*x->host));
	return search_order(x) < 0 ? -1 : offer_order(x, x->host);
}

static int find_order(struct order_finder *x)
{
	const struct sfab_order_request *rq = x->rq;
	struct sfab_order *out = x->out;

	out->reason = rq->n < 3 ? SFAB_ORDER_FEW :
		      sfab_model_is_local(x->m, rq->host, rq->n) ? SFAB_ORDER_LOCAL :
		      SFAB_ORDER_SEARCHED;
	for (uint32_t i = rq->n; i-- > 0;)
		if (x->m->host_leaf[rq->host[i]] == SFAB_NONE) {
			out->reason = SFAB_ORDER_UNCABLED;
			out->uncabled = rq->host[i];
		}
	/* Name and found begin as the order of names, leaf as that of leaves. */
	for (int i = 0; i < SFAB_NORDERS; i++)
		sort_hosts(x, i == SFAB_ORDER_LEAF && out->reason != SFAB_ORDER_UNCABLED ?
			   SFAB_ORDER_LEAF : SFAB_ORDER_NAME, out->host[i]);
	if (out->reason == SFAB_ORDER_UNCABLED)
		return 0;
	/* Found begins as the better of the two. */
	for (int i = SFAB_ORDER_NAME; i <= SFAB_ORDER_LEAF; i++)
		if (judge_order(x, out->host[i], &out->steps[i]) < 0)
			return -1;
	out->steps[SFAB_ORDER_FOUND] = out->steps[SFAB_ORDER_NAME];
	if (offer_order(x, out->host[SFAB_ORDER_LEAF]) < 0)
		return -1;
	return out->reason == SFAB_ORDER_SEARCHED ? improve_order(x) : 0;
}

/* Make the arrays of @x.  -1: out of memory. */
static int open_finder(struct order_finder *x)
{
	const struct sfab_model *m = x->m;
	uint32_t **host = x->out->host, n = x->rq->n;

	x->position = sfab_arena_take_ones(&x->arena, m->f->nhosts, sizeof(*x->position));
	x->key = sfab_arena_take(&x->arena, n, sizeof(*x->key));
	x->host = sfab_arena_take(&x->arena, n, sizeof(*x->host));
	host[0] = calloc(SFAB_NORDERS * (size_t) n + 1, sizeof(*host[0]));
	if (!x->grid || !x->stepper || x->arena.failed || !host[0])
		return -1;
	for (uint32_t i = 1; i < SFAB_NORDERS; i++)
		host[i] = host[0] + (size_t) i * n;
	for (uint32_t i = 0; i < m->leaf_first[m->f->nleaves]; i++)
		x->position[m->leaf_host[i]] = i;
	return 0;
}

int sfab_order_find(const struct sfab_model *m, const struct sfab_order_request *rq,
		    struct sfab_order *out, struct sfab_err *err)
{
	struct sfab_stepper *made = rq->stepper ? NULL : sfab_stepper_create(m);
	struct order_finder x = { .m = m, .rq = rq, .grid = rq->grid, .out = out, .err = err,
				  .stepper = rq->stepper ? rq->stepper : made };
	int rc;

	*out = (struct sfab_order){ .n = rq->n };
	if (!x.grid)
		x.grid = sfab_class_grid_create(&x.arena, m);
	rc = open_finder(&x) < 0 ? sfab_no_memory(err) : find_order(&x);
	sfab_stepper_destroy(made);
	sfab_arena_free(&x.arena);
	if (rc < 0)
		sfab_order_clear(out);
	return rc;
}

void sfab_order_clear(struct sfab_order *o)
{
	free(o->host[0]);
	memset(o->host, 0, sizeof(o->host));
}
