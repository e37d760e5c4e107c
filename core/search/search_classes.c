/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_classes.c - rectangles: the same port classes on each row of a job
 *
 * A cell of the grid (class_grid.h) may be used if it has a free host and no
 * other job sends over its row's link to its column.  A row joins a job only if
 * its links to all columns of the job are quiet, so the job meets nobody.
 * Rectangles grow from a row by the row that keeps most columns in common.
 *
 * n hosts on k rows, with m = n / k and r = n mod k, are arranged as
 *
 *   even    k rows x m columns; r hosts more in other columns of another row.
 *           Any m hosts in a row of ranks are then in different columns, so no
 *           step of a shift has a conflict
 *   short   k rows x (m + 1) columns, the last row not full
 *   mixed   quiet columns, other ones on each row: it may meet itself
 *
 * Where none of these is found, even and short again, whoever sends over the links: the
 * job then meets others, but not itself.
 *
 * Fewer rows are better, then rows that have few other free cells: a later job could
 * use them least.  No proposal has more leaves than tree
 * placement takes.  What it saves this job it would cost the next ones: on Wolf at
 * 90 % utilization the part of the jobs that share links was 0.03 with this limit
 * and 0.09 without it (tree placement 0.16).
 */

#include "core/search/class_grid.h"
#include "core/search/search_private.h"

#include <stdlib.h>
#include <string.h>

#define QUIET 0.01		/* X/C of a link up to which nobody counts as using it:
				   the least that measured.h takes for a load */
#define SEEDS 48		/* rows to grow from */
#define SIZES 4			/* numbers of rows tried from one seed */
#define ROW_COST SFAB_GRID_COLUMNS	/* of a row, in free cells: more rows never win */

struct rectangles {
	struct pool *p;
	const struct sfab_grid *g;
	const struct sfab_class_grid *all;
	uint32_t words;			/* of a row's bits, one bit a column */
	uint64_t *free, *quiet;		/* [row * words] */
	uint32_t *host;			/* [row * ncolumns + column] */
	uint32_t *in_row, *in_column;	/* free cells */
	uint32_t *row, nrows;		/* rows with free cells */
	uint8_t *is_member;		/* by row */
	uint32_t *member, nmembers;
	uint64_t *common, *base, *rest, *extra;	/* [words] scratch */
	uint32_t *pick;
	uint32_t leaves_most;
	int meets_others;		/* 1: links need not be quiet */
	uint8_t *seen;			/* by leaf: scratch */
	struct class_proposals *out;
};

/* -- bits ----------------------------------------------------------------- */

static uint64_t *free_of(const struct rectangles *s, uint32_t row)
{
	return s->free + (size_t) row * s->words;
}

static uint64_t *quiet_of(const struct rectangles *s, uint32_t row)
{
	return s->quiet + (size_t) row * s->words;
}

static int has_column(const uint64_t *bits, uint32_t c)
{
	return bits[c / 64] >> c % 64 & 1;
}

static uint32_t count_bits(const struct rectangles *s, const uint64_t *a)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->words; i++)
		n += (uint32_t) __builtin_popcountll(a[i]);
	return n;
}

/* Bits of @a and @b; and of @c unless it is NULL. */
static uint32_t count_common(const struct rectangles *s, const uint64_t *a,
			     const uint64_t *b, const uint64_t *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->words; i++)
		n += (uint32_t) __builtin_popcountll(a[i] & b[i] &
						     (c ? c[i] : UINT64_MAX));
	return n;
}

static void keep_common(const struct rectangles *s, uint64_t *a, const uint64_t *b)
{
	for (uint32_t i = 0; i < s->words; i++)
		a[i] &= b[i];
}

/*
 * Of the columns in @from, the @n that most rows have free, to @to.  What is left
 * is then spread over the columns.  A large job that must take it would else send to
 * all its hosts over few uplinks: seen up to 6.5 times as long, now 4.4.
 */
static void choose_columns(const struct rectangles *s, const uint64_t *from,
			   uint32_t n, uint64_t *to)
{
	memset(to, 0, s->words * sizeof(*to));
	while (n--) {
		uint32_t best = SFAB_NONE;

		for (uint32_t c = 0; c < s->g->ncolumns; c++)
			if (has_column(from, c) && !has_column(to, c) &&
			    (best == SFAB_NONE || s->in_column[c] > s->in_column[best]))
				best = c;
		if (best != SFAB_NONE)
			to[best / 64] |= UINT64_C(1) << best % 64;
	}
}

/* -- the cells ------------------------------------------------------------ */

static int are_links_quiet(const struct rectangles *s, const uint32_t *link, uint32_t n)
{
	for (uint32_t i = 0; s->p->js && !s->meets_others && i < n; i++)
		if (link[i] != SFAB_NONE && (pool_fill(s->p, link[i]) > QUIET ||
					     sfab_jobs_in_tree(s->p->js, link[i])))
			return 0;
	return 1;
}

