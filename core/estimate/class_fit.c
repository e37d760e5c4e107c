/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_fit.c - the shares of one set of columns; see class_fit.h
 *
 * Shares and weights are found in turns (iteratively reweighted least squares).
 */

#include "core/estimate/class_fit.h"

#include <math.h>
#include <string.h>

#define IMPOSSIBLE 1e9		/* cost of a share that is too small */
#define TINY 1e-200		/* products are logged before they vanish */
#define REWEIGHTS 3		/* turns of shares and weights */
#define SOME_REWEIGHTS 1	/* turns before a set may be given up */
#define COLUMN_PASSES 50
#define COLUMN_TOLERANCE 1e-4	/* of a share: far below what noise leaves unknown */
/* A part of the links carries traffic of no job, up to a part of their capacity. */
#define UNKNOWN_LINKS 0.2
#define UNKNOWN_MAX 0.2
#define ODDS_MAX 0.5		/* at most: where errors are large, traffic of jobs and other
				   traffic look alike */
#define PRICE_CHANGED 8.0	/* price of a changed share at most */
#define BOUND 1.0		/* errors beyond which the weight of a rate falls */

double sfab_class_fit_kept_price(double penalty, double change)
{
	double t = penalty * change * change;

	return t * PRICE_CHANGED / (t + PRICE_CHANGED);
}

double sfab_class_fit_kept_weight(double penalty, double change)
{
	double part = PRICE_CHANGED / (penalty * change * change + PRICE_CHANGED);

	return penalty * part * part;
}

struct fit_link sfab_class_fit_link(const struct job_columns *cols, double rate, uint32_t e)
{
	double cap = cols->m->f->links[e].capacity, min = ESTIMATE_RATE_FLOOR * cap;

	return (struct fit_link){
		.y = rate, .min_square = min * min,
		.mean_error = sfab_job_columns_mean_error(cols, e),
		.is_full = sfab_job_columns_link_is_full(cols, e),
		/* sqrt(2 pi): a normal density against an even one */
		.odds = UNKNOWN_LINKS * 2.5066 / (UNKNOWN_MAX * cap) };
}

double sfab_class_fit_link_weight(const struct fit_link *l, double noise, double fit,
				  enum link_mode mode, double *w, double *likelihood)
{
	double error = noise * l->mean_error * (l->y > fit ? l->y : fit), d = l->y - fit;
	double s2 = error * error + l->min_square, z2 = d * d / s2, odds, g;

	*w = 1 / s2;
	if (d <= 0 && l->is_full) {
		*w = 0;
		return 0;
	}
	if (mode == LINK_BOUNDED && d > 0 && z2 > BOUND * BOUND)
		*w *= BOUND / sqrt(z2);
	if (d <= 0 || mode == LINK_BOUNDED)
		return z2;
	odds = l->odds * sqrt(s2);
	odds = odds < ODDS_MAX ? odds : ODDS_MAX;
	g = exp(-z2 / 2);
	*w *= g / (g + odds);
	*likelihood *= (g + odds) / (1 + odds);
	return 0;
}

void sfab_class_fit_add_column(const struct fit_job *j, uint32_t i, double x, double *sum)
{
	const struct job_columns *cols = &j->s->cols;

	for (uint32_t nz = cols->first[j->first + i]; nz < cols->first[j->first + i + 1]; nz++)
		sum[j->local[cols->row[nz]] - 1] += x * cols->a[nz];
}

/* Add the columns of @choice to j->fit, whose links must be set before. */
static void add_columns(struct fit_job *j, const struct class_fit *choice)
{
	for (uint32_t i = 0; i < j->ncols; i++)
		if (choice->has_column[i] && choice->x[i] > 0)
			sfab_class_fit_add_column(j, i, choice->x[i], j->fit);
}

void sfab_class_fit_all_links(struct fit_job *j, const struct class_fit *choice)
{
	memcpy(j->fit, j->others, j->nlinks * sizeof(*j->fit));
	add_columns(j, choice);
}

void sfab_class_fit_touch_links(struct fit_job *j, const struct class_fit *choice)
{
	const struct job_columns *cols = &j->s->cols;

	j->ntouched = 0;
	j->nturns++;
	for (uint32_t i = 0; i < j->ncols; i++) {
		const uint32_t end = choice->has_column[i] ? cols->first[j->first + i + 1] : 0;

		for (uint32_t nz = cols->first[j->first + i]; nz < end; nz++) {
			uint32_t r = j->local[cols->row[nz]] - 1;

			if (j->seen[r] != j->nturns) {
				j->seen[r] = j->nturns;
				j->touched[j->ntouched++] = r;
			}
		}
	}
}

static void fit_touched(struct fit_job *j, const struct class_fit *choice)
{
	for (uint32_t i = 0; i < j->ntouched; i++)
		j->fit[j->touched[i]] = j->others[j->touched[i]];
	add_columns(j, choice);
}

