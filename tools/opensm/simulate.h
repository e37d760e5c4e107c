/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate.h - the real OpenSM on a simulated fabric, privately
 *
 * ibsim and opensm run in a folder of their own, on private socket names.  They touch neither
 * the machine's adapters nor its OpenSM.  They end with this program, however it ends.  The
 * folder is removed on errors and on SIGINT, SIGTERM and SIGHUP too.
 */
#ifndef SFAB_SIMULATE_H
#define SFAB_SIMULATE_H

#include "tools/opensm/ibsim_tables.h"
#include "tools/opensm/reroute.h"

/* A plane to route once; its current LIDs are offered to OpenSM. */
struct simulation {
	const struct rerouting *rerouting;
	uint32_t plane;			/* of its builder, for tables and engine */
	struct ibsim_lids lids;		/* the LIDs that OpenSM gave; the caller frees them */
	struct sfab_err err;		/* code 0: it was routed */
	char gave_up[200];		/* why the first engine did, of OpenSM's log; "": none */
};

/*
 * Route all planes and read the results.  If standard error is a terminal, report progress
 * there.  A failure of one run is in its err: SFAB_EINVAL, or SFAB_EIO with OpenSM's reason.
 * -1 with *err for what stops all: SFAB_ENOENT if ibsim or OpenSM is not installed, SFAB_EIO if
 * a signal arrived.
 */
int simulate(struct simulation *list, uint32_t n, struct sfab_err *err);

/* Return how many planes are routed at once: as many as there are processors. */
uint32_t simulate_at_once(void);

#endif