static const uint32_t *links_up(const struct sfab_grid *g, uint32_t row, uint32_t c)
{
	return g->up + ((size_t) row * g->ncolumns + c) * g->nrails;
}

/* Are all links of its cells quiet, on this level and those below? */
static int is_host_quiet(const struct rectangles *s, uint32_t host, uint32_t leaf)
{
	for (const struct sfab_grid *g = s->all->level; g <= s->g; g++) {
		if (g->column[host] == SFAB_NONE ||
		    !are_links_quiet(s, g->down + (size_t) host * g->nrails, g->nrails))
			return 0;
		if (g < s->g && !are_links_quiet(s, links_up(g, g->row[leaf], g->column[host]),
					  g->nrails))
			return 0;
	}
	return 1;
}

static void mark_quiet_columns(struct rectangles *s, uint32_t row)
{
	s->row[s->nrows++] = row;
	for (uint32_t c = 0; c < s->g->ncolumns; c++)
		if (are_links_quiet(s, links_up(s->g, row, c), s->g->nrails))
			quiet_of(s, row)[c / 64] |= UINT64_C(1) << c % 64;
}

static void fill_cells(struct rectangles *s)
{
	const struct pool *p = s->p;

	for (uint32_t l = 0; l < p->nleaves; l++)
		for (uint32_t i = p->first[l]; i < p->first[l + 1]; i++) {
			uint32_t h = p->host[i], row = s->g->row[p->leaf[l]];
			uint32_t c = s->g->column[h];

			if (!is_host_quiet(s, h, p->leaf[l]) ||
			    has_column(free_of(s, row), c))
				continue;
			if (!s->in_row[row]++)
				mark_quiet_columns(s, row);
			free_of(s, row)[c / 64] |= UINT64_C(1) << c % 64;
			s->host[(size_t) row * s->g->ncolumns + c] = h;
			s->in_column[c]++;
		}
}

/* -- proposals ------------------------------------------------------------ */

/*
 * Take the hosts of @columns in @row; returns what they cost later jobs: a row with
 * many free cells could hold more of them.
 */
static double take_cells(struct rectangles *s, uint32_t row, const uint64_t *columns,
			 uint32_t *n)
{
	double cost = 0;

	for (uint32_t c = 0; c < s->g->ncolumns; c++)
		if (has_column(columns, c) && *n < s->p->need) {
			s->pick[(*n)++] = s->host[(size_t) row * s->g->ncolumns + c];
			cost += s->in_row[row];
		}
	return cost / s->p->need;
}

static uint32_t count_leaves(struct rectangles *s, const uint32_t *pick)
{
	uint32_t n = 0;

	memset(s->seen, 0, s->p->m->f->nleaves);
	for (uint32_t i = 0; i < s->p->need; i++) {
		uint8_t *seen = &s->seen[s->p->m->host_leaf[pick[i]]];

		n += !*seen;
		*seen = 1;
	}
	return n;
}

/* Keep s->pick if it is among the cheapest. */
static void keep_pick(struct rectangles *s, uint32_t rows, double cost)
{
	struct class_proposals *o = s->out;
	uint32_t i, *last;

	cost += ROW_COST * rows;
	if (o->n == CLASS_PROPOSALS && cost >= o->cost[o->n - 1])
		return;
	for (i = 0; i < o->n; i++)
		if (o->cost[i] == cost &&
		    memcmp(o->pick[i], s->pick, s->p->need * sizeof(*s->pick)) == 0)
			return;
	if (count_leaves(s, s->pick) > s->leaves_most)
		return;
	o->n += o->n < CLASS_PROPOSALS;
	last = o->pick[o->n - 1];
	for (i = o->n - 1; i && cost < o->cost[i - 1]; i--) {
		o->pick[i] = o->pick[i - 1];
		o->cost[i] = o->cost[i - 1];
	}
	o->pick[i] = last;
	o->cost[i] = cost;
	memcpy(last, s->pick, s->p->need * sizeof(*last));
}

/*
 * Another row for @n hosts in columns of s->rest, with quiet links to s->base.
 * It is the one with fewest free cells; s->extra gets its columns.
 */
static uint32_t find_extra_row(struct rectangles *s, uint32_t n)
{
	uint32_t best = SFAB_NONE, pod = s->g->pod[s->member[0]];
	uint32_t width = count_bits(s, s->base);

	for (uint32_t i = 0; i < s->nrows; i++) {
		uint32_t row = s->row[i];

		if (s->is_member[row] || s->g->pod[row] != pod || s->in_row[row] < n ||
		    (best != SFAB_NONE && s->in_row[row] >= s->in_row[best]))
			continue;
		if (count_common(s, s->base, quiet_of(s, row), NULL) == width &&
		    count_common(s, s->rest, quiet_of(s, row), free_of(s, row)) >= n)
			best = row;
	}
	if (best != SFAB_NONE) {
		keep_common(s, s->rest, quiet_of(s, best));
		keep_common(s, s->rest, free_of(s, best));
		choose_columns(s, s->rest, n, s->extra);
	}
	return best;
}

