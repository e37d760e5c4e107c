/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.c - the service: its life, its world, the nodes */

#include "place/place_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RING_BYTES (1u << 20)	/* about a thousand decisions */

struct sfab_place *sfab_place_create(const struct sfab_place_options *o,
				     struct sfab_err *err)
{
	struct sfab_place *p = calloc(1, sizeof(*p));

	if (p && o->conf_path)
		p->conf_path = strdup(o->conf_path);
	if (!p || (o->conf_path && !p->conf_path)) {
		free(p);
		sfab_no_memory(err);
		return NULL;
	}
	p->o = *o;
	p->o.conf_path = p->conf_path;
	return p;
}

/* Everything sized by the node table, except the storage of answers. */
static void free_tables(struct sfab_place *p)
{
	sfab_nodes_clear(&p->nodes);
	sfab_running_clear(&p->running);
	sfab_scratch_free(&p->scratch);
	sfab_jobload_room_free(&p->room);
	free(p->asked);
	p->asked = NULL;
	p->ready = 0;
}

/*
 * The order matters: threads stop before what they use is freed.  If one of them
 * hangs, its memory is leaked on purpose.
 */
void sfab_place_destroy(struct sfab_place *p)
{
	struct sfab_news_item *item, *next;

	if (!p)
		return;
	if (sfab_watchdog_stop(&p->watchdog))
		return;		/* a hung thread still uses all this */
	if (p->world)
		sfab_feed_retire(&p->feed, p->world);
	if (sfab_loader_destroy(p->loader))
		return;
	/* Worlds that no loader frees: those of sfab_place_take(). */
	sfab_world_destroy(sfab_feed_publish(&p->feed, NULL));
	sfab_worlds_destroy(sfab_feed_collect(&p->feed));
	sfab_logring_stop(p->ring);
	item = sfab_news_collect(&p->news);
	for (; item; item = next) {
		next = item->next;
		sfab_news_free(item);
	}
	free_tables(p);
	sfab_answers_free(&p->answers);
	sfab_conf_destroy(p->modes);
	free(p->conf_path);
	free(p);
}

int sfab_place_start(struct sfab_place *p, struct sfab_err *err)
{
	p->loader = sfab_loader_create(&p->o, &p->feed, err);
	if (!p->loader)
		return -1;
	p->ring = sfab_logring_start(RING_BYTES, p->o.log, err);
	if (!p->ring || sfab_watchdog_start(&p->watchdog, err))
		return -1;
	sfab_loader_log(p->loader, p->ring);
	sfab_loader_news(p->loader, &p->news);
	p->tells = 1;
	return sfab_loader_start(p->loader, err);
}

int sfab_place_take(struct sfab_place *p, struct sfab_snapshot *snap,
		    struct sfab_conf *conf, struct sfab_err *err)
{
	struct sfab_shared_conf *shared = sfab_shared_conf_take(conf, &p->o.trust);
	struct sfab_world *w;

	if (!shared) {
		sfab_snapshot_destroy(snap);
		return sfab_no_memory(err);
	}
	w = sfab_world_take(snap, shared, err);
	sfab_shared_conf_drop(shared);
	if (!w)
		return -1;
	if (w->shared->ground.script_err.code && p->o.log)
		p->o.log(SFAB_LOG_ERROR, w->shared->ground.script_err.text);
	sfab_world_destroy(sfab_feed_publish(&p->feed, w));
	atomic_store(&p->feed.until, SFAB_FOREVER);
	sfab_place_adopt(p);
	return 0;
}

/* Map nodes and allocate scratch; with threads the loader does both per world. */
static int fit_tables(struct sfab_place *p)
{
	const struct sfab_fabric *f = p->world && !p->tells ? p->world->f : NULL;

	if (f && sfab_nodes_map(&p->nodes, f))
		return -1;
	return sfab_scratch_reset(&p->scratch, p->nodes.n, f ? f->nhosts : 0);
}

/*
 * Take the hosts of the nodes, the scratch and the loads of the world in use.  With
 * threads the loader prepared them, and a question only swaps pointers.
 */
static void make_ready(struct sfab_place *p)
{
	struct sfab_world *w = p->world;
	struct sfab_scratch scratch = p->scratch;

	if (!p->tells) {
		/* Without threads: everything is done here. */
		p->fits = p->ready = !fit_tables(p);
		sfab_place_reload(p);
		if (w->measured)
			sfab_measured_apply(w->measured, w->jobs,
					    (uint64_t) time(NULL));
		return;
	}
	p->scratch = w->scratch;
	w->scratch = scratch;	/* freed with the world, by the loader's thread */
	sfab_nodes_swap_hosts(&p->nodes, &w->nodes);
	p->fits = 1;
	sfab_place_catch_up(p);
}

