/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lublin.c - jobs by the model of Lublin and Feitelson; see trace.h
 *
 * U. Lublin, D. G. Feitelson: The workload on parallel supercomputers: modeling the
 * characteristics of rigid jobs.  Journal of Parallel and Distributed Computing 63 (2003),
 * 1105-1122.  Parameters are those for all jobs together (no batch and interactive types):
 *
 *   nodes     1 with probability 0.244; else 2^x, x two-stage uniform on
 *             0.8 .. log2(N) - 2.5 .. log2(N), rounded to a power of two for
 *             0.576 of all jobs
 *   run time  e^g, g hyper-gamma: (4.2, 0.94) with probability
 *             0.78 - 0.0054 nodes, else (312, 0.03); at most e^12 s
 *   arrivals  gaps e^g, g gamma (10.2303 x 1.0225, 0.4871), at most e^13 s,
 *             of a clock that runs with the hour: jobs of a half hour are
 *             as gamma (8.1737, 3.9631) has it, the day beginning at 5:30
 *
 * Gamma variates by Marsaglia and Tsang (ACM TOMS 26, 2000) from normal ones by the polar
 * method.
 */

#include "tools/replay/trace.h"

#include <math.h>
#include <string.h>

#include "core/random.h"
#include "tools/replay/workload.h"

/* From the paper's fit of all jobs together; see above. */
#define SERIAL 0.244
#define POWER_OF_TWO 0.576
#define SIZE_LOW 0.8
#define SIZE_STEP 2.5		/* from log2(N) down to where the slope changes */
#define SIZE_FIRST 0.86		/* probability of the lower stage */

/* Natural logarithms of seconds: the distributions have long tails, which are cut. */
#define RUN_LOG_MAX 12
#define GAP_LOG_MAX 13

#define SLOTS 48		/* half hours in a day */
#define SLOT_SECONDS 1800.0
#define DAY_BEGINS 11		/* the slot of 5:30 */

struct gamma {
	double shape, scale;
};

static const struct gamma run_short = { 4.2, 0.94 };
static const struct gamma run_long = { 312, 0.03 };
static const double short_fixed = 0.78, short_per_node = -0.0054;
static const struct gamma gap = { 10.2303 * 1.0225, 0.4871 };
static const struct gamma daily = { 8.1737, 3.9631 };

struct clock {
	double pace[SLOTS];	/* jobs in a slot / jobs in a mean slot */
	double time;		/* seconds since midnight of the first day */
};

/* Compute the gamma distribution function by its power series (DLMF 8.7.1). */
static double gamma_below(const struct gamma *g, double value)
{
	double x = value / g->scale;
	double term = 1 / g->shape, sum = term;

	if (x <= 0)
		return 0;
	for (int k = 1; k < 1000 && term > 1e-15 * sum; k++) {
		term *= x / (g->shape + k);
		sum += term;
	}
	return sum * exp(g->shape * log(x) - x - lgamma(g->shape));
}

/* Set the pace of each half hour: the part of a day's jobs that arrive in it, 1 on average. */
static void set_clock(struct clock *c)
{
	double sum = 0;

	memset(c, 0, sizeof(*c));
	for (int i = DAY_BEGINS; i < DAY_BEGINS + SLOTS; i++) {
		double part = gamma_below(&daily, i + 0.5) -
			      gamma_below(&daily, i - 0.5);

		c->pace[i % SLOTS] = part;
		sum += part;
	}
	for (int i = 0; i < SLOTS; i++)
		c->pace[i] *= SLOTS / sum;
}

/* Draw from the standard normal distribution by the polar method. */
static double draw_normal(uint64_t *r)
{
	double x, y, s;

	do {
		x = 2 * sfab_random_double(r) - 1;
		y = 2 * sfab_random_double(r) - 1;
		s = x * x + y * y;
	} while (s >= 1 || s == 0);
	return x * sqrt(-2 * log(s) / s);
}

/* Draw from a gamma distribution with mean @shape x @scale; @shape >= 1. */
static double draw_gamma(uint64_t *r, double shape, double scale)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

	for (;;) {
		double x = draw_normal(r), v = 1 + c * x, u;

		if (v <= 0)
			continue;
		v = v * v * v;
		u = 1 - sfab_random_double(r);
		if (log(u) < x * x / 2 + d - d * v + d * log(v))
			return d * v * scale;
	}
}

/* Draw e^g, with g of the gamma distribution and at most @max. */
static double draw_exp_gamma(uint64_t *r, const struct gamma *g, double max)
{
	double x;

	do
		x = draw_gamma(r, g->shape, g->scale);
	while (x > max);
	return exp(x);
}

/* Advance by @mean_seconds of a mean slot, at the pace of each slot on the way. */
static void pass_mean_time(struct clock *c, double mean_seconds)
{
	for (;;) {
		double slot = floor(c->time / SLOT_SECONDS);
		double left = (slot + 1) * SLOT_SECONDS - c->time;
		double pace = c->pace[(unsigned) fmod(slot, SLOTS)];

		if (left * pace >= mean_seconds) {
			c->time += mean_seconds / pace;
			return;
		}
		mean_seconds -= left * pace;
		c->time = (slot + 1) * SLOT_SECONDS;
	}
}

static double draw_uniform(uint64_t *r, double low, double high)
{
	return low + (high - low) * sfab_random_double(r);
}

/* Draw the nodes of a job on a machine of @nodes nodes; see above. */
static uint32_t draw_nodes(uint64_t *r, uint32_t nodes)
{
	double high = log2(nodes), middle = high - SIZE_STEP;
	double u = sfab_random_double(r), size;

	if (middle < SIZE_LOW)
		middle = SIZE_LOW;
	if (u < SERIAL)
		return 1;
	size = sfab_random_double(r) < SIZE_FIRST
		   ? draw_uniform(r, SIZE_LOW, middle)
		   : draw_uniform(r, middle, high);
	if (u < SERIAL + POWER_OF_TWO)
		size = floor(size + 0.5);
	size = floor(exp2(size) + 0.5);
	return size < nodes ? (uint32_t) size : nodes;
}

int trace_make_lublin(struct trace *t, uint32_t nodes, uint32_t njobs, uint64_t seed,
		      struct sfab_err *err)
{
	uint64_t r = workload_random(seed, RANDOM_MODEL, 0);
	struct clock c;

	memset(t, 0, sizeof(*t));
	if (nodes < 8)
		return sfab_fail(err, SFAB_EINVAL,
				 "%u nodes (expected at least 8 for the model)",
				 nodes);
	set_clock(&c);
	for (uint32_t i = 0; i < njobs; i++) {
		struct trace_job j = { .limit = 0 };
		const struct gamma *run;
		double short_part;

		pass_mean_time(&c, draw_exp_gamma(&r, &gap, GAP_LOG_MAX));
		j.submit = c.time;
		j.nodes = draw_nodes(&r, nodes);
		short_part = short_fixed + short_per_node * j.nodes;
		run = sfab_random_double(&r) < short_part ? &run_short : &run_long;
		j.run = draw_exp_gamma(&r, run, RUN_LOG_MAX);
		trace_add(t, &j);
	}
	return 0;
}
