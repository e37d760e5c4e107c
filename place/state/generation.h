/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * generation.h - one snapshot with its configuration, ready for questions
 *
 * The loader builds a generation completely, then hands it to the asking thread; nothing else
 * touches it until that thread hands it back.  Fabric, IO sets, conf and model never change and
 * are shared by generations that differ only in measured loads.  After the handoff, jobs,
 * scorer and stepper belong to the asking thread.
 */
#ifndef SFAB_PLACE_GENERATION_H
#define SFAB_PLACE_GENERATION_H

#include "core/err.h"
#include "core/load/jobs.h"
#include "core/load/measured.h"
#include "core/load/model.h"
#include "core/load/stepper.h"
#include "core/search/score.h"
#include "io/conf/conf.h"
#include "io/learn/found_traffic.h"
#include "io/learn/history.h"
#include "io/snapshot/snapshot.h"
#include "place/nodes.h"
#include "place/request/scratch.h"
#include "place/request/script_cache.h"
#include "place/state/site_view.h"

/*
 * A conf shared by all generations made from one sfabric.conf.  Not atomic: only the thread
 * that makes and destroys generations touches the reference count.
 */
struct sfab_shared_conf {
	struct sfab_conf *conf;
	struct sfab_script *script;	/* NULL: none, or it has an error */
	struct sfab_err script_err;	/* that error */
	unsigned users;
};

/* A fabric with what conf and script say about it; its users are counted like a conf's. */
struct sfab_shared_fabric {
	struct sfab_shared_conf *conf;
	struct sfab_snapshot *snap;
	struct sfab_site_view view;
	struct sfab_model *model;
	struct sfab_packing packing;
	unsigned users;
};

struct sfab_generation {
	struct sfab_shared_fabric *shared;
	const struct sfab_conf *conf;		/* from here to model: pointers into shared */
	const struct sfab_snapshot *snap;
	const struct sfab_fabric *f;
	const struct sfab_iosets *io;		/* the view's */
	struct sfab_model *model;
	struct sfab_script_cache *script_cache;	/* NULL: no script */
	struct sfab_jobs *jobs;
	struct sfab_scorer *scorer;
	struct sfab_stepper *stepper;
	struct sfab_measured *measured;		/* of its links, NULL: none */
	double full_hours;			/* if measured: hours of full links between
						   switches, summed over links, since the loader
						   began */
	struct sfab_history *history;		/* what jobs sent before, NULL: none */
	struct sfab_found *found;		/* what running jobs send, NULL: none */

	/* prepared by the loader for the nodes and jobs of that time (replica.h) */
	uint64_t base_serial;			/* serial it was requested for, 0: none */
	struct sfab_nodes nodes;		/* hosts of its nodes */
	struct sfab_scratch scratch;		/* storage for questions */
	uint64_t serial;			/* serial of the last event included in jobs */

	struct sfab_generation *next;		/* chain of generations handed back */
};

/*
 * Take over @conf, and read the script that it names.  The caller is its one user.  NULL: no
 * memory, then @conf is destroyed.
 */
struct sfab_shared_conf *sfab_shared_conf_take(struct sfab_conf *conf,
					       const struct sfab_trust *trust);
void sfab_shared_conf_drop(struct sfab_shared_conf *shared);	/* NULL is fine */
/* Would generations made from the two be equal? */
int sfab_shared_conf_same(const struct sfab_shared_conf *a, const struct sfab_shared_conf *b);

/*
 * Create the first generation of a fabric, without jobs.  Takes over @snap, also on failure,
 * and becomes a user of @conf.  A script that fails for the hosts of this fabric is left out,
 * and the site view holds the error.  NULL with *err: no memory.
 */
struct sfab_generation *sfab_generation_take(struct sfab_snapshot *snap,
					     struct sfab_shared_conf *shared,
					     struct sfab_err *err);

/* Create another generation of the same fabric, without jobs.  NULL with *err: no memory. */
struct sfab_generation *sfab_generation_again(struct sfab_shared_fabric *shared,
					      struct sfab_err *err);
void sfab_shared_fabric_drop(struct sfab_shared_fabric *shared); /* NULL is fine */
void sfab_generation_destroy(struct sfab_generation *gen);	/* NULL is fine */
void sfab_generations_destroy(struct sfab_generation *chain);	/* by ->next */

#endif
