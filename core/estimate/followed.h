/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * followed.h - do packets go where the tables say?
 *
 * The hosts' own links say how much each job sends, and the tables where that goes.  So
 * with y the measured rate of a switch-to-switch link, a what the solution (estimate.h)
 * sends over it, and s the error of the rate,
 *
 *     N = 1 - sum over links  max(0, y - a - 2 s)  /  sum over links  y
 *
 * is the part of the measured bytes, 0..1, that is where the tables say.  Adaptive
 * routing, tables of before a change, wrong IO sets and traffic of no job lower it.
 */
#ifndef SFAB_FOLLOWED_H
#define SFAB_FOLLOWED_H

#include "core/load/model.h"

/*
 * N, or -1 if there is too little traffic to say: less than a thousandth of what the links
 * whose rate is known can carry.  All by link, bytes/s; @rate < 0: unknown, does not count.
 */
double sfab_followed(const struct sfab_model *m, const double *rate, const double *fit,
		     const double *error);

#endif
