/* SPDX-License-Identifier: GPL-2.0-or-later */
/* world.c - a snapshot with its configuration; see world.h */

#include "world.h"

#include <stdlib.h>
#include <strings.h>

struct sfab_shared_conf *sfab_shared_conf_take(struct sfab_conf *conf,
					       const struct sfab_trust *trust)
{
	struct sfab_shared_conf *shared = calloc(1, sizeof(*shared));

	if (!shared) {
		sfab_conf_destroy(conf);
		return NULL;
	}
	if (*conf->policy)
		shared->script = sfab_script_load(conf->policy, trust,
						  &shared->script_err);
	shared->conf = conf;
	shared->users = 1;
	return shared;
}

void sfab_shared_conf_drop(struct sfab_shared_conf *shared)
{
	if (!shared || --shared->users)
		return;
	sfab_script_destroy(shared->script);
	sfab_conf_destroy(shared->conf);
	free(shared);
}

void sfab_world_destroy(struct sfab_world *w)
{
	if (!w)
		return;
	sfab_nodes_clear(&w->nodes);
	sfab_scratch_free(&w->scratch);
	free(w->told);
	sfab_measured_destroy(w->measured);
	sfab_scorer_destroy(w->scorer);
	sfab_jobs_destroy(w->jobs);
	sfab_model_destroy(w->model);
	sfab_rules_destroy(w->rules);
	sfab_ground_clear(&w->ground);
	sfab_snapshot_destroy(w->snap);
	sfab_shared_conf_drop(w->shared);
	free(w);
}

static int is_split(const struct sfab_conf *conf)
{
	return conf->adaptive && !strcasecmp(conf->adaptive, "split");
}

/* Model and scratch on top of the fabric. */
static int build(struct sfab_world *w, struct sfab_err *err)
{
	if (sfab_ground_make(&w->ground, w->snap, w->conf, w->shared->script,
			     err) < 0)
		return -1;
	if (!w->shared->script)
		w->ground.script_err = w->shared->script_err;
	w->io = w->ground.io;
	if (w->ground.script) {
		w->rules = sfab_rules_create(w->ground.script, w->conf);
		if (!w->rules)
			return sfab_fail(err, SFAB_ENOMEM, "out of memory");
	}
	w->model = sfab_model_create(w->f, w->io);
	w->jobs = w->model ? sfab_jobs_create(w->model) : NULL;
	w->scorer = w->jobs ? sfab_scorer_create(w->model) : NULL;
	if (!w->scorer)
		return sfab_fail(err, SFAB_ENOMEM, "out of memory");
	if (sfab_iovecs_fill(sfab_scorer_iovecs(w->scorer), err) < 0)
		return -1;
	w->observe = w->f->adaptive && !is_split(w->conf);
	return 0;
}

struct sfab_world *sfab_world_take(struct sfab_snapshot *snap,
				   struct sfab_shared_conf *shared,
				   struct sfab_err *err)
{
	struct sfab_world *w = calloc(1, sizeof(*w));

	if (!w) {
		sfab_snapshot_destroy(snap);
		sfab_fail(err, SFAB_ENOMEM, "out of memory");
		return NULL;
	}
	w->snap = snap;
	w->f = snap->fabric;
	w->shared = shared;
	w->conf = shared->conf;
	shared->users++;
	if (!build(w, err))
		return w;
	sfab_world_destroy(w);
	return NULL;
}
