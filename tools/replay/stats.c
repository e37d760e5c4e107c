/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats.c - means and quantiles over the jobs of a replay; see stats.h
 *
 * Every job counts once, whatever its size and run time: the question is what the user of a job
 * sees.
 */

#include "tools/replay/stats.h"

#include <math.h>
#include <stdlib.h>

#include "core/ascending.h"
#include "tools/ui/xalloc.h"

struct spread stats_spread(double *x, uint32_t n)
{
	struct spread s = { 0 };

	if (!n)
		return s;
	qsort(x, n, sizeof(*x), sfab_ascending_double);
	for (uint32_t i = 0; i < n; i++)
		s.mean += x[i];
	s.mean /= n;
	s.p95 = x[(uint32_t) ceil(0.95 * (n - 1))];
	s.max = x[n - 1];
	return s;
}

static double value_of_quantity(enum quantity q, const struct sim_outcome *o,
				const struct replay_cost *cost)
{
	switch (q) {
	case WAIT:
		return o->start - o->submit;
	case TURNAROUND:
		return o->end - o->submit;
	case OWN:
		return cost->own;
	case BETWEEN:
		/* Slowdowns that are equal may differ by rounding. */
		return fabs(o->life - cost->own) < 1e-9 ? 0 : o->life - cost->own;
	default:
		return o->life;
	}
}

static int is_job_in_class(const struct sim *s, uint32_t job, unsigned class)
{
	return class == CLASS_ALL || s->w->job[job].class == class;
}

/* Compute the figures of one class of jobs.  @x is scratch, large enough for all jobs. */
static void compute_class(struct class_stats *out, const struct sim *s,
			  const struct replay_cost *cost, unsigned class, double *x)
{
	for (uint32_t i = 0; i < s->w->n; i++) {
		if (!is_job_in_class(s, i, class))
			continue;
		out->jobs++;
		loss_judge_add(&out->lost, &cost[i].lost, 1);
	}
	for (int k = 0; k < QUANTITIES; k++) {
		enum quantity q = (enum quantity) k;
		uint32_t n = 0;

		for (uint32_t i = 0; i < s->w->n; i++)
			if (is_job_in_class(s, i, class))
				x[n++] = value_of_quantity(q, &s->out[i], &cost[i]);
		out->quantity[q] = stats_spread(x, n);
	}
}

void stats_compute(struct run_stats *out, const struct sim *s, const struct replay_machine *machine)
{
	const struct replay_cost *cost = replay_machine_costs(machine);
	double *x = xcalloc(s->w->n, sizeof(*x));

	*out = (struct run_stats) { .runs = 1, .utilization = sim_utilization(s) };
	for (unsigned c = 0; c <= CLASS_ALL; c++)
		compute_class(&out->class[c], s, cost, c, x);
	free(x);
}

/* Add up the structs as arrays: they hold doubles and nothing else. */
void stats_add(struct run_stats *sum, const struct run_stats *run)
{
	double *total = (double *) sum;
	const double *added = (const double *) run;

	for (size_t i = 0; i < sizeof(*sum) / sizeof(double); i++)
		total[i] += added[i];
}

void stats_mean(struct run_stats *sum)
{
	double *x = (double *) sum, runs = sum->runs;

	for (size_t i = 0; runs > 0 && i < sizeof(*sum) / sizeof(double); i++)
		x[i] /= runs;
	sum->runs = runs;
}
