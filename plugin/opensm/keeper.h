/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keeper.h - the thread that keeps the plugin's files up to date
 *
 *     OpenSM's threads            one slot            the keeper's thread
 *     copy after a sweep  ----->  newest copy  ---->  snapshot, confirmation
 *     deltas of PerfMgr   ----->  totals       ---->  counters
 *
 * Calls from OpenSM's threads return at once, whatever the disk does.  A new
 * copy replaces one that was not read yet.  A file that cannot be written is
 * tried again.  A snapshot that somebody else touched is written again.  A
 * snapshot that is not on disk is not confirmed, and neither are tables that
 * have changed since.
 */
#ifndef SFAB_OPENSM_KEEPER_H
#define SFAB_OPENSM_KEEPER_H

#include "plugin/opensm/plugin_options.h"
#include "plugin/opensm/topology_copy.h"
#include "plugin/opensm/totals.h"

enum sfab_sm_state { SFAB_SM_OTHER, SFAB_SM_MASTER, SFAB_SM_STANDBY };
enum sfab_osm_log { SFAB_OSM_INFO, SFAB_OSM_ERROR };

/* OpenSM as the keeper sees it; called from the keeper's thread. */
struct sfab_sm {
	void *ctx;
	enum sfab_sm_state (*state)(void *ctx);
	uint64_t (*guid)(void *ctx);	/* port GUID, 0: not known yet */
	void (*log)(void *ctx, enum sfab_osm_log level, const char *text);
};

struct sfab_keeper;		/* opaque */

/*
 * Takes over what @o points to, also on failure.  Starts no thread, so that
 * tests can call sfab_keeper_step() themselves.
 */
struct sfab_keeper *sfab_keeper_create(struct sfab_osm_options *o,
				       const struct sfab_sm *sm,
				       struct sfab_err *err);
int sfab_keeper_start(struct sfab_keeper *k, struct sfab_err *err);

/*
 * Writes what is due, ends the thread and waits up to two seconds for it.  -1:
 * it hangs in a dead disk; the thread and @k stay.  NULL is fine.
 */
int sfab_keeper_destroy(struct sfab_keeper *k);

/* Takes over a new copy.  Any thread; never blocks. */
void sfab_keeper_offer(struct sfab_keeper *k, struct sfab_topology *t);
/* The tables change: the snapshot is not confirmed until the next copy. */
void sfab_keeper_doubt(struct sfab_keeper *k);
/* The state of the SM changed. */
void sfab_keeper_wake(struct sfab_keeper *k);
struct sfab_totals *sfab_keeper_totals(struct sfab_keeper *k);

/*
 * What the thread does when it wakes: write what is new or due.  @mono_ms is
 * any clock that only runs forward; @now_ms is milliseconds since the epoch.
 */
void sfab_keeper_step(struct sfab_keeper *k, uint64_t mono_ms, uint64_t now_ms);

#endif
