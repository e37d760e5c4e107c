/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pool.c - a prepared request and its best set so far */

#include "core/search/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIE 1e-6		/* nodes; closer scores are equal */
#define STEPS_FOR 64		/* hosts of a job that gets max_steps; a larger one gets more in
				   proportion */
#define IO_PART 10		/* a job with IO gets at least the steps for 1 in so many of all
				   hosts */
#define IO_MAX 512		/* hosts at most in this minimum: it keeps the search below 10 ms */

/* -- its best set --------------------------------------------------------- */

int sfab_pool_may_go_on(const struct pool *p)
{
	return p->steps + p->first_steps < p->max_steps && !sfab_search_is_stopped(p->rq);
}

struct sfab_job sfab_pool_trial_job(const struct pool *p)
{
	struct sfab_job job = { .n = p->rq->n, .host = p->trial, .traffic = p->rq->traffic };

	if (p->rq->cpus) {
		for (uint32_t i = 0; i < p->rq->n; i++)
			p->trial_cpus[i] = p->rq->cpus[p->trial[i]];
		job.cpus = p->trial_cpus;
	}
	return job;
}

void sfab_pool_fill(struct pool *p, const uint32_t *pick)
{
	uint32_t words = p->m->f->nhosts / 64 + 1, n = 0;

	memcpy(p->trial, p->base, p->nbase * sizeof(*p->trial));
	memcpy(p->trial + p->nbase, pick, p->need * sizeof(*p->trial));
	/*
	 * Sort in ascending order; there are no duplicates.  A bit set is faster than qsort for
	 * the large sets that matter.
	 */
	memset(p->bits, 0, words * sizeof(*p->bits));
	for (uint32_t i = 0; i < p->rq->n; i++)
		p->bits[p->trial[i] / 64] |= UINT64_C(1) << p->trial[i] % 64;
	for (uint32_t w = 0; w < words; w++)
		for (uint64_t b = p->bits[w]; b; b &= b - 1)
			p->trial[n++] = 64 * w + (uint32_t) __builtin_ctzll(b);
}

