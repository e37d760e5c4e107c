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

#include "core/estimate/choice_link.h"

/*
 * Prices in units of -2 log likelihood, tuned on made machines (tests/bench/learn.c,
 * seeds 1 to 6).  With 2 for a class 1 to 3 % fewer jobs are exact.  With 3 or 8 for the
 * split a few % more or fewer strange jobs are noticed, and as many more or fewer of the
 * others suspected.
 */
#define PRICE 4.0
#define PRICE_SINGLE 1.0	/* of a port or shift */
#define PRICE_SPLIT 6.0		/* and once for all: few jobs need them */
#define PRICE_OTHER 8.0		/* a pattern that is none of ours is rarer */
#define PRICE_CHANGED 8.0	/* most, of a share that is not as before */
#define LEAST_SHARE 0.03	/* less is no class of a job */
#define FIRST_SHARE 0.05	/* where the search for a new class's share starts */
#define IMPOSSIBLE 1e9		/* cost of a share that is too small */
#define SINGLES_MOST 6u		/* ports or shifts of a job that has few of them */
#define SINGLE_PART 0.5		/* of the mean of those found; less is noise */
#define TINY 1e-200		/* products are logged before they vanish */
#define REWEIGHTS 3
#define SOME_REWEIGHTS 1
#define FAR 20.0		/* what more turns seldom make up for */
#define COLUMN_PASSES 50
#define COLUMN_CLOSE 1e-4
#define MOVED 2.0		/* errors of a link by which a job is visited again */
#define CHOICE_TURNS 8
#define CHOICE_COLUMNS 256u	/* of a job; one with more stays as it is */

double sfab_kept_price(double p, double away)
{
	double t = p * away * away;

	return t * PRICE_CHANGED / (t + PRICE_CHANGED);
}

double sfab_kept_weight(double p, double away)
{
	double part = PRICE_CHANGED / (p * away * away + PRICE_CHANGED);

	return p * part * part;
}

struct class_fit {
	uint8_t in[CHOICE_COLUMNS];
	double x[CHOICE_COLUMNS], cost;
};

