/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pool.c - a prepared request and its best sets so far; see search_private.h */

#include "core/search/search_private.h"
#include "core/search/search_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIE 1e-6		/* closer scores are equal */
#define STEPS_FOR 64		/* hosts; larger jobs get proportionally more, */
#define IO_PART 10		/* IO at least as for a tenth of all hosts, */
#define IO_MOST 512		/* hosts; keeps the minimum for IO below 10 ms */
#define SHAPES_STEPS 4		/* times as many where sfab_shapes_apply(), */
#define SHAPES_MOST 800000u	/* if they would be fewer than this */
#define CALM_LEFT 0.15		/* part of the hosts left free on a calm machine */
#define CALM_FORGIVEN 0.9	/* of leaves that a job leaves partly free there */

/* -- its best sets -------------------------------------------------------- */

/* Another thread may set it at any time. */
int sfab_search_is_stopped(const struct sfab_request *rq)
{
	return rq->stop && __atomic_load_n(rq->stop, __ATOMIC_RELAXED);
}

int sfab_pool_go_on(const struct pool *p)
{
	return p->steps < p->bound && !sfab_search_is_stopped(p->rq);
}

static int compare_with_tie(double a, double b)
{
	return a < b - TIE ? -1 : a > b + TIE;
}

int sfab_pool_cmp(const struct sfab_score *a, const struct sfab_score *b)
{
	int c = compare_with_tie(a->key, b->key);

	if (c == 0)
		c = compare_with_tie(a->worst, b->worst);
	if (c == 0)
		c = (a->leaves > b->leaves) - (a->leaves < b->leaves);
	return c;
}

/*
 * A slowdown is relative to what the job's end ports allow, which is the same
 * for all sets of similar hosts.  Where hosts have different ports, a set must
 * not win because its ends are slow.  So all sets are compared using the ends
 * of the first proposal.
 */
static void set_score_key(struct pool *p, struct sfab_score *s)
{
	struct sfab_bar bar = { .forgiven = p->forgiven };

	if (!(p->ends > 0))
		p->ends = s->ends;
	bar.ends = p->ends;
	s->key = sfab_score_key(s, &bar);
}

/* So many sets are still of interest: of the others nobody wants to know the score. */
static uint32_t sets_of_interest(const struct pool *p)
{
	if (!p->with_steps)
		return p->nkeep;
	return p->replaces || !p->looks_ahead ? 1 : POOL_KEPT;
}

/* A set above this bar would not be kept, or kept for nothing. */
static struct sfab_bar bar_of(const struct pool *p)
{
	struct sfab_bar bar = { .key = INFINITY, .ends = p->ends,
				.forgiven = p->forgiven, .with_steps = p->with_steps };
	uint32_t most = sets_of_interest(p);

	if (p->nkept >= most)
		bar.key = p->kept[most - 1].score.key + 2 * TIE;
	return bar;
}

/* Index of the set in p->try among the best, or p->nkept. */
static uint32_t find_kept(const struct pool *p)
{
	uint32_t i = 0;

	while (i < p->nkept &&
	       memcmp(p->kept[i].host, p->try, p->rq->n * sizeof(*p->try)) != 0)
		i++;
	return i;
}

/* The set in p->try for the best one, if it is better. */
static void replace_best(struct pool *p, const struct sfab_score *score)
{
	if (sfab_pool_cmp(score, &p->kept[0].score) >= 0)
		return;
	p->kept[0].score = *score;
	memcpy(p->kept[0].host, p->try, p->rq->n * sizeof(*p->try));
}

/* Insert the set in p->try into the list of the best, if it belongs there. */
static void keep_set(struct pool *p, const struct sfab_score *score)
{
	struct sfab_choice last;
	uint32_t i;

	if (p->nkept == p->nkeep &&
	    sfab_pool_cmp(score, &p->kept[p->nkept - 1].score) >= 0)
		return;
	if (find_kept(p) < p->nkept)
		return;
	if (p->replaces) {
		replace_best(p, score);
		return;
	}
	if (p->nkept < p->nkeep)
		p->nkept++;
	last = p->kept[p->nkept - 1];
	for (i = p->nkept - 1; i && sfab_pool_cmp(score, &p->kept[i - 1].score) < 0; i--)
		p->kept[i] = p->kept[i - 1];
	last.n = p->rq->n;
	last.score = *score;
	memcpy(last.host, p->try, p->rq->n * sizeof(*p->try));
	p->kept[i] = last;
}

