/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_route.h - `sfabric import --route`: cables without tables
 *
 * The real OpenSM routes them on a simulated fabric (whatif/simulate.h).  LIDs
 * that the files contain are offered to it.
 */
#ifndef SFAB_IMPORT_ROUTE_H
#define SFAB_IMPORT_ROUTE_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "tools/ui/json.h"

/*
 * Returns the fabric @f, which is consumed, with the tables that OpenSM
 * computes by @engines ("ftree,updn": the first that works; OpenSM falls back
 * to min-hop).  Each plane records the engine that was used and those
 * requested.  If one gives up, @report has OpenSM's reason.  NULL with *err.
 */
struct sfab_fabric *import_route_take(struct sfab_fabric *f, const char *engines,
				      struct report *report, struct sfab_err *err);

/*
 * After a failed import: if none of the files contains tables, *err suggests
 * the command that computes some.  @snapshot is the file that was to be
 * written.
 */
void import_route_offer(const char *const *files, uint32_t n,
			const char *snapshot, struct sfab_err *err);

#endif
