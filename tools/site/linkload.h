/* SPDX-License-Identifier: GPL-2.0-or-later */
/* linkload.h - what each link carries if one set of hosts sends to another */
#ifndef SFAB_LINKLOAD_H
#define SFAB_LINKLOAD_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"

struct reply;

struct linkload {
	uint32_t *dlids;	/* by link: destination LIDs through it */
	double *routes;		/* source-destination pairs through it */
	double *bytes;		/* bytes/s demanded of it */
	uint64_t pairs;		/* routed */
	uint64_t lost;		/* pairs in one plane without a route */
};

/*
 * Count routes and loads from one set to another.  @src, @dst: flags by end port ([nports]).
 * Each source sends at the rate of its port, evenly to all destinations of its plane except
 * itself.  Sources do not wait for each other, so the demand on a link may exceed its capacity.
 * O(leaves x destinations x hops) for each different rate.
 */
int linkload_count(const struct sfab_fabric *f, const uint8_t *src,
		   const uint8_t *dst, struct linkload *l, struct sfab_err *err);

/* Warn in @r if pairs have no route. */
void linkload_warn(const struct linkload *l, struct reply *r);

void linkload_free(struct linkload *l);		/* twice is fine */

#endif
