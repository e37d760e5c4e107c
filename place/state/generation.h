/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * generation.h - one snapshot with its configuration, ready to be asked
 *
 * Made whole by the loader, then handed to the thread that asks; nobody else
 * looks at it until that one hands it back.  Fabric, IO sets, conf and model
 * never change and are shared by the worlds that differ only in what was
 * measured; jobs and scorer are the asking thread's afterwards.
 */
#ifndef SFAB_PLACE_GENERATION_H
#define SFAB_PLACE_GENERATION_H

#include "core/err.h"
#include "core/load/jobs.h"
#include "core/load/measured.h"
#include "core/load/model.h"
#include "core/search/score.h"
#include "io/conf/conf.h"
#include "io/snapshot/snapshot.h"
#include "place/request/policy_cache.h"
#include "place/request/request.h"
#include "place/state/nodes.h"
#include "place/state/site_view.h"

/*
 * A conf that several worlds share: those made of one sfabric.conf.  Only the
 * thread that makes and destroys worlds touches the count.
 */
struct sfab_shared_conf {
	struct sfab_conf *conf;
	struct sfab_script *script;	/* NULL: none, or one that is wrong */
	struct sfab_err script_err;	/* what is wrong with it */
	unsigned users;
};

/* A fabric with what conf and script say of it; counted as a conf is. */
struct sfab_shared_fabric {
	struct sfab_shared_conf *conf;
	struct sfab_snapshot *snap;
	struct sfab_ground ground;
	struct sfab_model *model;
	unsigned users;
};

struct sfab_world {
	struct sfab_shared_fabric *shared;
	const struct sfab_conf *conf;	/* from here on what is in it */
	const struct sfab_snapshot *snap;
	const struct sfab_fabric *f;
	const struct sfab_iosets *io;	/* the ground's */
	struct sfab_model *model;
	struct sfab_rules *rules;	/* NULL: no script */
	struct sfab_jobs *jobs;
	struct sfab_scorer *scorer;
	struct sfab_measured *measured;	/* of its links, NULL: nothing */

	/* what the loader did for the node table and jobs of then (replica.h) */
	uint64_t made_for;	/* serial that it was wanted for, 0: nothing */
	struct sfab_nodes nodes;	/* hosts of its nodes */
	struct sfab_scratch scratch;	/* room for questions */
	uint64_t as_of;		/* serial of the last news that are in jobs */

	struct sfab_world *next;	/* of those handed back */
};

/*
 * One user, the caller.  Reads the script that the conf names.  NULL: memory,
 * then @conf is destroyed.
 */
struct sfab_shared_conf *sfab_shared_conf_take(struct sfab_conf *conf,
					       const struct sfab_trust *trust);
void sfab_shared_conf_drop(struct sfab_shared_conf *shared);	/* NULL is fine */

/*
 * Takes over @snap, also on failure; uses @shared.  A script that fails at the
 * hosts of this fabric is left out, with its trouble in the ground.  NULL with *err:
 * memory.
 */
struct sfab_world *sfab_world_take(struct sfab_snapshot *snap,
				   struct sfab_shared_conf *shared,
				   struct sfab_err *err);

/* Another world of the same fabric: no job is on it.  NULL with *err: memory. */
struct sfab_world *sfab_world_again(struct sfab_shared_fabric *shared,
				    struct sfab_err *err);
void sfab_shared_fabric_drop(struct sfab_shared_fabric *shared); /* NULL is fine */
void sfab_world_destroy(struct sfab_world *w);		/* NULL is fine */
void sfab_worlds_destroy(struct sfab_world *chain);	/* by ->next; the same */

#endif