/* Was the set in p->try scored before?  If not, remember it. */
static int is_seen(struct pool *p)
{
	uint64_t hash = sfab_hash_ids(p->try, p->rq->n);

	for (uint32_t i = 0; i < p->nseen; i++)
		if (p->seen[i] == hash)
			return 1;
	if (p->nseen < POOL_SEEN)
		p->seen[p->nseen++] = hash;
	return 0;
}

struct sfab_spec sfab_pool_tried(const struct pool *p)
{
	struct sfab_spec spec = { .n = p->rq->n, .host = p->try,
				  .traffic = p->rq->traffic };

	if (p->rq->cpus) {
		for (uint32_t i = 0; i < p->rq->n; i++)
			p->try_cpus[i] = p->rq->cpus[p->try[i]];
		spec.cpus = p->try_cpus;
	}
	return spec;
}

/*
 * Sort p->try in ascending order; it has no duplicates.  A bit set is faster
 * than qsort for the large sets that matter.
 */
static void order_try(struct pool *p)
{
	uint32_t words = p->m->f->nhosts / 64 + 1, n = 0;

	memset(p->bits, 0, words * sizeof(*p->bits));
	for (uint32_t i = 0; i < p->rq->n; i++)
		p->bits[p->try[i] / 64] |= UINT64_C(1) << p->try[i] % 64;
	for (uint32_t w = 0; w < words; w++)
		for (uint64_t b = p->bits[w]; b; b &= b - 1)
			p->try[n++] = 64 * w + (uint32_t) __builtin_ctzll(b);
}

/* Score the set in p->try, and keep it if it is among the best. */
static int score_tried(struct pool *p, struct sfab_err *err)
{
	struct sfab_bar bar = bar_of(p);
	struct sfab_spec spec = sfab_pool_tried(p);
	struct sfab_score score;
	int rc;

	rc = sfab_score_under(p->sc, p->js, &spec, &p->room, p->rq->weights, &bar, &score,
			      err);
	if (rc < 0)
		return -1;
	p->steps += score.steps;
	if (rc)
		return 0;
	set_score_key(p, &score);
	keep_set(p, &score);
	return 0;
}

int sfab_pool_try(struct pool *p, const uint32_t *pick, struct sfab_err *err)
{
	memcpy(p->try, p->base, p->nbase * sizeof(*p->try));
	memcpy(p->try + p->nbase, pick, p->need * sizeof(*p->try));
	order_try(p);
	p->steps += p->rq->n;
	return is_seen(p) ? 0 : score_tried(p, err);
}

int sfab_pool_keep_tree(struct pool *p, struct sfab_err *err)
{
	struct sfab_choice tree;
	uint32_t i;

	memcpy(p->try, p->tree, p->rq->n * sizeof(*p->try));
	if (find_kept(p) == p->nkept) {
		/* With room at the end there is no bar. */
		p->nkept -= p->nkept >= sets_of_interest(p);
		if (score_tried(p, err) < 0)
			return -1;
	}
	i = find_kept(p);
	if (i < 2)
		return 0;
	tree = p->kept[i];
	memmove(p->kept + 2, p->kept + 1, (i - 1) * sizeof(tree));
	p->kept[1] = tree;
	return 0;
}

int sfab_pool_rescore(struct pool *p, struct sfab_err *err)
{
	struct sfab_score score;
	struct sfab_spec spec;

	memcpy(p->try, p->kept[0].host, p->rq->n * sizeof(*p->try));
	spec = sfab_pool_tried(p);
	if (sfab_score_quick(p->sc, p->js, &spec, &p->room, p->rq->weights, &score,
			     err) < 0)
		return -1;
	p->steps += score.steps;
	return 0;
}

/* -- the request ---------------------------------------------------------- */

