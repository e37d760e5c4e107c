/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loader.c - reads the files, says how long to trust them; see loader.h */

#include "place/state/loader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/log_once.h"
#include "io/thread.h"
#include "place/request/intent.h"
#include "place/state/conffile.h"
#include "place/state/counter_source.h"
#include "place/state/replica.h"
#include "place/state/snapfiles.h"
#include "place/state/watch.h"

#define NAME_SIZE 200		/* bytes of a path or of names of fabrics in a line */
#define ROUNDS 8		/* of events to apply while a world is prepared */

/* The subjects that are checked: each logs its own last error once. */
enum subject { POLICY, SNAPSHOT, ALIVE, AGE, COUNTERS,
	       NSUBJECTS };

struct sfab_loader {
	struct sfab_place_options o;
	char *conf_path;
	struct sfab_conffile *conf_file;
	struct sfab_feed *feed;
	struct sfab_logring *ring;
	struct sfab_news *news;		/* NULL: none */
	struct sfab_replica replica;

	struct sfab_meter meter;
	struct sfab_watch policy_file;
	struct sfab_snapfiles files;
	struct sfab_shared_conf *conf;	/* the last good one, or NULL */
	int fresh;		/* no world was made from it yet */
	struct sfab_shared_fabric *fabric;	/* of the newest world, or NULL */
	int current;		/* the snapshot on disk is the newest world's */
	int counted;		/* that world lacks the newest counters */
	uint64_t made_for;	/* serial of the node table at that time */
	int64_t confirmed;	/* when it last was, seconds since 1970 */
	struct sfab_said said[NSUBJECTS];

	struct sfab_worker worker;
};

/* Log each new error once; "" clears it silently. */
static void log_loader_error(struct sfab_loader *l, enum subject s,
			     const char *text)
{
	if (sfab_said_anew(&l->said[s], text) && *text && l->o.log)
		l->o.log(SFAB_LOG_ERROR, text);
}

static void log_loader_info(struct sfab_loader *l, const char *text)
{
	if (l->o.log)
		l->o.log(SFAB_LOG_INFO, text);
}

static const struct sfab_conf *conf_of(const struct sfab_loader *l)
{
	return l->conf ? l->conf->conf : NULL;
}

/* Use @conf from now on (taken over).  Without memory the one in use stays. */
static void use_conf(struct sfab_loader *l, struct sfab_conf *conf)
{
	struct sfab_shared_conf *shared = sfab_shared_conf_take(conf, &l->o.trust);

	if (!shared)
		return;
	/* Both files are read again once they have rested (watch.h). */
	if (l->conf && sfab_shared_conf_same(l->conf, shared)) {
		sfab_shared_conf_drop(shared);
		return;
	}
	sfab_shared_conf_drop(l->conf);
	l->conf = shared;
	log_loader_error(l, POLICY, shared->script_err.text);
	l->fresh = 1;
	/* Paths may have changed: read everything again. */
	sfab_snapfiles_reset(&l->files, conf);
	memset(&l->meter.file, 0, sizeof(l->meter.file));
	if (l->ring)
		sfab_logring_file(l->ring, conf->decision_log);
}

/* 1: sfabric.lua is not as it was when it was read last. */
static int policy_changed(struct sfab_loader *l)
{
	const struct sfab_conf *conf = conf_of(l);

	return conf && *conf->policy &&
	       sfab_watch_changed(&l->policy_file, conf->policy);
}

/*
 * The conf and the script that it names are read together.  Errors in a newer conf
 * were already logged where its modes are read.
 */
static void look_at_conf(struct sfab_loader *l)
{
	struct sfab_conf *conf = sfab_conffile_take(l->conf_file);

	if (!conf && policy_changed(l))
		conf = sfab_conf_load(l->conf_path, &l->o.trust, NULL);
	if (!conf)
		return;
	if (*conf->policy)	/* before it is read: misses no change */
		sfab_watch_changed(&l->policy_file, conf->policy);
	use_conf(l, conf);
}

/* Log what is now in use, and what of sfabric.conf does not fit it. */
static void tell_loaded(struct sfab_loader *l, const struct sfab_world *w)
{
	char line[sizeof(struct sfab_said)], name[NAME_SIZE];

	snprintf(line, sizeof(line),
		 "%s: %" PRIu32 " hosts, %" PRIu32 " switches, routed by %s, fingerprint 0x%016" PRIx64,
		 sfab_snapfiles_name(w->conf, name, sizeof(name)),
		 w->f->nhosts, w->f->nswitches,
		 w->f->nplanes && *w->f->planes[0].engine ?
		 w->f->planes[0].engine : "an unknown engine",
		 w->snap->fingerprint);
	log_loader_info(l, line);
	if (w->shared->ground.io_missing) {
		snprintf(line, sizeof(line),
			 "%" PRIu32 " hosts of IoSet lines are not in the fabric, or "
			 "not cabled: ignored", w->shared->ground.io_missing);
		log_loader_info(l, line);
	}
	if (w->shared->ground.io && sfab_iosets_uncabled(w->shared->ground.io, w->f)) {
		snprintf(line, sizeof(line),
			 "%" PRIu32 " ports of IO servers are not cabled: ignored",
			 sfab_iosets_uncabled(w->shared->ground.io, w->f));
		log_loader_info(l, line);
	}
	if (sfab_intent_observes(w->conf, w->f))
		log_loader_info(l, "its routes are adaptive: decisions are "
				   "only observed (Adaptive=observe)");
}

