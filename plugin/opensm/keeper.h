/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keeper.h - the thread that keeps the plugin's files up to date
 *
 *     OpenSM's threads            one slot            the keeper's thread
 *     copy after a sweep  ----->  newest copy  ---->  snapshot, confirmation
 *     deltas of PerfMgr   ----->  totals       ---->  counters
 *
 * Calls from OpenSM's threads return at once, whatever the disk does.  A new copy replaces one
 * that was not read yet.  A file that cannot be written is tried again, and a snapshot that
 * somebody else touched is written again.  A snapshot is confirmed only while it is on disk and
 * the tables have not changed since.
 */
#ifndef SFAB_OPENSM_KEEPER_H
#define SFAB_OPENSM_KEEPER_H

#include "plugin/opensm/osm_topology.h"
#include "plugin/opensm/plugin_options.h"
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
 * Create a keeper without a thread, so that tests can call sfab_keeper_step() themselves.
 * Takes over what @o points to, also on failure.  NULL with *err.
 */
struct sfab_keeper *sfab_keeper_create(struct sfab_osm_options *o,
				       const struct sfab_sm *sm,
				       struct sfab_err *err);

/* Start the thread, which writes what is due.  -1 with *err: it did not start; @k stays. */
int sfab_keeper_start(struct sfab_keeper *k, struct sfab_err *err);

/*
 * Write what is due, end the thread, waiting at most two seconds, and free @k.  -1: the thread
 * hangs in a dead disk; it and @k stay.  NULL is fine.
 */
int sfab_keeper_destroy(struct sfab_keeper *k);

/* Take over a new copy.  For any thread; never blocks. */
void sfab_keeper_offer(struct sfab_keeper *k, struct sfab_topology *t);
/* Do not confirm the snapshot until the next copy, because the tables change. */
void sfab_keeper_doubt(struct sfab_keeper *k);
/* Wake the thread, because the state of the SM changed. */
void sfab_keeper_wake(struct sfab_keeper *k);
/* Return the totals that the keeper writes to counters.  They live as long as @k. */
struct sfab_totals *sfab_keeper_totals(struct sfab_keeper *k);

/*
 * Write what is new or due, as the thread does when it wakes.  @mono_ms is of any monotonic
 * clock; @now_ms is milliseconds since 1970.
 */
void sfab_keeper_step(struct sfab_keeper *k, uint64_t mono_ms, uint64_t now_ms);

#endif
