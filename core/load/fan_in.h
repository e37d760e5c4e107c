/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fan_in.h - walk the routes from many leaves to one end port together
 *
 * The table entries for one port join all routes to it.  Each switch is looked up once per
 * port, also where port groups split a flow, and the traffic that arrives there is passed on as
 * one sum.  So K leaves cost about K lookups, not K times the hops.  Demand uses it where there
 * is no table of paths (paths.h): on the largest fabrics, and where routing adapts.
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
	struct sfab_lid_walk walk;	/* opened by the caller; its sources are bytes/s that arrive
					   at a switch */
	struct sfab_load *load;
	int is_reachable;		/* the port has a LID and a cable */
};

/* Begin a new destination: end port @dst, at its first LID.  Loads are added to @load.  O(1). */
void sfab_fan_in_start(struct sfab_fan_in *x, struct sfab_load *load, uint32_t dst);

/* Prefetch the table entries for @leaf, which is to send soon: tables are far apart in memory. */
void sfab_fan_in_expect(const struct sfab_fan_in *x, uint32_t leaf);

/*
 * Send @rate from @leaf, a leaf id of the port's plane.  Nothing is sent if the leaf has no
 * route, or if a part of a split flow has none.
 */
void sfab_fan_in_send(struct sfab_fan_in *x, uint32_t leaf, double rate);

/* Load the links that are still waiting for their sums.  Lookups count as additions. */
void sfab_fan_in_finish(struct sfab_fan_in *x);

#endif
