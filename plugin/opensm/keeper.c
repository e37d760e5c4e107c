/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keeper.c - when which file is written; see keeper.h
 *
 * OpenSM's threads touch only slot and doubt, both atomic, and the totals, which have a lock of
 * their own.  doubt is set when a table changes and cleared by the next copy.  All other
 * members belong to the keeper's thread.
 *
 * The invariant that slurmctld relies on: fabric.alive names a fingerprint only while the
 * snapshot on disk has it and the tables in the switches are those of the snapshot.  So while
 * there is doubt, or a newer copy waits to be written, nothing is confirmed, and the age of the
 * last confirmation does the rest.
 *
 * Monotonic time decides when something is due; wall-clock time is only written to files.
 */

#include "plugin/opensm/keeper.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/clock.h"
#include "io/log_once.h"
#include "io/worker.h"
#include "plugin/opensm/osm_snapshot.h"

#define TICK_MS 1000		/* between looks at the state of the SM */
#define SOON_MS 100		/* while counters wait for the end of a sweep */
#define RETRY_MS 1000		/* before the first retry; doubles up to RETRY_MAX_MS */
#define RETRY_MAX_MS 30000

/* What can fail: an error of each is logged once. */
enum keeper_subject { SNAPSHOT, ALIVE, COUNTERS, OTHER_MASTER, NSUBJECTS };

struct sfab_keeper {
	struct sfab_osm_options o;
	struct sfab_sm sm;
	_Atomic(struct sfab_topology *) slot;
	atomic_int doubt;

	struct sfab_topology *topo;		/* the newest, or NULL */
	int is_unsaved;				/* it is not on disk */
	struct sfab_alive alive;		/* of the snapshot that is on disk */
	struct stat saved_file;			/* that snapshot, as it was written */
	uint64_t write_ms;			/* when the snapshot may be written next */
	uint64_t retry_ms;			/* how long to wait after the next failure */
	uint64_t alive_ms;			/* when the next confirmation is due */

	struct sfab_totals *totals;
	struct sfab_counters *last_counters;	/* as last written, for the rates */

	struct sfab_log_once logged[NSUBJECTS];
	struct sfab_worker worker;
};

static void log_keeper_error(struct sfab_keeper *k, enum keeper_subject s, const char *text)
{
	if (sfab_log_once_record(&k->logged[s], text) && *text)
		k->sm.log(k->sm.ctx, SFAB_OSM_ERROR, text);
}

/* Log once that an error is over. */
static void log_recovered(struct sfab_keeper *k, enum keeper_subject s, const char *path)
{
	char line[sizeof(struct sfab_log_once)];

	if (!sfab_log_once_record(&k->logged[s], ""))
		return;
	snprintf(line, sizeof(line), "%.300s: written again", path);
	k->sm.log(k->sm.ctx, SFAB_OSM_INFO, line);
}

/* Take the copy that was offered, if any, as the newest. */
static void take_offer(struct sfab_keeper *k)
{
	struct sfab_topology *t = atomic_exchange(&k->slot, NULL);
	struct sfab_err err;

	if (!t)
		return;
	sfab_topology_destroy(k->topo);
	k->topo = t;
	if (k->retry_ms > RETRY_MS)	/* the last one failed; this one may do */
		k->write_ms = 0;
	k->is_unsaved = 1;
	k->alive.sm_guid = t->sm_guid;
	if (!k->alive.since)
		k->alive.since = t->time_ms / 1000;
	if (sfab_totals_set_ports(k->totals, t, &err) < 0)
		log_keeper_error(k, COUNTERS, err.text);
}

/*
 * Log in one line what was written, what is odd about it, and how long it took.  It is an error
 * if no requested engine routed, or if hosts of IO sets are missing.
 */
