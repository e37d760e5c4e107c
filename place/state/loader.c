/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loader.c - reads the files, says how long to trust them; see loader.h
 *
 * One tick (look_at_files()) after the other, every half second by default:
 *
 *     generations that the asking thread handed back are freed
 *     events are applied to the replica, and to a generation not yet adopted
 *     sfabric.conf and the script, counters, snapshot, history, found traffic:
 *     each is read if it changed
 *     a generation is made if one of them asks for it
 *     how long the snapshot holds is stored where the asking thread reads it
 *
 * Whatever the tick was doing when something failed, the generation in use stays in use, the
 * reason is logged once, and the next tick tries again.
 *
 * Ownership: until it is adopted, a published generation may be taken back and changed here;
 * afterwards it belongs to the asking thread until that retires it.
 */

#include "place/state/loader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/conf/conf_guess.h"
#include "io/log_once.h"
#include "io/worker.h"
#include "place/log/say_log.h"
#include "place/request/intent.h"
#include "place/state/conffile.h"
#include "place/state/feedback.h"
#include "place/state/jobload.h"
#include "place/state/replica.h"
#include "place/state/snapfiles.h"
#include "place/state/watch.h"

#define NAME_SIZE 200		/* bytes of a path or of names of fabrics in a line */
#define ROUNDS 8	/* of events to apply while a generation is prepared */

/* What is checked: an error of each is logged once. */
enum loader_subject { POLICY, SNAPSHOT, ALIVE, AGE, COUNTERS, HISTORY, FOUND, NSUBJECTS };

struct sfab_loader {
	struct sfab_place_options o;
	struct sfab_conffile conf_file;
	struct sfab_handoff *handoff;
	struct sfab_logring *ring;
	struct sfab_event_queue *event_queue;
	struct sfab_replica replica;

	struct sfab_feedback feedback;
	int strays_logged;			/* the last line said that packets stray */
	struct sfab_watch policy_file;
	struct sfab_snapfiles files;
	struct sfab_shared_conf *conf;		/* the last good one, or NULL */
	int has_new_conf;			/* no generation was made from it yet */
	struct sfab_shared_fabric *fabric;	/* the newest generation's, or NULL */
	int snapshot_is_gone;			/* from the disk */
	int needs_update;			/* the newest generation lacks counters or what
						   was learned: the next tick makes another */
	uint64_t published_serial;		/* base_serial of the newest generation */
	uint64_t listed_serial;			/* base_serial of conf->nodes (IoSet=auto) */
	int64_t confirmed;			/* when the snapshot last was, seconds since 1970 */
	struct sfab_log_once logged[NSUBJECTS];

	struct sfab_worker worker;
};

/* Log each new error once; "" clears it silently. */
static void log_loader_error(struct sfab_loader *l, enum loader_subject s, const char *text)
{
	if (sfab_log_once_record(&l->logged[s], text) && *text)
		sfab_say(l->o.log, SFAB_LOG_ERROR, "%s", text);
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
	/* Usually the second read of the same files (watch.h). */
	if (l->conf && sfab_shared_conf_same(l->conf, shared)) {
		sfab_shared_conf_drop(shared);
		return;
	}
	sfab_shared_conf_drop(l->conf);
	l->conf = shared;
	log_loader_error(l, POLICY, shared->script_err.text);
	if (shared->script)
		sfab_say(l->o.log, SFAB_LOG_INFO, "the script that Policy names is now in use");
	l->has_new_conf = 1;
	/* Paths may have changed: read everything again. */
	sfab_snapfiles_reset(&l->files, conf);
	sfab_feedback_reset(&l->feedback);
	if (l->ring)
		sfab_logring_file(l->ring, conf->decision_log);
}

/*
 * Read the conf and the script that it names together.  Errors in a newer conf were already
 * logged where its modes are read.
 */
static void look_at_conf(struct sfab_loader *l)
{
	struct sfab_conf *conf = sfab_conffile_take(&l->conf_file);
	const struct sfab_conf *old = conf_of(l);

	if (!conf && old && *old->policy && sfab_watch_check(&l->policy_file, old->policy))
		conf = sfab_conf_load(l->o.conf_path, &l->o.trust, NULL);
	if (!conf)
		return;
	if (*conf->policy)	/* noted before it is read, so no change is missed */
		sfab_watch_check(&l->policy_file, conf->policy);
	use_conf(l, conf);
}

