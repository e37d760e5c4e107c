/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loader.h - reads sfabric.lua, snapshot, counters, history, found traffic and
 * fabric.alive, and decides how long the newest good snapshot may be trusted
 *
 * sfabric.conf comes from conffile.h, because a snapshot that hangs must not delay
 * its modes.  Its other settings take effect with the next generation.
 *
 * Each new error is logged once; the last good conf and snapshot stay in use.  A
 * snapshot is used while it is confirmed:
 *
 *   MaxSnapshotAge=0     until its file is removed
 *   MaxSnapshotAge=SEC   until SEC seconds after fabric.alive last named its
 *                        fingerprint, or after it was made
 */
#ifndef SFAB_PLACE_LOADER_H
#define SFAB_PLACE_LOADER_H

#include <stdint.h>

#include "core/err.h"
#include "place/log/logring.h"
#include "place/place.h"
#include "place/state/event_queue.h"
#include "place/state/handoff.h"

struct sfab_loader;		/* opaque */

/*
 * All but @o, which is copied without its texts, must outlive it.  New generations are
 * prepared for the nodes and jobs in @queue.  The decision log (@ring, or NULL) follows
 * the conf's DecisionLog.  NULL: no memory.
 */
struct sfab_loader *sfab_loader_create(const struct sfab_place_options *o,
				       struct sfab_handoff *handoff,
				       struct sfab_event_queue *queue,
				       struct sfab_logring *ring, struct sfab_err *err);
/* Ends the threads.  -1: one hangs and still uses all this.  NULL is fine. */
int sfab_loader_destroy(struct sfab_loader *l);

/* Check the files once, now. */
void sfab_loader_step(struct sfab_loader *l, int64_t now);
/* Check them every tick, in two threads. */
int sfab_loader_start(struct sfab_loader *l, struct sfab_err *err);

#endif
