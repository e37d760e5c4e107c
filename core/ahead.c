/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ahead.c - play the next starts and ends for a proposal; see ahead.h */

#include "ahead.h"
#include "jobs_private.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STARTS 15		/* starts to look ahead */
#define FUTURES 4		/* drawn, when run times are not known */
#define NEVER INFINITY

/* A job in a future: a running one, the one to be placed, or a queued one. */
struct actor {
	double end;		/* estimated; NEVER: stays */
	uint32_t n;
	const struct job *job;	/* running */
	int queued;		/* index in the queue, or -1 */
	int start;		/* number of its start in the future, or -1 */
};

struct event {
	int is_start;
	const struct job *job;	/* end of a running job */
	int queued;		/* start: index in the queue */
	int start;		/* start, or end of that start; -1: the job itself */
};

struct future {
	uint32_t n;
	struct event *event;
};

/* What a start took, to be given back at its end. */
struct started {
	uint32_t n, *host;
	uint32_t nuses, capuses;
	uint32_t *res;
	double *x;
};

struct ahead {
	const struct sfab_model *m;
	const struct sfab_request *rq;
	const double *background;
	uint32_t nfutures;
	struct future future[FUTURES];
	struct started started[STARTS];
	struct actor *actor;	/* while a future is drawn up */
	uint32_t nactors;
	uint64_t random;
	/* the machine while a future is played */
	double *load;		/* background and changes */
	const uint8_t *free_now;	/* [nhosts] before the job is placed */
	uint8_t *free;		/* [nhosts] */
	uint32_t *nfree;	/* by leaf */
	uint8_t *used;		/* by leaf */
	struct sfab_load own, next;
};

/* How long a job of @limit runs that has run for @elapsed. */
static double draw_run(struct ahead *a, double limit, double elapsed)
{
	const struct sfab_queue *q = a->rq->queue;

	if (limit <= 0)
		return NEVER;
	for (int i = 0; i < 8 && q->nratios; i++) {
		uint32_t k = (uint32_t) (sfab_uniform(&a->random) * q->nratios);
		double run = limit * q->ratio[k];

		if (run > elapsed)
			return run;
	}
	return limit > elapsed ? limit : elapsed;
}

static int cmp_jobs(const void *x, const void *y)
{
	const struct job *a = (*(const struct actor *) x).job;
	const struct job *b = (*(const struct actor *) y).job;

	return a->id < b->id ? -1 : a->id > b->id;
}

static void add_actor(struct ahead *a, double end, uint32_t n,
		      const struct job *job, int queued, int start)
{
	struct actor x = { end, n, job, queued, start };

	a->actor[a->nactors++] = x;
}

/* Running jobs in order of their ids: draws must not depend on history. */
static void add_running(struct ahead *a, const struct sfab_jobs *js)
{
	double now = (double) a->rq->queue->now_s;

	a->nactors = 0;
	for (const struct job *j = js->jobs; j; j = j->hh.next)
		if (!j->suspended)
			add_actor(a, NEVER, j->n, j, -1, -1);
	qsort(a->actor, a->nactors, sizeof(*a->actor), cmp_jobs);
	for (uint32_t i = 0; i < a->nactors; i++) {
		const struct job *j = a->actor[i].job;
		double start = (double) j->start_s;

		if (j->limit_s)
			a->actor[i].end = start + draw_run(a, (double) j->limit_s,
							   now - start);
	}
	add_actor(a, now + draw_run(a, (double) a->rq->limit_s, 0), a->rq->n, NULL,
		  -1, -1);
}

static uint32_t first_end(const struct ahead *a)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < a->nactors; i++)
		if (a->actor[i].end < a->actor[first].end)
			first = i;
	return first;
}

/* The state of a future while it is drawn up. */
struct drawing {
	struct future *f;
	double now;
	uint32_t free;		/* hosts */
	int starts;
	uint8_t gone[SFAB_QUEUE_MAX];
};

static void start_queued(struct ahead *a, struct drawing *d, int q)
{
	const struct sfab_queued *job = &a->rq->queue->job[q];
	struct event e = { 1, NULL, q, d->starts };

	d->gone[q] = 1;
	d->free -= job->n;
	d->f->event[d->f->n++] = e;
	add_actor(a, d->now + draw_run(a, (double) job->limit_s, 0), job->n, NULL, q,
		  d->starts++);
}

/* When can @n hosts be had, and how many are then over? */
static double shadow(const struct ahead *a, const struct drawing *d, uint32_t n,
		     uint32_t *over)
{
	double at = d->now;
	uint32_t free = d->free;

	while (free < n) {
		double next = NEVER;

		for (uint32_t i = 0; i < a->nactors; i++)
			if (a->actor[i].end > at && a->actor[i].end < next)
				next = a->actor[i].end;
		if (next == NEVER)
			return NEVER;
		for (uint32_t i = 0; i < a->nactors; i++)
			if (a->actor[i].end > at && a->actor[i].end <= next)
				free += a->actor[i].n;
		at = next;
	}
	*over = free - n;
	return at;
}

