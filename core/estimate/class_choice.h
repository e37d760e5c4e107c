/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_choice.h - which classes a job really has
 *
 * A sum of squares always falls with one more class.  Here each class must pay for
 * itself.  For one job after another, all else kept, classes are taken out, put in and
 * exchanged while this falls:
 *
 *     sum over links  cost(z)  +  price x classes,    z = (y - A x) / error of the rate
 *
 * A rate that is too low costs z^2.  One that is too high costs at most a bound,
 * because traffic of no job may have added to it:
 *
 *     cost(z) = -2 log((exp(-z^2 / 2) + k) / (1 + k)),   z > 0
 *
 * A link that is full costs nothing if it carries less than A x.
 *
 * k is the odds of such traffic.  (A price for each parameter: Schwarz, Ann. Stat. 6,
 * 1978.  Outliers as a mixture: Hogg, Bovy and Lang, arXiv:1008.4686, 2010.)
 *
 * IO of a job that has columns for single IO ports is also tried as IO to some of them.
 */
#ifndef SFAB_CLASS_CHOICE_H
#define SFAB_CLASS_CHOICE_H

#include "core/estimate/job_columns.h"

struct class_choice {
	const struct job_columns *c;
	const double *y;	/* [links] bytes/s; where the rate is not known, any */
	double noise;		/* relative error of a rate */
	const double *p, *q;	/* [columns] adds p (x - q)^2 */
	double *x;		/* [columns] in and out */
	double *left;		/* [links] in and out: y - A x */
};

/*
 * At most @rounds over all jobs; fewer if nothing changes.  -1: SFAB_ENOMEM.  The same
 * input gives the same output.  A round costs some 50 times the entries of the columns.
 */
int sfab_choose_classes(const struct class_choice *k, int rounds, struct sfab_err *err);

#endif
