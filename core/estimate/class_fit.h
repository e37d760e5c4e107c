/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_fit.h - the best shares of one set of a job's columns, and what they cost
 *
 * For class_choice.c, which searches for the best set.  The shares of other jobs are kept;
 * their rates are in others.  No call fails.
 *
 * With z = (rate - fit) / error of the rate, a rate that is too low costs z^2.  One that is too
 * high costs at most a bound, because traffic of no job may have added to it:
 *
 *     cost(z) = -2 log((exp(-z^2 / 2) + k) / (1 + k)),   z > 0
 *
 * A link that is full costs nothing if it carries less than the fit.  k is the odds of such
 * traffic.  (Outliers as a mixture: Hogg, Bovy and Lang, arXiv:1008.4686, 2010.)
 *
 * LINK_BOUNDED takes all of a rate for the jobs', with a weight that falls with z.  (Bounded
 * influence: Huber, Ann. Math. Stat. 35, 1964.)
 */
#ifndef SFAB_CLASS_FIT_H
#define SFAB_CLASS_FIT_H

#include "core/estimate/estimate_private.h"

/* Prices in units of -2 log likelihood; doc/measurements.md says what others would do. */
#define FIT_PRICE 4.0		/* of a class */
#define FIT_PRICE_SINGLE 1.0	/* of a port or shift */
#define FIT_PRICE_SPLIT 6.0	/* once for all ports and shifts: few jobs need them */
#define FIT_PRICE_OTHER 8.0	/* of "other": a pattern that no class describes is rarer */
#define FIT_FIRST_SHARE 0.05	/* where the search for a new class's share starts */
#define FIT_FAR 20.0	/* a cost so far above the limit seldom falls below it in further turns */
#define FIT_COLUMNS_MAX 256u	/* of a job at most; the choice for a job with more is kept */

enum link_mode {
	LINK_FORGIVEN,
	LINK_BOUNDED,
};

/* Return the price of a column that has a share, however small. */
static inline double sfab_class_fit_column_price(const struct job_column *col)
{
	return col->kind == SENDS_OTHER ? FIT_PRICE_OTHER :
	       col->kind == SENDS_CLASS ? FIT_PRICE : FIT_PRICE_SINGLE;
}

struct fit_link {
	double y;		/* its rate */
	double min_square;	/* square of the least error of the rate */
	double mean_error;	/* error of the mean rate, as a part of that of one sample */
	double odds;		/* of other traffic, for an error of 1 */
	int is_full;
};

/* Return what sfab_class_fit_link_weight() needs of link @e; @rate is its measured rate. */
struct fit_link sfab_class_fit_link(const struct job_columns *cols, double rate, uint32_t e);

/*
 * Set *@w to the weight of link @l if its fit is @fit; @noise is the relative error of a rate.
 * Multiply *@likelihood by a factor.  The link costs the value returned less 2 log of this
 * factor: a product over many links needs but one logarithm.
 */
double sfab_class_fit_link_weight(const struct fit_link *l, double noise, double fit,
				  enum link_mode mode, double *w, double *likelihood);

struct class_fit {
	uint8_t has_column[FIT_COLUMNS_MAX];
	double x[FIT_COLUMNS_MAX];	/* the shares */
	double cost;
};

/* The job whose columns are being chosen, and scratch. */
struct fit_job {
	struct estimate_solver *s;
	uint32_t nlinks;		/* its links */
	uint32_t ncols, nclasses;	/* its columns; single ones come last */
	uint32_t first;			/* its first column in s->cols */
	uint32_t *row;			/* [nlinks] its links */
	uint32_t *local;		/* by link: 1 + index in row; 0: not one of the job's */
	struct fit_link *link;		/* [nlinks] */
	double *spread;			/* [nlinks] one column as an array over links, or all 0 */
	double *own_rate;		/* [nlinks] rate that other jobs do not explain, bytes/s */
	double *others;			/* [nlinks] rate that other jobs explain */
	double *idle_cost;		/* [nlinks] cost of each link if the job sends nothing */
	double idle_cost_sum;
	uint32_t *touched, ntouched;	/* links of the columns of a set, as indices in row */
	uint32_t *seen, nturns;		/* [nlinks] turn in which it was touched */
	uint32_t *moved, nvisits;	/* by link: last visit that moved its fit by much */
	double *fit, *w, *own_residual;	/* [nlinks]; the last is y - fit */
	double *gram, *target;		/* [ncols][ncols] and [ncols]: normal equations */
	struct sfab_arena arena;	/* all arrays */
	double odds;			/* of the other sets together, relative to the best */
	double pull[FIT_COLUMNS_MAX];	/* by column: how fast the cost falls with its share */
};

static inline const struct job_column *sfab_fit_job_column(const struct fit_job *j, uint32_t i)
{
	return &j->s->cols.col[j->first + i];
}

/* Add @x times column @i to @sum [n]. */
void sfab_class_fit_add_column(const struct fit_job *j, uint32_t i, double x, double *sum);

/* Set j->fit to j->others plus the columns of @choice, on all links of the job. */
void sfab_class_fit_all_links(struct fit_job *j, const struct class_fit *choice);

/* List the links of @choice in j->touched: few, if it has a few single columns. */
void sfab_class_fit_touch_links(struct fit_job *j, const struct class_fit *choice);

/* Weigh the touched links by the current fit.  Return the cost of all links. */
double sfab_class_fit_weigh_touched(struct fit_job *j);

/* Weigh all links of the job by the current fit. */
void sfab_class_fit_weigh_all(struct fit_job *j, enum link_mode mode);

/* Set j->idle_cost and j->idle_cost_sum.  Changes j->w. */
void sfab_class_fit_weigh_idle(struct fit_job *j);

/* Set the links of column @i in j->spread to @times the column. */
void sfab_class_fit_spread(const struct fit_job *j, uint32_t i, double times);

/* Return the sum over the links of column @i of weight x @v x entry of the column. */
double sfab_class_fit_product(const struct fit_job *j, uint32_t i, const double *v);

/* Find the best shares of @choice, whose links are touched, for the current weights. */
void sfab_class_fit_solve(struct fit_job *j, struct class_fit *choice);

/*
 * Find the shares of a set, starting from those of @choice, and its cost.  If the cost is far
 * above @limit after some turns, further turns are skipped.
 */
void sfab_class_fit_judge(struct fit_job *j, struct class_fit *choice, double limit);

/*
 * Return the price of a share that differs by @change from the one found before.  It is penalty
 * change^2 if that is little, and never more than a bound, since the job may send something
 * else now.  (Geman and McClure, Bull. ISI 52, 1987.)
 */
double sfab_class_fit_kept_price(double penalty, double change);
/* Return the weight of a square that has the same slope as this price. */
double sfab_class_fit_kept_weight(double penalty, double change);

#endif
