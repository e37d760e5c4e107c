/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookahead.c - play the next starts and ends for a proposal; see lookahead.h
 *
 * The same pending job often gets the same hosts in several plays.  Its load is
 * therefore kept, by the hash of its hosts.  A job within one leaf puts no load
 * on links between switches.  A very large job only occupies its hosts.
 */

#include "core/random.h"
#include "core/search/best_fit.h"
#include "core/search/lookahead_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Footprint: the load of a pending job from certain hosts. */
struct print {
	uint64_t hash;		/* of the hosts */
	uint32_t n;
	uint32_t *res;
	double *x;
	struct print *next;	/* of the same pending job */
};

/* The hosts and load of a start, to give back at its end. */
struct started {
	uint32_t n, *host;
	const struct print *print;	/* NULL: no load */
};

struct ahead {
	const struct sfab_model *m;
	const struct sfab_request *rq;
	struct sfab_jobs *js;
	const double *background;
	uint32_t nfutures;
	struct future future[FUTURES];
	struct started started[STARTS];
	struct print *print[SFAB_QUEUE_MAX];	/* by pending job */
	/* state of the machine while a future is played */
	double *load;		/* background plus changes */
	const uint8_t *free_now;	/* [nhosts] before the job is placed */
	uint32_t *nfree_now;	/* by leaf */
	uint8_t *free;		/* [nhosts] */
	uint32_t *nfree;	/* by leaf */
	uint8_t *used;		/* by leaf */
	struct sfab_load own, next, io;
};

static int alloc_lookahead(struct ahead *a, uint32_t jobs)
{
	const struct sfab_model *m = a->m;

	a->load = calloc(m->nres + 1u, sizeof(*a->load));
	a->free = calloc(m->f->nhosts + 1u, 1);
	a->nfree = calloc(m->f->nleaves + 1u, sizeof(*a->nfree));
	a->nfree_now = calloc(m->f->nleaves + 1u, sizeof(*a->nfree_now));
	a->used = calloc(m->f->nleaves + 1u, 1);
	for (uint32_t i = 0; i < a->nfutures; i++) {
		a->future[i].event = calloc(jobs + 2u * STARTS + 2u,
					    sizeof(struct event));
		if (!a->future[i].event)
			return -1;
	}
	if (!a->load || !a->free || !a->nfree || !a->nfree_now || !a->used)
		return -1;
	return sfab_load_init(&a->own, m->nres) < 0 ||
	       sfab_load_init(&a->next, m->nres) < 0 ||
	       sfab_load_init(&a->io, m->nres) < 0 ? -1 : 0;
}

/* Draw all futures; returns their number of events, or -1. */
static int draw_all(struct ahead *a, const struct sfab_jobs *js)
{
	const struct sfab_model *m = a->m;
	/*
	 * The offset makes these draws independent of those of the search,
	 * which uses the same seed.
	 */
	uint64_t random = a->rq->seed + 0x5fab;
	uint32_t hosts = 0, events = 0;

	for (uint32_t l = 0; l < m->f->nleaves; l++) {
		for (uint32_t i = m->leaf_first[l]; i < m->leaf_first[l + 1]; i++)
			a->nfree_now[l] += a->free_now[m->leaf_host[i]];
		hosts += a->nfree_now[l];
	}
	hosts = hosts > a->rq->n ? hosts - a->rq->n : 0;
	for (uint32_t i = 0; i < a->nfutures; i++) {
		if (sfab_ahead_draw(a->rq, js, hosts, &random, &a->future[i]) < 0)
			return -1;
		events += a->future[i].n;
	}
	return (int) events;
}

struct ahead *sfab_ahead_create(const struct sfab_model *m,
				struct sfab_jobs *js,
				const struct sfab_request *rq,
				struct sfab_err *err)
{
	struct ahead *a = calloc(1, sizeof(*a));
	int events = -1;

	if (a) {
		a->m = m;
		a->rq = rq;
		a->js = js;
		a->background = sfab_jobs_background(js);
		a->free_now = rq->free ? rq->free : rq->avail;
		a->nfutures = rq->queue->nratios ? FUTURES : 1;
		if (alloc_lookahead(a, sfab_jobs_count(js)) == 0)
			events = draw_all(a, js);
	}
	if (events > 0)
		return a;
	sfab_ahead_destroy(a);
	if (events < 0)
		sfab_no_memory(err);
	return NULL;
}

static void free_prints(struct print *p)
{
	while (p) {
		struct print *next = p->next;

		free(p->res);
		free(p->x);
		free(p);
		p = next;
	}
}

