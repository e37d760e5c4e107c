/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.c - demands of the running jobs, by job and by resource
 *
 *   job      -> the resources it loads, with bytes/s
 *   resource -> the jobs that load it
 *
 * Loads are whole numbers of bytes/s, so sums do not depend on the order in which jobs started:
 * slurmctld and a preview compute the same background, and removing a job leaves exactly 0.
 * Both lists hold the same entries, so starting or ending a job touches only its own resources.
 * The effect on other jobs is computed on demand.  So is the part of their IO that passes, when
 * it is asked for (is_stale): a burst of starts then costs one pass.
 *
 * Uses by non-IO traffic come first, then those of each kind of IO.  They are kept apart
 * because only the part of IO that is served counts, and that part changes as other jobs start
 * and end: with the uses by kind it is one factor for each, and no route is walked again.
 */

#include "core/load/jobs_private.h"
#include "core/load/demand.h"
#include "core/resize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sfab_jobs *sfab_jobs_create(const struct sfab_model *m)
{
	struct sfab_jobs *js = calloc(1, sizeof(*js));
	if (!js)
		return NULL;
	js->m = m;
	js->background = sfab_arena_take(&js->arena, m->nres, sizeof(double));
	js->demand = sfab_arena_take(&js->arena, m->nres, sizeof(double));
	js->total = sfab_arena_take(&js->arena, m->nres, sizeof(double));
	js->unexplained = sfab_arena_take(&js->arena, m->nres, sizeof(double));
	js->wait_share = sfab_arena_take(&js->arena, m->nres, sizeof(double));
	js->background_with_waits = sfab_arena_take(&js->arena, m->nres, sizeof(double));
	js->list = sfab_arena_take(&js->arena, 2 * (size_t) m->nres, sizeof(*js->list));
	js->nkinds = m->io ? 2 * m->io->nsets : 0;
	js->kind_demand = sfab_arena_take(&js->arena, js->nkinds, sizeof(*js->kind_demand));
	js->served = sfab_arena_take(&js->arena, js->nkinds, sizeof(*js->served));
	js->served_assumed = sfab_arena_take(&js->arena, js->nkinds, sizeof(*js->served_assumed));
	for (uint32_t k = 0; js->served && k < js->nkinds; k++)
		js->served[k].ratio = 1;
	js->changes = 1;
	for (uint32_t e = 0; e < m->nres; e++)
		js->nlinks += m->isl[e];
	js->last_ended = &js->ended;
	if (!js->arena.failed && sfab_load_init(&js->scratch, m->nres) == 0)
		return js;
	sfab_jobs_destroy(js);
	return NULL;
}

static void free_job(struct loaded_job *j)
{
	free(j->use);
	free(j);
}

/* Forget all but the last @keep jobs that ended. */
static void forget_ended(struct sfab_jobs *js, uint32_t keep)
{
	while (js->nended > keep) {
		struct loaded_job *j = js->ended;

		js->ended = j->next_ended;
		js->nended--;
		free_job(j);
	}
	if (!js->ended)
		js->last_ended = &js->ended;
}

void sfab_jobs_destroy(struct sfab_jobs *js)
{
	struct loaded_job *j, *next;

	if (!js)
		return;
	HASH_ITER(hh, js->jobs, j, next) {
		HASH_DEL(js->jobs, j);
		free_job(j);
	}
	forget_ended(js, 0);
	for (uint32_t e = 0; js->list && e < 2 * js->m->nres; e++)
		free(js->list[e].use);
	sfab_load_free(&js->scratch);
	sfab_arena_free(&js->arena);
	free(js);
}

struct loaded_job *sfab_jobs_find(const struct sfab_jobs *js, uint64_t id)
{
	struct loaded_job *j;

	HASH_FIND(hh, js->jobs, &id, sizeof(id), j);
	return j;
}

/* Reserve space for all entries of the job, so that adding them cannot fail halfway. */
static int reserve_list_entries(struct sfab_jobs *js, const struct loaded_job *j)
{
	for (uint32_t i = 0; i < j->nuses; i++) {
		struct job_use_list *l = &js->list[j->use[i].list];

		if (j->use[i].list == SFAB_NONE)
			continue;
		if (l->cap - l->n < j->nparts) {	/* each part may add an entry */
			uint32_t cap = l->cap + l->cap / 2 + j->nparts + 2;

			if (sfab_resize(&l->use, cap, sizeof(*l->use)) < 0)
				return -1;
			l->cap = cap;
		}
	}
	return 0;
}

