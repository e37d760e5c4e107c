/* SPDX-License-Identifier: GPL-2.0-or-later */
/* certificate.c - steps without conflict and links shared; see certificate.h */

#include "core/load/certificate.h"

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

/* Add the loads of all uses in a list to their jobs. */
static void meet_uses(const struct use_list *l)
{
	for (uint32_t k = 0; k < l->n; k++)
		l->use[k]->part->job->shared += l->use[k]->x;
}

/*
 * Either all uses of all jobs, which lie in a row in memory, or the entries of the
 * job's links, which lie anywhere: one of these costs as much as eight in a row
 * (measured with 500 jobs on 4,341 hosts).
 */
#define JUMP_COST 8

/* Set what each other job has on the links in js->scratch. */
static void meet_others(const struct sfab_jobs *js, struct job *j)
{
	const struct sfab_load *own = &js->scratch;
	struct job *x, *next;
	uint64_t jumps = 0;

	for (uint32_t i = 0; i < own->ntouched; i++)
		jumps += js->list[own->touched[i]].n +
			 js->list[js->m->nres + own->touched[i]].n;
	HASH_ITER(hh, js->jobs, x, next) {
		x->shared = 0;
		if (x->suspended || jumps * JUMP_COST <= js->nuses)
			continue;
		for (uint32_t i = 0; i < x->nuses; i++)
			if (own->v[x->use[i].res] > 0)
				x->shared += x->use[i].x;
	}
	for (uint32_t i = 0; jumps * JUMP_COST <= js->nuses && i < own->ntouched; i++) {
		meet_uses(&js->list[own->touched[i]]);
		meet_uses(&js->list[js->m->nres + own->touched[i]]);
	}
	j->shared = 0;
}

/* The job that shares most, the lowest id of those; NULL: none. */
static struct job *sharing_most(const struct sfab_jobs *js)
{
	struct job *j, *next, *at = NULL;
	double most = 0;

	HASH_ITER(hh, js->jobs, j, next)
		most = j->shared > most ? j->shared : most;
	HASH_ITER(hh, js->jobs, j, next)
		if (j->shared > 0 && j->shared >= most * SAME_LOAD && (!at || j->id < at->id))
			at = j;
	return at;
}

int sfab_certify_shares(struct sfab_jobs *js, uint64_t id,
			struct sfab_certificate *out, struct sfab_err *err)
{
	struct job *j = sfab_jobs_find(js, id), *x, *next;

	out->links = out->running = out->shared_links = out->sharing = 0;
	out->nids = 0;
	out->worst_link = SFAB_NONE;
	out->worst_fill = 0;
	if (!j || j->suspended)
		return sfab_fail(err, SFAB_EINVAL, "job %llu does not run",
				 (unsigned long long) id);
	walk_own_links(js, j, out);
	meet_others(js, j);
	sfab_load_clear(&js->scratch);
	HASH_ITER(hh, js->jobs, x, next) {
		out->running += !x->suspended && x != j;
		out->sharing += x->shared > 0;
	}
	while (out->nids < SFAB_CERTIFICATE_IDS && (x = sharing_most(js))) {
		out->id[out->nids++] = x->id;
		x->shared = 0;
	}
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