static void propose_even(struct rectangles *s)
{
	uint32_t k = s->nmembers, m = s->p->need / k, r = s->p->need % k, n = 0;
	uint32_t row = SFAB_NONE;
	double cost = 0;

	choose_columns(s, s->common, m, s->base);
	if (r) {
		for (uint32_t i = 0; i < s->words; i++)
			s->rest[i] = s->common[i] & ~s->base[i];
		row = find_extra_row(s, r);
		if (row == SFAB_NONE)
			return;
	}
	for (uint32_t i = 0; i < k; i++)
		cost += take_cells(s, s->member[i], s->base, &n);
	if (r)
		cost += take_cells(s, row, s->extra, &n);
	keep_pick(s, k + (r > 0), cost);
}

static void propose_short(struct rectangles *s)
{
	uint32_t k = s->nmembers, m = s->p->need / k + 1, n = 0;
	double cost = 0;

	if (s->p->need % k == 0 || count_bits(s, s->common) < m)
		return;
	choose_columns(s, s->common, m, s->base);
	for (uint32_t i = 0; i < k; i++)
		cost += take_cells(s, s->member[i], s->base, &n);
	keep_pick(s, k, cost);
}

static void begin_members(struct rectangles *s, uint32_t seed)
{
	memset(s->is_member, 0, s->g->nrows);
	s->nmembers = 1;
	s->member[0] = seed;
	s->is_member[seed] = 1;
}

static void add_member(struct rectangles *s, uint32_t row)
{
	s->is_member[row] = 1;
	s->member[s->nmembers++] = row;
}

/* The row that keeps most columns, of these the one with fewest free cells. */
static uint32_t next_common(const struct rectangles *s)
{
	uint32_t best = SFAB_NONE, most = 0, pod = s->g->pod[s->member[0]];

	for (uint32_t i = 0; i < s->nrows; i++) {
		uint32_t row = s->row[i], n;

		if (s->is_member[row] || s->g->pod[row] != pod)
			continue;
		n = count_common(s, s->common, free_of(s, row), quiet_of(s, row));
		if (n > most ||
		    (n && n == most && s->in_row[row] < s->in_row[best])) {
			most = n;
			best = row;
		}
	}
	return best;
}

static void grow_rectangle(struct rectangles *s, uint32_t seed)
{
	uint32_t need = s->p->need, sizes = 0, row = seed;

	begin_members(s, seed);
	memcpy(s->common, free_of(s, seed), s->words * sizeof(*s->common));
	while (row != SFAB_NONE) {
		keep_common(s, s->common, free_of(s, row));
		keep_common(s, s->common, quiet_of(s, row));
		if (count_bits(s, s->common) >= need / s->nmembers) {
			propose_even(s);
			propose_short(s);
			if (++sizes == SIZES)
				return;
		}
		row = s->nmembers < need ? next_common(s) : SFAB_NONE;
		if (row != SFAB_NONE)
			add_member(s, row);
	}
}

/* -- quiet columns, other ones on each row -------------------------------- */

/* Hosts of the members in columns that stay quiet if @row joins. */
static uint32_t hosts_with(const struct rectangles *s, uint32_t row)
{
	uint32_t n = count_common(s, s->common, quiet_of(s, row), free_of(s, row));

	for (uint32_t i = 0; i < s->nmembers; i++)
		if (s->member[i] != row)
			n += count_common(s, s->common, quiet_of(s, row),
					  free_of(s, s->member[i]));
	return n;
}

static uint32_t next_mixed(const struct rectangles *s)
{
	uint32_t best = SFAB_NONE, most = 0, pod = s->g->pod[s->member[0]];

	for (uint32_t i = 0; i < s->nrows; i++) {
		uint32_t row = s->row[i], n;

		if (s->is_member[row] || s->g->pod[row] != pod)
			continue;
		n = hosts_with(s, row);
		if (n > most) {
			most = n;
			best = row;
		}
	}
	return best;
}