static int is_avail(const struct sfab_request *rq, const struct sfab_model *m,
		    uint32_t host)
{
	return rq->avail[host] && m->host_leaf[host] != SFAB_NONE;
}

static int is_required(const struct sfab_request *rq, uint32_t host)
{
	return rq->required && rq->required[host];
}

static uint32_t weight_of(const struct sfab_request *rq, uint32_t host)
{
	return rq->weight ? rq->weight[host] : 0;
}

static int check_request(const struct sfab_request *rq,
			 const struct sfab_model *m, struct sfab_err *err)
{
	const struct sfab_fabric *f = m->f;
	uint32_t avail = 0, required = 0;

	for (uint32_t h = 0; h < f->nhosts; h++) {
		avail += (uint32_t) is_avail(rq, m, h);
		required += (uint32_t) is_required(rq, h);
		if (is_required(rq, h) && !is_avail(rq, m, h))
			return sfab_fail(err, SFAB_EINVAL,
					 "required node %s is not available",
					 f->hosts[h].name);
	}
	if (rq->n == 0)
		return sfab_fail(err, SFAB_EINVAL, "0 nodes (expected at least 1)");
	if (avail < rq->n)
		return sfab_fail(err, SFAB_EINVAL, "%u nodes (%u available)",
				 rq->n, avail);
	if (required > rq->n)
		return sfab_fail(err, SFAB_EINVAL, "%u nodes (%u required)",
				 rq->n, required);
	return 0;
}

/* Lowest weight >= @from among candidates, or UINT32_MAX. */
static uint32_t next_weight(const struct pool *p, uint32_t from)
{
	uint32_t low = UINT32_MAX;

	for (uint32_t h = 0; h < p->m->f->nhosts; h++)
		if (is_avail(p->rq, p->m, h) && !is_required(p->rq, h) &&
		    weight_of(p->rq, h) >= from && weight_of(p->rq, h) < low)
			low = weight_of(p->rq, h);
	return low;
}

/* List the candidates of weight @w in @out; returns their number. */
static uint32_t hosts_of_weight(const struct pool *p, uint32_t w, uint32_t *out)
{
	const struct sfab_model *m = p->m;
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->leaf_first[m->f->nleaves]; i++) {
		uint32_t h = m->leaf_host[i];

		if (p->rq->avail[h] && !is_required(p->rq, h) &&
		    weight_of(p->rq, h) == w)
			out[n++] = h;
	}
	return n;
}

/* Required hosts, then whole weight classes while they are not enough. */
static void take_base(struct pool *p)
{
	uint32_t w = 0;

	for (uint32_t h = 0; h < p->m->f->nhosts; h++)
		if (is_required(p->rq, h))
			p->base[p->nbase++] = h;
	p->need = p->rq->n - p->nbase;
	p->nhosts = 0;
	while (p->need) {
		w = next_weight(p, w);
		p->nhosts = hosts_of_weight(p, w, p->host);
		if (p->nhosts >= p->need)
			break;
		memcpy(p->base + p->nbase, p->host, p->nhosts * sizeof(*p->host));
		p->nbase += p->nhosts;
		p->need -= p->nhosts;
		w++;
	}
}

static void group_by_leaf(struct pool *p)
{
	uint32_t was = SFAB_NONE;

	for (uint32_t i = 0; i < p->nhosts; i++) {
		uint32_t leaf = p->m->host_leaf[p->host[i]];

		if (leaf != was) {
			p->leaf[p->nleaves] = leaf;
			p->first[p->nleaves++] = i;
			was = leaf;
		}
	}
	p->first[p->nleaves] = p->nhosts;
}

