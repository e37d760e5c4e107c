/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reroute.h - a variant as a fabric, with the tables that OpenSM computes for it
 */
#ifndef SFAB_WHATIF_REROUTE_H
#define SFAB_WHATIF_REROUTE_H

#include <stdint.h>

#include "tools/whatif/simulate.h"

struct rerouting {
	const struct variant *of;
	const char *by;			/* command, for the fabric's source text */
	struct sfab_fabric *f;		/* NULL: err has the reason */
	struct sfab_err err;
	char gave_up[200];		/* why its first engine did (simulate.h), or "" */
};

/*
 * Each plane is routed by its own OpenSM.  Names, roles, ids and link speeds
 * are those of the variant's fabric; tables and LIDs are OpenSM's.  Nodes that it
 * cannot reach have neither.  A failure of one run is kept in that run's err.
 * -1 with *err for what stops all (simulate.h); there is then no fabric.
 */
int reroute(struct rerouting *list, uint32_t n, struct sfab_err *err);

#endif
