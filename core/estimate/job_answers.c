/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_answers.c - the result for each job; see job_answers.h */

#include "core/estimate/job_answers.h"
#include "core/estimate/share_errors.h"

#include <math.h>
#include <string.h>

#include "core/estimate/offered_load.h"
#include "core/load/measured.h"

#define ALIKE 4.0		/* an error this many times that by the job's own columns alone
				   means that others may send the traffic */
#define TOGETHER 0.5		/* confidence in the sum above which alike is reported */
#define BUSY 0.9		/* part of its time: a job above it cannot send more, given the
				   error of a rate */

double sfab_job_answers_sum(const struct estimate_solver *s, uint32_t j, enum sends_kind kind)
{
	double sum = 0;

	for (uint32_t c = s->cols.block[j]; c < s->cols.block[j + 1]; c++)
		if (kind == SENDS_ANY || s->cols.col[c].kind == kind)
			sum += s->x[c];
	return sum;
}

/* Drop parts below @min, and order by class.  Scale sums above 1 down, which are noise. */
static void tidy_parts(struct sfab_traffic *t, double min)
{
	double sum = sfab_traffic_net_share(t) + sfab_traffic_io_share(t);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < t->nparts; i++)
		if (t->part[i].share >= min)
			t->part[kept++] = t->part[i];
	t->nparts = kept;
	for (uint32_t i = 0; sum > 1 && i < kept; i++)
		t->part[i].share /= sum;
	for (uint32_t i = 1; i < kept; i++)
		for (uint32_t k = i; k > 0 && t->part[k].class < t->part[k - 1].class; k--) {
			struct sfab_traffic_part swap = t->part[k];

			t->part[k] = t->part[k - 1];
			t->part[k - 1] = swap;
		}
}

/* Set the mean rates, and all results that do not depend on other jobs. */
static void answer_alone(const struct estimate_solver *s, uint32_t j,
			 struct sfab_estimate *out)
{
	double all = sfab_job_answers_sum(s, j, SENDS_ANY), io = 0;
	double ports = sfab_job_answers_sum(s, j, SENDS_PORT);
	double shifts = sfab_job_answers_sum(s, j, SENDS_SHIFT);
	double strange = sfab_job_answers_sum(s, j, SENDS_OTHER) + shifts + s->missing[j];
	struct sfab_traffic_part key, *part;

	memset(out, 0, sizeof(*out));
	for (uint32_t c = s->cols.block[j]; c < s->cols.block[j + 1]; c++) {
		if (!(s->x[c] > 0))
			continue;
		key = sfab_job_column_part(&s->cols, &s->cols.col[c]);
		part = sfab_traffic_find_or_add(&out->passed, &key);
		if (part)
			part->share += s->x[c];
		io += sfab_class_is_io((enum sfab_class) s->cols.col[c].class) ? s->x[c] : 0;
	}
	tidy_parts(&out->passed, ESTIMATE_SHARE_MIN);
	/* Shares of columns become mean rates, as parts of that of its ports. */
	for (uint32_t i = 0; i < out->passed.nparts; i++) {
		const struct job_column *col = &s->cols.col[s->cols.block[j]];

		part = &out->passed.part[i];
		/* Each part comes from a column of the job. */
		for (;; col++) {
			key = sfab_job_column_part(&s->cols, col);
			if (key.class == part->class && strcmp(key.set, part->set) == 0)
				break;
		}
		part->share /= col->ends;
	}
	all += s->missing[j];
	out->residual = all > 0 ? fmin(strange / all, 1) : 0;
	out->misfit = s->misfit[j] || shifts > fmax(ESTIMATE_OTHER_PART * all, ESTIMATE_SHARE_MIN);
	out->few = ports > ESTIMATE_SHARE_MIN && ports > io / 2;
}

/*
 * Return 1 less the relative error of the shares, times the part of the traffic that classes
 * describe, times how likely the classes are.  It is lower where links of the job do not fit.
 */
static double find_confidence(const struct estimate_solver *s, uint32_t j, double error,
			      double shares, const struct sfab_estimate *out)
{
	if (s->cols.block[j] == s->cols.block[j + 1])
		return 0;	/* nothing of it is measured */
	return (1 - fmin(error / fmax(shares + s->missing[j], ESTIMATE_SHARE_MIN), 1)) *
	       (1 - out->residual) * s->likelihood[j] / fmax(s->chi[j] / ESTIMATE_CHI_MISFIT, 1);
}

