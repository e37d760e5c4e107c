/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reroute.h - a plan as a fabric, with the tables that OpenSM makes for it
 */
#ifndef SFAB_WHATIF_REROUTE_H
#define SFAB_WHATIF_REROUTE_H

#include <stdint.h>

#include "tools/whatif/simulate.h"

struct rerouting {
	const struct plan *plan;
	const struct routing *how;
	const char *by;			/* command, for the fabric's source text */
	struct sfab_fabric *f;		/* NULL: err says why not */
	struct sfab_err err;
};

/*
 * Each plane by an OpenSM of its own.  Names, roles, ids and link speeds are
 * those of the plan's fabric, tables and LIDs OpenSM's; what it cannot reach
 * has neither.  What one of them fails by stays with it; -1 with *err for what
 * stops all (simulate.h), and there is no fabric.
 */
int reroute(struct rerouting *list, uint32_t n, struct sfab_err *err);

struct agreement {
	uint64_t entries;	/* of switch and LID of an end port, in both */
	uint64_t equal;		/* of them */
};

/* How far the tables of @a and @b, of the same nodes, send the same way. */
void reroute_compare(const struct sfab_fabric *a, const struct sfab_fabric *b,
		     uint32_t plane, struct agreement *out);

#endif