static int pool_alloc(struct pool *p)
{
	uint32_t hosts = p->m->f->nhosts + 1, leaves = p->m->f->nleaves + 2;

	p->base = calloc(hosts, sizeof(*p->base));
	p->host = calloc(hosts, sizeof(*p->host));
	p->leaf = calloc(leaves, sizeof(*p->leaf));
	p->first = calloc(leaves, sizeof(*p->first));
	p->try = calloc(hosts, sizeof(*p->try));
	p->try_cpus = calloc(hosts, sizeof(*p->try_cpus));
	p->bits = calloc(hosts / 64 + 1, sizeof(*p->bits));
	p->fit = calloc((p->m->tree->nlevels + 1u) * (size_t) leaves,
			sizeof(*p->fit));
	p->closed = calloc(leaves, 1);
	p->tree = calloc(p->rq->n, sizeof(*p->tree));
	for (uint32_t i = 0; i < p->nkeep; i++) {
		p->kept[i].host = calloc(p->rq->n, sizeof(*p->try));
		if (!p->kept[i].host)
			return -1;
	}
	return p->base && p->host && p->leaf && p->first && p->try &&
	       p->try_cpus && p->bits && p->fit && p->closed && p->tree ?
	       0 : -1;
}

void sfab_pool_free(struct pool *p)
{
	free(p->base);
	free(p->host);
	free(p->leaf);
	free(p->first);
	free(p->try);
	free(p->try_cpus);
	free(p->bits);
	free(p->fit);
	free(p->closed);
	free(p->tree);
	for (uint32_t i = 0; i < p->nkeep; i++)
		sfab_choice_clear(&p->kept[i]);
	sfab_space_free(&p->room);
}

/*
 * Steps for a request.  For IO it is as costly to choose few of many hosts as
 * to choose more.
 */
static uint32_t steps_for(const struct sfab_request *rq, const struct sfab_model *m)
{
	uint64_t steps = rq->max_steps ? rq->max_steps : SFAB_MAX_STEPS_DEFAULT;
	uint32_t n = rq->n, least = m->f->nhosts / IO_PART;

	if (least > IO_MOST)
		least = IO_MOST;
	if (n < least && sfab_traffic_share(rq->traffic, 1) > 0)
		n = least;
	if (n > STEPS_FOR)
		steps = steps * n / STEPS_FOR;
	if (sfab_shapes_apply(m) && steps < SHAPES_MOST)
		steps = SHAPES_STEPS * steps < SHAPES_MOST ? SHAPES_STEPS * steps : SHAPES_MOST;
	return steps < UINT32_MAX / 2 ? (uint32_t) steps : UINT32_MAX / 2;
}

int sfab_pool_by_steps(const struct pool *p)
{
	return p->m->by_steps && sfab_traffic_share(p->rq->traffic, 0) > 0;
}

/*
 * 1: later jobs find room beside what rectangles leave of their leaves.  Where jobs
 * wait, the machine will be full, and a large job has to take these holes.
 */
static int is_calm(const struct pool *p)
{
	uint32_t all = 0;

	for (uint32_t l = 0; l < p->m->f->nleaves; l++)
		all += p->room.size[l];
	return p->m->by_steps == SFAB_MPI_BOTH && sfab_pool_by_steps(p) && !p->looks_ahead &&
	       sfab_traffic_share(p->rq->traffic, 1) == 0 &&
	       sfab_scorer_grid(p->sc)->nlevels &&
	       p->nbase + p->nhosts - p->rq->n >= CALM_LEFT * all;
}

int sfab_pool_make(struct pool *p, struct sfab_scorer *sc, struct sfab_jobs *js,
		   const struct sfab_request *rq, struct sfab_err *err)
{
	memset(p, 0, sizeof(*p));
	p->m = sfab_scorer_model(sc);
	p->rq = rq;
	p->sc = sc;
	p->js = js;
	p->random = rq->seed;
	p->max_steps = steps_for(rq, p->m);
	if (check_request(rq, p->m, err) < 0)
		return -1;
	p->looks_ahead = js && rq->queue && rq->queue->n;
	p->nkeep = sfab_pool_by_steps(p) ? POOL_KEPT_STEPS : p->looks_ahead ? POOL_KEPT : 1;
	if (pool_alloc(p) < 0)
		return sfab_no_memory(err);
	take_base(p);
	group_by_leaf(p);
	if (sfab_space_init(&p->room, p->m, rq->avail, rq->required, rq->n) < 0)
		return sfab_no_memory(err);
	if (is_calm(p))
		p->forgiven = CALM_FORGIVEN;
	return 0;
}
