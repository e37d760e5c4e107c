/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collect.h - from the wire to a fabric and to counters
 *
 * What a sweep could not get is counted, not invented: the caller says so and
 * decides what to keep.
 */
#ifndef SFAB_COLLECT_H
#define SFAB_COLLECT_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/builder.h"
#include "io/counters/counters.h"
#include "io/namemap.h"
#include "io/wire/wire.h"

struct sfab_sweep {		/* what was found, and what was not */
	uint32_t switches, hosts;	/* nodes that gave an answer */
	uint32_t silent;	/* cabled ports whose other end gave none */
	uint32_t tableless;	/* switches that did not give all their table */
	uint32_t ports, missed;	/* ports whose counters were read / were not */
	uint32_t stuck;		/* ports with XmitWait at its maximum */
	uint32_t io_missing;	/* hosts of the conf's IO sets; the caller's */
};

/*
 * Discover the subnet of @w and give all of it to plane @plane of @b: switches,
 * end ports, links, tables; of a table that came in part nothing.  Adds to @s.
 * SFAB_EIO: nothing can be discovered; else as the builder.
 */
int sfab_collect_fabric(struct sfab_wire *w, struct sfab_builder *b,
			uint32_t plane, const struct sfab_namemap *map,
			struct sfab_sweep *s, struct sfab_err *err);

/*
 * Counters of all active ports that the last discovery of each of the @n wires
 * found, sorted.  A port that gives no answer keeps its row of @before (may be
 * NULL).  @clear: set an XmitWait at its maximum to 0.  Adds to @s.  Rates are
 * left to sfab_counters_follow().  NULL with *err: memory, or the same port on
 * two wires.
 */
struct sfab_counters *sfab_collect_counters(struct sfab_wire *const *w,
					    uint32_t n,
					    const struct sfab_counters *before,
					    int clear, struct sfab_sweep *s,
					    struct sfab_err *err);

#endif
