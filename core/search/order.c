/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.c - orders to begin with, the local search, and the best of all
 */

#include "core/search/order_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/random.h"

/*
 * At first a swap may make the steps slower by this part of one that is twice as
 * slow as it should be.  Tried: 0 to 0.3 (make bench-order); 0.02 and less are
 * nearly alike, 0.1 and more find less within the same work.
 */
#define ORDER_FIRST_THRESHOLD 0.005
/* So often a rank is drawn again if all its flows have their links for themselves. */
#define ORDER_DRAWS 8
/* More nodes than these are ordered without a search: its memory. */
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

#define ORDER_KEYS 4

struct order_key {		/* compared one after the other */
	uint32_t key[ORDER_KEYS], host;
};

static int compare_order_keys(const void *a, const void *b)
{
	const struct order_key *x = a, *y = b;

	for (int i = 0; i < ORDER_KEYS; i++)
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	return x->host < y->host ? -1 : x->host > y->host;
}

static void set_order_keys(struct order_key *k, const struct sfab_model *m,
		     const struct sfab_class_grid *g, const uint32_t *position,
		     enum sfab_order_kind kind)
{
	uint32_t leaf = m->host_leaf[k->host];
	const struct sfab_tree *t = m->tree;

	memset(k->key, 0, sizeof(k->key));
	if (kind == SFAB_ORDER_NAME)
		return;
	k->key[ORDER_KEYS - 1] = position[k->host];
	if (kind == SFAB_ORDER_LEAF || !g->ncolumns)
		return;
	if (t->nlevels > 1 && t->height[1] == 1)	/* its pod */
		k->key[0] = sfab_tree_group(t, 1, leaf);
	k->key[1] = leaf;
	k->key[2] = g->column[k->host];
}

/* Sort @host by name, by leaf, or for FOUND by pod, leaf and port class. */
static int sort_hosts(const struct sfab_model *m, const struct sfab_class_grid *g,
		      enum sfab_order_kind kind, uint32_t *host, uint32_t n)
{
	struct order_key *key = calloc(n + 1u, sizeof(*key));
	uint32_t *position = malloc((m->f->nhosts + 1u) * sizeof(*position));

	if (key && position) {
		/* Position of each host, leaf by leaf and by port. */
		memset(position, 0xFF, (m->f->nhosts + 1u) * sizeof(*position));
		for (uint32_t i = 0; i < m->leaf_first[m->f->nleaves]; i++)
			position[m->leaf_host[i]] = i;
		for (uint32_t i = 0; i < n; i++) {
			key[i].host = host[i];
			set_order_keys(&key[i], m, g, position, kind);
		}
		qsort(key, n, sizeof(*key), compare_order_keys);
		for (uint32_t i = 0; i < n; i++)
			host[i] = key[i].host;
	}
	free(position);
	free(key);
	return key && position ? 0 : -1;
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
	uint64_t random, most_work;
	uint64_t tried, kept;
};

static uint32_t draw_rank(struct order_search *s)
{
	return (uint32_t) (sfab_random(&s->random) % s->walk.n);
}