static void set_total(struct sfab_jobs *js, uint32_t res)
{
	double lost = 0;	/* the IO that servers do not let through */

	for (uint32_t k = 0; k < js->nkinds; k++)
		if (js->served[k].ratio < SERVED_ALL)
			lost += (1 - js->served[k].ratio) * js->kind_demand[k][res];
	js->total[res] = js->demand[res] + js->unexplained[res];
	js->background[res] = js->total[res] - lost;
	js->changes++;
}

static void change_demand(struct sfab_jobs *js, uint32_t kind, uint32_t res,
			  double x)
{
	js->demand[res] += x;
	if (kind != SFAB_NONE)
		js->kind_demand[kind][res] += x;
	set_total(js, res);
}

/*
 * Add the job to the lists and loads of its resources.  -1: out of memory, and no load has
 * changed.
 */
static int link_job(struct sfab_jobs *js, struct loaded_job *j)
{
	if (reserve_list_entries(js, j) < 0)
		return -1;
	for (uint32_t i = 0; i < j->nuses; i++) {
		struct job_use *u = &j->use[i];

		if (u->list != SFAB_NONE) {
			struct job_use_list *l = &js->list[u->list];

			u->list_index = l->n;
			l->use[l->n++] = u;
		}
		change_demand(js, u->part->kind, u->res, u->rate);
	}
	js->is_stale = 1;
	js->nuses += j->nuses;
	js->exposed += j->exposed;
	return 0;
}

/* Undo link_job(): loads are whole numbers, so nothing is left of them. */
static void unlink_job(struct sfab_jobs *js, struct loaded_job *j)
{
	for (uint32_t i = 0; i < j->nuses; i++) {
		struct job_use *u = &j->use[i];

		/* The last entry moves into the gap; it may be this one. */
		if (u->list != SFAB_NONE) {
			struct job_use_list *l = &js->list[u->list];
			struct job_use *last = l->use[--l->n];

			l->use[u->list_index] = last;
			last->list_index = u->list_index;
		}
		change_demand(js, u->part->kind, u->res, -u->rate);
	}
	js->is_stale = 1;
	js->nuses -= j->nuses;
	js->exposed -= j->exposed;
}

/* -- what a job asks for, part by part ---------------------------------------- */

/*
 * Append the load in js->scratch, which is sent for @share of the time, to @j as its next part,
 * and add it to j->exposed.  -1: out of memory.
 */
static int add_uses(struct sfab_jobs *js, struct loaded_job *j, uint32_t kind, double share)
{
	const struct sfab_load *l = &js->scratch;
	const double *inv_cap = js->m->inv_cap;
	struct job_part *p = &j->part[j->nparts++];
	double max = 0;

	if (kind != SFAB_NONE && !js->kind_demand[kind])
		js->kind_demand[kind] = sfab_arena_take(&js->arena, js->m->nres, sizeof(double));
	if ((kind != SFAB_NONE && !js->kind_demand[kind]) ||
	    sfab_resize(&j->use, j->nuses + l->ntouched + 1u, sizeof(*j->use)) < 0)
		return -1;
	for (uint32_t i = 0; i < l->ntouched; i++)
		if (!js->m->isl[l->touched[i]])
			max = fmax(max, l->v[l->touched[i]] * inv_cap[l->touched[i]]);
	*p = (struct job_part){ .job = j, .kind = kind, .first = j->nuses,
				.end = j->nuses + l->ntouched, .share = share };
	p->ends = kind == SFAB_NONE || !(share > 0) ? 1 : fmax(1, max / share);
	for (uint32_t i = 0; i < l->ntouched; i++) {
		struct job_use *u = &j->use[j->nuses++];
		uint32_t e = l->touched[i];

		/* Whole numbers make sums exact in any order. */
		*u = (struct job_use){ .part = p, .res = e, .rate = floor(l->v[e] + 0.5),
				       .list = SFAB_NONE };
		if (!js->m->isl[e])
			continue;
		u->list = kind != SFAB_NONE && sfab_job_use_fill(js, u) <= JOBS_WEAK ?
			  js->m->nres + e : e;
		if (kind == SFAB_NONE)
			j->net_isl += u->rate;
		j->exposed += floor(JOBS_EXPOSED * j->n / p->ends * u->rate * inv_cap[e] + 0.5);
	}
	return 0;
}

