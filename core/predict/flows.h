/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flows.h - who sends to whom in a part of a job's traffic */
#ifndef SFAB_FLOWS_H
#define SFAB_FLOWS_H

#include "core/load/model.h"

/*
 * Flows of one part of the traffic.  The callback gets each (source end port, destination end
 * port), with the IO resource or SFAB_NONE.  @weight is the flow's part of the demand of its
 * source (io-read: of its client).  The callback returns -1 for "out of memory", which ends the
 * walk.
 */
typedef int (*sfab_flow_fn)(void *ctx, uint32_t src, uint32_t dst,
			    uint32_t io_res, double weight);
int sfab_flows(const struct sfab_model *m, const struct sfab_job *job,
	       const struct sfab_traffic_part *part, sfab_flow_fn fn, void *ctx,
	       struct sfab_err *err);

/*
 * Flows by groups of senders: end ports on one leaf that send to the same destinations, in the
 * same parts.  O(leaves x destinations) calls.  All calls for one @group, which are numbered
 * from 0, follow each other.
 */
struct sfab_senders {
	uint32_t group, n;
	const uint32_t *port;	/* [n] */
};
/* @except: index of the sender that is the destination's own host, or SFAB_NONE. */
typedef int (*sfab_fan_fn)(void *ctx, const struct sfab_senders *from, uint32_t except,
			   uint32_t dst, uint32_t io_res, double weight);
int sfab_flows_fan(const struct sfab_model *m, const struct sfab_job *job,
		   const struct sfab_traffic_part *part, sfab_fan_fn fn, void *ctx,
		   struct sfab_err *err);

#endif
