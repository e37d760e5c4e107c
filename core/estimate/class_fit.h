/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_fit.h - the best shares of one set of a job's columns, and what they cost
 *
 * For class_choice.c, which looks for the best set.  All else is kept: what other jobs
 * send is in others.  No call fails.
 *
 * With z = (rate - fit) / error of the rate, a rate that is too low costs z^2.  One
 * that is too high costs at most a bound, because traffic of no job may have added to
 * it:
 *
 *     cost(z) = -2 log((exp(-z^2 / 2) + k) / (1 + k)),   z > 0
 *
 * A link that is full costs nothing if it carries less than the fit.  k is the odds of
 * such traffic.  (Outliers as a mixture: Hogg, Bovy and Lang, arXiv:1008.4686, 2010.)
 *
 * LINK_BOUNDED takes all of a rate for the jobs', with a weight that falls with z.
 * (Bounded influence: Huber, Ann. Math. Stat. 35, 1964.)
 */
#ifndef SFAB_CLASS_FIT_H
#define SFAB_CLASS_FIT_H

#include "core/estimate/estimate_solver.h"

/*
 * Prices in units of -2 log likelihood, tuned on made machines (tests/bench/learn.c,
 * seeds 1 to 6).  With 2 for a class 1 to 3 % fewer jobs are exact.  With 3 or 8 for the
 * split a few % more or fewer strange jobs are noticed, and as many more or fewer of the
 * others suspected.
 */
#define FIT_PRICE 4.0
#define FIT_PRICE_SINGLE 1.0	/* of a port or shift */
#define FIT_PRICE_SPLIT 6.0	/* once for all ports and shifts: few jobs need them */
#define FIT_PRICE_OTHER 8.0	/* a pattern that is none of ours is rarer */
#define FIT_FIRST_SHARE 0.05	/* where the search for a new class's share starts */
#define FIT_FAR 20.0	/* what more turns seldom make up for */
#define FIT_COLUMNS 256u	/* of a job; one with more stays as it is */

enum link_mode {
	LINK_FORGIVEN,
	LINK_BOUNDED,
};

/* What any share of a column costs, however small. */
static inline double sfab_fit_column_price(const struct job_column *col)
{
	return col->kind == SENDS_OTHER ? FIT_PRICE_OTHER :
	       col->kind == SENDS_CLASS ? FIT_PRICE : FIT_PRICE_SINGLE;
}

struct fit_link {
	double y, min2;	/* rate; square of its least error */
	double mean;		/* error of the mean rate, as a part of that of one sample */
	double odds;		/* of other traffic, for an error of 1 */
	int full;
};

/* What the weight of link @e needs to know of it; @rate is its measured rate. */
struct fit_link sfab_fit_link(const struct job_columns *cols, double rate, uint32_t e);

/*
 * The weight of a link with @fit; @noise is the relative error of a rate.  What it costs
 * is the value returned less 2 log of the factor put into *@likelihood: a product over
 * many links needs but one logarithm.
 */
double sfab_fit_link_weight(const struct fit_link *l, double noise, double fit,
			    enum link_mode mode, double *w, double *likelihood);

struct class_fit {
	uint8_t in[FIT_COLUMNS];
	double x[FIT_COLUMNS], cost;
};

/* One job. */
struct fit_job {
	struct estimate_solver *s;
	uint32_t n;			/* links */
	uint32_t ncols, nclasses;	/* columns; single ones come last */
	uint32_t first;			/* its first column in s->cols */
	uint32_t *row, *local;		/* [n] links; [links] index + 1, or 0 */
	struct fit_link *link;	/* [n] */
	double *spread;			/* [n] a column, or 0 */
	double *mine, *others;		/* [links] left for the job; what others send */
	double *alone, all_alone;	/* cost of each link without the job; sum */
	uint32_t *touched, ntouched;	/* links of the columns of a set */
	uint32_t *seen, turn;		/* [links] turn in which it was touched */
	uint32_t *moved, visit;		/* [links of all] visit that moved its fit by much */
	double *fit, *w, *own_left;
	double *gram, *target;		/* [ncols][ncols], [ncols] */
	struct sfab_arena arena;	/* all arrays */
	double odds;			/* of other sets, against the best so far */
	double pull[FIT_COLUMNS];	/* what the cost falls by with more of a column */
};

static inline const struct job_column *fit_job_column(const struct fit_job *j, uint32_t i)
{
	return &j->s->cols.of[j->first + i];
}

/* Add @x of column @i to @to, by link of the job. */
void sfab_fit_add_column(const struct fit_job *j, uint32_t i, double x, double *to);

/* Set j->fit to j->others plus the columns of @choice, on all links of the job. */
void sfab_fit_all_links(struct fit_job *j, const struct class_fit *choice);

/* List the links of @choice in j->touched: few, if it has a few single columns. */
void sfab_fit_touch_links(struct fit_job *j, const struct class_fit *choice);

/* Weigh the touched links by the fit of now; returns what it costs on all links. */
double sfab_fit_weigh_touched(struct fit_job *j);

/* Weigh all links of the job by the fit of now. */
void sfab_fit_weigh_all(struct fit_job *j, enum link_mode mode);

/* Set j->alone and j->all_alone: what the links cost if the job sends nothing. */
void sfab_fit_weigh_alone(struct fit_job *j);

/* Copy column @i to j->spread, or set it to 0 there again (@back). */
void sfab_fit_spread(const struct fit_job *j, uint32_t i, int back);

/* The sum over the links of column @i of weight x @v x entry of the column. */
double sfab_fit_product(const struct fit_job *j, uint32_t i, const double *v);

/* Find the best shares of @choice, whose links are touched, for the weights of now. */
void sfab_fit_solve(struct fit_job *j, struct class_fit *choice);

/*
 * Find the shares of a set, from those of @choice on, and what it costs.  If that is far above
 * @limit after some turns, the rest is left out.
 */
void sfab_fit_judge(struct fit_job *j, struct class_fit *choice, double limit);

/*
 * A share that is @away from what was found before costs penalty away^2 if that is
 * little, and never more than one bound, for the job may send something else now.  This is the
 * bounded price, and the weight of the square that moves a share alike.  (Geman and
 * McClure, Bull. ISI 52, 1987.)
 */
double sfab_fit_kept_price(double penalty, double away);
double sfab_fit_kept_weight(double penalty, double away);

#endif
