/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * solve_nnls.c - sfab_nnls() for tests in Python
 *
 * Standard input: rows, columns, blocks; the columns in each block; rows values of y; rows
 * weights; then for each column its number of entries and (row, value) of each.  Prints x, one
 * a line.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/estimate/nnls.h"

static double number(void)
{
	double x;

	if (scanf("%lf", &x) != 1)
		exit(1);
	return x;
}

static double *numbers(uint32_t n)
{
	double *x = calloc(n + 1u, sizeof(*x));

	for (uint32_t i = 0; i < n; i++)
		x[i] = number();
	return x;
}

int main(void)
{
	static const struct sfab_nnls_limits limits = { 200000, 1e-11 };
	uint32_t rows = (uint32_t) number(), cols = (uint32_t) number();
	uint32_t nblocks = (uint32_t) number(), n = 0;
	uint32_t *block = calloc(nblocks + 1u, sizeof(*block));
	uint32_t *first = calloc(cols + 1u, sizeof(*first));
	uint32_t *row = calloc((size_t) rows * cols + 1, sizeof(*row));
	double *a = calloc((size_t) rows * cols + 1, sizeof(*a));
	double *x = calloc(cols + 1u, sizeof(*x));
	double *none = calloc(cols + 1u, sizeof(*none));
	double *residual = calloc(rows + 1u, sizeof(*residual));
	uint8_t *stays_zero = calloc(cols + 1u, sizeof(*stays_zero));
	struct sfab_nnls p = { .rows = rows, .cols = cols, .nblocks = nblocks,
			       .block = block, .first = first, .row = row, .a = a,
			       .penalty = none, .prior = none, .stays_zero = stays_zero };

	for (uint32_t b = 0; b < nblocks; b++)
		block[b + 1] = block[b] + (uint32_t) number();
	p.y = numbers(rows);
	p.w = numbers(rows);
	for (uint32_t c = 0; c < cols; c++) {
		for (uint32_t k = (uint32_t) number(); k > 0; k--, n++) {
			row[n] = (uint32_t) number();
			a[n] = number();
		}
		first[c + 1] = n;
	}
	if (sfab_nnls(&p, &limits, x, residual, NULL) < 0)
		return 1;
	for (uint32_t c = 0; c < cols; c++)
		printf("%.12g\n", x[c]);
	return 0;
}
