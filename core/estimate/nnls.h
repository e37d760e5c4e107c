/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nnls.h - non-negative least squares with sparse columns
 *
 * Find x >= 0 that minimizes
 *
 *     sum over rows r     w_r (y_r - sum over columns c of a_rc x_c)^2
 *   + sum over columns c  p_c (x_c - q_c)^2
 *
 * by block coordinate descent: the columns of a block are solved together by their Gram matrix,
 * the others kept.  The problem is convex, so this converges to the solution (Tseng, J. Optim.
 * Theory Appl. 109, 2001).  It is fast if columns that resemble each other are in one block.
 */
#ifndef SFAB_NNLS_H
#define SFAB_NNLS_H

#include <stdint.h>

#include "core/err.h"

/* The problem.  All arrays are borrowed; letters are those above. */
struct sfab_nnls {
	uint32_t rows, cols, nblocks;
	const uint32_t *block;	/* [nblocks + 1] first column of each block */
	const uint32_t *first;	/* [cols + 1] into row and a */
	const uint32_t *row;	/* rows of a column, each once */
	const double *a;	/* non-zero entries (nz) of A */
	const double *y;	/* [rows] */
	const double *w;	/* [rows] 0: the row does not count */
	const double *penalty;	/* [cols] p */
	const double *prior;	/* [cols] q */
	const uint8_t *stays_zero;	/* [cols] 1: x stays 0 */
};

struct sfab_nnls_limits {
	uint32_t sweeps;	/* over all blocks, at most */
	double tolerance;	/* done when no x moves more in a sweep */
};

/*
 * Solve @problem.  @x: where to start, then the solution; entries that are below 0 or stay 0
 * count as 0.  Set @residual ([rows]) to y - A x.  -1: SFAB_ENOMEM.  O(non-zeros) a sweep,
 * memory O(rows + sum of squares of the blocks' sizes).
 */
int sfab_nnls(const struct sfab_nnls *problem, const struct sfab_nnls_limits *limits,
	      double *x, double *residual, struct sfab_err *err);

#endif
