/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_plot.h - two routings as heat maps: before, after, the difference
 */
#ifndef SFAB_WHATIF_COMPARE_PLOT_H
#define SFAB_WHATIF_COMPARE_PLOT_H

#include "tools/whatif/routing_facts.h"

/*
 * Routes out of each spine port: from compute hosts to the IO set that loses
 * most now, or to each other if there are no IO sets.  @path as in
 * sheet_can_write().
 */
int plot_both(const struct routing_facts *now, const struct routing_facts *then,
	      const char *path, struct sfab_err *err);

#endif