/* EASY: the head as soon as it fits, others if they do not delay it. */
static void start_all(struct ahead *a, struct drawing *d)
{
	const struct sfab_queue *q = a->rq->queue;
	uint32_t n = q->n < SFAB_QUEUE_MAX ? q->n : SFAB_QUEUE_MAX;
	double at = NEVER;
	uint32_t over = 0;
	int head = -1;

	for (uint32_t i = 0; i < n && d->starts < STARTS; i++) {
		double end = d->now + (double) q->job[i].limit_s;

		if (d->gone[i])
			continue;
		if (q->job[i].n <= d->free &&
		    (head < 0 || end <= at || q->job[i].n <= over)) {
			if (head >= 0 && end > at)
				over -= q->job[i].n;
			start_queued(a, d, (int) i);
		} else if (head < 0) {
			head = (int) i;
			at = shadow(a, d, q->job[i].n, &over);
		}
	}
}

static void draw(struct ahead *a, struct future *f, const struct sfab_jobs *js,
		 uint32_t free)
{
	struct drawing d = { .f = f, .now = (double) a->rq->queue->now_s,
			     .free = free };

	add_running(a, js);
	for (;;) {
		struct actor *x;

		start_all(a, &d);
		if (d.starts == STARTS)
			return;
		x = &a->actor[first_end(a)];
		if (x->end == NEVER)
			return;
		struct event e = { 0, x->job, x->queued, x->start };

		f->event[f->n++] = e;
		d.now = x->end > d.now ? x->end : d.now;
		d.free += x->n;
		*x = a->actor[--a->nactors];
		if (!a->nactors)
			return;
	}
}

static int alloc(struct ahead *a, uint32_t jobs)
{
	const struct sfab_model *m = a->m;

	a->actor = calloc(jobs + STARTS + 2u, sizeof(*a->actor));
	a->load = calloc(m->nres + 1u, sizeof(*a->load));
	a->free = calloc(m->f->nhosts + 1u, 1);
	a->nfree = calloc(m->f->nleaves + 1u, sizeof(*a->nfree));
	a->used = calloc(m->f->nleaves + 1u, 1);
	for (uint32_t i = 0; i < a->nfutures; i++) {
		a->future[i].event = calloc(jobs + 2u * STARTS + 2u,
					    sizeof(struct event));
		if (!a->future[i].event)
			return -1;
	}
	if (!a->actor || !a->load || !a->free || !a->nfree || !a->used)
		return -1;
	return sfab_load_init(&a->own, m->nres) < 0 ||
	       sfab_load_init(&a->next, m->nres) < 0 ? -1 : 0;
}

struct ahead *sfab_ahead_create(const struct sfab_model *m,
				struct sfab_jobs *js,
				const struct sfab_request *rq,
				struct sfab_err *err)
{
	struct ahead *a = calloc(1, sizeof(*a));
	uint32_t free = 0, events = 0;

	if (a) {
		a->m = m;
		a->rq = rq;
		a->background = sfab_jobs_background(js);
		a->free_now = rq->free ? rq->free : rq->avail;
		a->nfutures = rq->queue->nratios ? FUTURES : 1;
		a->random = rq->seed + 0x5fab;
	}
	if (!a || alloc(a, sfab_jobs_count(js)) < 0) {
		sfab_ahead_destroy(a);
		sfab_fail(err, SFAB_ENOMEM, "look ahead: no memory");
		return NULL;
	}
	for (uint32_t i = 0; i < m->leaf_first[m->f->nleaves]; i++)
		free += a->free_now[m->leaf_host[i]];
	for (uint32_t i = 0; i < a->nfutures; i++) {
		draw(a, &a->future[i], js, free > rq->n ? free - rq->n : 0);
		events += a->future[i].n;
	}
	if (events)
		return a;
	sfab_ahead_destroy(a);
	return NULL;
}

void sfab_ahead_destroy(struct ahead *a)
{
	if (!a)
		return;
	for (int i = 0; i < FUTURES; i++)
		free(a->future[i].event);
	for (int i = 0; i < STARTS; i++) {
		free(a->started[i].host);
		free(a->started[i].res);
		free(a->started[i].x);
	}
	free(a->actor);
	free(a->load);
	free(a->free);
	free(a->nfree);
	free(a->used);
	sfab_load_free(&a->own);
	sfab_load_free(&a->next);
	free(a);
}

