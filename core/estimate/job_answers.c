/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_answers.c - what is said of each job; see estimate_private.h */

#include "core/estimate/estimate_private.h"

#include <math.h>
#include <string.h>

#include "core/estimate/alike.h"
#include "core/estimate/asked.h"
#include "core/estimate/found_traffic.h"

#define ALIKE 4.0		/* times the error that the job's own columns have */
#define TOGETHER 0.5		/* confidence in the sum, for it to count */
#define BUSY 0.9		/* of its time: it could not send more, and a rate errs */

double sfab_job_sum(const struct estimate_solver *s, uint32_t j, int kind)
{
	double sum = 0;

	for (uint32_t c = s->c.block[j]; c < s->c.block[j + 1]; c++)
		if (kind < 0 || s->c.of[c].kind == kind)
			sum += s->x[c];
	return sum;
}

/* Set traffic to the mean rates, and what does not depend on others. */
static void answer_alone(const struct estimate_solver *s, uint32_t j,
			 struct sfab_estimate *out)
{
	double all = sfab_job_sum(s, j, -1), io = 0;
	double ports = sfab_job_sum(s, j, COLUMN_PORT), shifts = sfab_job_sum(s, j, COLUMN_SHIFT);
	double strange = sfab_job_sum(s, j, COLUMN_OTHER) + shifts + s->missing[j];

	memset(out, 0, sizeof(*out));
	for (uint32_t c = s->c.block[j]; c < s->c.block[j + 1]; c++) {
		if (!(s->x[c] > 0))
			continue;
		sfab_add_found_part(&out->passed, &s->c, &s->c.of[c], s->x[c]);
		io += sfab_class_is_io((enum sfab_class) s->c.of[c].class) ? s->x[c] : 0;
	}
	sfab_tidy_found(&out->passed, SHARE_MIN);
	sfab_as_rates(&out->passed, &s->c, j);
	all += s->missing[j];
	out->residual = all > 0 ? fmin(strange / all, 1) : 0;
	out->misfit = s->misfit[j] || shifts > fmax(OTHER_PART * all, SHARE_MIN);
	out->few = ports > SHARE_MIN && ports > io / 2;
}

/*
 * 1 less the relative error of the shares, of the part that is ours, by how likely the
 * classes are, and less where links of the job carry what they should not.
 */
static double confidence(const struct estimate_solver *s, uint32_t j, double error, double of,
			 const struct sfab_estimate *out)
{
	if (s->c.block[j] == s->c.block[j + 1])
		return 0;	/* nothing of it is measured */
	return (1 - fmin(error / fmax(of + s->missing[j], SHARE_MIN), 1)) * (1 - out->residual) *
	       s->sure[j] / fmax(s->chi[j] / CHI_MISFIT, 1);
}

/* A link between switches that the IO of class and set of @p loads is full. */
static int meets_full_link(const struct estimate_solver *s, uint32_t j,
			   const struct sfab_traffic_part *p)
{
	for (uint32_t c = s->c.block[j]; c < s->c.block[j + 1]; c++)
		for (uint32_t e = s->c.first[c];
		     s->x[c] > 0 && s->c.of[c].class == (uint8_t) p->class &&
		     e < s->c.first[c + 1]; e++)
			if (sfab_is_full_link(&s->c, s->c.row[e]))
				return 1;
	return 0;
}

int sfab_answer_jobs(struct estimate_solver *s, struct sfab_estimate *out,
		     struct sfab_err *err)
{
	struct sfab_alike *like = sfab_alike_create(&s->c, s->job);
	struct sfab_asker *a;
	int rc;

	/* What links carry, without the errors of their rates. */
	for (uint32_t e = 0; e < s->nlinks; e++)
		s->own[e] = s->fit[e] + fmax(s->left[e] - EXCESS * s->sigma[e], 0);
	a = sfab_asker_create(s->c.m, s->own);
	rc = a && like ? 0 : sfab_no_memory(err);
	for (uint32_t j = 0; rc == 0 && j < s->c.njobs; j++) {
		struct sfab_estimate *o = &out[j];
		const struct sfab_job job = { .n = s->job[j].n, .host = s->job[j].host,
						.cpus = s->job[j].cpus, .traffic = &o->passed };
		double busy[SFAB_TRAFFIC_PARTS];
		struct column_errors e = { 0 };

		answer_alone(s, j, o);
		sfab_alike_errors(like, s->x, s->sigma, j, &e);
		o->confidence = confidence(s, j, e.split, e.of, o);
		o->alike = e.split > ALIKE * e.own &&
			   confidence(s, j, e.own, e.of, o) >= TOGETHER;
		rc = sfab_asked(a, &job, &o->traffic, busy, err);
		if (rc < 0)
			break;
		o->at_least = sfab_meets_full_servers(&s->c, s->x, j, &o->passed);
		for (uint32_t i = 0; i < o->passed.nparts; i++)
			o->at_least |= busy[i] >= BUSY &&
				       sfab_class_is_io(o->passed.part[i].class) &&
				       meets_full_link(s, j, &o->passed.part[i]);
	}
	sfab_asker_destroy(a);
	sfab_alike_destroy(like);
	return rc;
}
