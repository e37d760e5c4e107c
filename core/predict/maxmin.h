/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maxmin.h - progressive filling (Bertsekas, Gallager: Data Networks, 6.5.2)
 *
 * All flows grow together at one level.  When a resource is full, the flows that cross it keep
 * that level and the other flows grow on.  So the rate of a flow is the lowest level at which
 * one of its resources became full, and this is the same for all flows that cross the same
 * resources.
 *
 * Flows come as bundles, with groups of senders (bundles.h).  The result is that of single
 * flows: a sender whose own link is full leaves all bundles of its group.
 */
#ifndef SFAB_MAXMIN_H
#define SFAB_MAXMIN_H

#include "core/err.h"
#include "core/predict/bundles.h"

/*
 * Fill the resources of @m with bundles until all flows are limited, or have reached level @max
 * (INFINITY: none; then each flow must cross a resource with a limit).  @ends_only: links
 * between switches have no limit.  Set rate[i] to the sum of the flows of bundle i, and level[]
 * (NULL, or [resources]) to the level at which a resource became full, INFINITY for the others.
 * -1: SFAB_ENOMEM.  O(hops x log resources), and, where senders of a group are full at
 * different levels, the hops of the group once more for each level.
 */
int sfab_maxmin(const struct sfab_model *m, int ends_only, const struct sfab_bundles *b,
		double max, double *rate, double *level, struct sfab_err *err);

#endif
