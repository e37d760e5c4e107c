/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_plot.h - two routings as heat maps: before, after, the difference
 */
#ifndef SFAB_WHATIF_COMPARE_PLOT_H
#define SFAB_WHATIF_COMPARE_PLOT_H

#include "tools/whatif/routing_facts.h"

/* By the suffix of the name: svg, html, png; 0: any other. */
int plot_can_write(const char *path);

/*
 * Routes out of each spine port: from compute hosts to the IO set that loses
 * most now, or to each other if there are no IO sets.  SFAB_EIO, SFAB_EINVAL as
 * in picture.h; the file is then unchanged.
 */
int plot_both(const struct routing_facts *now, const struct routing_facts *then,
	      const char *path, struct sfab_err *err);

#endif
