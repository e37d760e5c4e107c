/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * generation.c - a snapshot with its configuration; see generation.h
 *
 * A generation has three layers with reference counts: the configuration with the
 * script, the fabric with its model, and the state of the running jobs.  New
 * counters, or jobs that changed too much, need only the last layer anew
 * (sfab_world_again()).  The counts are not atomic: while threads run, only the
 * loader creates and destroys generations.
 */

#include "place/state/generation.h"

#include <stdlib.h>
#include <string.h>

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

int sfab_shared_conf_same(const struct sfab_shared_conf *a,
			  const struct sfab_shared_conf *b)
{
	if (!sfab_conf_same(a->conf, b->conf) || !a->script != !b->script)
		return 0;
	return a->script ? sfab_script_same(a->script, b->script) :
			   strcmp(a->script_err.text, b->script_err.text) == 0;
}

void sfab_shared_fabric_drop(struct sfab_shared_fabric *shared)
{
	if (!shared || --shared->users)
		return;
	sfab_model_destroy(shared->model);
	sfab_ground_clear(&shared->ground);
	sfab_snapshot_destroy(shared->snap);
	sfab_shared_conf_drop(shared->conf);
	free(shared);
}

/* From the top down: each layer points into the one that is freed after it. */
void sfab_world_destroy(struct sfab_world *w)
{
	if (!w)
		return;
	sfab_nodes_clear(&w->nodes);
	sfab_scratch_free(&w->scratch);
	sfab_measured_destroy(w->measured);
	sfab_stepper_destroy(w->stepper);
	sfab_scorer_destroy(w->scorer);
	sfab_jobs_destroy(w->jobs);
	sfab_rules_destroy(w->rules);
	sfab_shared_fabric_drop(w->shared);
	free(w);
}

void sfab_worlds_destroy(struct sfab_world *chain)
{
	while (chain) {
		struct sfab_world *next = chain->next;

		sfab_world_destroy(chain);
		chain = next;
	}
}

/* Takes over @snap, also on failure. */
static struct sfab_shared_fabric *
create_shared_fabric(struct sfab_snapshot *snap, struct sfab_shared_conf *conf,
		     struct sfab_err *err)
{
	struct sfab_shared_fabric *s = calloc(1, sizeof(*s));

	if (!s) {
		sfab_snapshot_destroy(snap);
		sfab_no_memory(err);
		return NULL;
	}
	s->users = 1;
	s->snap = snap;
	s->conf = conf;
	conf->users++;
	if (sfab_ground_make(&s->ground, snap, conf->conf, conf->script, err) < 0) {
		sfab_shared_fabric_drop(s);
		return NULL;
	}
	if (!conf->script)
		s->ground.script_err = conf->script_err;	/* it did not compile */
	s->model = sfab_ground_model(snap->fabric, s->ground.io, conf->conf);
	if (s->model)
		return s;
	sfab_no_memory(err);
	sfab_shared_fabric_drop(s);
	return NULL;
}

/* The state that jobs and questions change; not shared between worlds. */
static int create_job_state(struct sfab_world *w, struct sfab_err *err)
{
	const struct sfab_script *script = w->shared->ground.script;

	w->rules = script ? sfab_rules_create(script, w->conf) : NULL;
	w->jobs = sfab_jobs_create(w->model);
	w->scorer = sfab_scorer_create(w->model);
	w->stepper = sfab_stepper_create(w->model);
	if ((script && !w->rules) || !w->jobs || !w->scorer || !w->stepper)
		return sfab_no_memory(err);
	return sfab_iovecs_fill(sfab_scorer_iovecs(w->scorer), SFAB_IOVEC_FILL, err);
}

struct sfab_world *sfab_world_again(struct sfab_shared_fabric *shared,
				    struct sfab_err *err)
{
	struct sfab_world *w = calloc(1, sizeof(*w));

	if (!w) {
		sfab_no_memory(err);
		return NULL;
	}
	w->shared = shared;
	shared->users++;
	w->conf = shared->conf->conf;
	w->snap = shared->snap;
	w->f = shared->snap->fabric;
	w->io = shared->ground.io;
	w->model = shared->model;
	if (!create_job_state(w, err))
		return w;
	sfab_world_destroy(w);
	return NULL;
}

struct sfab_world *sfab_world_take(struct sfab_snapshot *snap,
				   struct sfab_shared_conf *conf,
				   struct sfab_err *err)
{
	struct sfab_shared_fabric *shared =
	    create_shared_fabric(snap, conf, err);
	struct sfab_world *w = shared ? sfab_world_again(shared, err) : NULL;

	sfab_shared_fabric_drop(shared);
	return w;
}
