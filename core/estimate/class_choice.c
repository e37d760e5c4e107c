/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_choice.c - takes out, puts in and exchanges classes; see class_choice.h
 *
 * The columns of one job are spread out over the links that they load.  For a set of
 * them shares and weights are found in turns (iteratively reweighted least squares).
 */

#include "core/estimate/class_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Prices in units of -2 log likelihood, tuned on made machines (tests/bench/learn.c,
 * seeds 1 to 3).  A price of 4 makes 1 to 3 % more jobs exact, but small classes get
 * lost, and fewer strange jobs are noticed.
 */
#define PRICE 2.0
#define PRICE_OTHER 8.0		/* a pattern that is none of ours is rarer */
/* A part of the links carries traffic of no job, up to a part of their capacity. */
#define UNKNOWN_LINKS 0.2
#define UNKNOWN_MOST 0.2
#define ODDS_MOST 0.5		/* where errors are large, both look alike */
#define RATE_FLOOR 0.001	/* of the capacity: what a rate may err by anyway */
#define LEAST_SHARE 0.03	/* less is no class of a job */
#define PORT_PART 0.05		/* of the IO; less at one port is noise */
#define FIRST_SHARE 0.05	/* where the search for a new class's share starts */
#define IMPOSSIBLE 1e9		/* cost of a share that is too small */
#define REWEIGHTS 3
#define SOME_REWEIGHTS 1
#define FAR 20.0		/* what more turns seldom make up for */
#define COLUMN_PASSES 50
#define COLUMN_CLOSE 1e-4
#define CHOICE_TURNS 8
#define CHOICE_COLUMNS 192u	/* of a job; one with more stays as it is */

struct class_fit {
	uint8_t in[CHOICE_COLUMNS];
	double x[CHOICE_COLUMNS], cost;
};

/* One job. */
struct choice_job {
	const struct class_choice *k;
	uint32_t n;			/* links */
	uint32_t ncols, nclasses;	/* columns; those of single ports come last */
	uint32_t first;			/* column of k->c */
	uint32_t *row, *local;		/* [n] links; [links] index + 1, or 0 */
	size_t room;
	double *a;			/* [ncols][n] */
	double *memory;			/* of the next, [links] each */
	double *mine, *others;		/* left for the job; what others send */
	double *fit, *w;
	double *gram, *target;		/* [ncols][ncols], [ncols] */
	double pull[CHOICE_COLUMNS];	/* what the cost falls by with more of a column */
};

static double *choice_column(const struct choice_job *j, uint32_t i)
{
	return j->a + (size_t) i * j->n;
}

static const struct job_column *choice_kind(const struct choice_job *j, uint32_t i)
{
	return &j->k->c->of[j->first + i];
}

/* -- one set of classes ----------------------------------------------------- */

static void fit_choice(struct choice_job *j, const struct class_fit *c)
{
	memcpy(j->fit, j->others, j->n * sizeof(*j->fit));
	for (uint32_t i = 0; i < j->ncols; i++) {
		const double *a = choice_column(j, i);

		if (c->in[i] && c->x[i] > 0)
			for (uint32_t r = 0; r < j->n; r++)
				j->fit[r] += c->x[i] * a[r];
	}
}

/* Weights for the fit of now, with what is too high @forgiven or not; what it costs. */
static double weigh_links(struct choice_job *j, int forgiven)
{
	const struct class_choice *k = j->k;
	double sum = 0;

	for (uint32_t r = 0; r < j->n; r++) {
		double cap = k->c->m->f->links[j->row[r]].capacity, y = k->y[j->row[r]];
		double e = k->noise * fmax(y, j->fit[r]), least = RATE_FLOOR * cap;
		double s2 = e * e + least * least, d = y - j->fit[r], z2 = d * d / s2, odds, g;

		j->w[r] = 1 / s2;
		if (d <= 0 && sfab_is_full_link(k->c, j->row[r])) {
			j->w[r] = 0;
			continue;
		}
		if (d <= 0 || !forgiven) {
			sum += z2;
			continue;
		}
		/* sqrt(2 pi): a normal density against an even one */
		odds = fmin(UNKNOWN_LINKS * 2.5066 * sqrt(s2) / (UNKNOWN_MOST * cap), ODDS_MOST);
		g = exp(-z2 / 2);
		j->w[r] *= g / (g + odds);
		sum -= 2 * log((g + odds) / (1 + odds));
	}
	return sum;
}

