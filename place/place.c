/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.c - the service: its life, its generation, the nodes
 *
 * The service lives in one of two ways; p->has_threads says which.  In slurmctld
 * (sfab_place_start()) threads read the files and prepare whole generations.  The asking thread
 * then only swaps pointers, because it holds slurmctld's locks.  In a preview
 * (sfab_place_use_snapshot()) there are no threads, and this thread does the same work.
 *
 * A generation from the loader is adopted only if it was made for the node table of now
 * (base_serial) and lacks at most SFAB_RECENT events (serial), which are then applied here.
 * Otherwise it goes back to the loader to be brought up to date, and the one in use stays in
 * use.
 */

#include "place/place_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "place/state/feedback.h"

#define RING_BYTES (1u << 20)	/* about a thousand decisions */

struct sfab_place *sfab_place_create(const struct sfab_place_options *o, struct sfab_err *err)
{
	struct sfab_place *p = calloc(1, sizeof(*p));

	if (p) {
		p->o = *o;
		p->o.conf_path = o->conf_path ? strdup(o->conf_path) : NULL;
		p->o.tick_ms = o->tick_ms ? o->tick_ms : SFAB_PLACE_TICK_MS;
	}
	if (!p || (o->conf_path && !p->o.conf_path)) {
		free(p);
		sfab_no_memory(err);
		return NULL;
	}
	return p;
}

/* Free everything sized by the node table, except the storage of answers. */
static void free_tables(struct sfab_place *p)
{
	sfab_nodes_clear(&p->nodes);
	sfab_running_clear(&p->running);
	sfab_scratch_free(&p->scratch);
	p->is_ready = 0;
}

/*
 * Stop threads before what they use is freed.  If one of them hangs, its memory is leaked on
 * purpose.
 */
void sfab_place_destroy(struct sfab_place *p)
{
	struct sfab_event *event, *next;

	if (!p)
		return;
	if (sfab_watchdog_stop(&p->watchdog) < 0)
		return;		/* a hung thread still uses all this */
	if (p->generation)
		sfab_handoff_retire(&p->handoff, p->generation);
	if (sfab_loader_destroy(p->loader) < 0)
		return;
	/* Generations that no loader frees: those of sfab_place_use_snapshot(). */
	sfab_generation_destroy(sfab_handoff_publish(&p->handoff, NULL));
	sfab_generations_destroy(sfab_handoff_collect(&p->handoff));
	sfab_logring_stop(p->ring);
	event = sfab_event_queue_collect(&p->event_queue);
	for (; event; event = next) {
		next = event->next;
		sfab_event_free(event);
	}
	free_tables(p);
	sfab_decision_cache_free(&p->decisions);
	sfab_conf_destroy(p->modes);
	free((char *) p->o.conf_path);
	free(p);
}

/*
 * Start the loader last: from then on another thread uses ring and queue.  On failure nothing
 * is undone here; the caller destroys the service.
 */
int sfab_place_start(struct sfab_place *p, struct sfab_err *err)
{
	p->ring = sfab_logring_start(RING_BYTES, p->o.log, err);
	if (!p->ring || sfab_watchdog_start(&p->watchdog, err))
		return -1;
	p->loader = sfab_loader_create(&p->o, &p->handoff, &p->event_queue, p->ring, err);
	if (!p->loader)
		return -1;
	p->has_threads = 1;
	return sfab_loader_start(p->loader, err);
}

/*
 * Go through the same handoff as the loader's generations, so that a preview runs the code that
 * slurmctld runs.  A snapshot that a user names never expires.
 */
int sfab_place_use_snapshot(struct sfab_place *p, struct sfab_snapshot *snap,
			    struct sfab_conf *conf, struct sfab_err *err)
{
	struct sfab_shared_conf *shared = sfab_shared_conf_take(conf, &p->o.trust);
	struct sfab_feedback feedback = { .history = NULL };
	struct sfab_err wrong = { 0 };
	struct sfab_generation *gen;

	if (!shared) {
		sfab_snapshot_destroy(snap);
		return sfab_no_memory(err);
	}
	gen = sfab_generation_take(snap, shared, err);
	sfab_shared_conf_drop(shared);
	if (!gen)
		return -1;
	/* Both files may be missing; a wrong one is logged and left out. */
	if (sfab_feedback_read_history(&feedback, gen->conf->history, gen->f, &p->o.trust,
				       &wrong) < 0)
		sfab_say(p->o.log, SFAB_LOG_ERROR, "%s", wrong.text);
	if (sfab_feedback_read_found(&feedback, gen->conf->found_traffic, &p->o.trust, &wrong) < 0)
		sfab_say(p->o.log, SFAB_LOG_ERROR, "%s", wrong.text);
	gen->history = feedback.history;	/* both are of this generation alone */
	gen->found = feedback.found;
	if (gen->shared->view.script_err.code)
		sfab_say(p->o.log, SFAB_LOG_ERROR, "%s", gen->shared->view.script_err.text);
	sfab_generation_destroy(sfab_handoff_publish(&p->handoff, gen));
	atomic_store(&p->handoff.expiry_s, SFAB_FOREVER);
	sfab_place_adopt(p);
	return 0;
}

/* Allocate scratch and, without a loader that does it, map nodes to hosts. */
static int fit_tables(struct sfab_place *p)
{
	const struct sfab_fabric *f = p->generation && !p->has_threads ? p->generation->f
								 : NULL;

	if (f && sfab_nodes_map(&p->nodes, f) < 0)
		return -1;
	return sfab_scratch_reset(&p->scratch, p->nodes.n, f ? f->nhosts : 0);
}

