/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.c - jobs begin, end, rest and shrink, and what that does to loads */

#include "place_private.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int sfab_place_job(struct sfab_place *p, uint32_t id, struct sfab_spec *spec,
		   struct sfab_traffic *traffic)
{
	const struct sfab_running_job *job = sfab_running_find(&p->running, id);

	if (!job || !p->world || !p->ready)
		return -1;
	*spec = sfab_jobload_spec(p->world, &p->nodes, job, &p->room, traffic);
	return 0;
}

static void load_job(struct sfab_place *p, const struct sfab_running_job *job)
{
	if (p->world && p->ready)
		sfab_jobload_add(p->world, &p->nodes, job, &p->room);
}

static void unload_job(struct sfab_place *p, uint32_t id)
{
	if (p->world)
		sfab_jobs_remove(p->world->jobs, id);
}

void sfab_place_reload(struct sfab_place *p)
{
	struct sfab_running_job *job, *next;

	HASH_ITER(hh, p->running.jobs, job, next) {
		unload_job(p, job->id);
		load_job(p, job);
		p->counts.reloaded++;
	}
}

static int by_id(const void *a, const void *b)
{
	const struct sfab_told *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* What was told of the job when the world was made ready, or NULL. */
static struct sfab_told *find_told(const struct sfab_world *w, uint32_t id)
{
	const struct sfab_told wanted = { .id = id };

	return w->ntold ? bsearch(&wanted, w->told, w->ntold, sizeof(wanted),
				  by_id) : NULL;
}

void sfab_place_catch_up(struct sfab_place *p)
{
	struct sfab_running_job *job, *next;
	struct sfab_world *w = p->world;

	for (uint32_t i = 0; i < w->ntold; i++)
		if (!sfab_running_find(&p->running, w->told[i].id))
			unload_job(p, w->told[i].id);
	HASH_ITER(hh, p->running.jobs, job, next) {
		const struct sfab_told *told = find_told(w, job->id);

		if (told && told->serial == job->serial)
			continue;
		unload_job(p, job->id);
		load_job(p, job);
		p->counts.reloaded++;
	}
}

void sfab_place_unload(struct sfab_place *p)
{
	struct sfab_running_job *job, *next;

	HASH_ITER(hh, p->running.jobs, job, next)
		unload_job(p, job->id);
}

/* The job is not what the loader knows of it. */
static void tell_loader(struct sfab_place *p, uint32_t id)
{
	struct sfab_running_job *job = sfab_running_find(&p->running, id);

	p->serial++;
	if (job)
		job->serial = p->serial;
	if (!p->tells)
		return;
	if (job)
		sfab_news_job(&p->news, job);
	else
		sfab_news_end(&p->news, id, p->serial);
}

/* Did the job get what was chosen for it? */
static int took_choice(const struct sfab_decision *d,
		       const struct sfab_place_run *run)
{
	for (uint32_t i = 0; i < run->n; i++)
		if (!sfab_decision_has(d, run->node[i]))
			return 0;
	return d->n > 0;
}

/*
 * The decision that led to this begin: nothing may have happened since, and
 * the job must be on the nodes that were chosen.
 */
static void commit(struct sfab_place *p, const struct sfab_place_run *run)
{
	const struct sfab_answer *an = sfab_answers_find(&p->answers,
							 run->asked_id);

	memset(&p->begun, 0, sizeof(p->begun));
	p->begun.id = run->id;
	p->begun.reason = SFAB_STOCK_UNASKED;
	p->comment = 0;
	if (!an || an->events != p->events)
		return;
	p->begun = an->d;
	p->begun.id = run->id;
	if (an->d.reason == SFAB_PLACED && !took_choice(&an->d, run))
		p->begun.reason = SFAB_STOCK_REFUSED;
	p->begun.node = NULL;
	p->comment = p->world && p->world->conf->admin_comment &&
		     an->d.mode == SFAB_MODE_ON;
}

static void log_begin(struct sfab_place *p, const struct sfab_place_run *run)
{
	struct sfab_logline what = {
		.event = "start", .id = run->id, .n = run->n,
		.nodes = run->nodes, .partition = run->partition,
		.decision = &p->begun, .running = sfab_place_running(p),
	};

	if (p->o.log && p->begun.mode != SFAB_MODE_OFF) {
		sfab_logline_text(&what, p->line, sizeof(p->line));
		p->o.log(SFAB_LOG_INFO, p->line);
	}
	if (!p->ring)
		return;
	sfab_logline_json(&what, p->line, sizeof(p->line));
	sfab_logring_push(p->ring, p->line);
}

static void log_event(struct sfab_place *p, const char *event, uint32_t id)
{
	struct sfab_logline what = {
		.event = event, .id = id, .running = sfab_place_running(p),
	};

	if (!p->ring)
		return;
	sfab_logline_json(&what, p->line, sizeof(p->line));
	sfab_logring_push(p->ring, p->line);
}

void sfab_place_begin(struct sfab_place *p, const struct sfab_place_run *run)
{
	struct sfab_running_job *job;

	if (!p->ready)
		return;
	if (!(run->flags & SFAB_RUN_KNOWN))
		commit(p, run);
	unload_job(p, run->id);
	job = sfab_running_put(&p->running, run, p->nodes.cpus);
	if (job) {
		job->hint = sfab_place_hint(p, run->comment, run->network,
					    &job->traffic, NULL);
		load_job(p, job);
	}
	tell_loader(p, run->id);
	if (!(run->flags & SFAB_RUN_KNOWN))
		log_begin(p, run);
	sfab_place_event(p);
}

void sfab_place_end(struct sfab_place *p, uint32_t id)
{
	if (!sfab_running_remove(&p->running, id))
		return;
	if (p->world)
		sfab_jobs_end(p->world->jobs, id, (uint64_t) time(NULL));
	tell_loader(p, id);
	log_event(p, "end", id);
	sfab_place_event(p);
}

void sfab_place_suspend(struct sfab_place *p, uint32_t id, unsigned flags)
{
	if (!sfab_running_suspend(&p->running, id, flags))
		return;
	if (p->world)
		sfab_jobs_suspend(p->world->jobs, id);
	tell_loader(p, id);
	log_event(p, "suspend", id);
	sfab_place_event(p);
}

void sfab_place_resume(struct sfab_place *p, uint32_t id)
{
	if (!sfab_running_resume(&p->running, id))
		return;
	if (p->world)
		sfab_jobs_resume(p->world->jobs, id);
	tell_loader(p, id);
	log_event(p, "resume", id);
	sfab_place_event(p);
}

void sfab_place_shrink(struct sfab_place *p, uint32_t id, uint32_t node)
{
	if (!sfab_running_shrink(&p->running, id, node))
		return;
	unload_job(p, id);
	load_job(p, sfab_running_find(&p->running, id));
	tell_loader(p, id);
	log_event(p, "shrink", id);
	sfab_place_event(p);
}

uint32_t sfab_place_running(const struct sfab_place *p)
{
	return sfab_running_count(&p->running);
}
