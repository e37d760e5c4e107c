/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * even_rows.c - walk the rows by name, and remember when a column was used last
 *
 * Rows are sorted by their free hosts.  The walk first may use only as many of the best rows as
 * the job needs.  If it cannot seat all ranks on these, it begins again with 1, 2, 4 ... rows
 * more.
 */

#include "core/search/even_rows.h"
#include "core/ascending.h"

#include <stdlib.h>
#include <string.h>

struct sfab_even_rows {
	const struct sfab_class_grid *g;
	const uint8_t *avail;	/* by host */
	uint32_t *nfree;	/* by row */
	uint64_t *order;	/* scratch to sort rows, or columns */
	uint8_t *row_allowed;	/* by row: 1: its hosts may be used */
	uint32_t *last_rank;	/* by column: 1 + the last rank there, 0: none */
	uint32_t *column_free;	/* by column: free hosts */
	uint8_t *column_allowed;	/* by column: 1: its hosts may be used */
};

/* How many ranks each row of a set has. */
struct even_shape {
	uint32_t n, width;
	uint32_t folded;	/* number of first ranks of which a row has 2 x width */
	uint32_t min_distance;	/* of two ranks in a column */
};

struct sfab_even_rows *sfab_even_rows_create(struct sfab_arena *a, const struct sfab_class_grid *g,
					     const uint8_t *avail)
{
	struct sfab_even_rows *r = sfab_arena_take(a, 1, sizeof(*r));

	if (!r)
		return NULL;
	r->g = g;
	r->avail = avail;
	r->nfree = sfab_arena_take(a, g->nrows, sizeof(*r->nfree));
	r->order = sfab_arena_take(a, g->nrows + (size_t) g->ncolumns, sizeof(*r->order));
	r->row_allowed = sfab_arena_take(a, g->nrows, 1);
	r->last_rank = sfab_arena_take(a, g->ncolumns, sizeof(*r->last_rank));
	r->column_free = sfab_arena_take(a, g->ncolumns, sizeof(*r->column_free));
	r->column_allowed = sfab_arena_take(a, g->ncolumns, 1);
	if (a->failed)
		return NULL;
	for (uint32_t k = 0; k < g->first[g->nrows]; k++)
		r->column_free[g->column[g->host[k]]] += avail[g->host[k]];
	return r;
}

/* Choose @n hosts of @row for the ranks from @rank on.  0: the row has too few. */
static int choose_from_row(struct sfab_even_rows *r, uint32_t row, uint32_t n,
			   uint32_t rank, uint32_t min_distance, uint32_t *pick)
{
	uint32_t chosen = 0;

	for (uint32_t k = r->g->first[row]; k < r->g->first[row + 1] && chosen < n; k++) {
		uint32_t h = r->g->host[k], column = r->g->column[h], last = r->last_rank[column];

		if (r->avail[h] && r->column_allowed[column] &&
		    (!last || rank + chosen + 1 - last >= min_distance))
			pick[chosen++] = h;
	}
	for (uint32_t i = 0; i < chosen && chosen == n; i++)
		r->last_rank[r->g->column[pick[i]]] = rank + i + 1;
	return chosen == n;
}

/* Seat all ranks of @s on the allowed rows, in the order of their names.  0: not all fit. */
static int walk_even_rows(struct sfab_even_rows *r, const struct even_shape *s, uint32_t *pick)
{
	uint32_t rank = 0;

	memset(r->last_rank, 0, r->g->ncolumns * sizeof(*r->last_rank));
	for (uint32_t i = 0; i < r->g->nrows && r->g->by_name[i] != SFAB_NONE; i++) {
		uint32_t row = r->g->by_name[i];
		uint32_t rest = (rank < s->folded ? s->folded : s->n) - rank;
		uint32_t take = rank < s->folded ? 2 * s->width : s->width;

		if (take > rest)
			take = rest;
		if (!r->row_allowed[row] || r->nfree[row] < take ||
		    !choose_from_row(r, row, take, rank, s->min_distance, pick + rank))
			continue;
		rank += take;
		if (rank == s->n)
			return 1;
	}
	return 0;
}

/*
 * Allow the @columns columns with the fewest free hosts, but at least @min.  0: there are fewer
 * columns.
 */
static int allow_columns(struct sfab_even_rows *r, uint32_t columns, uint32_t min)
{
	uint32_t n = sfab_class_grid_sort(r->g, r->column_free, min, r->order);

	memset(r->column_allowed, 0, r->g->ncolumns);
	for (uint32_t i = 0; i < columns && i < n; i++)
		r->column_allowed[(uint32_t) r->order[i]] = 1;
	return columns <= n;
}

/* Sort the rows that have a free host in an allowed column into r->order.  Return their number. */
static uint32_t sort_even_rows(struct sfab_even_rows *r, uint32_t width, enum sfab_rows rows)
{
	uint32_t n = 0;

	for (uint32_t row = 0; row < r->g->nrows; row++) {
		uint64_t free = 0;
		int fewest;

		for (uint32_t k = r->g->first[row]; k < r->g->first[row + 1]; k++)
			free += r->avail[r->g->host[k]] &&
				r->column_allowed[r->g->column[r->g->host[k]]];
		r->nfree[row] = (uint32_t) free;
		fewest = rows == SFAB_ROWS_EMPTIEST && free >= width;
		if (free)
			r->order[n++] = (fewest ? free : UINT32_MAX - free) << 32 | row;
	}
	qsort(r->order, n, sizeof(*r->order), sfab_ascending_u64);
	return n;
}

int sfab_even_rows_find(struct sfab_even_rows *r, uint32_t n, uint32_t width, int folds,
			enum sfab_rows rows, uint32_t columns, uint32_t *pick)
{
	struct even_shape s = { .n = n, .width = width, .min_distance = folds ? 2 * width : width };
	uint32_t need, nrows, power = 1, more = 1, nallowed = 0;
	int is_foldable;

	while (2 * power <= n)
		power *= 2;
	if (folds)
		s.folded = 2 * (n - power);
	/* Only rows of 2^k ranks exchange as wholes, and 2^k ranks have nothing to fold. */
	is_foldable = s.folded && !(width & (width - 1));
	if (!width || (folds && !is_foldable) || s.min_distance > r->g->ncolumns)
		return 0;
	need = (s.folded / 2 + width - 1) / width + (n - s.folded + width - 1) / width;
	/* With all columns allowed none needs a least number of free hosts. */
	if (!allow_columns(r, columns, columns < r->g->ncolumns ? n / width : 0))
		return 0;
	nrows = sort_even_rows(r, width, rows);
	memset(r->row_allowed, 0, r->g->nrows);
	for (; need <= nrows; more *= 2) {
		while (nallowed < need)
			r->row_allowed[(uint32_t) r->order[nallowed++]] = 1;
		if (walk_even_rows(r, &s, pick))
			return 1;
		if (need == nrows)
			return 0;
		need = need + more < nrows ? need + more : nrows;
	}
	return 0;
}