double sfab_class_fit_weigh_touched(struct fit_job *j)
{
	double sum = j->idle_cost_sum, likelihood = 1;

	for (uint32_t i = 0; i < j->ntouched; i++) {
		uint32_t r = j->touched[i];

		sum += sfab_class_fit_link_weight(&j->link[r], j->s->noise, j->fit[r],
						  LINK_FORGIVEN, &j->w[r], &likelihood) -
		       j->idle_cost[r];
		if (likelihood < TINY) {
			sum -= 2 * log(likelihood);
			likelihood = 1;
		}
	}
	return sum - 2 * log(likelihood);
}

void sfab_class_fit_weigh_all(struct fit_job *j, enum link_mode mode)
{
	double likelihood = 1;

	for (uint32_t r = 0; r < j->nlinks; r++)
		sfab_class_fit_link_weight(&j->link[r], j->s->noise, j->fit[r], mode, &j->w[r],
					   &likelihood);
}

void sfab_class_fit_weigh_idle(struct fit_job *j)
{
	j->idle_cost_sum = 0;
	for (uint32_t r = 0; r < j->nlinks; r++) {
		double likelihood = 1;

		j->idle_cost[r] = sfab_class_fit_link_weight(&j->link[r], j->s->noise, j->others[r],
							 LINK_FORGIVEN, &j->w[r], &likelihood);
		j->idle_cost[r] -= 2 * log(likelihood);
		j->idle_cost_sum += j->idle_cost[r];
	}
}

void sfab_class_fit_spread(const struct fit_job *j, uint32_t i, double times)
{
	const struct job_columns *cols = &j->s->cols;

	for (uint32_t nz = cols->first[j->first + i]; nz < cols->first[j->first + i + 1]; nz++)
		j->spread[j->local[cols->row[nz]] - 1] = times * cols->a[nz];
}

double sfab_class_fit_product(const struct fit_job *j, uint32_t i, const double *v)
{
	const struct job_columns *cols = &j->s->cols;
	double sum = 0;

	for (uint32_t nz = cols->first[j->first + i]; nz < cols->first[j->first + i + 1]; nz++) {
		uint32_t r = j->local[cols->row[nz]] - 1;

		sum += j->w[r] * v[r] * cols->a[nz];
	}
	return sum;
}

/* Make one pass over the columns.  Return the largest change of a share. */
static double pass_columns(const struct fit_job *j, struct class_fit *choice)
{
	double largest = 0;

	for (uint32_t i = 0; i < j->ncols; i++) {
		double share = j->target[i], square = j->gram[i * j->ncols + i];

		if (!choice->has_column[i])
			continue;
		for (uint32_t l = 0; l < j->ncols; l++)
			if (l != i && choice->has_column[l])
				share -= j->gram[i * j->ncols + l] * choice->x[l];
		share = square > 0 ? fmax(share / square, 0) : 0;
		largest = fmax(largest, fabs(share - choice->x[i]));
		choice->x[i] = share;
	}
	return largest;
}

void sfab_class_fit_solve(struct fit_job *j, struct class_fit *choice)
{
	const struct estimate_solver *s = j->s;

	for (uint32_t i = 0; i < j->ncols; i++) {
		double prior = s->prior[j->first + i], kept;

		if (!choice->has_column[i])
			continue;
		kept = sfab_class_fit_kept_weight(s->penalty[j->first + i], choice->x[i] - prior);
		j->target[i] = sfab_class_fit_product(j, i, j->own_rate) + kept * prior;
		sfab_class_fit_spread(j, i, 1);
		for (uint32_t l = 0; l <= i; l++)
			if (choice->has_column[l])
				j->gram[i * j->ncols + l] = j->gram[l * j->ncols + i] =
					sfab_class_fit_product(j, l, j->spread);
		sfab_class_fit_spread(j, i, 0);
		j->gram[i * j->ncols + i] += kept;
	}
	for (int i = 0; i < COLUMN_PASSES && pass_columns(j, choice) > COLUMN_TOLERANCE; i++)
		;
	fit_touched(j, choice);
}

void sfab_class_fit_judge(struct fit_job *j, struct class_fit *choice, double limit)
{
	const struct estimate_solver *s = j->s;
	double price = 0;
	int split = 0;

	for (uint32_t i = 0; i < j->ncols; i++)
		choice->x[i] = !choice->has_column[i] ? 0 :
			       choice->x[i] > 0 ? choice->x[i] : FIT_FIRST_SHARE;
	sfab_class_fit_touch_links(j, choice);
	fit_touched(j, choice);
	for (int turn = 0; turn < REWEIGHTS; turn++) {
		choice->cost = sfab_class_fit_weigh_touched(j);
		if (turn >= SOME_REWEIGHTS && choice->cost > limit + FIT_FAR)
			return;
		sfab_class_fit_solve(j, choice);
	}
	/* Add the prices of the shares themselves. */
	for (uint32_t i = 0; i < j->ncols; i++) {
		price += sfab_class_fit_kept_price(s->penalty[j->first + i],
						   choice->x[i] - s->prior[j->first + i]);
		if (!choice->has_column[i])
			continue;
		split |= i >= j->nclasses;
		price += sfab_class_fit_column_price(sfab_fit_job_column(j, i));
		if (i < j->nclasses && choice->x[i] < ESTIMATE_SHARE_MIN)
			price += IMPOSSIBLE;
	}
	choice->cost = sfab_class_fit_weigh_touched(j) + (price + split * FIT_PRICE_SPLIT);
}
