/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookahead_draw.c - which jobs will start and end, and when; see lookahead.h
 */

#include "core/random.h"
#include "core/search/backfill.h"
#include "core/search/lookahead_private.h"

#include <math.h>
#include <stdlib.h>

#define NEVER INFINITY

/* A job in a future: running, being placed, or queued. */
struct actor {
	double end;		/* estimate; NEVER: it stays */
	uint32_t n;
	const struct job *job;	/* a running job, else NULL */
	int queued;		/* index in the queue, or -1 */
	int start;		/* index of its start in the future, or -1 */
};

/* State while a future is drawn. */
struct future_draw {
	const struct sfab_request *rq;
	struct future *f;
	struct actor *actor;
	struct sfab_easy_end *end;	/* scratch */
	uint32_t nactors;
	uint64_t *random;
	double now;
	uint32_t free;		/* number of free hosts */
	int starts;
	uint8_t gone[SFAB_QUEUE_MAX];
};

static double round_to_unit(const struct sfab_queue *q, uint64_t s)
{
	return (double) (q->unit_s ? s - s % q->unit_s : s);
}

/*
 * Draw the run time of a job with time limit @limit that has run for @elapsed.
 * Ratios that would have ended it already are rejected; after 8 tries the limit
 * is used.
 */
static double draw_run_time(struct future_draw *d, double limit, double elapsed)
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

static void add_actor(struct future_draw *d, double end, uint32_t n,
		      const struct job *job, int queued, int start)
{
	struct actor x = { end, n, job, queued, start };

	d->actor[d->nactors++] = x;
}

/* Running jobs in id order: draws must not depend on the order of the hash. */
static void add_running(struct future_draw *d, const struct sfab_jobs *js)
{
	for (const struct job *j = js->jobs; j; j = j->hh.next)
		if (!j->suspended)
			add_actor(d, NEVER, j->n, j, -1, -1);
	qsort(d->actor, d->nactors, sizeof(*d->actor), cmp_jobs);
	for (uint32_t i = 0; i < d->nactors; i++) {
		const struct job *j = d->actor[i].job;
		double start = round_to_unit(d->rq->queue, j->start_s);

		if (j->limit_s)
			d->actor[i].end =
			    start + draw_run_time(d, (double) j->limit_s,
						  d->now - start);
	}
	add_actor(d, d->now + draw_run_time(d, (double) d->rq->limit_s, 0),
		  d->rq->n, NULL, -1, -1);
}

static uint32_t first_end(const struct future_draw *d)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < d->nactors; i++)
		if (d->actor[i].end < d->actor[first].end)
			first = i;
	return first;
}

static void start_queued(struct future_draw *d, int q)
{
	const struct sfab_queued *job = &d->rq->queue->job[q];
	struct event e = { 1, NULL, q, d->starts };

	d->gone[q] = 1;
	d->free -= job->n;
	d->f->event[d->f->n++] = e;
	add_actor(d, d->now + draw_run_time(d, (double) job->limit_s, 0),
		  job->n, NULL, q, d->starts++);
}

/*
 * Reserve @n hosts.  Jobs that are past their expected end do not count: they
 * may run on forever.
 */
static struct sfab_easy reserve_hosts(const struct future_draw *d, uint32_t n)
{
	uint32_t nends = 0;

	for (uint32_t i = 0; i < d->nactors; i++)
		if (d->actor[i].end > d->now)
			d->end[nends++] = (struct sfab_easy_end) {
				d->actor[i].end, d->actor[i].n };
	return sfab_easy_reserve(d->free, d->end, nends, n);
}

/*
 * EASY backfill: the head starts as soon as it fits, others only if they do not
 * delay it.
 */
static void backfill_queue(struct future_draw *d)
{
	const struct sfab_queue *q = d->rq->queue;
	uint32_t n = q->n < SFAB_QUEUE_MAX ? q->n : SFAB_QUEUE_MAX;
	struct sfab_easy head = { NEVER, 0 };
	int waits = 0;

	for (uint32_t i = 0; i < n && d->starts < STARTS; i++) {
		double end = d->now + (double) q->job[i].limit_s;

		if (d->gone[i])
			continue;
		if (q->job[i].n <= d->free &&
		    sfab_easy_allows(&head, end, q->job[i].n)) {
			if (end > head.time)
				head.spare -= q->job[i].n;
			start_queued(d, (int) i);
		} else if (!waits) {
			waits = 1;
			head = reserve_hosts(d, q->job[i].n);
		}
	}
}

static void end_actor(struct future_draw *d, uint32_t i)
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
	struct future_draw d = {.rq = rq,
				.f = f,
				.random = random,
				.now =
				    round_to_unit(rq->queue, rq->queue->now_s),
				.free = free_hosts};

	d.actor = calloc(sfab_jobs_count(js) + STARTS + 2u, sizeof(*d.actor));
	d.end = calloc(sfab_jobs_count(js) + STARTS + 2u, sizeof(*d.end));
	if (!d.actor || !d.end) {
		free(d.actor);
		free(d.end);
		return -1;
	}
	add_running(&d, js);
	for (backfill_queue(&d); d.starts < STARTS && d.nactors;
	     backfill_queue(&d)) {
		uint32_t first = first_end(&d);

		if (d.actor[first].end == NEVER)
			break;
		end_actor(&d, first);
	}
	free(d.actor);
	free(d.end);
	return 0;
}