void sfab_ahead_destroy(struct ahead *a)
{
	if (!a)
		return;
	for (int i = 0; i < FUTURES; i++)
		free(a->future[i].event);
	for (int i = 0; i < STARTS; i++)
		free(a->started[i].host);
	for (int i = 0; i < SFAB_QUEUE_MAX; i++)
		free_prints(a->print[i]);
	free(a->load);
	free(a->free);
	free(a->nfree);
	free(a->nfree_now);
	free(a->used);
	sfab_load_free(&a->own);
	sfab_load_free(&a->next);
	sfab_load_free(&a->io);
	free(a);
}

static void set_free(struct ahead *a, const uint32_t *host, uint32_t n, uint8_t to)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t leaf = a->m->host_leaf[host[i]];

		if (leaf == SFAB_NONE || a->free[host[i]] == to)
			continue;
		a->free[host[i]] = to;
		a->nfree[leaf] += to ? 1u : -1u;
	}
}

static void add_load(struct ahead *a, const struct sfab_load *l, double sign)
{
	for (uint32_t i = 0; i < l->ntouched; i++)
		a->load[l->touched[i]] += sign * l->v[l->touched[i]];
}

/* The machine as it would be with the job on @host. */
static void reset_machine(struct ahead *a, const uint32_t *host, uint32_t n)
{
	const struct sfab_model *m = a->m;

	memcpy(a->load, a->background, m->nres * sizeof(*a->load));
	memcpy(a->free, a->free_now, m->f->nhosts);
	memcpy(a->nfree, a->nfree_now, m->f->nleaves * sizeof(*a->nfree));
	set_free(a, host, n, 0);
	add_load(a, &a->own, 1);
}

static void end_running(struct ahead *a, const struct job *j)
{
	for (uint32_t i = 0; i < j->nuses; i++)
		a->load[j->use[i].res] -= sfab_jobs_passing(a->js, j, i);
	set_free(a, j->host, j->n, 1);
}

static void end_started(struct ahead *a, struct started *s)
{
	for (uint32_t i = 0; s->print && i < s->print->n; i++)
		a->load[s->print->res[i]] -= s->print->x[i];
	set_free(a, s->host, s->n, 1);
}

/* The leaf whose free hosts fit @n best, or SFAB_NONE. */
static uint32_t tightest_leaf(const struct ahead *a, uint32_t n)
{
	uint32_t best = SFAB_NONE;

	for (uint32_t l = 0; l < a->m->f->nleaves; l++)
		if (!a->used[l] && a->nfree[l] &&
		    (best == SFAB_NONE ||
		     sfab_best_fit(a->nfree[l], a->nfree[best], n) > 0))
			best = l;
	return best;
}

/*
 * Place a start as tree placement would.  -1: fewer hosts are free than the
 * node counts of the drawing said (shared hosts, or hosts without a leaf).
 */
static int place_started(struct ahead *a, struct started *s, uint32_t n)
{
	const struct sfab_model *m = a->m;

	memset(a->used, 0, m->f->nleaves);
	for (s->n = 0; s->n < n;) {
		uint32_t l = tightest_leaf(a, n - s->n);

		if (l == SFAB_NONE)
			return -1;
		a->used[l] = 1;
		for (uint32_t i = m->leaf_first[l];
		     i < m->leaf_first[l + 1] && s->n < n; i++)
			if (a->free[m->leaf_host[i]])
				s->host[s->n++] = m->leaf_host[i];
	}
	set_free(a, s->host, n, 0);
	return 0;
}

static struct print *make_print(const struct sfab_load *l, uint64_t hash)
{
	struct print *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->hash = hash;
	p->n = l->ntouched;
	p->res = malloc((l->ntouched + 1u) * sizeof(*p->res));
	p->x = malloc((l->ntouched + 1u) * sizeof(*p->x));
	if (!p->res || !p->x) {
		free_prints(p);
		return NULL;
	}
	for (uint32_t i = 0; i < l->ntouched; i++) {
		p->res[i] = l->touched[i];
		p->x[i] = l->v[l->touched[i]];
	}
	return p;
}

/* The load of a job, its IO as far as the servers let it through now. */
static int load_passing_demand(struct ahead *a, const struct sfab_spec *spec,
			       struct sfab_load *to, struct sfab_err *err)
{
	double part;

	sfab_load_clear(to);
	sfab_load_clear(&a->io);
	if (sfab_demand(a->m, spec, to, &a->io, NULL, err) < 0)
		return -1;
	part = sfab_jobs_beside(a->js, &a->io);
	for (uint32_t i = 0; i < a->io.ntouched; i++)
		sfab_load_add(to, a->io.touched[i],
			      part * a->io.v[a->io.touched[i]]);
	return 0;
}

