/* SPDX-License-Identifier: GPL-2.0-or-later */
/* workload.c - fit a trace to a fabric, give its jobs traffic; see workload.h */

#include "tools/replay/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "tools/ui/xalloc.h"

/* Time limits that a log lacks: run time x a number from here to there. */
#define LIMIT_LOW 1.0
#define LIMIT_HIGH 3.0

uint64_t workload_random(uint64_t seed, enum random_purpose purpose, uint64_t index)
{
	uint64_t stream = sfab_random_mix(sfab_random_mix(seed + 1) + purpose + 1);

	return sfab_random_mix(stream + index + 1);
}

/* Return the time limit of a job: the log's, at least its run time, else one at random. */
static double draw_time_limit(const struct trace_job *from, uint32_t i,
			      const struct workload_options *o)
{
	uint64_t r = workload_random(o->seed, RANDOM_LIMIT, i);
	double factor = LIMIT_LOW + (LIMIT_HIGH - LIMIT_LOW) * sfab_random_double(&r);

	if (from->limit > 0)
		return from->limit > from->run ? from->limit : from->run;
	return from->run * factor;
}

void workload_make(struct workload *w, const struct trace *t,
		   const struct mix *mix, const struct workload_options *o)
{
	const struct trace_job *from = t->job;

	memset(w, 0, sizeof(*w));
	w->n = o->njobs && o->njobs < t->n ? o->njobs : t->n;
	w->mix = mix;
	if (o->site)
		w->site = *o->site;
	w->job = xcalloc(w->n, sizeof(*w->job));
	for (uint32_t i = 0; i < w->n; i++) {
		uint64_t kind = workload_random(o->seed, RANDOM_KIND, i);
		struct replay_job *j = &w->job[i];
		double n = floor((double) from[i].nodes * o->hosts / o->machine + 0.5);

		j->submit = from[i].submit - from[0].submit;
		j->run = from[i].run;
		j->limit = draw_time_limit(&from[i], i, o);
		j->nodes = n < 1 ? 1 : n > o->hosts ? o->hosts : (uint32_t) n;
		w->cut += from[i].nodes > o->machine;
		j->kind = mix_at(w->mix, sfab_random_double(&kind));
		j->traffic = &j->kind->traffic;
		j->class = mix_class_of(j->traffic);
		j->stated = o->site ? &w->site : j->traffic;
	}
}

void workload_free(struct workload *w)
{
	free(w->job);
	memset(w, 0, sizeof(*w));
}
