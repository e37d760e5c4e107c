/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ahead_draw.c - which jobs will start and end when; see ahead.h */

#include "ahead_private.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>

#define NEVER INFINITY

/* A job in a future: a running one, the one to be placed, or a queued one. */
struct actor {
	double end;		/* estimated; NEVER: stays */
	uint32_t n;
	const struct job *job;	/* running */
	int queued;		/* index in the queue, or -1 */
	int start;		/* number of its start in the future, or -1 */
};

/* The state of a future while it is drawn up. */
struct drawing {
	const struct sfab_request *rq;
	struct future *f;
	struct actor *actor;
	uint32_t nactors;
	uint64_t *random;
	double now;
	uint32_t free;		/* hosts */
	int starts;
	uint8_t gone[SFAB_QUEUE_MAX];
};

static double rounded(const struct sfab_queue *q, uint64_t s)
{
	return (double) (q->unit_s ? s - s % q->unit_s : s);
}

/* How long a job of @limit runs that has run for @elapsed. */
static double draw_run(struct drawing *d, double limit, double elapsed)
{
	const struct sfab_queue *q = d->rq->queue;

	if (limit <= 0)
		return NEVER;
	for (int i = 0; i < 8 && q->nratios; i++) {
		uint32_t k = (uint32_t) (sfab_uniform(d->random) * q->nratios);
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

static void add_actor(struct drawing *d, double end, uint32_t n,
		      const struct job *job, int queued, int start)
{
	struct actor x = { end, n, job, queued, start };

	d->actor[d->nactors++] = x;
}

/* Running jobs in order of their ids: draws must not depend on history. */
static void add_running(struct drawing *d, const struct sfab_jobs *js)
{
	for (const struct job *j = js->jobs; j; j = j->hh.next)
		if (!j->suspended)
			add_actor(d, NEVER, j->n, j, -1, -1);
	qsort(d->actor, d->nactors, sizeof(*d->actor), cmp_jobs);
	for (uint32_t i = 0; i < d->nactors; i++) {
		const struct job *j = d->actor[i].job;
		double start = rounded(d->rq->queue, j->start_s);

		if (j->limit_s)
			d->actor[i].end = start + draw_run(d, (double) j->limit_s,
							   d->now - start);
	}
	add_actor(d, d->now + draw_run(d, (double) d->rq->limit_s, 0), d->rq->n,
		  NULL, -1, -1);
}

static uint32_t first_end(const struct drawing *d)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < d->nactors; i++)
		if (d->actor[i].end < d->actor[first].end)
			first = i;
	return first;
}

static void start_queued(struct drawing *d, int q)
{
	const struct sfab_queued *job = &d->rq->queue->job[q];
	struct event e = { 1, NULL, q, d->starts };

	d->gone[q] = 1;
	d->free -= job->n;
	d->f->event[d->f->n++] = e;
	add_actor(d, d->now + draw_run(d, (double) job->limit_s, 0), job->n, NULL, q,
		  d->starts++);
}

/* When can @n hosts be had, and how many are then over? */
static double shadow(const struct drawing *d, uint32_t n, uint32_t *over)
{
	double at = d->now;
	uint32_t free = d->free;

	while (free < n) {
		double next = NEVER;

		for (uint32_t i = 0; i < d->nactors; i++)
			if (d->actor[i].end > at && d->actor[i].end < next)
				next = d->actor[i].end;
		if (next == NEVER)
			return NEVER;
		for (uint32_t i = 0; i < d->nactors; i++)
			if (d->actor[i].end > at && d->actor[i].end <= next)
				free += d->actor[i].n;
		at = next;
	}
	*over = free - n;
	return at;
}

/* EASY: the head as soon as it fits, others if they do not delay it. */
static void start_all(struct drawing *d)
{
	const struct sfab_queue *q = d->rq->queue;
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
			start_queued(d, (int) i);
		} else if (head < 0) {
			head = (int) i;
			at = shadow(d, q->job[i].n, &over);
		}
	}
}

static void end_actor(struct drawing *d, uint32_t i)
{
	struct actor *x = &d->actor[i];
	struct event e = { 0, x->job, x->queued, x->start };

	d->f->event[d->f->n++] = e;
	d->now = x->end > d->now ? x->end : d->now;
	d->free += x->n;
	*x = d->actor[--d->nactors];
}

int sfab_ahead_draw(const struct sfab_request *rq, const struct sfab_jobs *js,
		    uint32_t free_hosts, uint64_t *random, struct future *f)
{
	struct drawing d = { .rq = rq, .f = f, .random = random,
			     .now = rounded(rq->queue, rq->queue->now_s),
			     .free = free_hosts };

	d.actor = calloc(sfab_jobs_count(js) + STARTS + 2u, sizeof(*d.actor));
	if (!d.actor)
		return -1;
	add_running(&d, js);
	for (start_all(&d); d.starts < STARTS && d.nactors; start_all(&d)) {
		uint32_t first = first_end(&d);

		if (d.actor[first].end == NEVER)
			break;
		end_actor(&d, first);
	}
	free(d.actor);
	return 0;
}