/* The footprint of pending job @q on the hosts of @s: kept, or computed now. */
static int set_print(struct ahead *a, int q, struct started *s, uint32_t *steps,
		     struct sfab_err *err)
{
	struct sfab_spec spec = { .n = s->n, .host = s->host,
				  .traffic = a->rq->queue->job[q].traffic };
	uint64_t hash = sfab_hash_ids(s->host, s->n), adds = a->next.adds + a->io.adds;
	struct print *p = a->print[q];

	while (p && p->hash != hash)
		p = p->next;
	if (!p) {
		if (load_passing_demand(a, &spec, &a->next, err) < 0)
			return -1;
		*steps += (uint32_t) (a->next.adds + a->io.adds - adds);
		p = make_print(&a->next, hash);
		if (!p)
			return sfab_no_memory(err);
		p->next = a->print[q];
		a->print[q] = p;
	}
	s->print = p;
	return 0;
}

/*
 * Jobs whose load is ignored.  Large jobs put nearly the same load on the
 * fabric wherever they go, and take long to add.
 */
static int is_quiet(const struct ahead *a, int q, const struct started *s)
{
	return s->n > LOADED_MAX ||
	       (sfab_model_is_local(a->m, s->host, s->n) &&
		!(sfab_traffic_share(a->rq->queue->job[q].traffic, 1) > 0));
}

/*
 * The part of the traffic between the job's hosts that meets others, as in the term
 * overlap.  By the mean a link is slow only when it is full; a step is slowed by
 * whatever else crosses its links.
 */
static double share_that_meets(const struct ahead *a, const struct print *p)
{
	const struct sfab_model *m = a->m;
	double meets = 0, sum = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t e = p->res[i];

		if (!m->isl[e])
			continue;
		sum += p->x[i];
		meets += p->x[i] * fmax(fmin(a->load[e] * m->inv_cap[e], 1), 0);
	}
	return sum > 0 ? meets / sum : 0;
}

static int begin_queued_job(struct ahead *a, const struct event *e,
			    uint32_t *steps, double *cost, struct sfab_err *err)
{
	struct started *s = &a->started[e->start];
	double ends;

	s->print = NULL;
	if (!s->host)
		s->host = calloc(a->m->f->nhosts + 1u, sizeof(*s->host));
	if (!s->host)
		return sfab_no_memory(err);
	*steps += a->rq->queue->job[e->queued].n;
	if (place_started(a, s, a->rq->queue->job[e->queued].n) < 0) {
		s->n = 0;
		return 0;
	}
	if (is_quiet(a, e->queued, s))
		return 0;
	if (set_print(a, e->queued, s, steps, err) < 0)
		return -1;
	*steps += s->print->n;
	if (a->m->by_steps)
		*cost += sfab_traffic_share(a->rq->queue->job[e->queued].traffic, 0) *
			 share_that_meets(a, s->print);
	for (uint32_t i = 0; i < s->print->n; i++)
		a->load[s->print->res[i]] += s->print->x[i];
	*cost += sfab_slowdown(a->m, s->print->res, s->print->n, a->load, NULL,
			       &ends) - 1;
	return 0;
}

static int play_future(struct ahead *a, const struct future *f,
		       const uint32_t *host, uint32_t n, uint32_t *steps,
		       double *cost, struct sfab_err *err)
{
	reset_machine(a, host, n);
	/* reset_machine() copies nres loads, which is far cheaper than adding them. */
	*steps += a->m->nres / 8 + f->n;
	for (uint32_t i = 0; i < f->n; i++) {
		const struct event *e = &f->event[i];

		if (e->is_start) {
			if (begin_queued_job(a, e, steps, cost, err) < 0)
				return -1;
		} else if (e->job) {
			end_running(a, e->job);
		} else if (e->start >= 0) {
			end_started(a, &a->started[e->start]);
		} else {
			add_load(a, &a->own, -1);
			set_free(a, host, n, 1);
		}
	}
	return 0;
}

int sfab_ahead_cost(struct ahead *a, const uint32_t *host, uint32_t n,
		    uint32_t *steps, double *cost, struct sfab_err *err)
{
	struct sfab_spec spec = { .n = n, .host = host, .traffic = a->rq->traffic };
	double sum = 0;

	if (load_passing_demand(a, &spec, &a->own, err) < 0)
		return -1;
	for (uint32_t i = 0; i < a->nfutures; i++)
		if (play_future(a, &a->future[i], host, n, steps, &sum, err) <
		    0)
			return -1;
	*cost = sum / a->nfutures;
	return 0;
}
