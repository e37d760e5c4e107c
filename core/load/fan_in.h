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
 *     sfab_fan_in_look_up(f, n, leaf, nports, port, hop);
 *     for (k = 0; k < nports; k++, hop += n) {
 *             sfab_fan_in_start(x, load, port[k]);
 *             sfab_fan_in_expect(x, n, hop);
 *             sfab_fan_in_send(x, n, leaf, rate, hop);	any number of times
 *             sfab_fan_in_finish(x);
 *     }
 *
 * Tables are far apart in memory, and what a leaf does with one port stands beside what
 * it does with others.  So the first hops of all leaves are looked up leaf by leaf, for
 * several ports at once.
 */
#ifndef SFAB_FAN_IN_H
#define SFAB_FAN_IN_H

#include "core/load/model.h"

#define SFAB_FAN_IN_MOST 64u	/* switches looked up at once: enough to wait for memory
				   once */

#define SFAB_FAN_IN_PORTS 32u	/* ports whose first hops are looked up together */

struct sfab_fan_in;		/* opaque; one owner, not thread-safe */

/* NULL: out of memory.  @f must outlive it. */
struct sfab_fan_in *sfab_fan_in_create(const struct sfab_fabric *f);
void sfab_fan_in_destroy(struct sfab_fan_in *x);	/* NULL is fine */

/* From now on to end port @dst, at its first LID; the loads go to @load.  O(1). */
void sfab_fan_in_start(struct sfab_fan_in *x, struct sfab_load *load, uint32_t dst);

/*
 * What a leaf does first with traffic to a port.  SFAB_NONE: there is no single way, or
 * it leads to no switch.
 */
struct sfab_first_hop {
	uint32_t link, to;		/* the switch behind it */
};

/*
 * The first hops of @n leaves to each of @nports end ports, at most SFAB_FAN_IN_PORTS:
 * @hop[k * n + i].
 */
void sfab_fan_in_look_up(const struct sfab_fabric *f, uint32_t n, const uint32_t *leaf,
			 uint32_t nports, const uint32_t *port, struct sfab_first_hop *hop);

/*
 * Flows will come over @n first hops: look up what follows all of them, so that memory
 * is waited for once.  Changes nothing but the time that they take.
 */
void sfab_fan_in_expect(struct sfab_fan_in *x, uint32_t n, const struct sfab_first_hop *hop);

/*
 * Send @rate[i] from @leaf[i] (leaf ids of the port's plane), over @hop[i] first.
 * Returns the sum of those that have no route; a split flow of which a part has none
 * counts as a whole.
 */
double sfab_fan_in_send(struct sfab_fan_in *x, uint32_t n, const uint32_t *leaf,
			const double *rate, const struct sfab_first_hop *hop);

/* Load the links that are still waiting for their sums.  Lookups count as additions. */
void sfab_fan_in_finish(struct sfab_fan_in *x);

#endif
