/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stripes.c - rows of the grid that have the same columns free, by bits */

#include "core/search/stripes.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"

struct sfab_stripes {
	const struct sfab_class_grid *g;
	uint32_t words;			/* of a column's bits, one bit a row */
	uint64_t *free;			/* [column * words] rows with a free host there */
	uint32_t *nfree;		/* by column: number of these rows */
	uint64_t *order;		/* [ncolumns] scratch to sort columns */
	uint32_t *cell;			/* [column * nrows + row] its first free host */
	uint32_t *column, ncolumns;	/* columns of the stripes */
	uint8_t *has_stripe;		/* by column */
	uint64_t *common;		/* [words] rows that have all columns free */
	uint32_t *stripe;		/* [ncolumns] hosts of a block of ranks on a row */
	uint32_t *next_rank;		/* by column without stripes: the rank after the last
					   one there, 0: none */
};

static uint64_t *free_rows(const struct sfab_stripes *r, uint32_t column)
{
	return r->free + (size_t) column * r->words;
}

static uint32_t *cell_at(const struct sfab_stripes *r, uint32_t row, uint32_t column)
{
	return &r->cell[(size_t) column * r->g->nrows + row];
}

struct sfab_stripes *sfab_stripes_create(struct sfab_arena *a, const struct sfab_class_grid *g,
					 const uint8_t *avail)
{
	struct sfab_stripes *r = sfab_arena_take(a, 1, sizeof(*r));
	size_t n = g->ncolumns;

	if (!r)
		return NULL;
	r->g = g;
	r->words = g->nrows / 64 + 1;
	r->free = sfab_arena_take(a, n * r->words, sizeof(*r->free));
	r->nfree = sfab_arena_take(a, n, sizeof(*r->nfree));
	r->order = sfab_arena_take(a, n, sizeof(*r->order));
	r->cell = sfab_arena_take_ones(a, n * g->nrows, sizeof(*r->cell));
	r->column = sfab_arena_take(a, n, sizeof(*r->column));
	r->has_stripe = sfab_arena_take(a, n, sizeof(*r->has_stripe));
	r->common = sfab_arena_take(a, r->words, sizeof(*r->common));
	r->stripe = sfab_arena_take(a, n, sizeof(*r->stripe));
	r->next_rank = sfab_arena_take(a, n, sizeof(*r->next_rank));
	if (a->failed)
		return NULL;
	for (uint32_t row = 0; row < g->nrows; row++)
		for (uint32_t k = g->first[row]; k < g->first[row + 1]; k++) {
			uint32_t h = g->host[k], c = g->column[h];

			/* The hosts of a row are ascending. */
			if (!avail[h] || *cell_at(r, row, c) != SFAB_NONE)
				continue;
			*cell_at(r, row, c) = h;
			free_rows(r, c)[row / 64] |= UINT64_C(1) << row % 64;
			r->nfree[c]++;
		}
	return r;
}

struct striping {
	uint32_t n, power;	/* ranks, and the power of two that is not above */
	uint32_t block;		/* ranks on a row, where two that are folded count once */
	uint32_t width;		/* columns */
	uint32_t *pick;		/* by rank */
};

/* Return the first rank of block @b.  Pairs of the first ranks are folded into one. */
static uint32_t first_rank(const struct striping *x, uint32_t b)
{
	uint32_t i = b * x->block, folded = x->n - x->power;

	return i < folded ? 2 * i : i + folded;
}

/*
 * Return the free host of @row in the column of @rank, or SFAB_NONE.  The last ranks get none:
 * they are followed by rank 0, and in its columns they would share uplinks with it.
 */
static uint32_t striped_host(const struct sfab_stripes *r, const struct striping *x,
			     uint32_t row, uint32_t rank)
{
	return rank >= x->n - x->n % x->width ? SFAB_NONE :
	       *cell_at(r, row, r->column[rank % x->width]);
}

/*
 * Find another host of @row for @rank, in a column without stripes whose last rank is far
 * enough before.  It comes after host @low and before @high: ranks are in the order of hosts.
 */
static uint32_t find_other_host(const struct sfab_stripes *r, const struct striping *x,
				uint32_t row, uint32_t rank, uint32_t low, uint32_t high)
{
	for (uint32_t c = 0; c < r->g->ncolumns; c++) {
		uint32_t h = *cell_at(r, row, c);

		if (h != SFAB_NONE && !r->has_stripe[c] && h < high &&
		    (low == SFAB_NONE || h > low) &&
		    (!r->next_rank[c] || rank >= r->next_rank[c] - 1 + x->width))
			return h;
	}
	return SFAB_NONE;
}

/*
 * Fill r->stripe with the hosts on @row of ranks from @from on, at most up to @to.  Return the
 * end of these ranks.
 */
