/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search.c - let the searches propose, choose the best
 *
 * Proposals come from the baselines, from whole leaves in noisy orders (mpi,
 * neighbor), from rectangles of port classes (mpi by steps) and from a greedy
 * search on the worst link (IO).  Then single hosts of the best set are swapped
 * off its worst link.  Where whole leaves are too little choice there are more proposals
 * and swaps (search_shapes.h).  All proposals get the same score.  The lowest wins, then the
 * lower worst link, then fewer leaves, then the earlier proposal.  If mpi goes by
 * steps, the best few and the rectangles are scored once more (search_steps.c).  If the
 * queue is known, the best few are played against it (lookahead.h) before the final
 * choice.
 */

#include "core/search/lookahead.h"
#include "core/search/search_private.h"
#include "core/search/search_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IO_ON_LEAVES 8		/* an eighth of the steps of IO is for whole leaves, if
				   others talk */
#define SWAP_PART 4		/* a quarter of the steps is for swaps of single
				   hosts; */
				/* only IO next to other jobs reserves it */

void sfab_choice_clear(struct sfab_choice *c)
{
	free(c->host);
	free(c->tree);
	memset(c, 0, sizeof(*c));
}

/*
 * Exact score of the best set.  It has one if its routes were walked, unless steps may
 * have been left out.
 */
static int score_best(struct pool *p, struct sfab_err *err)
{
	struct sfab_score *s = &p->kept[0].score;
	double ahead = s->term[SFAB_TERM_AHEAD], key = s->key;
	struct sfab_spec spec;

	if (s->walked && !p->m->by_steps)
		return 0;
	memcpy(p->try, p->kept[0].host, p->rq->n * sizeof(*p->try));
	spec = sfab_pool_tried(p);
	if (sfab_score(p->sc, p->js, &spec, &p->room, p->rq->weights, s, err) < 0)
		return -1;
	s->term[SFAB_TERM_AHEAD] = ahead;
	s->total += s->weight[SFAB_TERM_AHEAD] * ahead;
	s->key = key;
	return 0;
}

/*
 * Add the lookahead cost to the kept sets, as many as the steps allow, and move the best
 * of them to the front.  By steps tree placement's set is among them.
 */
static int add_lookahead_costs(struct pool *p, struct sfab_err *err)
{
	struct sfab_err none = { .code = SFAB_OK };
	struct ahead *a = sfab_ahead_create(p->m, p->js, p->rq, &none);
	/* the best set, by steps tree's as well: at any cost */
	uint32_t always = sfab_pool_by_steps(p) ? 2 : 1, best = 0;
	double cost;

	if (!a)
		return none.code == SFAB_OK ? 0 :
			sfab_fail(err, none.code, "%s", none.text);
	if (sfab_pool_by_steps(p) && sfab_pool_keep_tree(p, err) < 0) {
		sfab_ahead_destroy(a);
		return -1;
	}
	for (uint32_t i = 0; i < p->nkept && (i < always || sfab_pool_go_on(p)); i++) {
		struct sfab_score *s = &p->kept[i].score;

		if (sfab_ahead_cost(a, p->kept[i].host, p->rq->n, &p->steps, &cost,
				    err) < 0) {
			sfab_ahead_destroy(a);
			return -1;
		}
		s->term[SFAB_TERM_AHEAD] = cost;
		s->total += s->weight[SFAB_TERM_AHEAD] * cost;
		s->key += s->weight[SFAB_TERM_AHEAD] * cost;
		if (sfab_pool_cmp(s, &p->kept[best].score) < 0)
			best = i;
	}
	sfab_ahead_destroy(a);
	if (best) {
		struct sfab_choice first = p->kept[0];

		p->kept[0] = p->kept[best];
		p->kept[best] = first;
	}
	return 0;
}

/* Whole leaves, and items of IO, each with its part of the steps. */
static int propose_by_traffic(struct pool *p, uint32_t *pick, struct sfab_err *err)
{
	int io = sfab_traffic_share(p->rq->traffic, 1) > 0;
	int net = sfab_traffic_share(p->rq->traffic, 0) > 0;
	int others = p->js && sfab_jobs_talking(p->js) > 0;
	uint32_t all = p->bound;

	p->bound = !io ? all : net ? all / 2 : all / IO_ON_LEAVES;
	if ((net || others) && sfab_search_leaves(p, pick, err) < 0)
		return -1;
	p->bound = pool_is_io_beside(p) ? all - all / SWAP_PART : all;
	return io ? sfab_search_io(p, pick, err) : 0;
}

/* The first baseline is always tried, so that there is a set to return. */
static int propose_plain(struct pool *p, uint32_t *pick, struct sfab_err *err)
{
	static const enum sfab_policy plain[] = { SFAB_POLICY_TREE,
						  SFAB_POLICY_CONTIGUOUS,
						  SFAB_POLICY_SPREAD };

	for (unsigned i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (i && p->nkept && !sfab_pool_go_on(p))
			break;
		sfab_pick_plain(p, plain[i], pick);
		if (sfab_pool_try(p, pick, err) < 0)
			return -1;
		if (plain[i] == SFAB_POLICY_TREE)
			memcpy(p->tree, p->try, p->rq->n * sizeof(*p->tree));
	}
	return 0;
}

