/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_nnls.c - non-negative least squares against solutions worked out by hand */

#include "tests/unit/fixtures/unit.h"

#include <math.h>

#include "core/estimate/nnls.h"

static const struct sfab_nnls_limits limits = { 10000, 1e-12 };

/* Rows 0-2, columns (1,1,0), (0,1,1), (1,0,1): a triangle of links, each loaded by two jobs. */
static const uint32_t first[] = { 0, 2, 4, 6 };
static const uint32_t row[] = { 0, 1, 1, 2, 0, 2 };
static const double ones[] = { 1, 1, 1, 1, 1, 1 };

static const struct {
	double y[3], w[3], p[3], q[3];
	uint8_t stays_zero[3];
	double x[3];
} vectors[] = {
	/* Solved exactly: x0 = (y0 + y1 - y2) / 2 and so on. */
	{ { 5, 3, 4 }, { 1, 1, 1 }, { 0 }, { 0 }, { 0 }, { 2, 1, 3 } },
	/* x2 would be -1/2; without it min (1-a)^2 + (4-a-b)^2 + (2-b)^2. */
	{ { 1, 4, 2 }, { 1, 1, 1 }, { 0 }, { 0 }, { 0 }, { 4.0 / 3, 7.0 / 3, 0 } },
	/* The row that does not fit counts for nothing. */
	{ { 1, 100, 2 }, { 1, 0, 1 }, { 0 }, { 0 }, { 0, 0, 1 }, { 1, 2, 0 } },
	/* One column alone: the mean of its rows, then weighted. */
	{ { 1, 3, 9 }, { 1, 1, 1 }, { 0 }, { 0 }, { 0, 1, 1 }, { 2, 0, 0 } },
	{ { 1, 3, 9 }, { 3, 1, 1 }, { 0 }, { 0 }, { 0, 1, 1 }, { 1.5, 0, 0 } },
	/* Pulled to q = 10: (1 + 3 + 2 x 10) / (2 + 2). */
	{ { 1, 3, 9 }, { 1, 1, 1 }, { 2 }, { 10 }, { 0, 1, 1 }, { 6, 0, 0 } },
	{ { 0, 0, 0 }, { 1, 1, 1 }, { 0 }, { 0 }, { 0 }, { 0, 0, 0 } },
	{ { 0, 0, -5 }, { 1, 1, 1 }, { 0 }, { 0 }, { 0 }, { 0, 0, 0 } },
};

static void solve(int i, const uint32_t *block, uint32_t nblocks, double *x)
{
	struct sfab_nnls p = { .rows = 3, .cols = 3, .nblocks = nblocks, .block = block,
			       .first = first, .row = row, .a = ones, .y = vectors[i].y,
			       .w = vectors[i].w, .penalty = vectors[i].p, .prior = vectors[i].q,
			       .stays_zero = vectors[i].stays_zero };
	double residual[3];

	ck_assert_int_eq(sfab_nnls(&p, &limits, x, residual, NULL), 0);
	for (int r = 0; r < 3; r++) {
		double fit = 0;

		for (int c = 0; c < 3; c++)
			for (uint32_t e = first[c]; e < first[c + 1]; e++)
				fit += row[e] == (uint32_t) r ? x[c] : 0;
		ck_assert(fabs(vectors[i].y[r] - fit - residual[r]) < 1e-9);
	}
}

/* Whatever the blocks and the start. */
LOOP_TEST(by_hand, N(vectors))
{
	static const uint32_t one[] = { 0, 3 }, each[] = { 0, 1, 2, 3 }, two[] = { 0, 2, 3 };
	double x[3][3] = { { 0, 0, 0 }, { 7, 7, 7 }, { -1, 100, 0 } };

	solve(_i, one, 1, x[0]);
	solve(_i, each, 3, x[1]);
	solve(_i, two, 2, x[2]);
	for (int k = 0; k < 3; k++)
		for (int c = 0; c < 3; c++)
			ck_assert_msg(fabs(x[k][c] - vectors[_i].x[c]) < 1e-8,
				      "way %d, column %d: %g (expected %g)", k, c,
				      x[k][c], vectors[_i].x[c]);
}

TEST(sweeps_are_bounded)
{
	static const uint32_t each[] = { 0, 1, 2, 3 };
	static const struct sfab_nnls_limits few = { 2, 0 };
	struct sfab_nnls p = { .rows = 3, .cols = 3, .nblocks = 3, .block = each,
			       .first = first, .row = row, .a = ones, .y = vectors[0].y,
			       .w = vectors[0].w, .penalty = vectors[0].p, .prior = vectors[0].q,
			       .stays_zero = vectors[0].stays_zero };
	double x[3] = { 0 }, residual[3];

	ck_assert_int_eq(sfab_nnls(&p, &few, x, residual, NULL), 0);
	ck_assert_double_gt(fabs(x[0] - vectors[0].x[0]), 1e-3);
}

TEST(nothing_to_solve)
{
	static const uint32_t none[] = { 0 };
	struct sfab_nnls p = { .block = none, .first = none };

	ck_assert_int_eq(sfab_nnls(&p, &limits, NULL, NULL, NULL), 0);
}

UNIT_MAIN("nnls")