static uint32_t fill_row(struct sfab_stripes *r, const struct striping *x, uint32_t row,
			 uint32_t from, uint32_t to)
{
	uint32_t low = SFAB_NONE;

	for (uint32_t rank = from; rank < to; rank++) {
		uint32_t h = striped_host(r, x, row, rank), high = SFAB_NONE;

		for (uint32_t i = rank + 1; h == SFAB_NONE && high == SFAB_NONE && i < to; i++)
			high = striped_host(r, x, row, i);
		if (h == SFAB_NONE)
			h = find_other_host(r, x, row, rank, low, high);
		if (h == SFAB_NONE)
			h = *cell_at(r, row, r->column[rank % x->width]);
		if (h == SFAB_NONE || (low != SFAB_NONE && h <= low))
			return rank;
		r->stripe[rank - from] = low = h;
	}
	return to;
}

/* Give the ranks from @from to @to the hosts of r->stripe.  Return @to. */
static uint32_t take_stripe(struct sfab_stripes *r, const struct striping *x,
			    uint32_t from, uint32_t to)
{
	for (uint32_t rank = from; rank < to; rank++) {
		uint32_t h = r->stripe[rank - from], c = r->g->column[h];

		x->pick[rank] = h;
		if (!r->has_stripe[c])
			r->next_rank[c] = rank + 1;
	}
	return to;
}

/*
 * Find the first row from @row on that holds a block, or two rows of which each holds a part;
 * see the picture in stripes.h.  Return the row after it, or SFAB_NONE.
 */
static uint32_t fill_block(struct sfab_stripes *r, const struct striping *x, uint32_t row,
			   uint32_t from, uint32_t to)
{
	uint32_t done = from;

	for (; row < r->g->nrows && done < to; row++) {
		uint32_t end;

		if (done > from && fill_row(r, x, row, done, to) == to) {
			done = take_stripe(r, x, done, to);
			continue;
		}
		end = fill_row(r, x, row, from, to);
		if (end == to || done == from)
			done = take_stripe(r, x, from, end);
	}
	return done == to ? row : SFAB_NONE;
}

/*
 * Choose @width columns, one by one, so that as many rows as possible have a free host in all
 * of them.  The first is the @nth column that has one in at least @k rows.  0: there are too
 * few columns.
 */
static int choose_stripes(struct sfab_stripes *r, uint32_t width, uint32_t k, uint32_t nth)
{
	uint32_t c = nth < sfab_class_grid_sort(r->g, r->nfree, k, r->order) ?
		     (uint32_t) r->order[nth] : SFAB_NONE;

	memset(r->has_stripe, 0, r->g->ncolumns);
	memset(r->common, 0xFF, r->words * sizeof(*r->common));
	r->ncolumns = 0;
	while (c != SFAB_NONE) {
		uint32_t max = 0;

		r->column[r->ncolumns++] = c;
		r->has_stripe[c] = 1;
		if (r->ncolumns == width)
			return 1;
		for (uint32_t w = 0; w < r->words; w++)
			r->common[w] &= free_rows(r, c)[w];
		c = SFAB_NONE;
		for (uint32_t i = 0; i < r->g->ncolumns; i++) {
			uint32_t rows = 0, rank;	/* rows that remain if column i is chosen */

			if (r->has_stripe[i])
				continue;
			for (uint32_t w = 0; w < r->words; w++)
				rows += (uint32_t) __builtin_popcountll(r->common[w] &
									free_rows(r, i)[w]);
			/*
			 * Of columns that leave as many rows, the one with the most free hosts
			 * is best.
			 */
			rank = rows * (r->g->nrows + 1) + r->nfree[i];
			if (rank > max) {
				max = rank;
				c = i;
			}
		}
	}
	return 0;
}

int sfab_stripes_find(struct sfab_stripes *r, uint32_t n, uint32_t block,
		      uint32_t nth, uint32_t *pick)
{
	struct striping x = { .n = n, .power = 1, .block = block, .pick = pick };
	uint32_t row = 0;

	while (x.power <= n / 2)
		x.power *= 2;
	x.width = x.power < n ? 2 * block : block;
	if (x.power / block == 0 || x.power / block > r->g->nrows ||
	    x.width > r->g->ncolumns || !choose_stripes(r, x.width, n / x.width, nth))
		return 0;
	qsort(r->column, x.width, sizeof(*r->column), sfab_ascending_u32);
	memset(r->next_rank, 0, r->g->ncolumns * sizeof(*r->next_rank));
	for (uint32_t b = 0; b < x.power / block && row != SFAB_NONE; b++)
		row = fill_block(r, &x, row, first_rank(&x, b), first_rank(&x, b + 1));
	return row != SFAB_NONE;
}
