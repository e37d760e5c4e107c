/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairs.h - many hosts each send to one other host at the same time
 *
 * These patterns are used to measure fabrics.  In both, half of the hosts send and the other
 * half receive; traffic goes one way.  With an odd number of hosts one takes no part.
 *
 * Rotations are those of CBench's rotate (Sandia): of n hosts, host i < n/2 sends to host n/2 +
 * (i + r) mod n/2, in rotation r = 0 to n/2 - 1.  If n is odd, the last host takes no part.
 *
 * Bisections draw the halves and the pairs at random: the effective bisection bandwidth of
 * Hoefler, Schneider, Lumsdaine, "Multistage Switches are not Crossbars", Cluster 2008.
 *
 * Rates are max-min fair, see maxmin.h.
 */
#ifndef SFAB_PAIRS_H
#define SFAB_PAIRS_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/model.h"

/*
 * Find the shares if each host from[i] sends all it can to host to[i].  Set share[i] to its
 * rate relative to what the end ports of that pair could do alone, 0..1; a pair without a route
 * gets 0.  With several ports in a plane, port k talks to port k, as in sfab_demand().  -1 with
 * SFAB_ENOMEM, SFAB_ELIMIT (bundles.h), or SFAB_EINVAL for a pair of a host with itself.
 * O(pairs x hops) plus the solver of maxmin.h.
 */
int sfab_pairs(const struct sfab_model *m, uint32_t n, const uint32_t *from,
	       const uint32_t *to, double *share, struct sfab_err *err);

/*
 * Find the shares of @count rotations, 1 to n / 2, of @n hosts (at least 2), evenly spread over
 * all.  Set share[i * (n / 2) ...] to those of the i-th, by sender.
 */
int sfab_pairs_rotate(const struct sfab_model *m, const uint32_t *host, uint32_t n,
		      uint32_t count, double *share, struct sfab_err *err);
/* Return the rotation r that the i-th of @count evenly spread ones is. */
uint32_t sfab_pairs_rotation(uint32_t n, uint32_t count, uint32_t i);

/*
 * Find the shares of @count random bisections, and shuffle @host.  Set share[i * (n / 2) ...]
 * to those of the i-th.
 */
int sfab_pairs_bisect(const struct sfab_model *m, uint32_t *host, uint32_t n,
		      uint32_t count, uint64_t seed, double *share, struct sfab_err *err);

#endif