static double weighted_product(const struct choice_job *j, const double *a,
			       const double *b)
{
	double sum = 0;

	for (uint32_t r = 0; r < j->n; r++)
		sum += j->w[r] * a[r] * b[r];
	return sum;
}

static void make_choice_gram(struct choice_job *j, const struct class_fit *c)
{
	const struct class_choice *k = j->k;

	for (uint32_t i = 0; i < j->ncols; i++) {
		if (!c->in[i])
			continue;
		j->target[i] = weighted_product(j, choice_column(j, i), j->mine) +
			       k->p[j->first + i] * k->q[j->first + i];
		for (uint32_t l = i; l < j->ncols; l++)
			if (c->in[l])
				j->gram[i * j->ncols + l] = j->gram[l * j->ncols + i] =
					weighted_product(j, choice_column(j, i),
							 choice_column(j, l));
		j->gram[i * j->ncols + i] += k->p[j->first + i];
	}
}

/* One pass over the columns; the longest move. */
static double pass_choice(const struct choice_job *j, struct class_fit *c)
{
	double longest = 0;

	for (uint32_t i = 0; i < j->ncols; i++) {
		double to = j->target[i], own = j->gram[i * j->ncols + i];

		if (!c->in[i])
			continue;
		for (uint32_t l = 0; l < j->ncols; l++)
			if (l != i && c->in[l])
				to -= j->gram[i * j->ncols + l] * c->x[l];
		to = own > 0 ? fmax(to / own, 0) : 0;
		longest = fmax(longest, fabs(to - c->x[i]));
		c->x[i] = to;
	}
	return longest;
}

/* What the shares cost by themselves. */
static double price_choice(const struct choice_job *j, const struct class_fit *c)
{
	const struct class_choice *k = j->k;
	double sum = 0;

	for (uint32_t i = 0; i < j->ncols; i++) {
		double away = c->x[i] - k->q[j->first + i];
		int kind = choice_kind(j, i)->kind;

		sum += k->p[j->first + i] * away * away;
		if (!c->in[i])
			continue;
		sum += kind == COLUMN_OTHER ? PRICE_OTHER : PRICE;
		if (kind != COLUMN_PORT && c->x[i] < LEAST_SHARE)
			sum += IMPOSSIBLE;
	}
	return sum;
}

/* The best shares of a set for the weights of now. */
static void solve_choice(struct choice_job *j, struct class_fit *c)
{
	make_choice_gram(j, c);
	for (int i = 0; i < COLUMN_PASSES && pass_choice(j, c) > COLUMN_CLOSE; i++)
		;
	fit_choice(j, c);
}

/*
 * Find the shares of a set, from those of @c on, and what it costs.  If that is far above
 * @limit after some turns, the rest is left out.
 */
static void judge_choice(struct choice_job *j, struct class_fit *c, double limit)
{
	for (uint32_t i = 0; i < j->ncols; i++)
		c->x[i] = !c->in[i] ? 0 : c->x[i] > 0 ? c->x[i] : FIRST_SHARE;
	fit_choice(j, c);
	for (int turn = 0; turn < REWEIGHTS; turn++) {
		c->cost = weigh_links(j, 1);
		if (turn >= SOME_REWEIGHTS && c->cost > limit + FAR)
			return;
		solve_choice(j, c);
	}
	c->cost = weigh_links(j, 1) + price_choice(j, c);
}

/* -- the search ------------------------------------------------------------- */

static void keep_better(struct choice_job *j, struct class_fit *c, struct class_fit *best)
{
	judge_choice(j, c, best->cost);
	if (c->cost < best->cost - 1e-6)
		*best = *c;
}

/* For each class that is not in: would a little of it help? */
static void find_pulls(struct choice_job *j, const struct class_fit *now)
{
	fit_choice(j, now);
	weigh_links(j, 1);
	for (uint32_t r = 0; r < j->n; r++)
		j->w[r] *= j->k->y[j->row[r]] - j->fit[r];
	for (uint32_t i = 0; i < j->nclasses; i++) {
		const double *a = choice_column(j, i);

		j->pull[i] = 0;
		for (uint32_t r = 0; r < j->n; r++)
			j->pull[i] += j->w[r] * a[r];
	}
}

