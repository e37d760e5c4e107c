/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs_lost.c - what the running jobs lose to one more; see jobs.h
 *
 * Steps of a running job are not walked again.  Its mean load at full rate is p of the capacity
 * of a link, so about the part p of its steps has a flow there.  Each such step gets longer by
 * what the new job adds to the link, b of its capacity.  All its steps together get longer by
 * at most the sum of p b over the links, and at most by the largest b.  IO is one phase: it
 * waits for its worst link, with and without the new job.
 */

#include "core/load/jobs_private.h"

#include <math.h>

#define VISIT_MIN 1e-4		/* of a link's capacity: a smaller load is not worth a visit */
#define CONGESTED_LOSS 3.0	/* S - 1 where links are congested: a quarter of the rate is kept
				   (doc/model.md) */

/* Return S of an IO phase at the link of a use, as it is now. */
static double io_phase_at(const struct sfab_jobs *js, const struct job_use *u)
{
	double others = js->background[u->res] - js->served[u->part->kind].ratio * u->rate;

	return sfab_job_use_fill(js, u) +
	       (others > 0 ? others : 0) * js->m->inv_cap[u->res];
}

/*
 * Return S of an IO phase over all links of @p, at least 1.  It is kept until a load changes.
 * It does not count as a visit: a search has the same steps whether it is kept or not.
 */
static double io_phase_now(const struct sfab_jobs *js, struct job_part *p)
{
	if (p->slowdown_now_at == js->changes)
		return p->slowdown_now;
	p->slowdown_now_at = js->changes;
	p->slowdown_now = 1;
	for (uint32_t i = p->first; i < p->end; i++)
		if (js->m->isl[p->job->use[i].res])
			p->slowdown_now = fmax(p->slowdown_now, io_phase_at(js, &p->job->use[i]));
	return p->slowdown_now;
}

struct met_jobs {		/* jobs that send over links of the new job */
	struct loaded_job *first, **end;	/* where the next one is linked */
};

/* Add @b of its capacity to a link.  Jobs that are met for the first time are appended to @met. */
static void add_to_uses(struct sfab_jobs *js, const struct job_use_list *l, double b,
			struct met_jobs *met)
{
	js->visits += l->n;
	for (uint32_t k = 0; k < l->n; k++) {
		const struct job_use *u = l->use[k];
		struct job_part *p = u->part;
		struct loaded_job *j = p->job;

		if (!(p->share > 0))
			continue;
		if (j->seen_serial != js->serial) {
			j->seen_serial = js->serial;
			j->largest_load = j->sum_of_loads = 0;
			for (uint32_t i = 0; i < j->nparts; i++)
				j->part[i].slowdown_with = 0;
			*met->end = j;
			met->end = &j->next_met;
		}
		if (p->kind == SFAB_NONE) {
			j->largest_load = b > j->largest_load ? b : j->largest_load;
			j->sum_of_loads += b * sfab_job_use_fill(js, u);
		} else {
			double x = b + io_phase_at(js, u);

			p->slowdown_with = x > p->slowdown_with ? x : p->slowdown_with;
		}
	}
}

double sfab_jobs_lost_to(struct sfab_jobs *js, const struct sfab_load *add)
{
	struct met_jobs met = { .end = &met.first };
	double sum = 0;

	sfab_jobs_settle_served(js);
	js->serial++;
	for (uint32_t i = 0; i < add->ntouched; i++) {
		uint32_t e = add->touched[i];
		double b = add->v[e] * js->m->inv_cap[e];

		if (!js->m->isl[e] || !(b > VISIT_MIN))
			continue;
		add_to_uses(js, &js->list[e], b, &met);
		if (b + js->background[e] * js->m->inv_cap[e] > 1 - JOBS_WEAK)
			add_to_uses(js, &js->list[js->m->nres + e], b, &met);
	}
	*met.end = NULL;
	for (struct loaded_job *j = met.first; j; j = j->next_met) {
		double lost = 0;	/* part of the time of job j */

		for (uint32_t k = 0; k < j->nparts; k++) {
			struct job_part *p = &j->part[k];

			if (p->kind == SFAB_NONE)
				lost += p->share * fmin(j->largest_load, j->sum_of_loads);
			else if (p->slowdown_with > 1)
				lost += p->share * fmax(p->slowdown_with - io_phase_now(js, p), 0);
		}
		sum += j->n * lost;
	}
	return sum;
}

/* -- congestion ------------------------------------------------------------ */

/*
 * Return what is served of each kind, with the assumed job if there is one.  NULL: no kind
 * congests links.
 */
static const struct io_served *congesting_kinds(const struct sfab_jobs *js)
{
	const struct io_served *served = js->served_differs ? js->served_assumed : js->served;

	for (uint32_t k = 0; k < js->nkinds; k++)
		if (served[k].is_overloaded)
			return served;
	return NULL;
}

double sfab_jobs_lost_in_congestion(const struct sfab_jobs *js, const struct sfab_load *net)
{
	const struct io_served *served = congesting_kinds(js);
	double congested = 0, sum = 0;

	for (uint32_t i = 0; served && i < net->ntouched; i++) {
		uint32_t e = net->touched[i];

		if (!js->m->isl[e])
			continue;
		sum += net->v[e];
		if (sfab_io_served_congests(js, served, e))
			congested += net->v[e];
	}
	return sum > 0 ? CONGESTED_LOSS * congested / sum : 0;
}

double sfab_jobs_lost_to_congestion(const struct sfab_jobs *js, const struct sfab_load *writes)
{
	const struct io_served *served = congesting_kinds(js);
	double sum = 0;

	for (uint32_t i = 0; i < writes->ntouched; i++) {
		uint32_t e = writes->touched[i];
		const struct job_use_list *l = &js->list[e];

		if (!js->m->isl[e] ||
		    (served && sfab_io_served_congests(js, served, e)))
			continue;
		/* The link gets congested: parts that are not IO wait there. */
		for (uint32_t k = 0; k < l->n; k++) {
			const struct job_part *p = l->use[k]->part;

			if (p->kind == SFAB_NONE && p->job->net_isl > 0)
				sum += p->job->n * p->share * CONGESTED_LOSS * l->use[k]->rate /
				       p->job->net_isl;
		}
	}
	return sum;
}

double sfab_jobs_exposed(const struct sfab_jobs *js)
{
	return js->nlinks ? js->exposed / JOBS_EXPOSED / js->nlinks : 0;
}

uint64_t sfab_jobs_visits(const struct sfab_jobs *js)
{
	return js->visits;
}
