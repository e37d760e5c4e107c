/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keeper.h - the thread that keeps the plugin's files as the fabric is
 *
 *     OpenSM's threads            one slot            the keeper's thread
 *     copy after a sweep  ----->  newest copy  ---->  snapshot, its word
 *     deltas of PerfMgr   ----->  totals       ---->  counters
 *
 * What OpenSM's threads call returns at once, whatever the disk does: a copy
 * replaces the one that was not read yet.  A file that cannot be written is
 * tried again, and one that somebody else touched is written again; a snapshot that is not on disk, or tables that changed since,
 * are not confirmed.
 */
#ifndef SFAB_OPENSM_KEEPER_H
#define SFAB_OPENSM_KEEPER_H

#include "plugin/opensm/plugin_options.h"
#include "plugin/opensm/sweep.h"
#include "plugin/opensm/totals.h"

enum sfab_sm_state { SFAB_SM_OTHER, SFAB_SM_MASTER, SFAB_SM_STANDBY };
enum sfab_osm_log { SFAB_OSM_INFO, SFAB_OSM_ERROR };

/* OpenSM as the keeper sees it; called from its thread. */
struct sfab_sm {
	void *ctx;
	enum sfab_sm_state (*state)(void *ctx);
	uint64_t (*guid)(void *ctx);	/* port GUID, 0: not known yet */
	void (*log)(void *ctx, enum sfab_osm_log level, const char *text);
};

struct sfab_keeper;		/* opaque */

/*
 * Takes over what @o points to, also on failure.  No thread yet:
 * sfab_keeper_step() may be called by hand.
 */
struct sfab_keeper *sfab_keeper_create(struct sfab_osm_options *o,
				       const struct sfab_sm *sm,
				       struct sfab_err *err);
int sfab_keeper_start(struct sfab_keeper *k, struct sfab_err *err);

/*
 * Writes what is there to write, ends the thread and waits two seconds for it.
 * -1: it hangs in a dead disk; it and @k stay.  NULL is fine.
 */
int sfab_keeper_destroy(struct sfab_keeper *k);

/* A new copy, taken over.  Any thread; never blocks. */
void sfab_keeper_offer(struct sfab_keeper *k, struct sfab_topology *t);
/* The tables change: what is on disk is not confirmed until the next copy. */
void sfab_keeper_doubt(struct sfab_keeper *k);
/* The state of the SM changed. */
void sfab_keeper_wake(struct sfab_keeper *k);
struct sfab_totals *sfab_keeper_totals(struct sfab_keeper *k);

/*
 * What the thread does when it wakes: write what is new or due.  @mono_ms any
 * clock that only runs forward, @now_ms since 1970.
 */
void sfab_keeper_step(struct sfab_keeper *k, uint64_t mono_ms, uint64_t now_ms);

#endif
