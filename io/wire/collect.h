/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collect.h - from MADs to a fabric and to counters
 *
 * What a sweep could not get is counted, never invented: the caller reports it and decides what
 * to keep.
 */
#ifndef SFAB_COLLECT_H
#define SFAB_COLLECT_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/builder.h"
#include "io/ar_traits.h"
#include "io/counters/counters.h"
#include "io/namemap.h"
#include "io/wire/wire.h"

/* What was found, and what was missed. */
struct sfab_sweep {
	uint32_t switches, hosts;	/* nodes that answered */
	uint32_t silent;		/* cabled ports whose other end did not answer */
	uint32_t tableless;		/* switches that did not deliver their whole table */
	uint32_t ports, missed;		/* ports whose counters were read / were not */
	uint32_t stuck;			/* ports with SFAB_COUNTER_STUCK */
	uint32_t io_missing;		/* hosts of the conf's IO sets; set by the caller */
	/* switches, by trait */
	uint32_t trait_switches[SFAB_AR_TRAITS];
	uint32_t unclear;		/* switches that may adapt, and did not tell how */
	char unclear_why[300];		/* about the first unclear one: "NAME does not ..." */
};

/*
 * Discover the subnet of @w and pass it to plane @plane of @b: switches, end ports, links,
 * tables, groups of adaptive routing.  A table that arrived only in part is dropped.  What
 * happened is added to @count.  -1 with *err: SFAB_EIO if nothing can be discovered, or an
 * error of the builder.
 */
int sfab_collect_fabric(struct sfab_wire *w, struct sfab_builder *b,
			uint32_t plane, const struct sfab_namemap *map,
			struct sfab_sweep *count, struct sfab_err *err);

/*
 * Read the counters of all active ports that the last discovery of each of the @nwires wires
 * found.  They are sorted and without rates (sfab_counters_follow()).  A port that does not
 * answer keeps its row of @previous (may be NULL).  @clear: reset the XmitWait of stuck ports
 * to 0.  What happened is added to @count.  NULL with *err: no memory, or the same port on two
 * wires.
 */
struct sfab_counters *sfab_collect_counters(struct sfab_wire *const *wires,
					    uint32_t nwires,
					    const struct sfab_counters *previous,
					    int clear, struct sfab_sweep *count,
					    struct sfab_err *err);

#endif