static int no_memory_for(uint64_t id, struct sfab_err *err)
{
	return sfab_fail(err, SFAB_ENOMEM, "job %llu: out of memory", (unsigned long long) id);
}

static int add_demand(struct sfab_jobs *js, struct loaded_job *j,
		      const struct sfab_job *job, const struct sfab_traffic *t,
		      uint32_t kind, struct sfab_err *err)
{
	double share = kind == SFAB_NONE ? sfab_traffic_net_share(t) : sfab_traffic_io_share(t);
	struct sfab_job one = *job;
	int rc;

	one.traffic = t;
	sfab_load_clear(&js->scratch);
	rc = sfab_demand(js->m, &one, &js->scratch, err);
	if (rc == 0 && add_uses(js, j, kind, share) < 0)
		rc = no_memory_for(j->id, err);
	sfab_load_clear(&js->scratch);
	return rc;
}

/* Add all non-IO traffic as one part, then the kinds of IO one by one. */
static int add_all_demands(struct sfab_jobs *js, struct loaded_job *j,
			   const struct sfab_job *job, struct sfab_err *err)
{
	const struct sfab_traffic *t = job->traffic;
	struct sfab_traffic net = { 0 };

	for (uint32_t i = 0; i < t->nparts; i++)
		if (!sfab_class_is_io(t->part[i].class))
			net.part[net.nparts++] = t->part[i];
	if (net.nparts && add_demand(js, j, job, &net, SFAB_NONE, err) < 0)
		return -1;
	for (uint32_t i = 0; i < t->nparts; i++) {
		struct sfab_traffic io = { .nparts = 1, .part = { t->part[i] } };
		int reads = io.part[0].class == SFAB_IO_READ;
		uint32_t set;

		if (!sfab_class_is_io(t->part[i].class) || !(t->part[i].share > 0))
			continue;
		if (sfab_model_find_set(js->m, &t->part[i], &set, err) < 0 ||
		    add_demand(js, j, job, &io, 2 * set + (uint32_t) reads, err) < 0)
			return -1;
	}
	return 0;
}

/* -- start and end ------------------------------------------------------------ */

int sfab_jobs_add(struct sfab_jobs *js, uint64_t id,
		  const struct sfab_job *job, struct sfab_err *err)
{
	struct loaded_job *j;
	int rc;

	if (sfab_jobs_find(js, id))
		return sfab_fail(err, SFAB_EINVAL, "job %llu is already running",
				 (unsigned long long) id);
	j = calloc(1, sizeof(*j));
	if (!j)
		return no_memory_for(id, err);
	j->id = id;
	j->n = job->n;
	rc = add_all_demands(js, j, job, err);
	if (rc == 0 && link_job(js, j) == 0) {
		HASH_ADD(hh, js->jobs, id, sizeof(j->id), j);
		if (!j->unhashed)
			return 0;
		unlink_job(js, j);
	}
	free_job(j);
	return rc < 0 ? -1 : no_memory_for(id, err);
}

void sfab_jobs_remove(struct sfab_jobs *js, uint64_t id)
{
	struct loaded_job *j = sfab_jobs_find(js, id);

	if (!j)
		return;
	if (!j->suspended)
		unlink_job(js, j);
	HASH_DEL(js->jobs, j);
	free_job(j);
}

void sfab_jobs_end(struct sfab_jobs *js, uint64_t id, uint64_t now_s)
{
	struct loaded_job *j = sfab_jobs_find(js, id);

	/* A suspended job has sent nothing lately, so it explains nothing. */
	if (!j || j->suspended) {
		sfab_jobs_remove(js, id);
		return;
	}
	unlink_job(js, j);
	HASH_DEL(js->jobs, j);
	/* 0 means that the job runs. */
	j->end_s = now_s ? now_s : 1;
	j->next_ended = NULL;
	*js->last_ended = j;
	js->last_ended = &j->next_ended;
	js->nended++;
	forget_ended(js, SFAB_JOBS_ENDED_MAX);
}

