/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loader.h - reads the files of the service, and decides how long a snapshot is trusted
 *
 * These are sfabric.lua, snapshot, fabric.alive, counters, history and found traffic.
 * sfabric.conf comes from conffile.h, because a snapshot that hangs must not delay its modes.
 * Its other settings take effect with the next generation.
 *
 * Each new error is logged once; the last good conf and snapshot stay in use.  A snapshot is
 * used while it is confirmed:
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
 * Create a loader that publishes generations in @handoff, for the nodes and jobs that come
 * through @queue, and sets the file of @ring (NULL: no log) to DecisionLog.  All three must
 * outlive it, and so must the texts in @o.  NULL with *err: no memory.
 */
struct sfab_loader *sfab_loader_create(const struct sfab_place_options *o,
				       struct sfab_handoff *handoff,
				       struct sfab_event_queue *queue,
				       struct sfab_logring *ring, struct sfab_err *err);
/* End the threads, and free @l.  -1: a thread hangs and still uses all this.  NULL is fine. */
int sfab_loader_destroy(struct sfab_loader *l);

/* Check the files once, now. */
void sfab_loader_step(struct sfab_loader *l, int64_t now_s);
/* Check them every tick, in two threads.  -1 with *err. */
int sfab_loader_start(struct sfab_loader *l, struct sfab_err *err);

#endif
