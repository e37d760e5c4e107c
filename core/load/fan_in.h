/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fan_in.h - what many leaves send to one end port, walked together
 *
 * The table entries for one port join all routes to it.  Each switch is looked up
 * once per port, also where port groups split a flow, and what arrives there goes on
 * as one sum.  So K leaves cost about K lookups, not K times the hops.  Demand uses it
 * where there is no table of paths (paths.h): on the largest fabrics, and where routing
 * adapts.  Memory: 40 bytes per switch.
 *
 *     sfab_fan_in_start(x, load, port);
 *     sfab_fan_in_send(x, n, leaf, rate);	any number of times
 *     sfab_fan_in_finish(x);
 */
#ifndef SFAB_FAN_IN_H
#define SFAB_FAN_IN_H

#include "core/load/model.h"

#define SFAB_FAN_IN_MOST 32u	/* leaves in one call: enough to wait for memory once */

struct sfab_fan_in;		/* opaque; one owner, not thread-safe */

/* NULL: out of memory.  @f must outlive it. */
struct sfab_fan_in *sfab_fan_in_create(const struct sfab_fabric *f);
void sfab_fan_in_destroy(struct sfab_fan_in *x);	/* NULL is fine */

/* From now on to end port @dst, at its first LID; the loads go to @load.  O(1). */
void sfab_fan_in_start(struct sfab_fan_in *x, struct sfab_load *load, uint32_t dst);

/*
 * Send @rate[i] from @leaf[i] (leaf ids of the port's plane) for at most
 * SFAB_FAN_IN_MOST leaves.  Returns the sum of those that have no route; a split flow
 * of which a part has none counts as a whole.
 */
double sfab_fan_in_send(struct sfab_fan_in *x, uint32_t n, const uint32_t *leaf,
			const double *rate);

/* Load the links that are still waiting for their sums.  Lookups count as additions. */
void sfab_fan_in_finish(struct sfab_fan_in *x);

#endif
