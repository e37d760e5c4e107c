/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nnls.c - block coordinate descent; see nnls.h
 *
 * The residual y - A x is kept up to date.  It gives a block's gradient at x.  Gradient and
 * Gram matrix give the block's best x.
 */

#include "core/estimate/nnls.h"

#include <math.h>
#include <string.h>

#include "core/arena.h"

/* Passes over the columns of a block in one visit.  The next visit continues. */
#define PASSES_A_VISIT 60

struct nnls_work {
	const struct sfab_nnls *problem;
	double *x, *residual;
	double *gram;		/* of all blocks, one after the other */
	size_t *gram_at;	/* [nblocks] */
	double *column;		/* [rows] one column as an array over rows, else all 0 */
	double *gradient, *block_x;	/* [longest block] of the block that is visited */
	struct sfab_arena arena;	/* all arrays but x and residual */
};

static uint32_t nnls_block_size(const struct sfab_nnls *problem, uint32_t b)
{
	return problem->block[b + 1] - problem->block[b];
}

static int open_work(struct nnls_work *k, const struct sfab_nnls *problem, double *x,
		     double *residual)
{
	uint32_t longest = 1;
	size_t grams = 0;

	memset(k, 0, sizeof(*k));
	k->problem = problem;
	k->x = x;
	k->residual = residual;
	k->gram_at = sfab_arena_take(&k->arena, problem->nblocks, sizeof(*k->gram_at));
	for (uint32_t b = 0; k->gram_at && b < problem->nblocks; b++) {
		size_t n = nnls_block_size(problem, b);

		k->gram_at[b] = grams;
		grams += n * n;
		longest = n > longest ? (uint32_t) n : longest;
	}
	k->gram = sfab_arena_take(&k->arena, grams, sizeof(*k->gram));
	k->column = sfab_arena_take(&k->arena, problem->rows, sizeof(*k->column));
	k->gradient = sfab_arena_take(&k->arena, longest, sizeof(*k->gradient));
	k->block_x = sfab_arena_take(&k->arena, longest, sizeof(*k->block_x));
	return k->arena.failed ? -1 : 0;
}

/* Sum w a_i a_k over the rows, for all pairs of columns of a block. */
static void make_gram(struct nnls_work *k, uint32_t b)
{
	const struct sfab_nnls *problem = k->problem;
	const uint32_t *first = problem->first, *row = problem->row;
	const double *a = problem->a;
	uint32_t n = nnls_block_size(problem, b), c0 = problem->block[b];
	double *g = k->gram + k->gram_at[b];

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t nz = first[c0 + i]; nz < first[c0 + i + 1]; nz++)
			k->column[row[nz]] = problem->w[row[nz]] * a[nz];
		for (uint32_t j = i; j < n; j++) {
			double sum = 0;

			for (uint32_t nz = first[c0 + j]; nz < first[c0 + j + 1]; nz++)
				sum += k->column[row[nz]] * a[nz];
			g[i * n + j] = g[j * n + i] = sum;
		}
		for (uint32_t nz = first[c0 + i]; nz < first[c0 + i + 1]; nz++)
			k->column[row[nz]] = 0;
		g[i * n + i] += problem->penalty[c0 + i];
	}
}

/* Add @change to x of column @c, and update the residual. */
static void move_column(struct nnls_work *k, uint32_t c, double change)
{
	const struct sfab_nnls *problem = k->problem;

	for (uint32_t nz = problem->first[c]; nz < problem->first[c + 1]; nz++)
		k->residual[problem->row[nz]] -= change * problem->a[nz];
}

/*
 * Make one pass over the columns of a block, the others kept.  Return the largest change of an
 * x.
 */
static double pass_block(struct nnls_work *k, uint32_t b)
{
	uint32_t n = nnls_block_size(k->problem, b), c0 = k->problem->block[b];
	const double *g = k->gram + k->gram_at[b];
	double longest = 0;

	for (uint32_t i = 0; i < n; i++) {
		double x, change;

		if (k->problem->stays_zero[c0 + i] || !(g[i * n + i] > 0))
			continue;
		x = k->block_x[i] + k->gradient[i] / g[i * n + i];
		change = (x > 0 ? x : 0) - k->block_x[i];
		if (change == 0)
			continue;
		k->block_x[i] += change;
		for (uint32_t j = 0; j < n; j++)
			k->gradient[j] -= change * g[j * n + i];
		longest = fmax(longest, fabs(change));
	}
	return longest;
}

/* Solve a block, the others kept.  Return the largest change of an x. */
static double visit_block(struct nnls_work *k, uint32_t b, double tolerance)
{
	const struct sfab_nnls *problem = k->problem;
	const uint32_t *row = problem->row;
	uint32_t n = nnls_block_size(problem, b), c0 = problem->block[b];
	double longest = 0;

	/* Half of the negative gradient at x, for each column. */
	for (uint32_t i = 0; i < n; i++) {
		uint32_t c = c0 + i;
		double sum = problem->penalty[c] * (problem->prior[c] - k->x[c]);

		for (uint32_t nz = problem->first[c]; nz < problem->first[c + 1]; nz++)
			sum += problem->w[row[nz]] * problem->a[nz] * k->residual[row[nz]];
		k->gradient[i] = sum;
	}
	memcpy(k->block_x, k->x + c0, n * sizeof(*k->block_x));
	for (int i = 0; i < PASSES_A_VISIT; i++)
		if (pass_block(k, b) <= tolerance / 4)
			break;
	for (uint32_t i = 0; i < n; i++) {
		double change = k->block_x[i] - k->x[c0 + i];

		if (change == 0)
			continue;
		move_column(k, c0 + i, change);
		k->x[c0 + i] = k->block_x[i];
		longest = fmax(longest, fabs(change));
	}
	return longest;
}

int sfab_nnls(const struct sfab_nnls *problem, const struct sfab_nnls_limits *limits,
	      double *x, double *residual, struct sfab_err *err)
{
	struct nnls_work k;
	double longest = INFINITY;

	if (open_work(&k, problem, x, residual) < 0) {
		sfab_arena_free(&k.arena);
		return sfab_no_memory(err);
	}
	if (problem->rows)
		memcpy(residual, problem->y, problem->rows * sizeof(*residual));
	for (uint32_t c = 0; c < problem->cols; c++) {
		if (problem->stays_zero[c] || !(x[c] > 0))
			x[c] = 0;
		if (x[c] > 0)
			move_column(&k, c, x[c]);
	}
	for (uint32_t b = 0; b < problem->nblocks; b++)
		make_gram(&k, b);
	for (uint32_t n = 0; n < limits->sweeps && longest > limits->tolerance; n++) {
		longest = 0;
		for (uint32_t b = 0; b < problem->nblocks; b++)
			longest = fmax(longest, visit_block(&k, b, limits->tolerance));
	}
	sfab_arena_free(&k.arena);
	return 0;
}
