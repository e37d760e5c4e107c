/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * generation.c - a snapshot with its configuration; see generation.h
 *
 * A generation has three layers with reference counts: the configuration with the script, the
 * fabric with its model, and the state of the running jobs.  New counters, or jobs that changed
 * too much, need only a new last layer (sfab_generation_again()).  The counts are not atomic:
 * while threads run, only the loader creates and destroys generations.
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

int sfab_shared_conf_same(const struct sfab_shared_conf *a, const struct sfab_shared_conf *b)
{
	if (!sfab_conf_is_same(a->conf, b->conf) || !a->script != !b->script)
		return 0;
	return a->script ? sfab_script_is_same(a->script, b->script) :
			   strcmp(a->script_err.text, b->script_err.text) == 0;
}

void sfab_shared_fabric_drop(struct sfab_shared_fabric *shared)
{
	if (!shared || --shared->users)
		return;
	sfab_model_destroy(shared->model);
	sfab_site_view_clear(&shared->view);
	sfab_snapshot_destroy(shared->snap);
	sfab_shared_conf_drop(shared->conf);
	free(shared);
}

/* Free from the top down: each layer points into the one that is freed after it. */
void sfab_generation_destroy(struct sfab_generation *gen)
{
	if (!gen)
		return;
	sfab_nodes_clear(&gen->nodes);
	sfab_scratch_free(&gen->scratch);
	sfab_measured_destroy(gen->measured);
	sfab_history_destroy(gen->history);
	sfab_found_destroy(gen->found);
	sfab_stepper_destroy(gen->stepper);
	sfab_scorer_destroy(gen->scorer);
	sfab_jobs_destroy(gen->jobs);
	sfab_script_cache_destroy(gen->script_cache);
	sfab_shared_fabric_drop(gen->shared);
	free(gen);
}

void sfab_generations_destroy(struct sfab_generation *chain)
{
	while (chain) {
		struct sfab_generation *next = chain->next;

		sfab_generation_destroy(chain);
		chain = next;
	}
}

/* Make what generations of a snapshot share.  Takes over @snap, also on failure. */
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
	if (sfab_site_view_make(&s->view, snap, conf->conf, conf->script, err) <
	    0) {
		sfab_shared_fabric_drop(s);
		return NULL;
	}
	if (!conf->script)
		s->view.script_err = conf->script_err;	/* it did not compile */
	s->model = sfab_site_view_model(snap->fabric, s->view.io, conf->conf);
	if (s->model) {
		if (sfab_site_view_packing(s->model, conf->conf, snap->packing,
					   &s->packing, err) == 0)
			return s;
	} else {
		sfab_no_memory(err);
	}
	sfab_shared_fabric_drop(s);
	return NULL;
}

/*
 * Create the state that jobs and questions change; not shared between generations.  The
 * footprints are filled here, in the loader's thread: the first IO job would wait for them
 * otherwise.
 */
static int create_job_state(struct sfab_generation *gen, struct sfab_err *err)
{
	const struct sfab_script *script = gen->shared->view.script;

	gen->script_cache = script ? sfab_script_cache_create(script, gen->conf)
				   : NULL;
	gen->jobs = sfab_jobs_create(gen->model);
	gen->scorer = sfab_scorer_create(gen->model);
	gen->stepper = sfab_stepper_create(gen->model);
	if ((script && !gen->script_cache) || !gen->jobs || !gen->scorer ||
	    !gen->stepper)
		return sfab_no_memory(err);
	gen->scorer->packing = gen->shared->packing;
	return sfab_footprints_fill(gen->scorer->footprints,
				    SFAB_FOOTPRINT_FILL, err);
}

struct sfab_generation *sfab_generation_again(struct sfab_shared_fabric *shared,
					      struct sfab_err *err)
{
	struct sfab_generation *gen = calloc(1, sizeof(*gen));

	if (!gen) {
		sfab_no_memory(err);
		return NULL;
	}
	gen->shared = shared;
	shared->users++;
	gen->conf = shared->conf->conf;
	gen->snap = shared->snap;
	gen->f = shared->snap->fabric;
	gen->io = shared->view.io;
	gen->model = shared->model;
	if (create_job_state(gen, err) == 0)
		return gen;
	sfab_generation_destroy(gen);
	return NULL;
}

struct sfab_generation *sfab_generation_take(struct sfab_snapshot *snap,
					     struct sfab_shared_conf *conf,
					     struct sfab_err *err)
{
	struct sfab_shared_fabric *shared =
	    create_shared_fabric(snap, conf, err);
	struct sfab_generation *gen = shared ? sfab_generation_again(shared, err)
					     : NULL;

	/* The generation is its only user now, or it goes. */
	sfab_shared_fabric_drop(shared);
	return gen;
}
