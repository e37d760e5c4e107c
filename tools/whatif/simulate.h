/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate.h - the real OpenSM on a simulated fabric, privately
 *
 * ibsim and opensm run in a folder of their own, on sockets of a name of their
 * own, and touch neither the machine's adapters nor its OpenSM.  They end with
 * this program, however it ends; the folder is removed on errors and on SIGINT,
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
	const char *lfts;		/* -U, a path from /, or NULL */
	uint32_t nguids;		/* of ports that serve IO */
	const uint64_t *guid;
	int io_file, io_order;	/* they are io_guid_file, guid_routing_order_file */
	uint32_t noptions;
	/* "KEY=VALUE" of opensm.conf, behind the engine of the plane */
	const char *const *option;
};

/* A plane to route, once; the LIDs that it has are offered to OpenSM. */
struct simulation {
	const struct plan *plan;
	const struct routing *how;
	uint32_t plane;
	struct sfab_builder *b;		/* into the same plane of it */
	struct sfab_err err;		/* code 0: it was routed */
};

/* As many run at a time as there are processors. */
uint32_t simulate_at_once(void);

/*
 * Route them all and read the dump files, with a line about it on standard error if
 * that is a terminal.  What one of them fails by is in its
 * err: SFAB_EINVAL, SFAB_EIO with the reason that OpenSM gave.  -1 with *err
 * for what stops all: SFAB_ENOENT ibsim or OpenSM is not installed, SFAB_EIO a
 * signal came.
 */
int simulate(struct simulation *list, uint32_t n, struct sfab_err *err);

#endif
