/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate.h - the real OpenSM on a simulated fabric, privately
 *
 * ibsim and opensm run in a folder of their own, on private socket names.  They
 * touch neither the machine's adapters nor its OpenSM.  They end with this
 * program, however it ends.  The folder is removed on errors and on SIGINT,
 * SIGTERM and SIGHUP too.
 */
#ifndef SFAB_WHATIF_SIMULATE_H
#define SFAB_WHATIF_SIMULATE_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/builder.h"
#include "tools/whatif/cabling_plan.h"

/* How OpenSM is to route. */
struct routing {
	uint32_t nguids;		/* of ports that serve IO */
	const uint64_t *guid;
	int io_file, io_order;	/* as io_guid_file, guid_routing_order_file */
	uint32_t noptions;
	/* "KEY=VALUE" of opensm.conf, after the engine */
	const char *const *option;
};

/* A plane to route once; its current LIDs are offered to OpenSM. */
struct simulation {
	const struct plan *plan;
	const struct routing *how;
	uint32_t plane;
	struct sfab_builder *b;		/* into the same plane of this builder */
	struct sfab_err err;		/* code 0: it was routed */
	char gave_up[200];	/* why the first engine did, of OpenSM's log; "": none */
};

/* As many run at once as there are processors. */
uint32_t simulate_at_once(void);

/*
 * Route all of them and read the dump files.  If standard error is a terminal,
 * report progress there.  A failure of one run is in its err: SFAB_EINVAL, or
 * SFAB_EIO with OpenSM's reason.  -1 with *err for what stops all: SFAB_ENOENT
 * if ibsim or OpenSM is not installed, SFAB_EIO if a signal arrived.
 */
int simulate(struct simulation *list, uint32_t n, struct sfab_err *err);

#endif