/* Log what is now in use, and what of sfabric.conf does not fit it. */
static void log_loaded(struct sfab_loader *l, const struct sfab_generation *gen)
{
	const struct sfab_iosets *io = gen->shared->view.io;
	const struct sfab_intent_site site = { .conf = gen->conf, .f = gen->f, .io = io };
	const char *engine = gen->f->nplanes ? gen->f->planes[0].engine : "";
	char text[sizeof(struct sfab_log_once)];

	sfab_say(l->o.log, SFAB_LOG_INFO,
		 "%s: %" PRIu32 " hosts, %" PRIu32
		 " switches, routed by %s, fingerprint 0x%016" PRIx64,
		 sfab_snapfiles_name(gen->conf, text, NAME_SIZE), gen->f->nhosts,
		 gen->f->nswitches, *engine ? engine : "an unknown engine",
		 gen->snap->fingerprint);
	if (*sfab_intent_lacking(&site, text, sizeof(text)))
		sfab_say(l->o.log, SFAB_LOG_INFO, "%s", text);
	if (gen->shared->view.io_missing)
		sfab_say(l->o.log, SFAB_LOG_INFO, "%" PRIu32 " hosts of IoSet lines are not in "
			 "the fabric, or not cabled: ignored", gen->shared->view.io_missing);
	if (io && sfab_iosets_uncabled(io, gen->f))
		sfab_say(l->o.log, SFAB_LOG_INFO, "%" PRIu32 " ports of IO servers are not "
			 "cabled: ignored", sfab_iosets_uncabled(io, gen->f));
	if (sfab_intent_observes(gen->conf, gen->f))
		sfab_say(l->o.log, SFAB_LOG_INFO, gen->f->adaptive == SFAB_ADAPTIVE_UNKNOWN ?
			 "its switches adapt, or can, over unknown ports (sfabric collect or "
			 "ibdiagnet2.far tell, or Adaptive=no if they do not): decisions are "
			 "only observed" :
			 "its routes are adaptive: decisions are only observed "
			 "(Adaptive=observe)");
}

/* Apply new events, and forget jobs that ended long ago.  @gen: as for sfab_replica_read(). */
static int read_events(struct sfab_loader *l, struct sfab_generation *gen, uint64_t now_s)
{
	int rc = sfab_replica_read(&l->replica, l->event_queue, gen);

	sfab_replica_forget(&l->replica, sfab_feedback_horizon(&l->feedback, now_s));
	return rc;
}

/* Keep a generation that was not taken yet up to date. */
static void look_at_events(struct sfab_loader *l, uint64_t now_s)
{
	struct sfab_generation *gen;

	if (!sfab_event_queue_wait(l->event_queue))
		return;
	/* Take it back first: while it is changed here, it must not be adopted. */
	gen = sfab_handoff_publish(l->handoff, NULL);
	if (read_events(l, gen, now_s) == 0 && gen)
		sfab_generations_destroy(sfab_handoff_publish(l->handoff, gen));
	else
		sfab_generation_destroy(gen);
}

/* Log how many ports of the counters the fabric lacks, if it was another number @before. */
static void log_unknown(struct sfab_loader *l, uint32_t before)
{
	uint32_t unknown = l->feedback.nunknown;

	if (unknown && unknown != before)
		sfab_say(l->o.log, SFAB_LOG_INFO,
			 "%s: %" PRIu32 " of %" PRIu32 " ports are not in the snapshot",
			 conf_of(l)->counters, unknown, l->feedback.counters->n);
}

/*
 * Add everything that runs, including what began during the preparation.  The number of rounds
 * is bounded: on a busy cluster events never stop, and the asking thread can apply the last few
 * itself.
 */
static int prepare_generation(struct sfab_loader *l, struct sfab_generation *gen, uint64_t now_s)
{
	if (sfab_replica_prepare(&l->replica, gen) < 0)
		return -1;
	sfab_feedback_measure(&l->feedback, gen, now_s);
	l->published_serial = gen->base_serial;
	for (int i = 0;
	     i < ROUNDS && gen->base_serial && sfab_event_queue_wait(l->event_queue);
	     i++)
		if (read_events(l, gen, now_s) < 0)
			break;	/* the node table changed: the next generation is for it */
	return 0;
}

/* Log once when packets begin to leave the routes of the tables, and when that ends. */
static void log_strays(struct sfab_loader *l, const struct sfab_generation *gen)
{
	int strays = sfab_jobload_site(gen).has_strays;

	if (strays && !l->strays_logged)
		sfab_say(l->o.log, SFAB_LOG_INFO, "%.0f %% of the measured bytes are where the "
			 "tables say (MinFollowed=%" PRIu32 "): decisions are only observed",
			 100 * gen->found->followed, gen->conf->min_followed);
	else if (!strays && l->strays_logged)
		sfab_say(l->o.log, SFAB_LOG_INFO,
			 "the measured bytes are where the tables say again");
	l->strays_logged = strays;
}

