/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repack.c - running jobs placed anew; see repack.h */

#include "tools/replay/repack.h"

#include <stdlib.h>
#include <string.h>

struct repack {
	struct sfab_scorer *sc;
	struct sfab_jobs *js;
	struct step_judge *judge;
	uint8_t *avail;
	uint32_t *host;		/* of the job to look at */
	uint32_t look;
	struct sfab_spec spec;	/* of that job */
};

static int compare_size(const void *x, const void *y)
{
	const struct repack_job *a = x, *b = y;

	if (a->n != b->n)
		return a->n < b->n ? 1 : -1;
	return a->job < b->job ? -1 : a->job > b->job;
}

/* Run the job on @host, and keep them if it is the one to look at. */
static int run_repacked(struct repack *r, const struct repack_job *j, uint32_t *host,
			struct sfab_err *err)
{
	struct sfab_spec spec = { .n = j->n, .host = host, .traffic = j->traffic };

	for (uint32_t i = 0; i < j->n; i++)
		r->avail[host[i]] = 0;
	if (sfab_jobs_add(r->js, j->job, &spec, err) < 0 ||
	    step_judge_start(r->judge, j->job, &spec, err) < 0)
		return -1;
	if (j->job != r->look)
		return 0;
	memcpy(r->host, host, j->n * sizeof(*host));
	spec.host = r->host;
	r->spec = spec;
	return 0;
}

static int place_again(struct repack *r, const struct repack_job *j, struct sfab_err *err)
{
	struct sfab_request rq = { .n = j->n, .avail = r->avail, .traffic = j->traffic };
	struct sfab_choice c = { 0 };
	int rc = sfab_search(r->sc, r->js, &rq, &c, err);

	if (rc == 0)
		rc = run_repacked(r, j, c.host, err);
	sfab_choice_clear(&c);
	return rc;
}

static int place_all_again(struct repack *r, struct repack_job *job, uint32_t n,
			   struct in_steps *out, struct sfab_err *err)
{
	qsort(job, n, sizeof(*job), compare_size);
	for (uint32_t i = 0; i < n; i++)
		if (place_again(r, &job[i], err) < 0)
			return -1;
	return step_judge_look(r->judge, r->look, &r->spec, r->js, out, err);
}

static uint32_t highest_id(const struct repack_job *job, uint32_t n)
{
	uint32_t high = 0;

	for (uint32_t i = 0; i < n; i++)
		high = job[i].job > high ? job[i].job : high;
	return high;
}

int repack_look(struct sfab_scorer *sc, const uint8_t *avail, struct repack_job *job,
		uint32_t n, uint32_t look, struct judged_order order,
		struct in_steps *out, struct sfab_err *err)
{
	const struct sfab_model *m = sfab_scorer_model(sc);
	struct repack r = { .sc = sc, .look = look };
	int rc;

	r.js = sfab_jobs_create(m);
	r.judge = step_judge_create(m, highest_id(job, n) + 1, order);
	r.avail = calloc(m->f->nhosts + 1u, 1);
	r.host = calloc(m->f->nhosts + 1u, sizeof(*r.host));
	if (r.js && r.judge && r.avail && r.host) {
		memcpy(r.avail, avail, m->f->nhosts);
		rc = place_all_again(&r, job, n, out, err);
	} else {
		rc = sfab_no_memory(err);
	}
	sfab_jobs_destroy(r.js);
	step_judge_destroy(r.judge);
	free(r.avail);
	free(r.host);
	return rc;
}