/* Take the columns that most members have free. */
static void propose_mixed(struct rectangles *s)
{
	uint32_t n = 0;
	double cost = 0;

	for (uint32_t most = s->nmembers; most && n < s->p->need; most--)
		for (uint32_t c = 0; c < s->g->ncolumns; c++) {
			uint32_t have = 0;

			for (uint32_t i = 0; has_column(s->common, c) && i < s->nmembers; i++)
				have += (uint32_t) has_column(free_of(s, s->member[i]), c);
			memset(s->base, 0, s->words * sizeof(*s->base));
			s->base[c / 64] = UINT64_C(1) << c % 64;
			for (uint32_t i = 0; have == most && i < s->nmembers; i++)
				if (has_column(free_of(s, s->member[i]), c))
					cost += take_cells(s, s->member[i], s->base, &n);
		}
	keep_pick(s, s->nmembers, cost);
}

static void grow_mixed(struct rectangles *s, uint32_t seed)
{
	uint32_t row = seed;

	begin_members(s, seed);
	memcpy(s->common, quiet_of(s, seed), s->words * sizeof(*s->common));
	while (row != SFAB_NONE) {
		keep_common(s, s->common, quiet_of(s, row));
		if (hosts_with(s, s->member[0]) >= s->p->need) {
			propose_mixed(s);
			return;
		}
		row = s->nmembers < s->leaves_most ? next_mixed(s) : SFAB_NONE;
		if (row != SFAB_NONE)
			add_member(s, row);
	}
}

/* -- all ------------------------------------------------------------------ */

/* The tightest row; of it the columns that most others have free. */
static void propose_one_row(struct rectangles *s)
{
	uint32_t best = SFAB_NONE, n = 0;

	for (uint32_t i = 0; i < s->nrows; i++)
		if (s->in_row[s->row[i]] >= s->p->need &&
		    (best == SFAB_NONE || s->in_row[s->row[i]] < s->in_row[best]))
			best = s->row[i];
	if (best == SFAB_NONE)
		return;
	choose_columns(s, free_of(s, best), s->p->need, s->base);
	keep_pick(s, 1, take_cells(s, best, s->base, &n));
}

static void grow_all(struct rectangles *s, void (*grow)(struct rectangles *, uint32_t))
{
	uint32_t n = s->nrows < SEEDS ? s->nrows : SEEDS;

	for (uint32_t i = 0; i < n && sfab_pool_go_on(s->p); i++)
		grow(s, s->row[(size_t) i * s->nrows / n]);
}

static int alloc_cells(struct rectangles *s)
{
	uint32_t rows = s->g->nrows, leaves = s->p->m->f->nleaves;

	s->words = (s->g->ncolumns + 63) / 64;
	s->free = calloc((2u * rows + 4) * (size_t) s->words, sizeof(*s->free));
	s->host = calloc((size_t) rows * s->g->ncolumns + 1, sizeof(*s->host));
	s->in_row = calloc(3u * rows + s->g->ncolumns + s->p->need,
			   sizeof(*s->in_row));
	s->is_member = calloc(rows + leaves + 1u, 1);
	if (!s->free || !s->host || !s->in_row || !s->is_member)
		return -1;
	s->quiet = s->free + (size_t) rows * s->words;
	s->common = s->quiet + (size_t) rows * s->words;
	s->base = s->common + s->words;
	s->rest = s->base + s->words;
	s->extra = s->rest + s->words;
	s->row = s->in_row + rows;
	s->member = s->row + rows;
	s->in_column = s->member + rows;
	s->pick = s->in_column + s->g->ncolumns;
	s->seen = s->is_member + rows;
	return 0;
}

static void free_cells(struct rectangles *s)
{
	free(s->free);
	free(s->host);
	free(s->in_row);
	free(s->is_member);
}

/* Proposals of one level.  -1: out of memory. */
static int search_level(struct pool *p, const struct sfab_class_grid *all,
			uint32_t level, int meets_others, struct class_proposals *out)
{
	struct rectangles s = { .p = p, .all = all, .g = &all->level[level - 1],
				.meets_others = meets_others, .out = out };
	int rc = alloc_cells(&s);

	if (rc == 0) {
		sfab_pick_tree(p, 0, s.pick);
		s.leaves_most = count_leaves(&s, s.pick);
		fill_cells(&s);
		out->meets_others = meets_others;
		if (level == 1)
			propose_one_row(&s);
		if (!out->n)
			grow_all(&s, grow_rectangle);
		if (!out->n && !meets_others)
			grow_all(&s, grow_mixed);
	}
	free_cells(&s);
	return rc;
}

int sfab_search_classes(struct pool *p, struct class_proposals *out,
			struct sfab_err *err)
{
	const struct sfab_class_grid *g = sfab_scorer_grid(p->sc);
	int rc = 0;

	out->n = 0;
	out->meets_others = 0;
	for (uint32_t i = 0; i < 2 * g->nlevels && !out->n && rc == 0; i++)
		rc = search_level(p, g, 1 + i % g->nlevels, i >= g->nlevels, out);
	return rc < 0 ? sfab_no_memory(err) : 0;
}
