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
 * Sets that differ by one class, and cost c more, are exp(-c / 2) times as likely; the
 * job is sure of its classes by what is left.
 *
 * cost(z) is that of class_fit.h.  (A price for each parameter: Schwarz, Ann. Stat. 6,
 * 1978.)
 *
 * A job that has columns for single IO ports or shifts is also tried as IO to a few
 * ports, or as traffic between hosts a few shifts apart, in place of a class or of all.
 * They are found one after another, each time the one that explains most.  They cost
 * less each, and once for all, because few jobs need them.
 */
#ifndef SFAB_CLASS_CHOICE_H
#define SFAB_CLASS_CHOICE_H

#include "core/estimate/estimate_private.h"

/*
 * From s->x and s->left on, which are set; at most @rounds over all jobs, fewer if nothing
 * changes.  Sets s->sure: how likely the classes of a job are, beside those with one more,
 * one less or another.  -1: SFAB_ENOMEM.  The same input gives the same output.  A round
 * costs some 50 times the entries of the columns.
 */
int sfab_choose_classes(struct estimate_solver *s, int rounds, struct sfab_err *err);

/* What all links and classes cost together. */
double sfab_choice_cost(const struct estimate_solver *s);

/*
 * A share that is @away from what was found before costs p away^2 if that is little,
 * and never more than one bound, for the job may send something else now.  This is the
 * bounded price, and the weight of the square that moves a share alike.  (Geman and
 * McClure, Bull. ISI 52, 1987.)
 */
double sfab_kept_price(double p, double away);
double sfab_kept_weight(double p, double away);

#endif