static void log_written(struct sfab_keeper *k, const struct sfab_snapshot *s, uint32_t missing)
{
	const struct sfab_plane *plane = &s->fabric->planes[0];
	int is_later = sfab_plane_fell_back(plane);
	int is_fallback = is_later && !sfab_plane_asked_for(plane);
	uint32_t example, nameless = sfab_fabric_nameless(s->fabric, &example);
	char line[sizeof(struct sfab_log_once)];
	int n;

	n = snprintf(line, sizeof(line),
		     "%.100s: %" PRIu32 " hosts, %" PRIu32 " switches, routed by %s",
		     k->o.snapshot, s->fabric->nhosts, s->fabric->nswitches,
		     *plane->engine ? plane->engine : "an unknown engine");
	if (is_later)
		n += snprintf(line + n, sizeof(line) - (size_t) n, is_fallback ?
			      " instead of %.100s as requested" :
			      ", a later engine of %.100s", plane->asked);
	if (missing)
		n += snprintf(line + n, sizeof(line) - (size_t) n,
			      ", %" PRIu32 " IO hosts are missing", missing);
	if (nameless)
		n += snprintf(line + n, sizeof(line) - (size_t) n,
			      ", %" PRIu32 " hosts are named by their GUID, for "
			      "example %s", nameless, s->fabric->hosts[example].name);
	snprintf(line + n, sizeof(line) - (size_t) n,
		 ", %" PRIu32 " us under OpenSM's lock, on disk after %" PRIu64 " ms",
		 k->topo->locked_us, sfab_clock_realtime_ms() - k->topo->time_ms);
	k->sm.log(k->sm.ctx, is_fallback || missing ? SFAB_OSM_ERROR : SFAB_OSM_INFO,
		  line);
}

/* Write the newest copy as a snapshot, and remember what is then on disk. */
static int save_keeper_snapshot(struct sfab_keeper *k, struct sfab_err *err)
{
	struct sfab_snapshot *s;
	uint32_t missing;
	int rc;

	s = sfab_osm_snapshot_make(&k->o, k->topo, &missing, err);
	if (!s)
		return -1;
	rc = sfab_snapshot_save(s, k->o.snapshot, SFAB_OSM_SNAPSHOT_MODE, err);
	if (rc == 0) {
		k->alive.fingerprint = s->fingerprint;
		/*
		 * Remember the file as it is now.  If somebody replaced or damaged it since it
		 * was written, remember nothing: the next confirmation then sees a touched
		 * file.
		 */
		if (stat(k->o.snapshot, &k->saved_file) < 0 ||
		    !sfab_osm_snapshot_is_saved(k->o.snapshot, k->alive.fingerprint))
			memset(&k->saved_file, 0, sizeof(k->saved_file));
		log_written(k, s, missing);
	}
	sfab_snapshot_destroy(s);
	return rc;
}

/* Is the snapshot as it was written?  0: somebody else touched, replaced or removed it. */
static int is_untouched(const struct sfab_keeper *k)
{
	struct stat current;

	return stat(k->o.snapshot, &current) == 0 && current.st_ino == k->saved_file.st_ino &&
	       current.st_size == k->saved_file.st_size &&
	       current.st_mtim.tv_sec == k->saved_file.st_mtim.tv_sec &&
	       current.st_mtim.tv_nsec == k->saved_file.st_mtim.tv_nsec;
}

/*
 * May this master write the snapshot?  If two masters use one folder, the one that may is
 * logged after each change.
 */
static int is_snapshot_ours(struct sfab_keeper *k, uint64_t now_s)
{
	char line[sizeof(struct sfab_log_once)] = "";
	struct sfab_alive other;
	int is_ours = sfab_osm_snapshot_is_mine(&k->o, &k->alive, now_s, &other);

	if (!is_ours)
		snprintf(line, sizeof(line),
			 "two masters write %s: 0x%016" PRIx64 ", master since %" PRIu64
			 ", continues; this one stops writing",
			 k->o.snapshot, other.sm_guid, other.since);
	log_keeper_error(k, OTHER_MASTER, line);
	return is_ours;
}