/* One job. */
struct choice_job {
	const struct class_choice *k;
	uint32_t n;			/* links */
	uint32_t ncols, nclasses;	/* columns; single ones come last */
	uint32_t first;			/* column of k->c */
	uint32_t *row, *local;		/* [n] links; [links] index + 1, or 0 */
	struct choice_link *link;	/* [n] */
	size_t room;
	double *a;			/* [ncols][n] */
	double *memory;			/* of the next, [links] each */
	double *mine, *others;		/* left for the job; what others send */
	double *alone, all_alone;	/* cost of each link without the job; sum */
	uint32_t *touched, ntouched;	/* links of the columns of a set */
	uint32_t *seen, turn;		/* [links] turn in which it was touched */
	uint32_t *moved, visit;		/* [links of all] visit that moved its fit by much */
	double *fit, *w, *own_left;
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

/* Add @x of column @i to @to. */
static void add_column(const struct choice_job *j, uint32_t i, double x, double *to)
{
	const struct job_columns *c = j->k->c;

	for (uint32_t e = c->first[j->first + i]; e < c->first[j->first + i + 1]; e++)
		to[j->local[c->row[e]] - 1] += x * c->a[e];
}

static void add_columns(struct choice_job *j, const struct class_fit *c)
{
	for (uint32_t i = 0; i < j->ncols; i++)
		if (c->in[i] && c->x[i] > 0)
			add_column(j, i, c->x[i], j->fit);
}

/* On all links of the job. */
static void fit_choice(struct choice_job *j, const struct class_fit *c)
{
	memcpy(j->fit, j->others, j->n * sizeof(*j->fit));
	add_columns(j, c);
}

/* The links of a set are few where it has a few single columns. */
static void touch_links(struct choice_job *j, const struct class_fit *c)
{
	const struct job_columns *k = j->k->c;

	j->ntouched = 0;
	j->turn++;
	for (uint32_t i = 0; i < j->ncols; i++)
		for (uint32_t e = k->first[j->first + i]; c->in[i] && e < k->first[j->first + i + 1]; e++) {
			uint32_t r = j->local[k->row[e]] - 1;

			if (j->seen[r] != j->turn) {
				j->seen[r] = j->turn;
				j->touched[j->ntouched++] = r;
			}
		}
}

static void fit_touched(struct choice_job *j, const struct class_fit *c)
{
	for (uint32_t i = 0; i < j->ntouched; i++)
		j->fit[j->touched[i]] = j->others[j->touched[i]];
	add_columns(j, c);
}

/* Weights of touched links for the fit of now; what it costs on all links. */
static double weigh_touched(struct choice_job *j)
{
	double sum = j->all_alone, likelihood = 1;

	for (uint32_t i = 0; i < j->ntouched; i++) {
		uint32_t r = j->touched[i];

		sum += sfab_weigh_link(&j->link[r], j->k->noise, j->fit[r], LINK_FORGIVEN,
				       &j->w[r], &likelihood) - j->alone[r];
		if (likelihood < TINY) {
			sum -= 2 * log(likelihood);
			likelihood = 1;
		}
	}
	return sum - 2 * log(likelihood);
}

/* Weights of all links for the fit of now. */
static void weigh_links(struct choice_job *j, enum link_mode mode)
{
	double likelihood = 1;

	for (uint32_t r = 0; r < j->n; r++)
		sfab_weigh_link(&j->link[r], j->k->noise, j->fit[r], mode, &j->w[r],
				&likelihood);
}

static void weigh_alone(struct choice_job *j)
{
	j->all_alone = 0;
	for (uint32_t r = 0; r < j->n; r++) {
		double likelihood = 1;

		j->alone[r] = sfab_weigh_link(&j->link[r], j->k->noise, j->others[r],
					      LINK_FORGIVEN, &j->w[r], &likelihood);
		j->alone[r] -= 2 * log(likelihood);
		j->all_alone += j->alone[r];
	}
}

/* Sum over the links of column @i of w x @v x the column. */
static double weighted_product(const struct choice_job *j, uint32_t i, const double *v)
{
	const struct job_columns *c = j->k->c;
	double sum = 0;

	for (uint32_t e = c->first[j->first + i]; e < c->first[j->first + i + 1]; e++) {
		uint32_t r = j->local[c->row[e]] - 1;

		sum += j->w[r] * v[r] * c->a[e];
	}
	return sum;
}

static void make_choice_gram(struct choice_job *j, const struct class_fit *c)
{
	const struct class_choice *k = j->k;

	for (uint32_t i = 0; i < j->ncols; i++) {
		double q = k->q[j->first + i], kept;

		if (!c->in[i])
			continue;
		kept = sfab_kept_weight(k->p[j->first + i], c->x[i] - q);
		j->target[i] = weighted_product(j, i, j->mine) + kept * q;
		for (uint32_t l = i; l < j->ncols; l++)
			if (c->in[l])
				j->gram[i * j->ncols + l] = j->gram[l * j->ncols + i] =
					weighted_product(j, i, choice_column(j, l));
		j->gram[i * j->ncols + i] += kept;
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
	int split = 0;

	for (uint32_t i = 0; i < j->ncols; i++) {
		int kind = choice_kind(j, i)->kind;

		sum += sfab_kept_price(k->p[j->first + i], c->x[i] - k->q[j->first + i]);
		if (!c->in[i])
			continue;
		split |= i >= j->nclasses;
		sum += kind == COLUMN_OTHER ? PRICE_OTHER :
		       i >= j->nclasses ? PRICE_SINGLE : PRICE;
		if (i < j->nclasses && c->x[i] < LEAST_SHARE)
			sum += IMPOSSIBLE;
	}
	return sum + split * PRICE_SPLIT;
}

/* The best shares of a set, whose links are touched, for the weights of now. */
static void solve_choice(struct choice_job *j, struct class_fit *c)
{
	make_choice_gram(j, c);
	for (int i = 0; i < COLUMN_PASSES && pass_choice(j, c) > COLUMN_CLOSE; i++)
		;
	fit_touched(j, c);
}

/*
 * Find the shares of a set, from those of @c on, and what it costs.  If that is far above
 * @limit after some turns, the rest is left out.
 */
static void judge_choice(struct choice_job *j, struct class_fit *c, double limit)
{
	for (uint32_t i = 0; i < j->ncols; i++)
		c->x[i] = !c->in[i] ? 0 : c->x[i] > 0 ? c->x[i] : FIRST_SHARE;
	touch_links(j, c);
	fit_touched(j, c);
	for (int turn = 0; turn < REWEIGHTS; turn++) {
		c->cost = weigh_touched(j);
		if (turn >= SOME_REWEIGHTS && c->cost > limit + FAR)
			return;
		solve_choice(j, c);
	}
	c->cost = weigh_touched(j) + price_choice(j, c);
}

/* -- the search ------------------------------------------------------------- */

static void keep_better(struct choice_job *j, struct class_fit *c, struct class_fit *best)
{
	judge_choice(j, c, best->cost);
	if (c->cost < best->cost - 1e-6)
		*best = *c;
}

static void find_own_left(struct choice_job *j)
{
	for (uint32_t r = 0; r < j->n; r++)
		j->own_left[r] = j->k->y[j->row[r]] - j->fit[r];
}

/* For each class that is not in: would a little of it help? */
static void find_pulls(struct choice_job *j, const struct class_fit *now)
{
	fit_choice(j, now);
	weigh_links(j, LINK_FORGIVEN);
	find_own_left(j);
	for (uint32_t i = 0; i < j->nclasses; i++)
		j->pull[i] = weighted_product(j, i, j->own_left);
}

/* One class in, out, or in place of another: the best of all. */
static void try_moves(struct choice_job *j, const struct class_fit *now, struct class_fit *best)
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

/* Is single column @l a part of class @i of the job? */
static int is_single_of(const struct choice_job *j, uint32_t l, uint32_t i)
{
	const struct job_column *one = choice_kind(j, l), *all = choice_kind(j, i);

	return l >= j->nclasses && one->class == all->class && one->set == all->set;
}

/* Leave out small single columns of class @class; how many. */
static uint32_t drop_small_singles(const struct choice_job *j, struct class_fit *c, uint32_t class)
{
	double sum = 0;
	uint32_t n = 0, dropped = 0;

	for (uint32_t l = j->nclasses; l < j->ncols; l++)
		if (c->in[l] && is_single_of(j, l, class)) {
			sum += c->x[l];
			n++;
		}
	for (uint32_t l = j->nclasses; l < j->ncols; l++)
		if (c->in[l] && is_single_of(j, l, class) && c->x[l] * n < SINGLE_PART * sum) {
			c->in[l] = 0;
			dropped++;
		}
	return dropped;
}

/* A shift by one is neighbor, which is a class. */
static int is_candidate(const struct choice_job *j, uint32_t l, uint32_t i)
{
	return is_single_of(j, l, i) || (choice_kind(j, i)->class == SFAB_MPI &&
					 choice_kind(j, l)->class == SFAB_NEIGHBOR);
}

/* How many single columns are a few: a half of all could be as good as the class. */
static uint32_t count_few(const struct choice_job *j, uint32_t i)
{
	uint32_t n = 0;

	for (uint32_t l = 0; l < j->ncols; l++)
		n += is_candidate(j, l, i);
	return n / 2 < 1 ? n : n / 2 < SINGLES_MOST ? n / 2 : SINGLES_MOST;
}

/* The candidate with which the squares would fall most, or ncols. */
static uint32_t find_next_single(struct choice_job *j, const struct class_fit *c, uint32_t i)
{
	uint32_t at = j->ncols;
	double most = 0;

	find_own_left(j);
	for (uint32_t l = 0; l < j->ncols; l++) {
		double pull, own;

		if (c->in[l] || !is_candidate(j, l, i))
			continue;
		pull = weighted_product(j, l, j->own_left);
		own = weighted_product(j, l, choice_column(j, l));
		if (pull > 0 && pull * pull > most * own) {
			most = pull * pull / own;
			at = l;
		}
	}
	return at;
}

/* The choice so far, which costs @cost, without classes that have become too small. */
static void judge_grown(struct choice_job *j, struct class_fit c, double cost,
			struct class_fit *best)
{
	if (cost > best->cost + 2 * FAR)
		return;
	for (uint32_t l = 0; l < j->nclasses; l++)
		c.in[l] = c.in[l] && c.x[l] >= LEAST_SHARE;
	keep_better(j, &c, best);
}

/*
 * One single column after another, from a choice without them (matching pursuit: Mallat
 * and Zhang, IEEE Trans. Signal Process. 41, 1993).  Rates above the fit count, or no
 * column would ever be needed.  Each column explains less than the one before, so it ends
 * when as many like the last would not do.
 */
static void grow_singles(struct choice_job *j, struct class_fit c, uint32_t i, struct class_fit *best)
{
	uint32_t most = count_few(j, i);
	double cost, before;

	touch_links(j, &c);
	fit_choice(j, &c);
	before = weigh_touched(j);
	for (uint32_t n = 1; n <= most; n++, before = cost) {
		uint32_t next;

		weigh_links(j, LINK_BOUNDED);
		next = find_next_single(j, &c, i);
		if (next == j->ncols)
			return;
		c.in[next] = 1;
		c.x[next] = FIRST_SHARE;
		touch_links(j, &c);
		solve_choice(j, &c);
		cost = weigh_touched(j);
		judge_grown(j, c, cost, best);
		if (cost - (most - n) * fmax(before - cost, 0) > best->cost + 2 * FAR)
			return;
		fit_choice(j, &c);
	}
}

/* Single ports, or single shifts, in place of a class, or of all classes. */
static void try_singles(struct choice_job *j, const struct class_fit *now, struct class_fit *best)
{
	for (uint32_t i = 0; i < j->nclasses; i++) {
		struct class_fit c = *now;
		uint32_t kept = 0;

		if (choice_kind(j, i)->kind != COLUMN_CLASS ||
		    choice_kind(j, i)->class == SFAB_NEIGHBOR)
			continue;
		for (uint32_t l = 0; l < j->ncols; l++) {
			if (l == i || is_candidate(j, l, i)) {
				c.in[l] = 0;
				c.x[l] = 0;
			}
			kept += c.in[l];
		}
		grow_singles(j, c, i, best);
		memset(&c, 0, sizeof(c));
		if (kept)
			grow_singles(j, c, i, best);
	}
}

/* All of a class in place of its single columns. */
static void try_whole(struct choice_job *j, const struct class_fit *now, struct class_fit *best)
{
	for (uint32_t i = 0; i < j->nclasses; i++) {
		struct class_fit c = *now;
		uint32_t merged = 0;

		if (choice_kind(j, i)->kind != COLUMN_CLASS)
			continue;
		for (uint32_t l = j->nclasses; l < j->ncols; l++)
			if (c.in[l] && is_single_of(j, l, i)) {
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
	uint32_t dropped = 0;

	for (uint32_t i = 0; i < j->nclasses; i++)
		dropped += drop_small_singles(j, now, i);
	if (dropped)
		judge_choice(j, now, INFINITY);
	for (int turn = 0; turn < CHOICE_TURNS; turn++) {
		struct class_fit best = *now;

		try_moves(j, now, &best);
		try_whole(j, now, &best);
		if (!(best.cost < now->cost) && j->ncols > j->nclasses)
			try_singles(j, now, &best);
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
		j->nclasses += c->of[i].kind == COLUMN_CLASS || c->of[i].kind == COLUMN_OTHER;
		for (uint32_t e = c->first[i]; e < c->first[i + 1]; e++)
			if (!j->local[c->row[e]]) {
				j->link[j->n] = sfab_choice_link(c, j->k->y[c->row[e]], c->row[e]);
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
		now->x[i] = k->x[j->first + i];
		now->in[i] = now->x[i] > 0;
		if (now->in[i])
			add_column(j, i, now->x[i], j->mine);
	}
	for (uint32_t r = 0; r < j->n; r++)
		j->others[r] = k->y[j->row[r]] - j->mine[r];
	weigh_alone(j);
	judge_choice(j, now, INFINITY);
}

/* Is @by more than an error of link @r? */
static int has_moved(const struct choice_job *j, uint32_t r, double by)
{
	double error = j->k->noise * fmax(j->link[r].y, j->fit[r]);

	return by * by > MOVED * MOVED * (error * error + j->link[r].least2);
}

/* Since visit @last: has a visit of another job moved a link of this one? */
static int is_moved_since(const struct choice_job *j, uint32_t last)
{
	for (uint32_t r = 0; r < j->n; r++)
		if (j->moved[j->row[r]] > last)
			return 1;
	return 0;
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
	for (uint32_t r = 0; r < j->n; r++) {
		double left = k->y[j->row[r]] - j->fit[r];

		if (has_moved(j, r, left - k->left[j->row[r]]))
			j->moved[j->row[r]] = j->visit;
		k->left[j->row[r]] = left;
	}
	return changed;
}

/* 1: changed, 0: as it was, -1: no memory.  @last: its visit before; 0: none. */
static int choose_for_job(struct choice_job *j, uint32_t job, uint32_t last)
{
	struct class_fit now;
	int rc = 0;

	find_job_links(j, job);
	if (j->ncols && j->ncols <= CHOICE_COLUMNS && (!last || is_moved_since(j, last))) {
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
	j->touched = malloc(n * sizeof(*j->touched));
	j->seen = calloc(2 * n, sizeof(*j->seen));
	j->moved = j->seen + n;
	j->link = malloc(n * sizeof(*j->link));
	j->memory = malloc(6 * n * sizeof(*j->memory));
	j->gram = malloc((CHOICE_COLUMNS + 1u) * CHOICE_COLUMNS * sizeof(*j->gram));
	if (!j->row || !j->local || !j->touched || !j->seen || !j->link || !j->memory || !j->gram)
		return -1;
	j->target = j->gram + CHOICE_COLUMNS * CHOICE_COLUMNS;
	j->mine = j->memory;
	j->others = j->mine + n;
	j->fit = j->others + n;
	j->w = j->fit + n;
	j->own_left = j->w + n;
	j->alone = j->own_left + n;
	return 0;
}

static void close_choice(struct choice_job *j)
{
	free(j->row);
	free(j->local);
	free(j->touched);
	free(j->seen);
	free(j->link);
	free(j->memory);
	free(j->gram);
	free(j->a);
}

int sfab_choose_classes(const struct class_choice *k, int rounds, struct sfab_err *err)
{
	struct choice_job j;
	int rc = open_choice(&j, k);

	for (int round = 0, changed = 1; rc == 0 && changed && round < rounds; round++) {
		changed = 0;
		for (uint32_t b = 0; rc == 0 && b < k->c->njobs; b++) {
			int one;

			j.visit++;
			one = choose_for_job(&j, b, round ? j.visit - k->c->njobs : 0);
			rc = one < 0 ? -1 : 0;
			changed |= one > 0;
		}
	}
	close_choice(&j);
	return rc < 0 ? sfab_no_memory(err) : 0;
}

static double price_column(const struct class_choice *k, uint32_t c)
{
	double price = sfab_kept_price(k->p[c], k->x[c] - k->q[c]);

	if (!(k->x[c] > 0))
		return price;
	if (k->c->of[c].kind == COLUMN_OTHER)
		return price + PRICE_OTHER;
	return price + (k->c->of[c].kind == COLUMN_CLASS ? PRICE : PRICE_SINGLE);
}

double sfab_choice_cost(const struct class_choice *k)
{
	double sum = 0, w;

	for (uint32_t e = 0; e < k->c->m->f->nlinks; e++)
		if (k->c->rate[e] >= 0) {
			struct choice_link l = sfab_choice_link(k->c, k->y[e], e);
			double likelihood = 1;

			sum += sfab_weigh_link(&l, k->noise, k->y[e] - k->left[e],
					       LINK_FORGIVEN, &w, &likelihood);
			sum -= 2 * log(likelihood);
		}
	for (uint32_t j = 0; j < k->c->njobs; j++) {
		int split = 0;

		for (uint32_t c = k->c->block[j]; c < k->c->block[j + 1]; c++) {
			sum += price_column(k, c);
			split |= k->x[c] > 0 && k->c->of[c].kind > COLUMN_OTHER;
		}
		sum += split * PRICE_SPLIT;
	}
	return sum;
}