static int swap_hosts(struct pool *p, struct sfab_err *err)
{
	uint32_t last = p->bound;
	int rc;

	p->bound = p->steps + p->max_steps / SWAP_PART;
	if (p->bound > last)
		p->bound = last;
	rc = sfab_pool_go_on(p) ? sfab_search_swaps(p, err) : 0;
	p->bound = last;
	return rc;
}

/* Search by means.  Where a rectangle was found, it cannot find better. */
static int propose_by_means(struct pool *p, int found, uint32_t *pick,
			    struct sfab_err *err)
{
	int choice = p->need && p->need < p->nhosts && !found;

	/* Lookahead needs the other half of the steps. */
	p->bound = p->looks_ahead ? p->max_steps / 2 : p->max_steps;
	if (choice && sfab_shapes_apply(p->m) && sfab_shapes_propose(p, pick, err) < 0)
		return -1;
	if (choice && propose_by_traffic(p, pick, err) < 0)
		return -1;
	/*
	 * From here on the baselines, the swaps and the lookahead share what is
	 * left.
	 */
	p->bound = p->max_steps + p->max_steps / 2;
	if (propose_plain(p, pick, err) < 0)
		return -1;
	if (choice && swap_hosts(p, err) < 0)
		return -1;
	return choice && sfab_shapes_apply(p->m) ? sfab_shapes_swap(p, pick, err) : 0;
}

static int propose_sets(struct pool *p, struct class_proposals *found, uint32_t *pick,
			struct sfab_err *err)
{
	int steps = sfab_pool_by_steps(p), quiet;
	int io = sfab_traffic_share(p->rq->traffic, 1) > 0;

	p->bound = p->max_steps;
	if (steps && !p->nbase && p->need < p->nhosts &&
	    sfab_search_classes(p, found, err) < 0)
		return -1;
	quiet = found->n && !found->meets_others;
	/* On a full machine whole leaves may do less harm to the next jobs. */
	if (propose_by_means(p, quiet && !io && p->m->by_steps == SFAB_MPI_STEPS &&
			     !p->room.is_full && !sfab_model_is_local(p->m, found->pick[0], p->need),
			     pick, err) < 0)
		return -1;
	if (steps && sfab_search_steps(p, found, err) < 0)
		return -1;
	if (sfab_search_is_stopped(p->rq))
		return sfab_fail(err, SFAB_ESTALE, "search stopped");
	return p->looks_ahead && p->need ? add_lookahead_costs(p, err) : 0;
}

static int search_sets(struct pool *p, uint32_t *pick, struct sfab_err *err)
{
	struct class_proposals found = { 0 };
	uint32_t *picks = malloc(((size_t) CLASS_PROPOSALS * p->need + 1) * sizeof(*picks));
	int rc;

	if (!picks)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < CLASS_PROPOSALS; i++)
		found.pick[i] = picks + (size_t) i * p->need;
	rc = propose_sets(p, &found, pick, err);
	free(picks);
	return rc;
}

static int one_policy(struct pool *p, enum sfab_policy policy, uint32_t *pick,
		      struct sfab_err *err)
{
	if (policy == SFAB_POLICY_SFABRIC)
		return search_sets(p, pick, err);
	p->with_steps = sfab_pool_by_steps(p);
	sfab_pick_plain(p, policy, pick);
	return sfab_pool_try(p, pick, err);
}

int sfab_candidate(struct sfab_scorer *sc, struct sfab_jobs *js,
		   const struct sfab_request *rq, enum sfab_policy policy,
		   struct sfab_choice *out, struct sfab_err *err)
{
	struct pool p;
	uint32_t *pick = NULL;
	int rc = sfab_pool_make(&p, sc, js, rq, err);

	sfab_footprints_begin(sfab_scorer_footprints(sc), rq->stop);
	if (rc == 0) {
		pick = calloc(p.need + 1u, sizeof(*pick));
		rc = pick ? one_policy(&p, policy, pick, err)
			  : sfab_no_memory(err);
	}
	if (rc == 0 && sfab_traffic_share(rq->traffic, 1) > 0)
		rc = score_best(&p, err);
	memset(out, 0, sizeof(*out));
	if (rc == 0) {
		*out = p.kept[0];
		out->steps = p.steps;
		p.kept[0].host = NULL;
		if (policy == SFAB_POLICY_SFABRIC) {
			out->tree = p.tree;
			p.tree = NULL;
		}
	}
	/*
	 * Drop the stop flag: the caller's memory may be gone before the next
	 * search.
	 */
	sfab_footprints_begin(sfab_scorer_footprints(sc), NULL);
	free(pick);
	sfab_pool_free(&p);
	return rc;
}

int sfab_search(struct sfab_scorer *sc, struct sfab_jobs *js,
		const struct sfab_request *rq, struct sfab_choice *out,
		struct sfab_err *err)
{
	return sfab_candidate(sc, js, rq, SFAB_POLICY_SFABRIC, out, err);
}