/* Write the snapshot if it is due.  After a failure wait, each time twice as long. */
static void write_due_snapshot(struct sfab_keeper *k, uint64_t mono_ms, uint64_t now_ms)
{
	struct sfab_err err;

	if (!k->is_unsaved || mono_ms < k->write_ms)
		return;
	if (is_snapshot_ours(k, now_ms / 1000)) {
		if (save_keeper_snapshot(k, &err) == 0) {
			log_recovered(k, SNAPSHOT, k->o.snapshot);
			k->is_unsaved = 0;
			k->retry_ms = RETRY_MS;
			k->write_ms = mono_ms + k->o.gap_ms;
			k->alive_ms = mono_ms;
			return;
		}
		log_keeper_error(k, SNAPSHOT, err.text);
	}
	k->write_ms = mono_ms + k->retry_ms;
	k->retry_ms = 2 * k->retry_ms < RETRY_MAX_MS ? 2 * k->retry_ms
						     : RETRY_MAX_MS;
}

static void write_alive(struct sfab_keeper *k, const struct sfab_alive *alive)
{
	struct sfab_err err;

	if (sfab_alive_save(alive, k->o.alive, SFAB_OSM_SNAPSHOT_MODE, &err) == 0)
		log_recovered(k, ALIVE, k->o.alive);
	else
		log_keeper_error(k, ALIVE, err.text);
}

/*
 * Confirm the snapshot if that is due.  If it was touched, or another master writes, have it
 * written again instead.
 */
static void write_due_alive(struct sfab_keeper *k, uint64_t mono_ms, uint64_t now_ms)
{
	/*
	 * A table may change between this look and the write: the confirmation is then that of
	 * a moment ago, and the next one waits for the new copy.
	 */
	if (k->is_unsaved || !k->topo || mono_ms < k->alive_ms ||
	    atomic_load(&k->doubt))
		return;
	k->alive_ms = mono_ms + k->o.alive_ms;
	k->alive.time = now_ms / 1000;
	if (is_snapshot_ours(k, k->alive.time) && is_untouched(k))
		write_alive(k, &k->alive);
	else
		k->is_unsaved = 1;	/* write ours, now or when we may */
}

/* Write the counters if a set of new values is complete. */
static void write_due_counters(struct sfab_keeper *k, uint64_t now_ms)
{
	struct sfab_counters *counters;
	struct sfab_err err;

	if (!*k->o.counters || !sfab_totals_is_ready(k->totals, now_ms))
		return;
	counters = sfab_totals_take(k->totals, now_ms, &err);
	if (!counters) {
		log_keeper_error(k, COUNTERS, err.text);
		return;
	}
	counters->half_life_s = k->o.half_life_s;
	sfab_counters_follow(counters, k->last_counters, 0);
	if (sfab_counters_save(counters, k->o.counters, SFAB_OSM_SNAPSHOT_MODE, &err) == 0)
		log_recovered(k, COUNTERS, k->o.counters);
	else
		log_keeper_error(k, COUNTERS, err.text);
	/* Also after a failure: rates are those since the last sample, saved or not. */
	sfab_counters_destroy(k->last_counters);
	k->last_counters = counters;
}

/*
 * Tell in fabric.alive that this SM stands by, unless another SM wrote there: a master's
 * confirmation must not be lost.
 */
static void write_due_standby(struct sfab_keeper *k, uint64_t mono_ms, uint64_t now_ms)
{
	const struct sfab_alive alive = {
		.sm_guid = k->sm.guid(k->sm.ctx), .time = now_ms / 1000, .standby = 1,
	};
	struct sfab_alive other;

	if (mono_ms < k->alive_ms || !alive.sm_guid)
		return;
	k->alive_ms = mono_ms + k->o.alive_ms;
	if (sfab_alive_load(k->o.alive, NULL, &other, NULL) < 0 ||
	    other.sm_guid == alive.sm_guid)
		write_alive(k, &alive);
}

