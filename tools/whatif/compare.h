/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare.h - two routings of the same nodes, number beside number
 */
#ifndef SFAB_WHATIF_COMPARE_H
#define SFAB_WHATIF_COMPARE_H

#include "../../core/err.h"
#include "../../core/fabric.h"
#include "../../core/ioset.h"
#include "../table.h"

extern const struct column compare_columns[];

/*
 * A row for each measure: IO throughput of all compute nodes and of the worst
 * @job neighbours, uplinks and spine ports towards each IO set, shares that
 * nodes reach when all send at once.  @io: of either, as ids are the same.
 * NULL with *err; caller destroys.
 */
struct table *compare(const struct sfab_fabric *now,
		      const struct sfab_fabric *then,
		      const struct sfab_iosets *io, uint32_t job,
		      struct sfab_err *err);

#endif