void sfab_jobs_suspend(struct sfab_jobs *js, uint64_t id)
{
	struct loaded_job *j = sfab_jobs_find(js, id);

	if (!j || j->suspended)
		return;
	unlink_job(js, j);
	j->suspended = 1;
}

void sfab_jobs_resume(struct sfab_jobs *js, uint64_t id)
{
	struct loaded_job *j = sfab_jobs_find(js, id);

	/* Without memory it stays suspended: its load is missing, but the lists are right. */
	if (j && j->suspended && link_job(js, j) == 0)
		j->suspended = 0;
}

double sfab_jobs_slowdown(struct sfab_jobs *js, uint64_t id)
{
	const struct loaded_job *j = sfab_jobs_find(js, id);
	double top = 1, ends = 1;

	if (!j || j->suspended)
		return 1;
	sfab_jobs_settle_served(js);
	for (uint32_t i = 0; i < j->nuses; i++) {
		uint32_t e = j->use[i].res;
		double x = js->background[e] * js->m->inv_cap[e];

		top = x > top ? x : top;
		ends = !js->m->isl[e] && x > ends ? x : ends;
	}
	return top / ends;
}

void sfab_jobs_set_start(struct sfab_jobs *js, uint64_t id, uint64_t start_s)
{
	struct loaded_job *j = sfab_jobs_find(js, id);

	if (j)
		j->start_s = start_s;
}

int sfab_jobs_has(const struct sfab_jobs *js, uint64_t id)
{
	return sfab_jobs_find(js, id) != NULL;
}

uint32_t sfab_jobs_count(const struct sfab_jobs *js)
{
	return HASH_COUNT(js->jobs);
}

static void copy_or_zero(double *to, const double *from, uint32_t n)
{
	if (from)
		memcpy(to, from, n * sizeof(*to));
	else
		memset(to, 0, n * sizeof(*to));
}

void sfab_jobs_set_measured(struct sfab_jobs *js, const double *unexplained,
			    const double *wait_share)
{
	copy_or_zero(js->unexplained, unexplained, js->m->nres);
	copy_or_zero(js->wait_share, wait_share, js->m->nres);
	sfab_jobs_update_totals(js);
}

void sfab_jobs_update_totals(struct sfab_jobs *js)
{
	for (uint32_t e = 0; e < js->m->nres; e++)
		js->total[e] = js->demand[e] + js->unexplained[e];
	sfab_jobs_update_served(js);
	js->is_waiting = 0;
	for (uint32_t e = 0; e < js->m->nres; e++) {
		set_total(js, e);
		js->is_waiting |= js->wait_share[e] > 0;
	}
}

const double *sfab_jobs_background(struct sfab_jobs *js)
{
	sfab_jobs_settle_served(js);
	return js->background;
}

const double *sfab_jobs_background_with_waits(struct sfab_jobs *js)
{
	const double *b = sfab_jobs_background(js);

	if (!js->is_waiting)
		return b;
	for (uint32_t e = 0; js->with_waits_changes != js->changes && e < js->m->nres; e++)
		js->background_with_waits[e] = js->m->inv_cap[e] > 0 ?
			fmax(b[e], js->wait_share[e] / js->m->inv_cap[e]) : b[e];
	js->with_waits_changes = js->changes;
	return js->background_with_waits;
}

void sfab_jobs_add_demand(struct sfab_jobs *js, uint64_t id, uint32_t n,
			  double *load)
{
	const struct loaded_job *j = sfab_jobs_find(js, id);

	if (!j || j->suspended)
		return;
	sfab_jobs_settle_served(js);
	for (uint32_t i = 0; i < j->nuses; i++)
		if (j->use[i].res < n)
			load[j->use[i].res] += sfab_jobs_served_rate(js, &j->use[i]);
}

void sfab_jobs_background_without(struct sfab_jobs *js, uint64_t id, double *others)
{
	const double *b = sfab_jobs_background(js);

	memset(others, 0, js->m->nres * sizeof(*others));
	sfab_jobs_add_demand(js, id, js->m->nres, others);
	for (uint32_t e = 0; e < js->m->nres; e++)
		others[e] = b[e] > others[e] ? b[e] - others[e] : 0;
}
