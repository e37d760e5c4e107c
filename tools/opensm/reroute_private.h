/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reroute_private.h - the steps of a rerouting: simulation, its tables, adaptive groups */
#ifndef SFAB_REROUTE_PRIVATE_H
#define SFAB_REROUTE_PRIVATE_H

#include "tools/opensm/reroute.h"

/* -- ibsim_tables.c: the LIDs and forwarding tables that a simulated fabric holds -- */

/*
 * OpenSM's own dump of the tables takes a third of its time and 80 bytes an entry.
 * ibsim's console command "Dump" prints what OpenSM set, in a tenth of both.
 */

struct ibsim_lid {
	uint64_t guid;		/* of the node */
	unsigned num;		/* of its port; 0: a switch */
	uint32_t lid;		/* the first of 2^lmc */
	uint32_t lmc;
};

struct ibsim_lids {
	uint32_t n;
	struct ibsim_lid *list;	/* by GUID and number */
};

/*
 * Give the tables in @path, the output of ibsim after "Dump", to plane @plane of
 * @b.  @lids, which the caller frees, gets the LIDs of all ports that OpenSM reached; other
 * switches have no table.  SFAB_EFORMAT with the line, also if the end is missing.
 */
int ibsim_tables_read(struct sfab_builder *b, uint32_t plane, const char *path,
		      struct ibsim_lids *lids, struct sfab_err *err);

/* NULL: OpenSM did not reach it. */
const struct ibsim_lid *ibsim_lid_of(const struct ibsim_lids *lids, uint64_t guid, unsigned num);

/* -- simulate.c: the real OpenSM on a simulated fabric, privately ---------------- */

/*
 * ibsim and opensm run in a folder of their own, on private socket names.  They
 * touch neither the machine's adapters nor its OpenSM.  They end with this
 * program, however it ends.  The folder is removed on errors and on SIGINT,
 * SIGTERM and SIGHUP too.
 */

/* A plane to route once; its current LIDs are offered to OpenSM. */
struct simulation {
	const struct rerouting *of;
	uint32_t plane;			/* of its builder, for tables and engine */
	struct ibsim_lids lids;		/* the LIDs that OpenSM gave; the caller frees them */
	struct sfab_err err;		/* code 0: it was routed */
	char gave_up[200];	/* why the first engine did, of OpenSM's log; "": none */
};

/*
 * Route all of them and read what came out.  If standard error is a terminal,
 * report progress there.  A failure of one run is in its err: SFAB_EINVAL, or
 * SFAB_EIO with OpenSM's reason.  -1 with *err for what stops all: SFAB_ENOENT
 * if ibsim or OpenSM is not installed, SFAB_EIO if a signal arrived.
 */
int simulate(struct simulation *list, uint32_t n, struct sfab_err *err);

/* -- regroup.c: adaptive routing in a simulated fabric ---------------------------- */

/*
 * OpenSM on ibsim makes static tables.  Where the snapshot has groups of ports, the
 * subnet manager would make new ones after a change.  They are taken to be all ports
 * on a shortest way, for the ports whose LIDs are in a group of the snapshot; LIDs
 * that stay static there keep OpenSM's entry.
 */

/*
 * Give the groups of all switches for end port @port of the plan, whose simulated LIDs
 * are @lid .. @lid + 2^@lmc - 1.  Nothing if it stays static, or has no working cable.
 */
int regroup_port(const struct plan *p, uint32_t port, uint32_t lid, uint8_t lmc,
		 struct sfab_builder *b, struct sfab_err *err);

/* Call once before: the fabric's groups are known. */
void regroup_begin(const struct plan *p, struct sfab_builder *b);

#endif
