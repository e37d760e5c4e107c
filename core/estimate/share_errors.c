/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share_errors.c - errors of the shares of a job that has hosts together with other jobs
 *
 * Columns that load the same links cannot be told apart: only their sum is known.  So
 * the errors of a job's shares are those of one covariance,
 *
 *     (A' W A + P)^-1,   W = 1 / (error of a rate)^2
 *
 * of its columns and of those of the jobs that have some of its hosts which resemble them most.
 * Traffic found for such a job may be this one's as well, so its classes count even if they
 * have no share.  P is the prior: an unknown share has an error of about the whole traffic.  A
 * job with hosts of its own is judged by its own columns alone.
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

struct sfab_share_errors {
	const struct estimate_solver *s;
	uint32_t *first, *host_job;	/* [hosts + 1] into host_job: jobs by host */
	uint32_t *seen;		/* by job: 1 + the last job for which it was met */
	uint32_t nmet, met[MEET_MAX];	/* other jobs on hosts of the current job */
	double *spread;		/* by link: a column, times its weights; else 0 */
	uint32_t n;
	struct alike_column alike[ALIKE_MAX];	/* of the job first, then of the others */
	double gram[ALIKE_MAX][ALIKE_MAX];
};

struct sfab_share_errors *sfab_share_errors_create(struct estimate_solver *s)
{
	struct sfab_share_errors *k = sfab_arena_take(&s->arena, 1, sizeof(*k));
	const struct sfab_estimate_job *job = s->job;
	uint32_t nhosts = s->cols.m->f->nhosts;
	size_t all = 0;

	if (!k)
		return NULL;
	for (uint32_t j = 0; j < s->njobs; j++)
		all += job[j].n;
	k->s = s;
	k->first = sfab_arena_take(&s->arena, nhosts + 1u, sizeof(*k->first));
	k->host_job = sfab_arena_take(&s->arena, all, sizeof(*k->host_job));
	k->seen = sfab_arena_take(&s->arena, s->njobs, sizeof(*k->seen));
	k->spread = sfab_arena_take(&s->arena, s->nlinks, sizeof(*k->spread));
	if (s->arena.failed)
		return NULL;
	/* first[] has the end of each host's list; filling it lowers this to the beginning. */
	for (uint32_t j = 0; j < s->njobs; j++)
		for (uint32_t i = 0; i < job[j].n; i++)
			k->first[job[j].host[i]]++;
	for (uint32_t h = 0; h < nhosts; h++)
		k->first[h + 1] += k->first[h];
	for (uint32_t j = s->njobs; j-- > 0; )
		for (uint32_t i = 0; i < job[j].n; i++)
			k->host_job[--k->first[job[j].host[i]]] = j;
	return k;
}

/* Set the links of column @c in k->spread to @times the column, times their weights. */
static void spread_column(struct sfab_share_errors *k, uint32_t c, double times)
{
	const double *sigma = k->s->sigma;

	for (uint32_t nz = k->s->cols.first[c]; nz < k->s->cols.first[c + 1]; nz++) {
		uint32_t e = k->s->cols.row[nz];

		k->spread[e] = times * k->s->cols.a[nz] / (sigma[e] * sigma[e]);
	}
}

/* Return the product of k->spread and column @c. */
static double weighted_product(const struct sfab_share_errors *k, uint32_t c)
{
	double sum = 0;

	for (uint32_t nz = k->s->cols.first[c]; nz < k->s->cols.first[c + 1]; nz++)
		sum += k->spread[k->s->cols.row[nz]] * k->s->cols.a[nz];
	return sum;
}

/* List the classes of job @other that resemble the first @nown columns, which are the job's. */
static void meet_job(struct sfab_share_errors *k, uint32_t other, uint32_t nown)
{
	for (uint32_t c = k->s->cols.block[other]; c < k->s->cols.block[other + 1]; c++) {
		struct alike_column a = { .column = c };
		uint32_t least = nown;
		double square;

		if (k->s->cols.col[c].kind != SENDS_CLASS)
			continue;
		square = sfab_job_column_square(&k->s->cols, c, k->s->sigma);
		for (uint32_t i = 0; i < nown; i++) {
			spread_column(k, k->alike[i].column, 1);
			a.cosine = fmax(a.cosine, weighted_product(k, c) / sqrt(square *
					k->gram[i][i]));
			spread_column(k, k->alike[i].column, 0);
		}
		if (a.cosine < ALIKE_MIN)
			continue;
		if (k->n < ALIKE_MAX) {
			k->alike[k->n++] = a;
			continue;
		}
		/* Replace the column that resembles the job's least. */
		for (uint32_t i = nown + 1; i < k->n; i++)
			least = k->alike[i].cosine < k->alike[least].cosine ? i : least;
		if (k->alike[least].cosine < a.cosine)
			k->alike[least] = a;
	}
}

/* List the job's columns with a share.  Return the sum of the shares. */
static double list_own_columns(struct sfab_share_errors *k, uint32_t j)
{
	double sum = 0;

	k->n = 0;
	for (uint32_t c = k->s->cols.block[j]; c < k->s->cols.block[j + 1]; c++) {
		if (!(k->s->x[c] > 0) || k->n == OWN_MAX)
			continue;
		k->gram[k->n][k->n] = sfab_job_column_square(&k->s->cols, c, k->s->sigma);
		k->alike[k->n++] = (struct alike_column){ c, 1 };
		sum += k->s->x[c];
	}
	return sum;
}

/* Find the other jobs on hosts of job @j. */
static void find_others(struct sfab_share_errors *k, uint32_t j)
{
	k->nmet = 0;
	k->seen[j] = j + 1;
	for (uint32_t i = 0; i < k->s->job[j].n; i++) {
		uint32_t h = k->s->job[j].host[i];

		for (uint32_t l = k->first[h]; k->nmet < MEET_MAX && l < k->first[h + 1]; l++) {
			uint32_t other = k->host_job[l];

			if (k->seen[other] == j + 1)
				continue;
			k->seen[other] = j + 1;
			k->met[k->nmet++] = other;
		}
	}
}

/* List a class that was found for another job, as this job may send it, too. */
static void list_class(struct sfab_share_errors *k, uint32_t j, const struct job_column *found)
{
	for (uint32_t c = k->s->cols.block[j]; c < k->s->cols.block[j + 1]; c++) {
		const struct job_column *col = &k->s->cols.col[c];
		uint32_t i = 0;

		if (k->s->x[c] > 0 || col->kind != SENDS_CLASS || col->class != found->class ||
		    col->set != found->set)
			continue;
		while (i < k->n && k->alike[i].column != c)
			i++;
		if (i < k->n || k->n == OWN_MAX)
			return;
		k->gram[i][i] = sfab_job_column_square(&k->s->cols, c, k->s->sigma);
		k->alike[k->n++] = (struct alike_column){ c, 1 };
	}
}

/*
 * Return the square of the error of the first @nown columns' shares together, if the first @n
 * are unknown.  With each column swept out of the matrix, the inverse takes its place.
 */
static double sum_errors(const struct sfab_share_errors *k, uint32_t n, uint32_t nown)
{
	double g[ALIKE_MAX][ALIKE_MAX], sum = 0;

	memcpy(g, k->gram, sizeof(g));
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

void sfab_share_errors_find(struct sfab_share_errors *k, uint32_t j, struct share_error *out)
{
	const uint32_t *block = k->s->cols.block;
	const double *x = k->s->x;
	double all = list_own_columns(k, j), alike = 0, unknown;
	uint32_t nown;

	*out = (struct share_error){ 0 };
	find_others(k, j);
	for (uint32_t i = 0; i < k->nmet; i++)
		for (uint32_t c = block[k->met[i]]; c < block[k->met[i] + 1]; c++)
			if (x[c] > 0 && k->s->cols.col[c].kind == SENDS_CLASS)
				list_class(k, j, &k->s->cols.col[c]);
	nown = k->n;
	if (!nown)
		return;
	for (uint32_t i = 0; i < k->nmet; i++)
		meet_job(k, k->met[i], nown);
	for (uint32_t i = nown; i < k->n; i++)
		alike += k->alike[i].cosine * x[k->alike[i].column];
	out->shares = all + alike;
	unknown = UNKNOWN * out->shares;
	for (uint32_t i = 0; i < k->n; i++) {
		spread_column(k, k->alike[i].column, 1);
		for (uint32_t l = i; l < k->n; l++)
			k->gram[i][l] = k->gram[l][i] = weighted_product(k, k->alike[l].column);
		spread_column(k, k->alike[i].column, 0);
		k->gram[i][i] += 1 / (unknown * unknown);
	}
	out->own_error = sqrt(sum_errors(k, nown, nown));
	out->error = k->n > nown ? sqrt(sum_errors(k, k->n, nown)) : out->own_error;
}
