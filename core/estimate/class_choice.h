/* SPDX-License-Identifier: GPL-2.0-or-later */
/* class_choice.h - which classes a job sends in */
#ifndef SFAB_CLASS_CHOICE_H
#define SFAB_CLASS_CHOICE_H

#include "core/estimate/estimate_private.h"

/*
 * Choose the classes of all jobs, beginning with the shares s->x and the residuals s->residual,
 * and update both.  Visit all jobs @rounds times, or fewer times if nothing changes.  Set
 * s->likelihood: how likely the classes of a job are, compared with sets of one more, one less
 * or another class.  -1: SFAB_ENOMEM.  The same input gives the same output.  A round costs
 * some 50 times the entries of the columns.
 */
int sfab_class_choice_make(struct estimate_solver *s, int rounds, struct sfab_err *err);

/* Return the total cost of all links and classes: the lower, the better the solution. */
double sfab_class_choice_cost(const struct estimate_solver *s);

#endif