/* Write the snapshot first: a confirmation must never refer to an older file. */
void sfab_keeper_step(struct sfab_keeper *k, uint64_t mono_ms, uint64_t now_ms)
{
	enum sfab_sm_state state = k->sm.state(k->sm.ctx);

	take_offer(k);
	if (state == SFAB_SM_MASTER) {
		write_due_snapshot(k, mono_ms, now_ms);
		write_due_alive(k, mono_ms, now_ms);
		write_due_counters(k, now_ms);
		return;
	}
	if (k->topo) {	/* what was known as a master no longer holds */
		sfab_topology_destroy(k->topo);
		k->topo = NULL;
		k->is_unsaved = 0;
		k->alive_ms = 0;
		memset(&k->alive, 0, sizeof(k->alive));
	}
	if (state == SFAB_SM_STANDBY)
		write_due_standby(k, mono_ms, now_ms);
}

static uint64_t monotonic_ms(void)
{
	return (uint64_t) sfab_clock_monotonic_ns() / 1000000;
}

static void step_now(struct sfab_keeper *k)
{
	sfab_keeper_step(k, monotonic_ms(), sfab_clock_realtime_ms());
}

/* Run the thread: write what is due, and sleep until something may be due again. */
static void *run_keeper(void *arg)
{
	struct sfab_keeper *k = arg;

	while (sfab_worker_goes_on(&k->worker)) {
		uint64_t mono, nap;

		step_now(k);
		/* How long may the thread sleep? */
		mono = monotonic_ms();
		nap = TICK_MS;
		if (*k->o.counters && sfab_totals_has_pending(k->totals))
			nap = SOON_MS;
		if (k->is_unsaved && k->write_ms < mono + nap)
			nap = k->write_ms > mono ? k->write_ms - mono : 0;
		if (k->o.alive_ms < nap)
			nap = k->o.alive_ms;
		sfab_worker_nap(&k->worker, nap);
	}
	/* The last step: write what waits for its gap or retry now. */
	k->write_ms = 0;
	step_now(k);
	return NULL;
}

struct sfab_keeper *sfab_keeper_create(struct sfab_osm_options *o,
				       const struct sfab_sm *sm,
				       struct sfab_err *err)
{
	struct sfab_keeper *k = calloc(1, sizeof(*k));

	if (k)
		k->totals = sfab_totals_create();
	if (!k || !k->totals) {
		free(k);
		sfab_osm_options_free(o);
		sfab_no_memory(err);
		return NULL;
	}
	k->o = *o;
	memset(o, 0, sizeof(*o));
	k->sm = *sm;
	k->retry_ms = RETRY_MS;
	return k;
}

int sfab_keeper_start(struct sfab_keeper *k, struct sfab_err *err)
{
	return sfab_worker_start(&k->worker, "sfab-keeper", run_keeper, k, err);
}

int sfab_keeper_destroy(struct sfab_keeper *k)
{
	if (!k)
		return 0;
	if (sfab_worker_stop(&k->worker) < 0)
		return -1;
	sfab_topology_destroy(atomic_load(&k->slot));
	sfab_topology_destroy(k->topo);
	sfab_totals_destroy(k->totals);
	sfab_counters_destroy(k->last_counters);
	sfab_osm_options_free(&k->o);
	free(k);
	return 0;
}

/* End the doubt: the new copy contains all changes so far. */
void sfab_keeper_offer(struct sfab_keeper *k, struct sfab_topology *t)
{
	sfab_topology_destroy(atomic_exchange(&k->slot, t));
	atomic_store(&k->doubt, 0);
	sfab_worker_wake(&k->worker);
}

void sfab_keeper_doubt(struct sfab_keeper *k)
{
	atomic_store(&k->doubt, 1);
}

void sfab_keeper_wake(struct sfab_keeper *k)
{
	sfab_worker_wake(&k->worker);
}

struct sfab_totals *sfab_keeper_totals(struct sfab_keeper *k)
{
	return k->totals;
}