/* @w: as for sfab_replica_read(). */
static int read_news(struct sfab_loader *l, struct sfab_world *w, uint64_t now)
{
	int rc = l->news ? sfab_replica_read(&l->replica, l->news, w) : 0;

	sfab_replica_forget(&l->replica, sfab_meter_since(&l->meter, now));
	return rc;
}

/* A world that was not taken yet must be kept up to date. */
static void look_at_news(struct sfab_loader *l, uint64_t now)
{
	struct sfab_world *w;

	if (!l->news || !sfab_news_wait(l->news))
		return;
	/* Take it back first: while it is changed here, it must not be adopted. */
	w = sfab_feed_publish(l->feed, NULL);
	if (!read_news(l, w, now) && w)
		sfab_worlds_destroy(sfab_feed_publish(l->feed, w));
	else
		sfab_world_destroy(w);
}

/*
 * Log how many ports of the counters the fabric lacks, if the number is not
 * @before.
 */
static void tell_unknown(struct sfab_loader *l, uint32_t before)
{
	char line[sizeof(struct sfab_said)];

	if (!l->meter.unknown || l->meter.unknown == before)
		return;
	snprintf(line, sizeof(line), "%s: %" PRIu32 " of %" PRIu32
		 " ports are not in the snapshot", conf_of(l)->counters,
		 l->meter.unknown, l->meter.counters->n);
	log_loader_info(l, line);
}

/*
 * The number of rounds is bounded: on a busy cluster events never stop, and the
 * asking thread can apply the last few itself.
 */
/* Add everything that runs, including what began during the preparation. */
static int prepare_generation(struct sfab_loader *l, struct sfab_world *w,
			      uint64_t now)
{
	if (sfab_replica_prepare(&l->replica, w))
		return -1;
	sfab_meter_prepare(&l->meter, w, now);
	l->made_for = w->made_for;
	for (int i = 0; i < ROUNDS && w->made_for && sfab_news_wait(l->news); i++)
		if (read_news(l, w, now))
			break;	/* other nodes: the next world is for them */
	return 0;
}

/* With current jobs and counters it becomes the newest. */
static void publish_generation(struct sfab_loader *l, struct sfab_world *w,
			       uint64_t now)
{
	uint32_t unknown = l->meter.unknown;

	if (l->fabric != w->shared) {
		sfab_shared_fabric_drop(l->fabric);
		l->fabric = w->shared;
		l->fabric->users++;
		l->fresh = 0;
	}
	/* First the events so far, so that the replica is as new as possible. */
	read_news(l, NULL, now);
	if (prepare_generation(l, w, now)) {
		sfab_world_destroy(w);
		l->counted = 1;		/* no memory: try again at the next tick */
		return;
	}
	tell_unknown(l, unknown);
	l->counted = 0;
	sfab_worlds_destroy(sfab_feed_publish(l->feed, w));
}

/*
 * New content gets a world of its own; the same content written again only
 * confirms the existing world.
 */
static int take_snapshot(struct sfab_loader *l, struct sfab_snapshot *snap,
			 uint64_t now, struct sfab_err *err)
{
	struct sfab_world *w;

	if (l->fabric && !l->fresh &&
	    snap->fingerprint == l->fabric->snap->fingerprint) {
		sfab_snapshot_destroy(snap);
		return 0;
	}
	w = sfab_world_take(snap, l->conf, err);
	if (!w)
		return -1;
	tell_loaded(l, w);
	if (w->rules)
		w->rules->log = l->o.log;
	if (w->shared->ground.script_err.code)
		log_loader_error(l, POLICY, w->shared->ground.script_err.text);
	publish_generation(l, w, now);
	return 0;
}

/* If a new file is wrong, the error is logged and the snapshot in use stays. */
static void load_changed_snapshot(struct sfab_loader *l, uint64_t now)
{
	const struct sfab_conf *conf = conf_of(l);
	struct sfab_err err = { 0 };
	struct sfab_snapshot *snap;

	if (!sfab_snapfiles_changed(&l->files, conf))
		return;
	snap = sfab_snapfiles_load(&l->files, conf, &l->o.trust, &err);
	l->current = snap && !take_snapshot(l, snap, now, &err);
	log_loader_error(l, SNAPSHOT, l->current ? "" : err.text);
}

/* Counters that cannot be read stay as they are: they fade out by their age. */
static void read_changed_counters(struct sfab_loader *l)
{
	struct sfab_err err = { 0 };
	int rc = sfab_meter_read(&l->meter, conf_of(l)->counters, &l->o.trust,
				 &err);

	if (!rc)
		return;
	log_loader_error(l, COUNTERS, err.text);
	if (rc > 0)
		l->counted = 1;
}

