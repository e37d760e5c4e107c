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

#include "../../core/builder.h"
#include "../../core/err.h"
#include "plan.h"

/* How OpenSM is to route. */
struct routing {
	const char *lfts;		/* -U, a path from /, or NULL */
	uint32_t nguids;		/* for io_guid_file; 0: none */
	const uint64_t *guid;
	uint32_t noptions;
	/* "KEY=VALUE" of opensm.conf, behind the engine of the plane */
	const char *const *option;
};

/*
 * Route @plane of @p once and read OpenSM's dump files into plane @to of @b.
 * The LIDs of the fabric are offered to OpenSM, which may give others.
 * SFAB_ENOENT: ibsim or OpenSM is not installed; SFAB_EIO: they failed, with
 * the reason OpenSM gave.
 */
int simulate(const struct plan *p, uint32_t plane, const struct routing *how,
	     struct sfab_builder *b, uint32_t to, struct sfab_err *err);

#endif
