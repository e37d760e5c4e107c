/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regroup.h - adaptive routing in a simulated fabric
 *
 * OpenSM on ibsim makes static tables.  Where the snapshot has groups of ports for adaptive
 * routing, the real subnet manager would make new groups after a change.  We assume that a
 * group has all ports on a shortest path.  LIDs without a group in the snapshot stay static and
 * keep OpenSM's entry.
 */
#ifndef SFAB_REGROUP_H
#define SFAB_REGROUP_H

#include "tools/opensm/reroute.h"

/*
 * Add to @b the groups of all switches toward end port @port, whose simulated LIDs are @lid ..
 * @lid + 2^@lmc - 1.  Add none if the port stays static or has no working cable.
 */
int regroup_port(const struct cabling_plan *p, uint32_t port, uint32_t lid, uint8_t lmc,
		 struct sfab_builder *b, struct sfab_err *err);

/* Tell the builder that the groups of all switches are known.  Call it before regroup_port(). */
void regroup_begin(const struct cabling_plan *p, struct sfab_builder *b);

#endif