/* The threshold falls evenly to 0 with the work done. */
static void run_search(struct order_search *s, const struct sfab_order_request *rq)
{
	struct order_walk *w = &s->walk;
	double first = 1;

	for (uint32_t i = 0; i < w->nsteps; i++)
		if (w->step[i].weight < first)
			first = w->step[i].weight;
	first *= ORDER_FIRST_THRESHOLD;
	while (w->work < s->most_work && s->best_cost > 0 && !w->no_memory &&
	       !is_order_stopped(rq)) {
		double threshold = first * (1 - (double) w->work / (double) s->most_work);
		uint32_t a = draw_rank(s), b;
		double cost;

		/* A rank whose flows share a link with others, if that is soon found. */
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

/* Change @host to the best order that the search finds from there. */
static int search_order(const struct sfab_model *m, const struct sfab_order_request *rq,
			uint32_t *host, struct sfab_order *out)
{
	struct order_search s = { .random = 1, .most_work = rq->most_work };
	struct order_walk *w = &s.walk;
	uint32_t n = rq->n, *start;
	int rc = sfab_order_walk_open(w, m, host, n, rq->mix);

	if (!s.most_work)
		s.most_work = SFAB_ORDER_WORK(n);
	start = sfab_arena_take(&w->arena, n, sizeof(*start));
	s.best = sfab_arena_take(&w->arena, n, sizeof(*s.best));
	if (rc == 0 && !w->arena.failed) {
		for (uint32_t i = 0; i < n; i++)
			s.best[i] = start[i] = i;
		s.cost = s.best_cost = sfab_order_walk_take(w, start);
		w->work = 0;
		run_search(&s, rq);
		for (uint32_t i = 0; i < n; i++)
			start[i] = host[s.best[i]];
		memcpy(host, start, n * sizeof(*host));
	}
	rc = rc < 0 || w->arena.failed || w->no_memory ? -1 : 0;
	out->tried += s.tried;
	out->kept += s.kept;
	sfab_order_walk_close(w);
	return rc;
}

/* -- the best of all -------------------------------------------------------- */

static int judge_order(struct sfab_stepper *sp, const struct sfab_order_request *rq,
		       const uint32_t *host, struct sfab_mixed *x, struct sfab_err *err)
{
	struct sfab_collective c = { .n = rq->n, .host = host, .share = 1 };

	if (is_order_stopped(rq))
		return sfab_fail(err, SFAB_ESTALE, "order stopped");
	if (sfab_stepper_take(sp, &c, err) < 0)
		return -1;
	return sfab_stepper_mixed(sp, rq->mix, x, err);
}

/* Take @host as the found order if it is better than what was found so far. */
static int offer_order(struct sfab_stepper *sp, const struct sfab_order_request *rq,
		       const uint32_t *host, struct sfab_order *out,
		       struct sfab_err *err)
{
	struct sfab_mixed x;

	if (judge_order(sp, rq, host, &x, err) < 0)
		return -1;
	if (x.mean < out->steps[SFAB_ORDER_FOUND].mean - 1e-9) {
		out->steps[SFAB_ORDER_FOUND] = x;
		memcpy(out->host[SFAB_ORDER_FOUND], host, rq->n * sizeof(*host));
	}
	return 0;
}

static int improve_order(const struct sfab_model *m, struct sfab_stepper *sp,
			 const struct sfab_class_grid *g,
			 const struct sfab_order_request *rq, struct sfab_order *out,
			 struct sfab_err *err)
{
	uint32_t *host = calloc(rq->n + 1u, sizeof(*host));
	int rc = -1;

	if (!host)
		return sfab_no_memory(err);
	memcpy(host, rq->host, rq->n * sizeof(*host));
	if (sort_hosts(m, g, SFAB_ORDER_FOUND, host, rq->n) < 0)
		sfab_no_memory(err);
	else
		rc = offer_order(sp, rq, host, out, err);
	if (rc == 0 && rq->n <= ORDER_SEARCHED_MAX &&
	    out->steps[SFAB_ORDER_FOUND].mean > SFAB_STEP_CLEAR) {
		memcpy(host, out->host[SFAB_ORDER_FOUND], rq->n * sizeof(*host));
		rc = search_order(m, rq, host, out) < 0 ? sfab_no_memory(err) :
		     offer_order(sp, rq, host, out, err);
	}
	free(host);
	return rc;
}

static int find_order(const struct sfab_model *m, const struct sfab_class_grid *g,
		      struct sfab_stepper *sp, const struct sfab_order_request *rq,
		      struct sfab_order *out, struct sfab_err *err)
{
	out->reason = rq->n < 3 ? SFAB_ORDER_FEW :
		      sfab_model_is_local(m, rq->host, rq->n) ? SFAB_ORDER_LOCAL :
		      SFAB_ORDER_SEARCHED;
	for (uint32_t i = rq->n; i-- > 0;)
		if (m->host_leaf[rq->host[i]] == SFAB_NONE) {
			out->reason = SFAB_ORDER_UNCABLED;
			out->uncabled = rq->host[i];
		}
	/* All three begin as the order of names, and leaf as that of leaves. */
	for (int i = 0; i < SFAB_NORDERS; i++) {
		enum sfab_order_kind by = i == SFAB_ORDER_LEAF &&
			out->reason != SFAB_ORDER_UNCABLED ? SFAB_ORDER_LEAF : SFAB_ORDER_NAME;

		out->host[i] = calloc(rq->n + 1u, sizeof(**out->host));
		if (!out->host[i])
			return sfab_no_memory(err);
		memcpy(out->host[i], rq->host, rq->n * sizeof(**out->host));
		if (sort_hosts(m, g, by, out->host[i], rq->n) < 0)
			return sfab_no_memory(err);
	}
	if (out->reason == SFAB_ORDER_UNCABLED)
		return 0;
	/* Found is the better of the two. */
	for (int i = SFAB_ORDER_NAME; i <= SFAB_ORDER_LEAF; i++)
		if (judge_order(sp, rq, out->host[i], &out->steps[i], err) < 0)
			return -1;
	out->steps[SFAB_ORDER_FOUND] = out->steps[SFAB_ORDER_NAME];
	if (offer_order(sp, rq, out->host[SFAB_ORDER_LEAF], out, err) < 0)
		return -1;
	return out->reason == SFAB_ORDER_SEARCHED ? improve_order(m, sp, g, rq, out, err) : 0;
}

int sfab_order_find(const struct sfab_model *m, const struct sfab_order_request *rq,
		    struct sfab_order *out, struct sfab_err *err)
{
	struct sfab_arena arena = { 0 };
	const struct sfab_class_grid *g = rq->grid ? rq->grid : sfab_class_grid_create(&arena, m);
	struct sfab_stepper *own = rq->stepper ? NULL : sfab_stepper_create(m);
	struct sfab_stepper *sp = rq->stepper ? rq->stepper : own;
	int rc;

	*out = (struct sfab_order){ .n = rq->n };
	rc = g && sp ? find_order(m, g, sp, rq, out, err) : sfab_no_memory(err);
	sfab_stepper_destroy(own);
	sfab_arena_free(&arena);
	if (rc < 0)
		sfab_order_clear(out);
	return rc;
}

void sfab_order_clear(struct sfab_order *o)
{
	for (int i = 0; i < SFAB_NORDERS; i++) {
		free(o->host[i]);
		o->host[i] = NULL;
	}
}
