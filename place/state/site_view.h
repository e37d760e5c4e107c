/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site_view.h - what a site says about the fabric in a snapshot
 *
 * Switches that could adapt do not if sfabric.conf says so (Adaptive=no).
 *
 * Roles of hosts come from Role lines of sfabric.conf, else from the script.  IO sets come from
 * IoSet lines of sfabric.conf, else from the script, else from the snapshot.
 */
#ifndef SFAB_PLACE_SITE_VIEW_H
#define SFAB_PLACE_SITE_VIEW_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/ioset.h"
#include "core/load/model.h"
#include "core/search/packing.h"
#include "core/search/play_stream.h"
#include "io/conf/conf.h"
#include "io/snapshot/snapshot.h"
#include "lua/script.h"

struct sfab_site_view {
	const struct sfab_script *script;	/* NULL: none, or it failed */
	struct sfab_err script_err;		/* why it failed; code 0: it did not */
	struct sfab_iosets *site_iosets;	/* by conf or script; NULL: the snapshot's */
	const struct sfab_iosets *io;		/* the sets in use; NULL: there are none */
	uint32_t io_missing;			/* hosts of IoSet lines, not in the fabric */
};

/*
 * Make the view, and set roles in the fabric of @snap, which must not be shared yet.  A script
 * (NULL: none) that fails for its hosts is left out altogether.  -1 with *err: the conf's IO
 * sets are wrong, or no memory.
 */
int sfab_site_view_make(struct sfab_site_view *view, struct sfab_snapshot *snap,
			const struct sfab_conf *conf,
			const struct sfab_script *script, struct sfab_err *err);
/* Create the model of @f with what @conf says about traffic.  NULL: no memory. */
struct sfab_model *sfab_site_view_model(const struct sfab_fabric *f,
					const struct sfab_iosets *io,
					const struct sfab_conf *conf);
/* Play all packings for jobs that send DefaultTraffic, which takes seconds.  -1: SFAB_ENOMEM. */
int sfab_site_view_play(const struct sfab_model *m, const struct sfab_conf *conf,
			struct sfab_packings *out, struct sfab_err *err);
/*
 * Find the packing that @conf names, or for Packing=auto the one that loses least if jobs send
 * DefaultTraffic.  That is taken from @kept (snapshot.h) if this version wrote it for the same
 * tables, roles, IO sets and configuration; otherwise all are played, which takes seconds.  -1:
 * SFAB_ENOMEM.
 */
int sfab_site_view_packing(const struct sfab_model *m, const struct sfab_conf *conf,
			   const char *kept, struct sfab_packing *out, struct sfab_err *err);
/* Write what was played on @m to the file beside @snapshot. */
int sfab_site_view_keep(const char *snapshot, const struct sfab_model *m,
			const struct sfab_conf *conf, const struct sfab_packings *played,
			struct sfab_err *err);
void sfab_site_view_clear(struct sfab_site_view *view);	/* may be repeated */

#endif
