/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_route.h - `sfabric import --route`: cables without tables
 *
 * The real OpenSM routes them on a simulated fabric (whatif/simulate.h); the LIDs
 * that the files tell are offered to it.
 */
#ifndef SFAB_IMPORT_ROUTE_H
#define SFAB_IMPORT_ROUTE_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"

/*
 * The fabric @f, which is used up, with the tables that OpenSM makes by @engines
 * ("ftree,updn": the first that can; it falls back to min-hop).  Each plane has the
 * engine that was really used, and those that were asked for.  NULL with *err.
 */
struct sfab_fabric *import_route_take(struct sfab_fabric *f, const char *engines,
				      struct sfab_err *err);

/*
 * After a failed import: if none of the files brings tables, *err tells the command
 * that makes some.  @snapshot is what was to be written.
 */
void import_route_offer(const char *const *files, uint32_t n,
			const char *snapshot, struct sfab_err *err);

#endif