/* One class in, out, or in place of another: the best of all. */
static void try_moves(struct choice_job *j, const struct class_fit *now,
		      struct class_fit *best)
{
	find_pulls(j, now);
	for (uint32_t i = 0; i < j->nclasses; i++) {
		struct class_fit c = *now;

		c.in[i] = !c.in[i];
		if (now->in[i] || j->pull[i] > 0)
			keep_better(j, &c, best);
		for (uint32_t l = 0; now->in[i] && l < j->nclasses; l++) {
			if (now->in[l])
				continue;
			c = *now;
			c.in[i] = 0;
			c.in[l] = 1;
			keep_better(j, &c, best);
		}
	}
}

/* Single ports get no part of the IO that is noise. */
static void drop_small_ports(const struct choice_job *j, struct class_fit *c)
{
	double sum = 0;

	for (uint32_t i = j->nclasses; i < j->ncols; i++)
		sum += c->in[i] ? c->x[i] : 0;
	for (uint32_t i = j->nclasses; i < j->ncols; i++)
		c->in[i] = c->in[i] && c->x[i] >= PORT_PART * sum;
}

/* IO of column @class goes to all single ports of its set instead. */
static void split_class(const struct choice_job *j, struct class_fit *c, uint32_t class)
{
	const struct job_column *of = choice_kind(j, class);
	uint32_t n = 0;

	for (uint32_t l = j->nclasses; l < j->ncols; l++)
		n += choice_kind(j, l)->class == of->class && choice_kind(j, l)->set == of->set;
	for (uint32_t l = j->nclasses; l < j->ncols; l++)
		if (choice_kind(j, l)->class == of->class && choice_kind(j, l)->set == of->set) {
			c->in[l] = 1;
			c->x[l] = c->x[class] / n;
		}
	c->in[class] = 0;
	c->x[class] = 0;
}

/*
 * The ports of each IO class and set in place of all of the set.  The first shares are
 * those of plain least squares: at all ports alike, what some have more would be
 * forgiven for ever.
 */
static void try_some_ports(struct choice_job *j, const struct class_fit *now,
			   struct class_fit *best)
{
	for (uint32_t i = 0; i < j->nclasses; i++) {
		const struct job_column *class = choice_kind(j, i);
		struct class_fit c = *now;

		if (class->kind != COLUMN_CLASS ||
		    !sfab_class_is_io((enum sfab_class) class->class))
			continue;
		split_class(j, &c, i);
		fit_choice(j, &c);
		for (int turn = 0; turn < REWEIGHTS; turn++) {
			weigh_links(j, 0);
			solve_choice(j, &c);
		}
		drop_small_ports(j, &c);
		keep_better(j, &c, best);
	}
}

/* All of the set in place of the ports of each IO class and set. */
static void try_all_ports(struct choice_job *j, const struct class_fit *now,
			  struct class_fit *best)
{
	for (uint32_t i = 0; i < j->nclasses; i++) {
		const struct job_column *class = choice_kind(j, i);
		struct class_fit c = *now;
		uint32_t merged = 0;

		if (class->kind != COLUMN_CLASS)
			continue;
		for (uint32_t l = j->nclasses; l < j->ncols; l++)
			if (c.in[l] && choice_kind(j, l)->class == class->class &&
			    choice_kind(j, l)->set == class->set) {
				merged++;
				c.x[i] += c.x[l];
				c.in[l] = 0;
			}
		c.in[i] = 1;
		if (merged)
			keep_better(j, &c, best);
	}
}

static void search_choice(struct choice_job *j, struct class_fit *now)
{
	drop_small_ports(j, now);
	judge_choice(j, now, INFINITY);
	for (int turn = 0; turn < CHOICE_TURNS; turn++) {
		struct class_fit best = *now;

		try_moves(j, now, &best);
		try_all_ports(j, now, &best);
		if (!(best.cost < now->cost) && j->ncols > j->nclasses)
			try_some_ports(j, now, &best);
		if (!(best.cost < now->cost))
			return;
		*now = best;
	}
}

/* -- one job ---------------------------------------------------------------- */

/* The links that its columns load. */
static void find_job_links(struct choice_job *j, uint32_t job)
{
	const struct job_columns *c = j->k->c;

	j->n = j->nclasses = 0;
	j->first = c->block[job];
	j->ncols = c->block[job + 1] - j->first;
	for (uint32_t i = j->first; i < c->block[job + 1]; i++) {
		j->nclasses += c->of[i].kind != COLUMN_PORT;
		for (uint32_t e = c->first[i]; e < c->first[i + 1]; e++)
			if (!j->local[c->row[e]]) {
				j->row[j->n++] = c->row[e];
				j->local[c->row[e]] = j->n;
			}
	}
}

