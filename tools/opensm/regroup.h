/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regroup.h - adaptive routing in a simulated fabric
 *
 * OpenSM on ibsim makes static tables.  Where the snapshot has groups of ports, the subnet
 * manager would make new ones after a change.  They are taken to be all ports on a shortest
 * way, for the ports whose LIDs are in a group of the snapshot; LIDs that stay static there
 * keep OpenSM's entry.
 */
#ifndef SFAB_REGROUP_H
#define SFAB_REGROUP_H

#include "tools/opensm/reroute.h"

/*
 * Give the groups of all switches for end port @port of the plan, whose simulated LIDs
 * are @lid .. @lid + 2^@lmc - 1.  Nothing if it stays static, or has no working cable.
 */
int regroup_port(const struct cabling_plan *p, uint32_t port, uint32_t lid, uint8_t lmc,
		 struct sfab_builder *b, struct sfab_err *err);

/* Call once before: the fabric's groups are known. */
void regroup_begin(const struct cabling_plan *p, struct sfab_builder *b);

#endif
