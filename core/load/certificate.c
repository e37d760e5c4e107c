/* SPDX-License-Identifier: GPL-2.0-or-later */
/* certificate.c - steps without conflict and links shared; see certificate.h */

#include "core/load/certificate.h"

#include <stdlib.h>
#include <string.h>

#include "core/load/jobs_private.h"
#include "core/load/steps_private.h"

/*
 * Loads that differ by less count as equal.  The log keeps shares of CPUs and
 * traffic in six digits or more: whoever computes the certificate again must
 * find the same order.
 */
#define SAME_LOAD (1 - 1e-4)

void sfab_certificate_patterns(const struct sfab_model *m,
			       const struct sfab_traffic *t,
			       struct sfab_certificate *out)
{
	double mix[SFAB_NPATTERNS];

	sfab_traffic_mix(t, m->mix, mix);
	for (uint32_t i = 0; i < t->nparts; i++)
		if (t->part[i].class == SFAB_NEIGHBOR)
			mix[SFAB_RING] += t->part[i].share;
	out->npatterns = 0;
	for (int k = 0; k < SFAB_NPATTERNS; k++)
		if (mix[k] > 0 && k != SFAB_UNIFORM)
			out->pattern[out->npatterns++] = (enum sfab_pattern) k;
}

int sfab_certify_steps(struct sfab_stepper *sp, uint32_t n, const uint32_t *host,
		       struct sfab_certificate *out, struct sfab_err *err)
{
	const struct sfab_collective c = { .n = n, .host = host, .share = 1 };

	if (sp->m->f->adaptive) {
		out->npatterns = 0;
		return 0;
	}
	out->in_steps = 1;
	if (out->npatterns && sfab_stepper_take(sp, &c, err) < 0)
		return -1;
	for (uint32_t i = 0; i < out->npatterns; i++)
		if (sfab_stepper_steps(sp, out->pattern[i], &out->steps[i], NULL,
				       err) < 0)
			return -1;
	return 0;
}

/* -- shares ------------------------------------------------------------------ */

/*
 * Sum the job's uses by resource in js->scratch.  Loads are whole numbers, so a
 * link carries others exactly if the total exceeds this sum.
 */
static void walk_own_links(struct sfab_jobs *js, const struct job *j,
			   struct sfab_certificate *out)
{
	struct sfab_load *own = &js->scratch;

	for (uint32_t i = 0; i < j->nuses; i++)
		if (js->m->isl[j->use[i].res])
			sfab_load_add(own, j->use[i].res, j->use[i].x);
	out->links = own->ntouched;
	for (uint32_t i = 0; i < own->ntouched; i++) {
		uint32_t e = own->touched[i];
		double fill = js->from_jobs[e] * js->m->inv_cap[e];

		if (!(js->from_jobs[e] > own->v[e]))
			continue;
		out->shared_links++;
		if (fill * SAME_LOAD > out->worst_fill ||
		    (fill > out->worst_fill * SAME_LOAD && e < out->worst_link)) {
			out->worst_fill = fill;
			out->worst_link = e;
		}
	}
}

/* Add the loads of all uses in a list to @met, by slot. */
static void meet_uses(const struct sfab_jobs *js, const struct on_list *l, double *met)
{
	for (uint32_t k = 0; k < l->n; k++)
		met[l->on[k].slot] += js->felt[l->on[k].slot]
				      .job->use[l->on[k].use].x;
}

/*
 * Either all uses of all jobs, which lie in a row in memory, or the entries of the
 * job's links, which lie anywhere: one of these costs as much as eight in a row
 * (measured with 500 jobs on 4,341 hosts).
 */
#define JUMP_COST 8

/* Add the load of other jobs on the links in js->scratch to @met, by slot. */
static void meet_others(const struct sfab_jobs *js, const struct job *j,
			double *met)
{
	const struct sfab_load *own = &js->scratch;
	uint64_t jumps = 0;

	for (uint32_t i = 0; i < own->ntouched; i++)
		jumps += js->list[own->touched[i]].n +
			 js->list[js->m->nres + own->touched[i]].n;
	if (jumps * JUMP_COST > js->nuses)
		for (uint32_t s = 0; s < js->nslots; s++) {
			const struct job *x = js->felt[s].job;

			for (uint32_t i = 0; x && i < x->nuses; i++)
				if (own->v[x->use[i].res] > 0)
					met[s] += x->use[i].x;
		}
	else
		for (uint32_t i = 0; i < own->ntouched; i++) {
			meet_uses(js, &js->list[own->touched[i]], met);
			meet_uses(js, &js->list[js->m->nres + own->touched[i]], met);
		}
	met[j->slot] = 0;
}

/* The slot that has most in @met, the lowest id of those; -1: none. */
static int64_t most_met(const struct sfab_jobs *js, const double *met)
{
	double most = 0;
	int64_t at = -1;

	for (uint32_t s = 0; s < js->nslots; s++)
		most = met[s] > most ? met[s] : most;
	for (uint32_t s = 0; s < js->nslots; s++)
		if (met[s] > 0 && met[s] >= most * SAME_LOAD &&
		    (at < 0 || js->felt[s].job->id < js->felt[at].job->id))
			at = s;
	return at;
}

int sfab_certify_shares(struct sfab_jobs *js, uint64_t id,
			struct sfab_certificate *out, struct sfab_err *err)
{
	const struct job *j = sfab_jobs_find(js, id);
	double *met;
	int64_t at;

	out->links = out->running = out->shared_links = out->sharing = 0;
	out->nids = 0;
	out->worst_link = SFAB_NONE;
	out->worst_fill = 0;
	if (!j || j->suspended)
		return sfab_fail(err, SFAB_EINVAL, "job %llu does not run",
				 (unsigned long long) id);
	met = calloc(js->nslots + 1u, sizeof(*met));
	if (!met)
		return sfab_no_memory(err);
	walk_own_links(js, j, out);
	meet_others(js, j, met);
	sfab_load_clear(&js->scratch);
	for (uint32_t s = 0; s < js->nslots; s++) {
		out->running += js->felt[s].job != NULL && s != j->slot;
		out->sharing += met[s] > 0;
	}
	while (out->nids < SFAB_CERTIFICATE_IDS && (at = most_met(js, met)) >= 0) {
		out->id[out->nids++] = js->felt[at].job->id;
		met[at] = 0;
	}
	free(met);
	return 0;
}

int sfab_certify_candidate(struct sfab_jobs *js, const struct sfab_job *job,
			   struct sfab_certificate *out, struct sfab_err *err)
{
	uint64_t id = UINT64_MAX;	/* no job of Slurm has it */
	int rc;

	while (sfab_jobs_has(js, id))
		id--;
	if (sfab_jobs_add(js, id, job, err) < 0)
		return -1;
	rc = sfab_certify_shares(js, id, out, err);
	sfab_jobs_remove(js, id);
	return rc;
}