/*
 * New counters, aged ones, or another node table: make a world of the same fabric
 * with other loads, so that the asking thread need not compute them.
 */
static void look_at_loads(struct sfab_loader *l, uint64_t now)
{
	struct sfab_err err = { 0 };
	struct sfab_world *w;

	if (!l->fabric ||
	    !(l->counted || now >= l->meter.next_s ||
	      l->made_for != l->replica.made_for))
		return;
	w = sfab_world_again(l->fabric, &err);
	if (w)
		publish_generation(l, w, now);
	else
		log_loader_error(l, COUNTERS, err.text);
}

/* Set l->confirmed, the time until which the routes are known to hold. */
static void confirm_by_alive(struct sfab_loader *l, int64_t now)
{
	struct sfab_err err = { 0 };

	sfab_snapfiles_confirm(&l->files, conf_of(l), &l->o.trust, now,
			       &l->confirmed, &err);
	log_loader_error(l, ALIVE, err.text);
}

/* Log whether it is confirmed; returns until when, in seconds since 1970. */
static int64_t judge_age(struct sfab_loader *l, int64_t now)
{
	uint32_t age = conf_of(l)->max_snapshot_age_s;
	char line[sizeof(struct sfab_said)] = "", name[NAME_SIZE];
	int64_t until = l->confirmed + age;

	if (!l->fabric)
		return 0;
	if (!age)
		return l->current ? SFAB_FOREVER : 0;
	if (until <= now)
		snprintf(line, sizeof(line),
			 "%s: not confirmed since %" PRId64 " (MaxSnapshotAge=%" PRIu32 "): Slurm places jobs",
			 sfab_snapfiles_name(conf_of(l), name, sizeof(name)),
			 l->confirmed, age);
	log_loader_error(l, AGE, line);
	return until > now ? until : 0;
}

/* All files except sfabric.conf, which has a thread of its own. */
static void look_at_files(struct sfab_loader *l, int64_t now)
{
	int64_t until = 0;

	sfab_worlds_destroy(sfab_feed_collect(l->feed));
	look_at_news(l, (uint64_t) now);
	look_at_conf(l);
	if (l->conf) {
		read_changed_counters(l);
		load_changed_snapshot(l, (uint64_t) now);
		look_at_loads(l, (uint64_t) now);
		if (conf_of(l)->max_snapshot_age_s)
			confirm_by_alive(l, now);
		until = judge_age(l, now);
	}
	atomic_store(&l->feed->until, until);
}

void sfab_loader_step(struct sfab_loader *l, int64_t now)
{
	sfab_conffile_step(l->conf_file);
	look_at_files(l, now);
}

/* The thread: looks at all files until the service ends. */
static void *run_loader(void *arg)
{
	struct sfab_loader *l = arg;

	while (sfab_worker_goes_on(&l->worker)) {
		look_at_files(l, time(NULL));
		sfab_worker_nap(&l->worker, l->o.tick_ms);
	}
	return NULL;
}

struct sfab_loader *sfab_loader_create(const struct sfab_place_options *o,
				       struct sfab_feed *feed,
				       struct sfab_err *err)
{
	struct sfab_loader *l = calloc(1, sizeof(*l));

	if (!l || !(l->conf_path = strdup(o->conf_path))) {
		free(l);
		sfab_no_memory(err);
		return NULL;
	}
	l->o = *o;
	l->o.tick_ms = o->tick_ms ? o->tick_ms : SFAB_PLACE_TICK_MS;
	l->feed = feed;
	l->conf_file = sfab_conffile_create(o, feed, err);
	if (l->conf_file && !sfab_worker_init(&l->worker, err))
		return l;
	sfab_loader_destroy(l);
	return NULL;
}

int sfab_loader_destroy(struct sfab_loader *l)
{
	int hangs;

	if (!l)
		return 0;
	hangs = sfab_worker_stop(&l->worker);
	if (sfab_conffile_stop(l->conf_file) || hangs)
		return -1;
	sfab_conffile_destroy(l->conf_file);
	sfab_worlds_destroy(sfab_feed_publish(l->feed, NULL));
	sfab_worlds_destroy(sfab_feed_collect(l->feed));
	sfab_shared_fabric_drop(l->fabric);
	sfab_replica_clear(&l->replica);
	sfab_meter_clear(&l->meter);
	sfab_shared_conf_drop(l->conf);
	sfab_worker_clear(&l->worker);
	free(l->conf_path);
	free(l);
	return 0;
}

void sfab_loader_log(struct sfab_loader *l, struct sfab_logring *ring)
{
	l->ring = ring;
}

void sfab_loader_news(struct sfab_loader *l, struct sfab_news *news)
{
	l->news = news;
}

int sfab_loader_start(struct sfab_loader *l, struct sfab_err *err)
{
	return sfab_conffile_start(l->conf_file, &l->worker, err) ||
		       sfab_worker_start(&l->worker, "sfab-loader", run_loader,
					 l, err)
		   ? -1
		   : 0;
}