/* Add current jobs and counters to @gen, and offer it to the asking thread. */
static void publish_generation(struct sfab_loader *l, struct sfab_generation *gen, uint64_t now_s)
{
	uint32_t unknown = l->feedback.nunknown;

	if (l->fabric != gen->shared) {
		sfab_shared_fabric_drop(l->fabric);
		l->fabric = gen->shared;
		/* Read the history again, to see if it is of this fabric. */
		memset(&l->feedback.history_file, 0, sizeof(l->feedback.history_file));
		l->fabric->users++;
		l->has_new_conf = 0;
	}
	sfab_feedback_lend(&l->feedback, gen, now_s);
	/* Now, so that the replica is as new as possible. */
	read_events(l, NULL, now_s);
	if (prepare_generation(l, gen, now_s)) {
		sfab_generation_destroy(gen);
		l->needs_update = 1;		/* no memory: try again at the next tick */
		return;
	}
	log_unknown(l, unknown);
	log_strays(l, gen);
	l->needs_update = 0;
	sfab_generations_destroy(sfab_handoff_publish(l->handoff, gen));
}

/*
 * Make a generation of new content; the same content written again only confirms the existing
 * one.
 */
static int take_snapshot(struct sfab_loader *l, struct sfab_snapshot *snap,
			 uint64_t now_s, struct sfab_err *err)
{
	struct sfab_generation *gen;

	if (l->fabric && !l->has_new_conf &&
	    snap->fingerprint == l->fabric->snap->fingerprint) {
		sfab_snapshot_destroy(snap);
		return 0;
	}
	gen = sfab_generation_take(snap, l->conf, err);
	if (!gen)
		return -1;
	log_loaded(l, gen);
	if (gen->script_cache)
		gen->script_cache->log = l->o.log;
	if (gen->shared->view.script_err.code)
		log_loader_error(l, POLICY, gen->shared->view.script_err.text);
	publish_generation(l, gen, now_s);
	return 0;
}

/*
 * Make a new fabric if the node table is new and IoSet=auto: then it decides which hosts can be
 * IO servers.  Only this thread reads the conf's nodes.
 */
static void look_at_nodes(struct sfab_loader *l)
{
	struct sfab_conf *conf = l->conf->conf;
	char *list;

	if (!sfab_conf_finds_io(conf) || !l->replica.base_serial ||
	    (conf->nodes && l->listed_serial == l->replica.base_serial))
		return;
	l->listed_serial = l->replica.base_serial;
	list = sfab_nodes_fold(&l->replica.nodes);
	if (!list || (conf->nodes && strcmp(list, conf->nodes) == 0)) {
		free(list);
		return;
	}
	free(conf->nodes);
	conf->nodes = list;
	l->has_new_conf = 1;
	sfab_snapfiles_reset(&l->files, conf);
}

/*
 * Read the snapshot if a file of it changed.  If that fails, log what happens now: the routes
 * in use stay, unless there are none or an admin removed the file.
 */
static void load_changed_snapshot(struct sfab_loader *l, uint64_t now_s)
{
	const struct sfab_conf *conf = conf_of(l);
	char line[sizeof(struct sfab_log_once)];
	struct sfab_err err = { 0 };
	struct sfab_snapshot *snap;

	if (!sfab_snapfiles_check(&l->files, conf))
		return;
	snap = sfab_snapfiles_load(&l->files, conf, &l->o.trust, &err);
	l->snapshot_is_gone = !snap && err.code == SFAB_ENOENT;
	if (snap && !take_snapshot(l, snap, now_s, &err)) {
		log_loader_error(l, SNAPSHOT, "");
		return;
	}
	snprintf(line, sizeof(line), "%.350s: %s", err.text,
		 l->fabric && (!l->snapshot_is_gone || conf_of(l)->max_snapshot_age_s) ?
		 "the last good one stays in use" : "Slurm places jobs");
	log_loader_error(l, SNAPSHOT, line);
}

/*
 * Note that a file was read.  @rc > 0: it changed, and the next generation has it.  0: it did
 * not change.  -1: @err says why not.
 */
static void note_read(struct sfab_loader *l, enum loader_subject s, int rc,
		      const struct sfab_err *err)
{
	if (rc)
		log_loader_error(l, s, err->text);
	l->needs_update |= rc > 0;
}

/* Read what was learned and found.  What cannot be read stays as it was; what was found ages. */
static void read_changed_learning(struct sfab_loader *l)
{
	const struct sfab_conf *conf = conf_of(l);
	struct sfab_err history = { 0 }, found = { 0 };
	int rc = sfab_feedback_read_history(&l->feedback, conf->history,
					    l->fabric ? l->fabric->snap->fabric : NULL,
					    &l->o.trust, &history);

	note_read(l, HISTORY, rc, &history);
	rc = sfab_feedback_read_found(&l->feedback, conf->found_traffic, &l->o.trust, &found);
	note_read(l, FOUND, rc, &found);
}

