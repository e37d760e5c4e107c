/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fan_in.h - what many leaves send to one end port, walked together
 *
 * The table entries for one port join all routes to it.  Each switch is looked up
 * once per port, also where port groups split a flow, and what arrives there goes on
 * as one sum.  So K leaves cost about K lookups, not K times the hops.  Demand uses it
 * where there is no table of paths (paths.h): on the largest fabrics, and where routing
 * adapts.
 *
 *     x.walk = sfab_lid_walk_open(f, arena);
 *     sfab_fan_in_start(x, load, port);
 *     for (i = 0; i < n; i++)
 *             sfab_fan_in_send(x, leaf[i], rate[i]);
 *     sfab_fan_in_finish(x);
 */
#ifndef SFAB_FAN_IN_H
#define SFAB_FAN_IN_H

#include "core/fabric/lid_walk.h"
#include "core/load/load.h"
#include "core/load/model.h"

struct sfab_fan_in {
	struct sfab_lid_walk walk;	/* its maker's; sources: what arrives at a switch */
	struct sfab_load *load;
	int can_end;			/* the port has a LID and a cable */
};

/* Send from now on to end port @dst, at its first LID; the loads go to @load.  O(1). */
void sfab_fan_in_start(struct sfab_fan_in *x, struct sfab_load *load, uint32_t dst);

/* Fetch what traffic from @leaf needs, which comes soon: tables are far apart in memory. */
void sfab_fan_in_expect(const struct sfab_fan_in *x, uint32_t leaf);

/*
 * Send @rate from @leaf, a leaf id of the port's plane.  Nothing is sent if the leaf has no
 * route, or if a part of a split flow has none.
 */
void sfab_fan_in_send(struct sfab_fan_in *x, uint32_t leaf, double rate);

/* Load the links that are still waiting for their sums.  Lookups count as additions. */
void sfab_fan_in_finish(struct sfab_fan_in *x);

#endif