static int spread_columns(struct choice_job *j)
{
	const struct job_columns *c = j->k->c;
	size_t size = (size_t) j->n * j->ncols;

	if (size > j->room) {
		free(j->a);
		j->a = malloc(size * sizeof(*j->a));
		j->room = j->a ? size : 0;
		if (!j->a)
			return -1;
	}
	memset(j->a, 0, size * sizeof(*j->a));
	for (uint32_t i = 0; i < j->ncols; i++)
		for (uint32_t e = c->first[j->first + i]; e < c->first[j->first + i + 1]; e++)
			choice_column(j, i)[j->local[c->row[e]] - 1] = c->a[e];
	return 0;
}

static void start_choice(struct choice_job *j, struct class_fit *now)
{
	const struct class_choice *k = j->k;

	memset(now, 0, sizeof(*now));
	for (uint32_t r = 0; r < j->n; r++)
		j->mine[r] = k->left[j->row[r]];
	for (uint32_t i = 0; i < j->ncols; i++) {
		const double *a = choice_column(j, i);

		now->x[i] = k->x[j->first + i];
		now->in[i] = now->x[i] > 0;
		for (uint32_t r = 0; now->in[i] && r < j->n; r++)
			j->mine[r] += now->x[i] * a[r];
	}
	for (uint32_t r = 0; r < j->n; r++)
		j->others[r] = k->y[j->row[r]] - j->mine[r];
	judge_choice(j, now, INFINITY);
}

/* 1: other classes than before. */
static int finish_choice(struct choice_job *j, const struct class_fit *now)
{
	const struct class_choice *k = j->k;
	int changed = 0;

	fit_choice(j, now);
	for (uint32_t i = 0; i < j->ncols; i++) {
		changed |= now->in[i] != (k->x[j->first + i] > 0);
		k->x[j->first + i] = now->in[i] ? now->x[i] : 0;
	}
	for (uint32_t r = 0; r < j->n; r++)
		k->left[j->row[r]] = k->y[j->row[r]] - j->fit[r];
	return changed;
}

/* 1: changed, 0: as it was, -1: no memory. */
static int choose_for_job(struct choice_job *j, uint32_t job)
{
	struct class_fit now;
	int rc = 0;

	find_job_links(j, job);
	if (j->ncols && j->ncols <= CHOICE_COLUMNS) {
		rc = spread_columns(j);
		if (rc == 0) {
			start_choice(j, &now);
			search_choice(j, &now);
			rc = finish_choice(j, &now);
		}
	}
	for (uint32_t r = 0; r < j->n; r++)
		j->local[j->row[r]] = 0;
	return rc;
}

/* -- all jobs --------------------------------------------------------------- */

static int open_choice(struct choice_job *j, const struct class_choice *k)
{
	size_t n = k->c->m->f->nlinks + 1u;

	*j = (struct choice_job){ .k = k };
	j->row = malloc(n * sizeof(*j->row));
	j->local = calloc(n, sizeof(*j->local));
	j->memory = malloc(4 * n * sizeof(*j->memory));
	j->gram = malloc((CHOICE_COLUMNS + 1u) * CHOICE_COLUMNS * sizeof(*j->gram));
	if (!j->row || !j->local || !j->memory || !j->gram)
		return -1;
	j->target = j->gram + CHOICE_COLUMNS * CHOICE_COLUMNS;
	j->mine = j->memory;
	j->others = j->mine + n;
	j->fit = j->others + n;
	j->w = j->fit + n;
	return 0;
}

static void close_choice(struct choice_job *j)
{
	free(j->row);
	free(j->local);
	free(j->memory);
	free(j->gram);
	free(j->a);
}

int sfab_choose_classes(const struct class_choice *k, int rounds, struct sfab_err *err)
{
	struct choice_job j;
	int rc = open_choice(&j, k);

	for (int changed = 1; rc == 0 && changed && rounds > 0; rounds--) {
		changed = 0;
		for (uint32_t b = 0; rc == 0 && b < k->c->njobs; b++) {
			int one = choose_for_job(&j, b);

			rc = one < 0 ? -1 : 0;
			changed |= one > 0;
		}
	}
	close_choice(&j);
	return rc < 0 ? sfab_no_memory(err) : 0;
}