/*
 * Make a generation of the same fabric with other loads, if there are new counters, aged ones,
 * or another node table, so that the asking thread need not compute them.
 */
static void look_at_loads(struct sfab_loader *l, uint64_t now_s)
{
	struct sfab_err err = { 0 };
	struct sfab_generation *gen;

	if (!l->fabric || !(l->needs_update || now_s >= l->feedback.next_s ||
			    l->published_serial != l->replica.base_serial))
		return;
	gen = sfab_generation_again(l->fabric, &err);
	if (gen)
		publish_generation(l, gen, now_s);
	else
		log_loader_error(l, COUNTERS, err.text);
}

/*
 * Return until when the snapshot counts as confirmed, in seconds since 1970; 0: it does not.
 * Log once that it does not.
 */
static int64_t judge_age(struct sfab_loader *l, int64_t now_s)
{
	uint32_t age = conf_of(l)->max_snapshot_age_s;
	char line[sizeof(struct sfab_log_once)] = "", name[NAME_SIZE];
	int64_t expiry_s = l->confirmed + age;

	if (!l->fabric)
		return 0;
	if (!age)
		return l->snapshot_is_gone ? 0 : SFAB_FOREVER;
	if (expiry_s <= now_s)
		snprintf(line, sizeof(line),
			 "%s: not confirmed since %" PRId64 " (MaxSnapshotAge=%" PRIu32
			 "): Slurm places jobs",
			 sfab_snapfiles_name(conf_of(l), name, sizeof(name)), l->confirmed, age);
	log_loader_error(l, AGE, line);
	return expiry_s > now_s ? expiry_s : 0;
}

/* Look at all files except sfabric.conf, which has a thread of its own. */
static void look_at_files(struct sfab_loader *l, int64_t now_s)
{
	struct sfab_err counters = { 0 }, alive = { 0 };
	int64_t expiry_s = 0;
	int rc;

	sfab_generations_destroy(sfab_handoff_collect(l->handoff));
	look_at_events(l, (uint64_t) now_s);
	look_at_conf(l);
	if (l->conf) {
		/* Counters that cannot be read stay as they are: they fade out by their age. */
		rc = sfab_feedback_read_counters(&l->feedback, conf_of(l)->counters,
						 &l->o.trust, &counters);
		note_read(l, COUNTERS, rc, &counters);
		look_at_nodes(l);
		load_changed_snapshot(l, (uint64_t) now_s);
		read_changed_learning(l);
		look_at_loads(l, (uint64_t) now_s);
		if (conf_of(l)->max_snapshot_age_s) {
			sfab_snapfiles_confirm(&l->files, conf_of(l), &l->o.trust, now_s,
					       &l->confirmed, &alive);
			log_loader_error(l, ALIVE, alive.text);
		}
		expiry_s = judge_age(l, now_s);
	}
	atomic_store(&l->handoff->expiry_s, expiry_s);
}

void sfab_loader_step(struct sfab_loader *l, int64_t now_s)
{
	sfab_conffile_step(&l->conf_file);
	look_at_files(l, now_s);
}

/* Run the thread: look at all files until the service ends. */
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
				       struct sfab_handoff *handoff,
				       struct sfab_event_queue *queue,
				       struct sfab_logring *ring, struct sfab_err *err)
{
	struct sfab_loader *l = calloc(1, sizeof(*l));

	if (!l) {
		sfab_no_memory(err);
		return NULL;
	}
	l->o = *o;
	l->handoff = handoff;
	l->event_queue = queue;
	l->ring = ring;
	l->conf_file.o = &l->o;
	l->conf_file.handoff = handoff;
	l->conf_file.loader = &l->worker;
	return l;
}

/* End the conf's thread first, since it wakes the other one. */
int sfab_loader_destroy(struct sfab_loader *l)
{
	int hangs;

	if (!l)
		return 0;
	hangs = sfab_worker_stop(&l->conf_file.worker);
	if (sfab_worker_stop(&l->worker) < 0 || hangs)
		return -1;
	sfab_conffile_clear(&l->conf_file);
	sfab_generations_destroy(sfab_handoff_publish(l->handoff, NULL));
	sfab_generations_destroy(sfab_handoff_collect(l->handoff));
	sfab_shared_fabric_drop(l->fabric);
	sfab_replica_clear(&l->replica);
	sfab_feedback_clear(&l->feedback);
	sfab_shared_conf_drop(l->conf);
	free(l);
	return 0;
}

int sfab_loader_start(struct sfab_loader *l, struct sfab_err *err)
{
	int rc = sfab_worker_start(&l->worker, "sfab-loader", run_loader, l, err) ||
		 sfab_conffile_start(&l->conf_file, err);

	return rc ? -1 : 0;
}
