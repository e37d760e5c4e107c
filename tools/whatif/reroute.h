/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reroute.h - a plan as a fabric, with the tables that OpenSM makes for it
 */
#ifndef SFAB_WHATIF_REROUTE_H
#define SFAB_WHATIF_REROUTE_H

#include <stdint.h>

#include "simulate.h"

/*
 * Names, roles, ids and link speeds are those of the plan's fabric, tables and
 * LIDs OpenSM's; what it cannot reach has neither.  Caller destroys.
 */
struct sfab_fabric *reroute(const struct plan *p, const struct routing *how,
			    struct sfab_err *err);

struct agreement {
	uint64_t entries;	/* of switch and LID of an end port, in both */
	uint64_t equal;		/* of them */
};

/* How far the tables of @a and @b, of the same nodes, send the same way. */
void reroute_compare(const struct sfab_fabric *a, const struct sfab_fabric *b,
		     struct agreement *out);

#endif
