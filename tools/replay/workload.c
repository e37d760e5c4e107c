/* SPDX-License-Identifier: GPL-2.0-or-later */
/* workload.c - fit a trace to a fabric, give its jobs traffic; see workload.h */

#include "tools/replay/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/replay/variates.h"

/* Wrong claims that a job may make; io-write only if there is IO. */
static const char *const claims[WORKLOAD_CLAIMS] = { MIX_SILENT, "mpi",
						     "neighbor", "io-write" };

static uint32_t scale_nodes(uint32_t nodes, const struct workload_options *o)
{
	double n = floor((double) nodes * o->hosts / o->machine + 0.5);

	return n < 1 ? 1 : n > o->hosts ? o->hosts : (uint32_t) n;
}

static double draw_time_limit(const struct trace_job *from, uint32_t i,
			      const struct workload_options *o)
{
	struct random r = random_of(o->seed, RANDOM_LIMIT, i);
	double factor = o->limit_low +
			(o->limit_high - o->limit_low) * random_uniform(&r);

	if (from->limit > 0 && !o->all_limits)
		return from->limit > from->run ? from->limit : from->run;
	return from->run * factor;
}

/*
 * A wrong claim, drawn uniformly from classes other than @class.  Of the claims at
 * least three are of different classes, so the loop ends.
 */
static const struct sfab_traffic *draw_wrong_claim(const struct workload *w,
						   struct random *r,
						   enum job_class class, int io)
{
	const struct sfab_traffic *claim;

	do
		claim = &w->claim[random_next(r) %
				  (io ? WORKLOAD_CLAIMS : WORKLOAD_CLAIMS - 1)];
	while (job_class_of(claim) == class);
	return claim;
}

static void set_traffic(struct workload *w, struct replay_job *j, uint32_t i,
			const struct workload_options *o)
{
	struct random kind = random_of(o->seed, RANDOM_KIND, i);
	struct random hint = random_of(o->seed, RANDOM_HINT, i);

	j->kind = mix_at(w->mix, random_uniform(&kind));
	j->traffic = &j->kind->traffic;
	j->class = job_class_of(j->traffic);
	j->told = j->traffic;
	if (o->site)
		j->told = &w->site;
	else if (random_uniform(&hint) < o->wrong_hints)
		j->told = draw_wrong_claim(w, &hint, j->class, o->io);
}

static int set_claims(struct workload *w, const double *shares,
		      struct sfab_err *err)
{
	for (int i = 0; i < WORKLOAD_CLAIMS; i++)
		if (sfab_traffic_parse(claims[i], shares, &w->claim[i], err) < 0)
			return -1;
	return 0;
}

int workload_make(struct workload *w, const struct trace *t,
		  const struct mix *mix, const struct workload_options *o,
		  struct sfab_err *err)
{
	uint32_t left = t->n > o->first ? t->n - o->first : 0;
	const struct trace_job *from = t->job + o->first;

	memset(w, 0, sizeof(*w));
	w->n = o->njobs && o->njobs < left ? o->njobs : left;
	w->mix = mix;
	if (!w->n)
		return sfab_fail(err, SFAB_EINVAL,
				 "first job %u (the trace has %u)", o->first,
				 t->n);
	if (set_claims(w, o->shares, err) < 0)
		return -1;
	if (o->site)
		w->site = *o->site;
	w->job = calloc(w->n, sizeof(*w->job));
	if (!w->job)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < w->n; i++) {
		struct replay_job *j = &w->job[i];

		j->submit = from[i].submit - from[0].submit;
		j->run = from[i].run;
		j->limit = draw_time_limit(&from[i], i, o);
		j->nodes = scale_nodes(from[i].nodes, o);
		set_traffic(w, j, i, o);
	}
	return 0;
}

void workload_free(struct workload *w)
{
	free(w->job);
	memset(w, 0, sizeof(*w));
}
