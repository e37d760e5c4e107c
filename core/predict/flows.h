/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flows.h - who sends to whom in a part of a job's traffic */
#ifndef SFAB_FLOWS_H
#define SFAB_FLOWS_H

#include "core/load/model.h"

/*
 * Take a flow from end port @src to end port @dst, with the IO resource or SFAB_NONE.  @weight
 * is the flow's part of the demand of its source (io-read: of its client).  -1: out of memory,
 * which ends the walk.
 */
typedef int (*sfab_flow_fn)(void *ctx, uint32_t src, uint32_t dst, uint32_t io_res, double weight);
/* Give @fn each flow of one part of the traffic. */
int sfab_flows(const struct sfab_model *m, const struct sfab_job *job,
	       const struct sfab_traffic_part *part, sfab_flow_fn fn, void *ctx,
	       struct sfab_err *err);

/*
 * A group of senders: end ports on one leaf that send to the same destinations, in the same
 * parts.  Groups are numbered from 0.
 */
struct sfab_senders {
	uint32_t group, n;
	const uint32_t *port;	/* [n] */
};
/*
 * Take the flows of @senders to end port @dst.  @except: index of the sender that is the
 * destination's own host, or SFAB_NONE.  The rest is as for sfab_flow_fn.
 */
typedef int (*sfab_fan_fn)(void *ctx, const struct sfab_senders *senders, uint32_t except,
			   uint32_t dst, uint32_t io_res, double weight);
/*
 * Give @fn all flows of one part of the traffic by groups of senders.  All calls for one group
 * follow each other.  O(leaves x destinations) calls.
 */
int sfab_flows_fan(const struct sfab_model *m, const struct sfab_job *job,
		   const struct sfab_traffic_part *part, sfab_fan_fn fn, void *ctx,
		   struct sfab_err *err);

#endif