static void set_free(struct ahead *a, const uint32_t *host, uint32_t n, uint8_t to)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t leaf = sfab_host_leaf(a->m->f, host[i]);

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
static void reset(struct ahead *a, const uint32_t *host, uint32_t n)
{
	const struct sfab_model *m = a->m;

	memcpy(a->load, a->background, m->nres * sizeof(*a->load));
	memcpy(a->free, a->free_now, m->f->nhosts);
	for (uint32_t l = 0; l < m->f->nleaves; l++) {
		a->nfree[l] = 0;
		for (uint32_t i = m->leaf_first[l]; i < m->leaf_first[l + 1]; i++)
			a->nfree[l] += a->free[m->leaf_host[i]];
	}
	set_free(a, host, n, 0);
	add_load(a, &a->own, 1);
}

static void end_running(struct ahead *a, const struct job *j)
{
	for (uint32_t i = 0; i < j->nuses; i++)
		a->load[j->use[i].res] -= j->use[i].x;
	set_free(a, j->host, j->n, 1);
}

static void end_started(struct ahead *a, struct started *s)
{
	for (uint32_t i = 0; i < s->nuses; i++)
		a->load[s->res[i]] -= s->x[i];
	set_free(a, s->host, s->n, 1);
}

/* The tightest leaf that holds @n, else the fullest. */
static uint32_t best_leaf(const struct ahead *a, uint32_t n)
{
	uint32_t best = SFAB_NONE, had = 0;

	for (uint32_t l = 0; l < a->m->f->nleaves; l++) {
		uint32_t have = a->used[l] ? 0 : a->nfree[l];

		if (!have)
			continue;
		if (best == SFAB_NONE ||
		    (have >= n ? had < n || have < had : had < n && have > had)) {
			best = l;
			had = have;
		}
	}
	return best;
}

/* Tree placement; -1: there are not enough free hosts after all. */
static int put(struct ahead *a, struct started *s, uint32_t n)
{
	const struct sfab_model *m = a->m;

	memset(a->used, 0, m->f->nleaves);
	for (s->n = 0; s->n < n;) {
		uint32_t l = best_leaf(a, n - s->n);

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

static int remember(struct started *s, const struct sfab_load *l)
{
	if (l->ntouched > s->capuses) {
		uint32_t cap = 2 * l->ntouched;
		uint32_t *res = realloc(s->res, cap * sizeof(*res));
		double *x;

		if (!res)
			return -1;
		s->res = res;
		x = realloc(s->x, cap * sizeof(*x));
		if (!x)
			return -1;
		s->x = x;
		s->capuses = cap;
	}
	for (uint32_t i = 0; i < l->ntouched; i++) {
		s->res[i] = l->touched[i];
		s->x[i] = l->v[l->touched[i]];
	}
	s->nuses = l->ntouched;
	return 0;
}

/* S of the job whose load is a->next, with everybody's load. */
static double slowdown(const struct ahead *a)
{
	double top = 1, end_top = 1;

	for (uint32_t i = 0; i < a->next.ntouched; i++) {
		uint32_t e = a->next.touched[i];
		double x = a->load[e] * a->m->inv_cap[e];

		if (x > top)
			top = x;
		if (a->m->end[e] && x > end_top)
			end_top = x;
	}
	return top / end_top;
}

static int begin(struct ahead *a, const struct event *e, uint32_t *steps,
		 double *cost, struct sfab_err *err)
{
	const struct sfab_queued *q = &a->rq->queue->job[e->queued];
	struct started *s = &a->started[e->start];
	struct sfab_spec spec = { .n = q->n, .traffic = q->traffic };
	uint64_t adds = a->next.adds;

	s->nuses = 0;
	if (!s->host)
		s->host = calloc(a->m->f->nhosts + 1u, sizeof(*s->host));
	if (!s->host)
		return sfab_fail(err, SFAB_ENOMEM, "look ahead: no memory");
	if (put(a, s, q->n) < 0) {
		s->n = 0;
		return 0;
	}
	spec.host = s->host;
	sfab_load_clear(&a->next);
	if (sfab_demand(a->m, &spec, &a->next, &a->next, NULL, err) < 0)
		return -1;
	if (remember(s, &a->next) < 0)
		return sfab_fail(err, SFAB_ENOMEM, "look ahead: no memory");
	*steps += (uint32_t) (a->next.adds - adds) + a->next.ntouched;
	add_load(a, &a->next, 1);
	*cost += slowdown(a) - 1;
	return 0;
}

static int play(struct ahead *a, const struct future *f, const uint32_t *host,
		uint32_t n, uint32_t *steps, double *cost, struct sfab_err *err)
{
	reset(a, host, n);
	*steps += a->m->nres / 8 + f->n;
	for (uint32_t i = 0; i < f->n; i++) {
		const struct event *e = &f->event[i];

		if (e->is_start) {
			if (begin(a, e, steps, cost, err) < 0)
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

	sfab_load_clear(&a->own);
	if (sfab_demand(a->m, &spec, &a->own, &a->own, NULL, err) < 0)
		return -1;
	for (uint32_t i = 0; i < a->nfutures; i++)
		if (play(a, &a->future[i], host, n, steps, &sum, err) < 0)
			return -1;
	*cost = sum / a->nfutures;
	return 0;
}