/* Return the rate of IO port @i as a part of the capacity of its server; < 0: not known. */
static double io_port_fullness(const struct job_columns *cols, uint32_t i)
{
	const struct sfab_model *m = cols->m;
	const struct sfab_port *p = &m->f->ports[m->io->ioport[i]];
	double write, read;

	if (!sfab_port_is_cabled(p) || !(m->io->capacity[i] > 0))
		return -1;
	write = cols->rate[p->eject];
	read = cols->rate[p->inject];
	if (write < 0 && read < 0)
		return -1;
	return (fmax(write, 0) + fmax(read, 0)) / m->io->capacity[i];
}

/*
 * Are the servers of a set full?  Takes the mean over those that are known, as a single rate
 * errs by too much.
 */
static int is_full_set(const struct job_columns *cols, uint32_t set)
{
	const struct sfab_ioset *io = &cols->m->io->set[set];
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < io->nmembers; i++) {
		double fullness = io_port_fullness(cols, io->member[i]);

		sum += fmax(fullness, 0);
		n += fullness >= 0;
	}
	return n && sum >= SFAB_FULL_RATE * n;
}

/* Has job @j, with shares @x of all columns and traffic @t, IO to servers that are full? */
static int meets_full_servers(const struct job_columns *cols, const double *x, uint32_t j,
			      const struct sfab_traffic *t)
{
	for (uint32_t i = cols->block[j]; i < cols->block[j + 1]; i++) {
		const struct job_column *col = &cols->col[i];
		enum sfab_class class = (enum sfab_class) col->class;

		/* The class must be among the parts that are reported. */
		if (x[i] > 0 && sfab_class_is_io(class) && sfab_traffic_class_share(t, class) > 0 &&
		    (col->kind == SENDS_PORT ? io_port_fullness(cols, col->port) >= SFAB_FULL_RATE :
					      is_full_set(cols, col->set)))
			return 1;
	}
	return 0;
}

/* Is a link between switches full that the job loads with traffic of @p's class? */
static int meets_full_link(const struct estimate_solver *s, uint32_t j,
			   const struct sfab_traffic_part *p)
{
	for (uint32_t c = s->cols.block[j]; c < s->cols.block[j + 1]; c++) {
		if (!(s->x[c] > 0) || s->cols.col[c].class != (uint8_t) p->class)
			continue;
		for (uint32_t nz = s->cols.first[c]; nz < s->cols.first[c + 1]; nz++)
			if (sfab_job_columns_link_is_full(&s->cols, s->cols.row[nz]))
				return 1;
	}
	return 0;
}

int sfab_job_answers_make(struct estimate_solver *s, struct sfab_estimate *out,
			  struct sfab_err *err)
{
	struct share_errors *errors = sfab_share_errors_create(s);
	struct sfab_offered_load *offered;
	int rc;

	/* The load of links without the errors of their rates. */
	for (uint32_t e = 0; e < s->nlinks; e++)
		s->carried[e] = s->fit[e] + fmax(s->residual[e] - ESTIMATE_EXCESS * s->sigma[e], 0);
	offered = sfab_offered_load_create(s->cols.m, s->carried);
	rc = offered && errors ? 0 : sfab_no_memory(err);
	for (uint32_t j = 0; rc == 0 && j < s->cols.njobs; j++) {
		struct sfab_estimate *o = &out[j];
		const struct sfab_job job = { .n = s->job[j].n, .host = s->job[j].host,
						.cpus = s->job[j].cpus, .traffic = &o->passed };
		double busy[SFAB_TRAFFIC_PARTS];
		struct job_share_error e = { 0 };

		answer_alone(s, j, o);
		sfab_share_errors_find(errors, j, &e);
		o->confidence = find_confidence(s, j, e.error, e.shares, o);
		o->alike = e.error > ALIKE * e.own_error &&
			   find_confidence(s, j, e.own_error, e.shares, o) >= TOGETHER;
		rc = sfab_offered_load_find(offered, &job, &o->traffic, busy, err);
		if (rc < 0)
			break;
		o->at_least = meets_full_servers(&s->cols, s->x, j, &o->passed);
		for (uint32_t i = 0; i < o->passed.nparts; i++)
			o->at_least |= busy[i] >= BUSY &&
				       sfab_class_is_io(o->passed.part[i].class) &&
				       meets_full_link(s, j, &o->passed.part[i]);
	}
	sfab_offered_load_destroy(offered);
	return rc;
}
