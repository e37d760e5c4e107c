/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share_errors.c - errors of the shares of a job that has hosts together with other jobs
 *
 * Columns that load the same links cannot be told apart: only their sum is known.  So the
 * errors of a job's shares are those of one covariance,
 *
 *     (A' W A + P)^-1,   W = 1 / (error of a rate)^2
 *
 * of two groups of columns: its own, and those that resemble them most of jobs with which it
 * shares hosts.  Traffic found for such a job may be this one's as well.  So the same class
 * counts among its own columns, even if it has no share.  P is the prior: an unknown share has
 * an error of about the whole traffic.  A job that shares no host is judged by its own columns
 * alone.
 */

#include "core/estimate/share_errors.h"

#include <math.h>
#include <string.h>

#define OWN_MAX 16u		/* columns of a job at most; further ones hardly add to the error */
#define ALIKE_MAX 32u		/* columns together with those of other jobs, at most */
#define MEET_MAX 24u		/* jobs: where more share a host, nothing is known anyway */
#define ALIKE_MIN 0.1		/* columns with a smaller cosine do not matter to each other */
/*
 * Error of an unknown share, as a part of the whole traffic.  Measured by the curves of `make
 * bench-learn`.
 */
#define UNKNOWN 0.75

struct alike_column {
	uint32_t column;
	double cosine;		/* to the most similar one of the job */
};

struct share_errors {
	const struct estimate_solver *s;
	uint32_t *first, *host_job;	/* [hosts + 1] into host_job: jobs by host */
	uint32_t *seen;		/* by job: 1 + the last job for which it was met */
	uint32_t nmet, met[MEET_MAX];	/* other jobs on hosts of the current job */
	double *spread;		/* by link: a column, times its weights; else 0 */
	uint32_t n;
	struct alike_column alike[ALIKE_MAX];	/* of the job first, then of the others */
	double gram[ALIKE_MAX][ALIKE_MAX];
};

struct share_errors *sfab_share_errors_create(struct estimate_solver *s)
{
	struct share_errors *e = sfab_arena_take(&s->arena, 1, sizeof(*e));
	const struct sfab_estimate_job *job = s->job;
	uint32_t nhosts = s->cols.m->f->nhosts;
	size_t all = 0;

	if (!e)
		return NULL;
	for (uint32_t j = 0; j < s->njobs; j++)
		all += job[j].n;
	e->s = s;
	e->first = sfab_arena_take(&s->arena, nhosts + 1u, sizeof(*e->first));
	e->host_job = sfab_arena_take(&s->arena, all, sizeof(*e->host_job));
	e->seen = sfab_arena_take(&s->arena, s->njobs, sizeof(*e->seen));
	e->spread = sfab_arena_take(&s->arena, s->nlinks, sizeof(*e->spread));
	if (s->arena.failed)
		return NULL;
	/* first[] has the end of each host's list; filling it lowers this to the beginning. */
	for (uint32_t j = 0; j < s->njobs; j++)
		for (uint32_t i = 0; i < job[j].n; i++)
			e->first[job[j].host[i]]++;
	for (uint32_t h = 0; h < nhosts; h++)
		e->first[h + 1] += e->first[h];
	for (uint32_t j = s->njobs; j-- > 0; )
		for (uint32_t i = 0; i < job[j].n; i++)
			e->host_job[--e->first[job[j].host[i]]] = j;
	return e;
}

/* Set the links of column @c in e->spread to @times the column, times their weights. */
static void spread_column(struct share_errors *e, uint32_t c, double times)
{
	const double *sigma = e->s->sigma;

	for (uint32_t nz = e->s->cols.first[c]; nz < e->s->cols.first[c + 1]; nz++) {
		uint32_t link = e->s->cols.row[nz];

		e->spread[link] = times * e->s->cols.a[nz] / (sigma[link] * sigma[link]);
	}
}

/* Return the product of e->spread and column @c. */
static double weighted_product(const struct share_errors *e, uint32_t c)
{
	double sum = 0;

	for (uint32_t nz = e->s->cols.first[c]; nz < e->s->cols.first[c + 1]; nz++)
		sum += e->spread[e->s->cols.row[nz]] * e->s->cols.a[nz];
	return sum;
}

/* List the classes of job @other that resemble the first @nown columns, which are the job's. */
static void meet_job(struct share_errors *e, uint32_t other, uint32_t nown)
{
	for (uint32_t c = e->s->cols.block[other]; c < e->s->cols.block[other + 1]; c++) {
		struct alike_column a = { .column = c };
		uint32_t least = nown;
		double square;

		if (e->s->cols.col[c].kind != SENDS_CLASS)
			continue;
		square = sfab_job_column_square(&e->s->cols, c, e->s->sigma);
		for (uint32_t i = 0; i < nown; i++) {
			spread_column(e, e->alike[i].column, 1);
			a.cosine = fmax(a.cosine, weighted_product(e, c) / sqrt(square *
					e->gram[i][i]));
			spread_column(e, e->alike[i].column, 0);
		}
		if (a.cosine < ALIKE_MIN)
			continue;
		if (e->n < ALIKE_MAX) {
			e->alike[e->n++] = a;
			continue;
		}
		/* Replace the column that resembles the job's least. */
		for (uint32_t i = nown + 1; i < e->n; i++)
			least = e->alike[i].cosine < e->alike[least].cosine ? i : least;
		if (e->alike[least].cosine < a.cosine)
			e->alike[least] = a;
	}
}

/* List the job's columns with a share.  Return the sum of the shares. */
static double list_own_columns(struct share_errors *e, uint32_t j)
{
	double sum = 0;

	e->n = 0;
	for (uint32_t c = e->s->cols.block[j]; c < e->s->cols.block[j + 1]; c++) {
		if (!(e->s->x[c] > 0) || e->n == OWN_MAX)
			continue;
		e->gram[e->n][e->n] = sfab_job_column_square(&e->s->cols, c, e->s->sigma);
		e->alike[e->n++] = (struct alike_column){ c, 1 };
		sum += e->s->x[c];
	}
	return sum;
}

/* Find the other jobs on hosts of job @j. */
static void find_others(struct share_errors *e, uint32_t j)
{
	e->nmet = 0;
	e->seen[j] = j + 1;
	for (uint32_t i = 0; i < e->s->job[j].n; i++) {
		uint32_t h = e->s->job[j].host[i];

		for (uint32_t l = e->first[h]; e->nmet < MEET_MAX && l < e->first[h + 1]; l++) {
			uint32_t other = e->host_job[l];

			if (e->seen[other] == j + 1)
				continue;
			e->seen[other] = j + 1;
			e->met[e->nmet++] = other;
		}
	}
}

/* List a class that was found for another job, as this job may send it, too. */
static void list_class(struct share_errors *e, uint32_t j, const struct job_column *found)
{
	for (uint32_t c = e->s->cols.block[j]; c < e->s->cols.block[j + 1]; c++) {
		const struct job_column *col = &e->s->cols.col[c];
		uint32_t i = 0;

		if (e->s->x[c] > 0 || col->kind != SENDS_CLASS || col->class != found->class ||
		    col->set != found->set)
			continue;
		while (i < e->n && e->alike[i].column != c)
			i++;
		if (i < e->n || e->n == OWN_MAX)
			return;
		e->gram[i][i] = sfab_job_column_square(&e->s->cols, c, e->s->sigma);
		e->alike[e->n++] = (struct alike_column){ c, 1 };
	}
}

/*
 * Return the square of the error of the first @nown columns' shares together, if the first @n
 * are unknown.  With each column swept out of the matrix, the inverse takes its place.
 */
static double sum_errors(const struct share_errors *e, uint32_t n, uint32_t nown)
{
	double g[ALIKE_MAX][ALIKE_MAX], sum = 0;

	memcpy(g, e->gram, sizeof(g));
	for (uint32_t p = 0; p < n; p++) {
		double pivot = g[p][p];

		for (uint32_t i = 0; i < n; i++)
			for (uint32_t l = 0; l < n; l++)
				if (i != p && l != p)
					g[i][l] -= g[i][p] * g[p][l] / pivot;
		for (uint32_t i = 0; i < n; i++)
			if (i != p) {
				g[i][p] /= pivot;
				g[p][i] /= -pivot;
			}
		g[p][p] = 1 / pivot;
	}
	for (uint32_t i = 0; i < nown; i++)
		sum += fmax(g[i][i], 0);
	return sum;
}

void sfab_share_errors_find(struct share_errors *e, uint32_t j, struct job_share_error *out)
{
	const uint32_t *block = e->s->cols.block;
	const double *x = e->s->x;
	double all = list_own_columns(e, j), alike = 0, unknown;
	uint32_t nown;

	*out = (struct job_share_error){ 0 };
	find_others(e, j);
	for (uint32_t i = 0; i < e->nmet; i++)
		for (uint32_t c = block[e->met[i]]; c < block[e->met[i] + 1]; c++)
			if (x[c] > 0 && e->s->cols.col[c].kind == SENDS_CLASS)
				list_class(e, j, &e->s->cols.col[c]);
	nown = e->n;
	if (!nown)
		return;
	for (uint32_t i = 0; i < e->nmet; i++)
		meet_job(e, e->met[i], nown);
	for (uint32_t i = nown; i < e->n; i++)
		alike += e->alike[i].cosine * x[e->alike[i].column];
	out->shares = all + alike;
	unknown = UNKNOWN * out->shares;
	for (uint32_t i = 0; i < e->n; i++) {
		spread_column(e, e->alike[i].column, 1);
		for (uint32_t l = i; l < e->n; l++)
			e->gram[i][l] = e->gram[l][i] = weighted_product(e, e->alike[l].column);
		spread_column(e, e->alike[i].column, 0);
		e->gram[i][i] += 1 / (unknown * unknown);
	}
	out->own_error = sqrt(sum_errors(e, nown, nown));
	out->error = e->n > nown ? sqrt(sum_errors(e, e->n, nown)) : out->own_error;
}