/* Is it for the current nodes, and at most SFAB_RECENT events behind? */
static int is_generation_ready(const struct sfab_place *p,
			       const struct sfab_world *w)
{
	if (!p->tells || !p->nodes.n)
		return 1;
	return p->ready && w->made_for == p->made_for &&
	       p->serial - w->as_of <= SFAB_RECENT;
}

/* Put @w into use, now; the old one goes back to the loader. */
static void use_world(struct sfab_place *p, struct sfab_world *w)
{
	int is_new;
	struct sfab_world *old = p->world;
	int same = old && old->shared == w->shared;

	if (same) {		/* the script's cached answers still hold */
		struct sfab_rules *rules = w->rules;

		w->rules = old->rules;
		old->rules = rules;
	}
	if (old)
		sfab_feed_retire(&p->feed, old);
	p->world = w;
	if (w->rules)
		w->rules->log = p->o.log;
	is_new = !same;
	p->searched = 0;
	p->counts.worlds++;
	if (is_new)
		p->failed = 0;
	if (p->nodes.n)
		make_ready(p);
	if (is_new) {
		char line[160];

		if (p->o.log && p->nodes.n) {
			snprintf(
			    line, sizeof(line),
			    "%" PRIu32 " of %" PRIu32
			    " nodes are in the snapshot, %" PRIu32 " jobs run",
			    p->nodes.mapped, p->nodes.n, sfab_place_running(p));
			p->o.log(p->nodes.mapped ? SFAB_LOG_INFO
						 : SFAB_LOG_ERROR,
				 line);
		}
	}
	sfab_place_event(p);
}

void sfab_place_measured_take(struct sfab_place *p, struct sfab_measured *ms)
{
	if (p->world && ms->f == p->world->f) {
		sfab_measured_apply(ms, p->world->jobs, (uint64_t) time(NULL));
		sfab_place_event(p);
	}
	sfab_measured_destroy(ms);
}

void sfab_place_adopt(struct sfab_place *p)
{
	struct sfab_conf *modes = sfab_feed_adopt_modes(&p->feed);
	struct sfab_world *w = sfab_feed_adopt(&p->feed);

	if (modes) {
		sfab_conf_destroy(p->modes);
		p->modes = modes;
	}
	if (p->retold)
		sfab_place_sweep(p);
	if (p->tells)
		sfab_place_tell_anew(p);
	if (w && is_generation_ready(p, w))
		use_world(p, w);
	else if (w && sfab_feed_put_back(&p->feed, w))
		sfab_feed_retire(&p->feed, w);
}

int sfab_place_set_nodes(struct sfab_place *p,
			 const struct sfab_place_node *node, uint32_t n,
			 struct sfab_err *err)
{
	p->round++;
	p->changed = 0;
	p->retold = p->ready && p->tells && sfab_nodes_same(&p->nodes, node, n);
	if (p->retold) {	/* a reconfigure: the world still fits */
		sfab_place_event(p);
		return 0;
	}
	if (!p->tells)
		sfab_place_unload(p);
	free_tables(p);
	p->fits = 0;
	sfab_place_event(p);
	p->asked = calloc(n + 1u, sizeof(*p->asked));
	if (!p->asked || sfab_nodes_set(&p->nodes, node, n) ||
	    sfab_running_reset(&p->running, p->nodes.cpus, n) ||
	    sfab_answers_reset(&p->answers, n) || sfab_jobload_room(&p->room, n) ||
	    fit_tables(p)) {
		free_tables(p);
		sfab_answers_free(&p->answers);
		return sfab_no_memory(err);
	}
	p->ready = 1;
	p->fits = p->world && !p->tells;
	p->made_for = ++p->serial;
	if (p->tells)
		sfab_news_nodes(&p->news, &p->nodes, p->serial);
	return 0;
}

const struct sfab_world *sfab_place_world(const struct sfab_place *p)
{
	return p->world;
}

const struct sfab_request *sfab_place_request(const struct sfab_place *p)
{
	return p->searched ? &p->scratch.rq : NULL;
}

struct sfab_scorer *sfab_place_scorer(struct sfab_place *p)
{
	return p->world ? p->world->scorer : NULL;
}

struct sfab_jobs *sfab_place_jobs(struct sfab_place *p)
{
	return p->world ? p->world->jobs : NULL;
}

uint32_t sfab_place_host(const struct sfab_place *p, uint32_t node)
{
	return node < p->nodes.n ? p->nodes.host[node] : SFAB_NONE;
}

void sfab_place_counts(const struct sfab_place *p, struct sfab_place_counts *c)
{
	*c = p->counts;
	if (p->world && p->world->rules) {
		c->rules_asked = p->world->rules->asked;
		c->rules_failed = p->world->rules->failed;
	}
	c->log_lost = p->ring ? sfab_logring_lost(p->ring) : 0;
}
