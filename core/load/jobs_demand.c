/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs_demand.c - what a job asks of the resources, part by part
 *
 * Uses by non-IO traffic come first, then those of each kind of IO.  They are kept
 * apart because only the part of IO that is served counts, and that part changes as
 * other jobs start and end: with the uses by kind it is one factor for each, and no
 * route is walked again.
 */

#include "core/load/jobs_private.h"
#include "core/resize.h"

#include <math.h>
#include <stdlib.h>

void sfab_jobs_free_job(struct job *j)
{
	free(j->use);
	free(j);
}

/*
 * Append the load in js->scratch, which is sent for @share of the time, to @j as its next
 * part, and to what the job is exposed to; -1: out of memory.
 */
static int add_uses(struct sfab_jobs *js, struct job *j, uint32_t kind, double share)
{
	const struct sfab_load *l = &js->scratch;
	const double *inv_cap = js->m->inv_cap;
	struct job_part *p = &j->part[j->nparts++];
	double most = 0;

	if (kind != SFAB_NONE && !js->asked[kind])
		js->asked[kind] = sfab_arena_take(&js->arena, js->m->nres, sizeof(**js->asked));
	if ((kind != SFAB_NONE && !js->asked[kind]) ||
	    sfab_resize(&j->use, j->nuses + l->ntouched + 1u, sizeof(*j->use)) < 0)
		return -1;
	for (uint32_t i = 0; i < l->ntouched; i++)
		if (!js->m->isl[l->touched[i]])
			most = fmax(most, l->v[l->touched[i]] * inv_cap[l->touched[i]]);
	*p = (struct job_part){ .job = j, .kind = kind, .first = j->nuses,
				.end = j->nuses + l->ntouched, .share = share };
	p->ends = kind == SFAB_NONE || !(share > 0) ? 1 : fmax(1, most / share);
	for (uint32_t i = 0; i < l->ntouched; i++) {
		struct use *u = &j->use[j->nuses++];
		uint32_t e = l->touched[i];

		/* Whole numbers make sums exact in any order (jobs.c). */
		*u = (struct use){ .part = p, .res = e, .x = floor(l->v[e] + 0.5),
				   .list = SFAB_NONE };
		if (!js->m->isl[e])
			continue;
		u->list = kind != SFAB_NONE && use_at_full_rate(js, u) <= JOBS_WEAK ?
			  js->m->nres + e : e;
		if (kind == SFAB_NONE)
			j->net_isl += u->x;
		j->exposed += floor(JOBS_EXPOSED * j->n / p->ends * u->x * inv_cap[e] + 0.5);
	}
	return 0;
}

static int add_demand(struct sfab_jobs *js, struct job *j,
		      const struct sfab_job *job, const struct sfab_traffic *t,
		      uint32_t kind, struct sfab_err *err)
{
	double share = sfab_traffic_share(t, kind != SFAB_NONE);
	struct sfab_job one = *job;
	int rc;

	one.traffic = t;
	sfab_load_clear(&js->scratch);
	rc = sfab_demand(js->m, &one, &js->scratch, err);
	if (rc == 0 && add_uses(js, j, kind, share) < 0)
		rc = sfab_fail(err, SFAB_ENOMEM, "job %llu: out of memory",
			       (unsigned long long) j->id);
	sfab_load_clear(&js->scratch);
	return rc;
}

/* All non-IO traffic together, then the kinds of IO one by one. */
static int add_all_demands(struct sfab_jobs *js, struct job *j,
			   const struct sfab_job *job, struct sfab_err *err)
{
	const struct sfab_traffic *t = job->traffic;
	struct sfab_traffic net = { 0 };

	for (uint32_t i = 0; i < t->nparts; i++)
		if (!sfab_class_is_io(t->part[i].class))
			net.part[net.nparts++] = t->part[i];
	if (net.nparts && add_demand(js, j, job, &net, SFAB_NONE, err) < 0)
		return -1;
	for (uint32_t i = 0; i < t->nparts; i++) {
		struct sfab_traffic io = { .nparts = 1, .part = { t->part[i] } };
		int reads = io.part[0].class == SFAB_IO_READ;
		uint32_t set;

		if (!sfab_class_is_io(t->part[i].class) || !(t->part[i].share > 0))
			continue;
		if (sfab_model_set(js->m, &t->part[i], &set, err) < 0 ||
		    add_demand(js, j, job, &io, 2 * set + (uint32_t) reads, err) < 0)
			return -1;
	}
	return 0;
}

struct job *sfab_jobs_new_job(struct sfab_jobs *js, uint64_t id,
			      const struct sfab_job *job, struct sfab_err *err)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j) {
		sfab_fail(err, SFAB_ENOMEM, "job %llu: out of memory",
			  (unsigned long long) id);
		return NULL;
	}
	j->id = id;
	j->n = job->n;
	if (add_all_demands(js, j, job, err) == 0)
		return j;
	sfab_jobs_free_job(j);
	return NULL;
}
