/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cabling_plan.h - a fabric with other cables: hosts moved, links and switches down
 *
 * Only cables change, nodes do not.  So ids, IO sets and link speeds are those of the original
 * fabric.
 */
#ifndef SFAB_CABLING_PLAN_H
#define SFAB_CABLING_PLAN_H

#include <stdint.h>
#include <stdio.h>

#include "core/err.h"
#include "core/fabric/fabric.h"

struct cabling_plan {
	const struct sfab_fabric *f;	/* borrowed */
	uint8_t *down;			/* by link; 1: carries nothing */
	uint32_t *sw;			/* by end port: its switch, or SFAB_NONE */
	uint8_t *sw_port;		/* by end port: port of that switch */
};

/*
 * Start a plan without changes.  SFAB_EINVAL: the fabric has one-way links (hosts that
 * forward), which cannot be simulated.  Call cabling_plan_free() in that case too.
 */
int cabling_plan_init(struct cabling_plan *p, const struct sfab_fabric *f, struct sfab_err *err);
void cabling_plan_free(struct cabling_plan *p);		/* twice is fine */

/*
 * Move a host's cable: "HOST=SWITCH:PORT" plugs the host's port in the plane of the switch
 * there.  A switch is a name, a short name (short_name.h) or a node GUID (0x...).  SFAB_ENOENT:
 * no such host, switch or port.  SFAB_EINVAL: a host without a cable or with several; a name of
 * several switches.
 */
int cabling_plan_move(struct cabling_plan *p, const char *text, struct sfab_err *err);

/* Check the moves when all are made.  SFAB_EINVAL: a port has two cables. */
int cabling_plan_check(const struct cabling_plan *p, struct sfab_err *err);

/*
 * Take cables down: "SWITCH" all of its cables, "SWITCH:PORT" that one.  Call it after the
 * moves.
 */
int cabling_plan_down(struct cabling_plan *p, const char *text, struct sfab_err *err);

/*
 * Write the working cables of a plane as a netlist for ibsim, all with the speed @speed, such
 * as "QDR".  NETLIST_GUIDS writes no names, because names from a fabric could break the
 * netlist.  The caller checks ferror(@out).
 */
enum netlist_names { NETLIST_GUIDS, NETLIST_NAMES };
void cabling_plan_netlist(const struct cabling_plan *p, uint32_t plane, enum netlist_names names,
			  const char *speed, FILE *out);

/* Return a cabled port of @plane to run the subnet manager on, or SFAB_NONE. */
uint32_t cabling_plan_sm_port(const struct cabling_plan *p, uint32_t plane);

/*
 * Return the GUID of an end port on the simulated fabric: ibsim counts up from the node's GUID.
 * Adapters since ConnectX-5 have one GUID for both.
 */
uint64_t cabling_plan_port_guid(const struct sfab_port *port);

/* Does the cable of the end port work? */
int cabling_plan_port_is_up(const struct cabling_plan *p, uint32_t port);

#endif
