/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choice_link.h - what a link costs a choice of classes
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
#ifndef SFAB_CHOICE_LINK_H
#define SFAB_CHOICE_LINK_H

#include "core/estimate/job_columns.h"

enum link_mode {
	LINK_FORGIVEN,
	LINK_BOUNDED,
};

struct choice_link {
	double y, least2;	/* rate; square of its least error */
	double mean;		/* its error, of that of one sample */
	double odds;		/* of other traffic, for an error of 1 */
	int full;
};

struct choice_link sfab_choice_link(const struct job_columns *c, double rate, uint32_t e);

/*
 * The weight of a link with @fit; @noise is the relative error of a rate.  What it costs
 * is the value returned less 2 log of the factor put into *@likelihood: a product over
 * many links needs but one logarithm.
 */
double sfab_weigh_link(const struct choice_link *l, double noise, double fit,
		       enum link_mode mode, double *w, double *likelihood);

#endif