int sfab_pool_try(struct pool *p, const uint32_t *pick, struct sfab_err *err)
{
	struct sfab_choice *best = p->best;
	double max = best->n ? best->score.total + TIE : INFINITY;
	struct sfab_score score;
	struct sfab_job job;
	uint64_t hash, *slot;
	int rc;

	p->steps += p->rq->n;
	if (!sfab_pool_allows(p, pick))
		return 0;
	sfab_pool_fill(p, pick);
	hash = sfab_random_hash(p->trial, p->rq->n);
	slot = &p->seen[hash % POOL_SEEN];
	if (*slot == hash)
		return 0;
	*slot = hash;	/* overwrites an older set */
	job = sfab_pool_trial_job(p);
	rc = sfab_score_below(p->sc, p->js, &job, p->rq->weights, max, &score, err);
	if (rc < 0)
		return -1;
	p->steps += score.steps;
	if (!best->n) {
		p->first_steps = p->steps;
		for (uint32_t i = 0; i < p->rq->traffic->nparts; i++)
			p->ends[i] = score.lost.part[i].ends;
	}
	if (rc > 0 || (best->n && score.total > best->score.total - TIE &&
		       score.leaves >= best->score.leaves))
		return 0;
	best->n = p->rq->n;
	best->score = score;
	memcpy(best->host, p->trial, p->rq->n * sizeof(*p->trial));
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

/*
 * Put the required hosts into the base, then whole weight classes as long as they do not
 * suffice.
 */
static void take_base(struct pool *p)
{
	const struct sfab_model *m = p->m;

	for (uint32_t h = 0; h < m->f->nhosts; h++)
		if (is_required(p->rq, h))
			p->base[p->nbase++] = h;
	p->need = p->rq->n - p->nbase;
	for (uint32_t from = 0, low; p->need; from = low + 1) {
		low = UINT32_MAX;
		for (uint32_t h = 0; h < m->f->nhosts; h++)
			if (is_avail(p->rq, m, h) && !is_required(p->rq, h) &&
			    weight_of(p->rq, h) >= from && weight_of(p->rq, h) < low)
				low = weight_of(p->rq, h);
		p->choices->nhosts = 0;
		for (uint32_t i = 0; i < m->leaf_first[m->f->nleaves]; i++) {
			uint32_t h = m->leaf_host[i];

			if (p->rq->avail[h] && !is_required(p->rq, h) &&
			    weight_of(p->rq, h) == low)
				p->choices->host[p->choices->nhosts++] = h;
		}
		if (p->choices->nhosts >= p->need)
			break;
		memcpy(p->base + p->nbase, p->choices->host, p->choices->nhosts * sizeof(*p->base));
		p->nbase += p->choices->nhosts;
		p->need -= p->choices->nhosts;
	}
}

static int pool_alloc(struct pool *p)
{
	uint32_t hosts = p->m->f->nhosts, leaves = p->m->f->nleaves + 1;
	struct sfab_arena *a = &p->arena;

	p->base = sfab_arena_take(a, hosts, sizeof(*p->base));
	p->all.host = sfab_arena_take(a, hosts, sizeof(*p->all.host));
	p->all.leaf = sfab_arena_take(a, leaves, sizeof(*p->all.leaf));
	p->all.first = sfab_arena_take(a, leaves, sizeof(*p->all.first));
	p->all.is_candidate = sfab_arena_take(a, hosts, 1);
	p->trial = sfab_arena_take(a, hosts, sizeof(*p->trial));
	p->trial_cpus = sfab_arena_take(a, hosts, sizeof(*p->trial_cpus));
	p->bits = sfab_arena_take(a, hosts / 64 + 1, sizeof(*p->bits));
	p->tree_levels = sfab_arena_take(a, (p->m->tree->nlevels + 1u) * (size_t) leaves,
					 sizeof(*p->tree_levels));
	p->leaf_closed = sfab_arena_take(a, leaves, 1);
	p->leaf_used = sfab_arena_take(a, leaves, 1);
	p->pick = sfab_arena_take(a, hosts, sizeof(*p->pick));
	p->best->host = calloc(p->rq->n, sizeof(*p->best->host));
	return !a->failed && p->best->host ? 0 : -1;
}

void sfab_choice_clear(struct sfab_choice *c)
{
	free(c->host);
	free(c->tree_host);
	memset(c, 0, sizeof(*c));
}

/*
 * Return the limit of steps for a request.  For IO it costs as much to choose few of many hosts
 * as to choose more.
 */
static uint32_t steps_for(const struct sfab_request *rq, const struct sfab_model *m)
{
	uint64_t steps = rq->max_steps ? rq->max_steps : SFAB_MAX_STEPS_DEFAULT;
	uint32_t n = rq->n, min = m->f->nhosts / IO_PART;

	if (min > IO_MAX)
		min = IO_MAX;
	if (n < min && sfab_traffic_io_share(rq->traffic) > 0)
		n = min;
	if (n > STEPS_FOR)
		steps = steps * n / STEPS_FOR;
	return steps < UINT32_MAX / 2 ? (uint32_t) steps : UINT32_MAX / 2;
}

int sfab_pool_make(struct pool *p, struct sfab_scorer *sc, struct sfab_jobs *js,
		   const struct sfab_request *rq, struct sfab_choice *best,
		   struct sfab_err *err)
{
	memset(p, 0, sizeof(*p));
	memset(best, 0, sizeof(*best));
	p->best = best;
	p->choices = &p->all;
	p->m = sc->m;
	p->rq = rq;
	p->sc = sc;
	p->js = js;
	p->random = rq->seed;
	p->max_steps = steps_for(rq, p->m);
	if (check_request(rq, p->m, err) < 0)
		return -1;
	if (pool_alloc(p) < 0)
		return sfab_no_memory(err);
	take_base(p);
	for (uint32_t i = 0; i < p->choices->nhosts; i++) {
		uint32_t leaf = p->m->host_leaf[p->choices->host[i]];

		p->choices->is_candidate[p->choices->host[i]] = 1;
		if (p->choices->nleaves && p->choices->leaf[p->choices->nleaves - 1] == leaf)
			continue;
		p->choices->leaf[p->choices->nleaves] = leaf;
		p->choices->first[p->choices->nleaves++] = i;
	}
	p->choices->first[p->choices->nleaves] = p->choices->nhosts;
	sfab_scorer_set_free(sc, rq->avail);
	return sfab_pool_find_few(p) < 0 ? sfab_no_memory(err) : 0;
}
