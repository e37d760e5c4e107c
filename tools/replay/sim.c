/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim.c - the events of a replay; see sim.h
 *
 * Only a few hundred jobs run at a time, so each event walks over all of them.  With each start
 * and end all slowdowns change, and so do all end times: a heap of ends would be rebuilt at
 * each event.
 *
 * Work is what a job would run on an idle fabric.  rest is the work left, and life sums work
 * times slowdown, so that life / run is the mean slowdown over the job's life, whether run
 * times are stretched by it, by something else, or not.
 */

#include "tools/replay/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/xalloc.h"

#define TICK 1e-6		/* seconds; shorter times are rounding errors */

void sim_free(struct sim *s)
{
	free(s->queue);
	free(s->running);
	free(s->out);
	memset(s, 0, sizeof(*s));
}

static const struct replay_job *job_of(const struct sim *s, const struct running_job *r)
{
	return &s->w->job[r->job];
}

static double submit_time(const struct sim *s, uint32_t job)
{
	return s->w->job[job].submit * s->compress;
}

static double next_event_time(const struct sim *s)
{
	double next = INFINITY;

	if (s->arrived < s->w->n)
		next = submit_time(s, s->arrived);
	for (uint32_t i = 0; i < s->nrunning; i++) {
		const struct running_job *r = &s->running[i];
		double end = s->time_s + r->rest * r->pace;

		if (end < next)
			next = end;
	}
	return next;
}

/*
 * Let the running jobs work until @time, each at its pace.  Node-seconds count for the
 * utilization up to the last arrival.
 */
static void advance_to_time(struct sim *s, double time)
{
	double counted = fmin(time, submit_time(s, s->w->n - 1));

	if (counted > s->time_s)
		s->busy += (counted - s->time_s) * (s->hosts - s->nfree);
	for (uint32_t i = 0; i < s->nrunning; i++) {
		struct running_job *r = &s->running[i];
		double work = (time - s->time_s) / r->pace;

		if (work > r->rest)
			work = r->rest;
		r->rest -= work;
		s->out[r->job].life += work * r->slowdown;
	}
	s->time_s = time;
}

/* End a running job.  The rest of its work, which takes less than a TICK, counts as done. */
static void end_running_job(struct sim *s, uint32_t i)
{
	struct running_job *r = &s->running[i];
	const struct replay_job *j = job_of(s, r);

	s->out[r->job].end = s->time_s;
	s->out[r->job].life += r->rest * r->slowdown;
	s->out[r->job].life /= j->run;
	s->hooks->end(s->hooks->ctx, s, r->job);
	s->nfree += j->nodes;
	memmove(r, r + 1, (--s->nrunning - i) * sizeof(*r));
}

struct sim_reservation sim_reserve(const struct sim *s, uint32_t need)
{
	struct sim_reservation r = { -INFINITY, 0 };
	uint32_t nfree = s->nfree;

	/*
	 * All ends at the same time are taken together, so the result does not depend on the
	 * order of the running jobs.
	 */
	while (nfree < need) {
		double next = INFINITY;

		for (uint32_t i = 0; i < s->nrunning; i++)
			if (s->running[i].expected > r.time && s->running[i].expected < next)
				next = s->running[i].expected;
		r.time = next;
		if (next == INFINITY)
			return r;
		for (uint32_t i = 0; i < s->nrunning; i++)
			if (s->running[i].expected == next)
				nfree += job_of(s, &s->running[i])->nodes;
	}
	r.spare = nfree - need;
	return r;
}

uint32_t sim_next(struct sim *s)
{
	struct sim_reservation r;

	/* A job that outlives its expected end is expected to take twice as long. */
	for (uint32_t i = 0; i < s->nrunning; i++) {
		struct running_job *late = &s->running[i];
		double start = s->out[late->job].start;

		while (late->expected <= s->time_s)
			late->expected = start + 2 * (late->expected - start);
	}
	if (!s->nqueue || !s->nfree)
		return SIM_NONE;
	if (s->w->job[s->queue[0]].nodes <= s->nfree)
		return 0;
	r = sim_reserve(s, s->w->job[s->queue[0]].nodes);
	for (uint32_t i = 1; i < s->nqueue && i <= EASY_DEPTH; i++) {
		const struct replay_job *j = &s->w->job[s->queue[i]];

		if (j->nodes <= s->nfree &&
		    (s->time_s + j->limit <= r.time || j->nodes <= r.spare))
			return i;
	}
	return SIM_NONE;
}

/* Start a job of the queue.  It is expected to end at its limit. */
static int start_queued_job(struct sim *s, uint32_t index, struct sfab_err *err)
{
	uint32_t job = s->queue[index];
	const struct replay_job *j = &s->w->job[job];

	memmove(s->queue + index, s->queue + index + 1,
		(--s->nqueue - index) * sizeof(*s->queue));
	s->out[job].start = s->time_s;
	if (s->hooks->start(s->hooks->ctx, s, job, err) < 0)
		return sfab_fail_prefix(err, "job %u of the replay", job + 1);
	s->nfree -= j->nodes;
	s->running[s->nrunning++] = (struct running_job) {
		.job = job, .rest = j->run, .expected = s->time_s + j->limit,
		.slowdown = 1, .pace = 1, .is_new = 1,
	};
	return 0;
}

/*
 * Play events until none is left.  At one time ends come before arrivals, and these before
 * starts: nodes that are freed can be used at once.
 */
static int play_events(struct sim *s, struct sfab_err *err)
{
	uint32_t index;
	double next;

	while (isfinite(next = next_event_time(s))) {
		advance_to_time(s, next);
		for (uint32_t i = 0; i < s->nrunning;) {
			const struct running_job *r = &s->running[i];

			/* Also if the rest is below the precision of the clock. */
			if (s->time_s + r->rest * r->pace <= s->time_s + TICK)
				end_running_job(s, i);
			else
				i++;
		}
		while (s->arrived < s->w->n && submit_time(s, s->arrived) <= s->time_s) {
			s->out[s->arrived].submit = submit_time(s, s->arrived);
			s->queue[s->nqueue++] = s->arrived++;
		}
		while ((index = sim_next(s)) != SIM_NONE)
			if (start_queued_job(s, index, err) < 0)
				return -1;
		/* Each start and end changes the slowdowns of the others. */
		for (uint32_t i = 0; i < s->nrunning; i++) {
			if (s->hooks->update(s->hooks->ctx, &s->running[i], err) < 0)
				return -1;
			s->running[i].is_new = 0;
		}
	}
	return 0;
}

int sim_run(struct sim *s, const struct workload *w, uint32_t hosts,
	    const struct sim_hooks *hooks, double compress, struct sfab_err *err)
{
	*s = (struct sim) {
		.w = w, .hooks = hooks, .compress = compress, .hosts = hosts, .nfree = hosts,
		.queue = xcalloc(w->n, sizeof(*s->queue)),
		.running = xcalloc(hosts, sizeof(*s->running)),
		.out = xcalloc(w->n, sizeof(*s->out)),
	};
	return play_events(s, err);
}

/* Stop at the last arrival: then the machine drains, which says nothing about the load. */
double sim_utilization(const struct sim *s)
{
	double last = submit_time(s, s->w->n - 1);

	return last > 0 ? s->busy / (last * s->hosts) : 0;
}