/*
 * Make hosts of nodes, scratch and loads fit the generation in use.  With threads the loader
 * prepared them, and only pointers are swapped.
 */
static void make_ready(struct sfab_place *p)
{
	struct sfab_generation *gen = p->generation;
	struct sfab_scratch scratch = p->scratch;

	if (!p->has_threads) {
		p->generation_fits = p->is_ready = !fit_tables(p);
		sfab_place_reload(p);
		if (gen->measured)
			sfab_measured_apply(gen->measured, gen->jobs,
					    (uint64_t) time(NULL));
		return;
	}
	p->scratch = gen->scratch;
	gen->scratch = scratch;	/* freed with it, by the loader's thread */
	sfab_nodes_swap_hosts(&p->nodes, &gen->nodes);
	p->generation_fits = 1;
	sfab_place_catch_up(p);
}

/* Put @gen into use, and hand the old one back to the loader. */
static void use_generation(struct sfab_place *p, struct sfab_generation *gen)
{
	struct sfab_generation *old = p->generation;
	int is_new = !old || old->shared != gen->shared;

	if (!is_new) {		/* the script's cached answers still hold */
		struct sfab_script_cache *script_cache = gen->script_cache;

		gen->script_cache = old->script_cache;
		old->script_cache = script_cache;
	}
	if (old)
		sfab_handoff_retire(&p->handoff, old);
	p->generation = gen;
	if (gen->script_cache)
		gen->script_cache->log = p->o.log;
	p->has_searched = 0;
	p->counts.generations++;
	if (is_new)
		p->is_failure_logged = 0;
	if (p->nodes.n)
		make_ready(p);
	if (is_new && p->nodes.n)
		sfab_say(p->o.log, p->nodes.nmapped ? SFAB_LOG_INFO : SFAB_LOG_ERROR,
			 "%" PRIu32 " of %" PRIu32 " nodes are in the snapshot, %" PRIu32
			 " jobs run", p->nodes.nmapped, p->nodes.n, sfab_place_count_running(p));
	sfab_place_count_event(p);
}

void sfab_place_use_measured(struct sfab_place *p, struct sfab_measured *ms)
{
	if (p->generation && ms->f == p->generation->f) {
		sfab_measured_apply(ms, p->generation->jobs, (uint64_t) time(NULL));
		sfab_place_count_event(p);
	}
	sfab_measured_destroy(ms);
}

void sfab_place_adopt(struct sfab_place *p)
{
	struct sfab_conf *modes = sfab_handoff_adopt_modes(&p->handoff);
	struct sfab_generation *gen = sfab_handoff_adopt(&p->handoff);

	/* Modes first, and whether or not a generation can be used. */
	if (modes) {
		sfab_governor_follow(&p->governor, p->modes, modes);
		/* The loader may keep this conf for long, but not the chain. */
		sfab_conf_destroy(modes->older);
		modes->older = NULL;
		sfab_conf_destroy(p->modes);
		p->modes = modes;
	}
	if (p->is_reported_again)
		sfab_place_sweep(p);
	if (p->has_threads)
		sfab_place_report_anew(p);
	/*
	 * Is it for the current nodes, and at most SFAB_RECENT events behind?  As long as there
	 * are no nodes, there is nothing that it could not fit.
	 */
	if (gen && (!p->has_threads || !p->nodes.n ||
		    (p->is_ready && gen->base_serial == p->base_serial &&
		     p->serial - gen->serial <= SFAB_RECENT)))
		use_generation(p, gen);
	else if (gen && sfab_handoff_put_back(&p->handoff, gen))
		/* The loader has published a newer one meanwhile. */
		sfab_handoff_retire(&p->handoff, gen);
}

int sfab_place_set_nodes(struct sfab_place *p,
			 const struct sfab_place_node *node, uint32_t n,
			 struct sfab_err *err)
{
	/* Jobs carry the round in which they were last reported (sfab_place_sweep()). */
	p->round++;
	p->nchanged = 0;
	p->is_reported_again = p->is_ready && p->has_threads && sfab_nodes_same(&p->nodes, node, n);
	if (p->is_reported_again) {	/* a reconfigure: the generation still fits */
		sfab_place_count_event(p);
		return 0;
	}
	if (!p->has_threads)
		sfab_place_unload(p);
	free_tables(p);
	p->generation_fits = 0;
	sfab_place_count_event(p);
	if (sfab_nodes_set(&p->nodes, node, n) < 0 ||
	    sfab_running_reset(&p->running, p->nodes.node, n) < 0 ||
	    sfab_decision_cache_reset(&p->decisions, n) < 0 || fit_tables(p) < 0) {
		free_tables(p);
		sfab_decision_cache_free(&p->decisions);
		return sfab_no_memory(err);
	}
	p->is_ready = 1;
	p->generation_fits = p->generation && !p->has_threads;
	p->base_serial = ++p->serial;
	if (p->has_threads)
		sfab_event_queue_push(&p->event_queue, &(struct sfab_event){
			.serial = p->serial, .nodes = &p->nodes });
	return 0;
}

const struct sfab_generation *sfab_place_generation(const struct sfab_place *p)
{
	return p->generation;
}

const struct sfab_request *sfab_place_request(const struct sfab_place *p)
{
	return p->has_searched ? &p->scratch.rq : NULL;
}

uint32_t sfab_place_host(const struct sfab_place *p, uint32_t node)
{
	return node < p->nodes.n ? p->nodes.host[node] : SFAB_NONE;
}

const struct sfab_place_counts *sfab_place_counts(const struct sfab_place *p)
{
	return &p->counts;
}
