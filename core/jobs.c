/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.c - demands of the running jobs, by job and by resource
 *
 *   job   -> the resources it loads, with bytes/s
 *   resource -> the jobs that load it
 *
 * Loads are whole numbers of bytes/s, so that sums do not depend on the order
 * in which jobs came: slurmctld and a preview find the same background, and
 * what is taken away leaves exactly 0.  Both lists hold the same entries, so
 * starting and ending a job touches only its own resources.  A job's slowdown is
 *   S = max(1, worst resource) / max(1, worst end port or IO limit)
 * over its own resources with the load of everybody on them.  Both maxima
 * are kept by job: raised when a job that shares a resource comes, looked for
 * anew when one goes that shared the resource where a maximum is.
 */

#include "jobs_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sfab_jobs *sfab_jobs_create(const struct sfab_model *m)
{
	struct sfab_jobs *js = calloc(1, sizeof(*js));
	size_t n = m->nres + 1u;

	if (!js)
		return NULL;
	js->m = m;
	js->background = calloc(n, sizeof(double));
	js->from_jobs = calloc(n, sizeof(double));
	js->unexplained = calloc(n, sizeof(double));
	js->wait_share = calloc(n, sizeof(double));
	js->list = calloc(n, sizeof(*js->list));
	js->last_ended = &js->ended;
	if (!js->background || !js->from_jobs || !js->unexplained ||
	    !js->wait_share || !js->list ||
	    sfab_load_init(&js->scratch, m->nres) < 0) {
		sfab_jobs_destroy(js);
		return NULL;
	}
	return js;
}

static void free_job(struct job *j)
{
	free(j->use);
	free(j->host);
	free(j);
}

/* Forget all but the last @keep of those that ended. */
static void forget_ended(struct sfab_jobs *js, uint32_t keep)
{
	while (js->nended > keep) {
		struct job *j = js->ended;

		js->ended = j->later;
		js->nended--;
		free_job(j);
	}
	if (!js->ended)
		js->last_ended = &js->ended;
}

void sfab_jobs_destroy(struct sfab_jobs *js)
{
	struct job *j, *next;

	if (!js)
		return;
	HASH_ITER(hh, js->jobs, j, next) {
		HASH_DEL(js->jobs, j);
		free_job(j);
	}
	forget_ended(js, 0);
	for (uint32_t e = 0; js->list && e < js->m->nres; e++)
		free(js->list[e].on);
	sfab_load_free(&js->scratch);
	free(js->list);
	free(js->background);
	free(js->from_jobs);
	free(js->unexplained);
	free(js->wait_share);
	free(js->met);
	free(js);
}

static struct job *find(const struct sfab_jobs *js, uint64_t id)
{
	struct job *j;

	HASH_FIND(hh, js->jobs, &id, sizeof(id), j);
	return j;
}

/* Raise @top or @end_top of a job by the load @x on @res. */
static void raise(const struct sfab_jobs *js, uint32_t res, double x,
		  double *top, double *end_top)
{
	double r = x * js->m->inv_cap[res];

	if (r > *top)
		*top = r;
	if (js->m->end[res] && r > *end_top)
		*end_top = r;
}

static void refresh(const struct sfab_jobs *js, struct job *j)
{
	j->top = j->end_top = 0;
	for (uint32_t i = 0; i < j->nuses; i++)
		raise(js, j->use[i].res, js->background[j->use[i].res], &j->top,
		      &j->end_top);
}

static double slowdown(double top, double end_top)
{
	return (top > 1 ? top : 1) / (end_top > 1 ? end_top : 1);
}

/*
 * Room for one more entry in each of the job's lists and in the list of jobs
 * met, so that nothing can fail once the first entry is made.
 */
static int make_room(struct sfab_jobs *js, const struct job *j)
{
	uint32_t count = HASH_COUNT(js->jobs) + 1u;

	for (uint32_t i = 0; i < j->nuses; i++) {
		struct on_list *l = &js->list[j->use[i].res];

		if (l->n == l->cap) {
			uint32_t cap = l->cap ? 2 * l->cap : 4;
			struct on *more = realloc(l->on, cap * sizeof(*more));

			if (!more)
				return -1;
			l->on = more;
			l->cap = cap;
		}
	}
	if (count > js->capmet) {
		struct job **more = realloc(js->met, 2u * count * sizeof(*more));

		if (!more)
			return -1;
		js->met = more;
		js->capmet = 2 * count;
	}
	return 0;
}

static void meet(struct sfab_jobs *js, struct job *j)
{
	if (j->seen == js->serial)
		return;
	j->seen = js->serial;
	js->met[js->nmet++] = j;
}

/* Loads have grown on the resources of @j: whose maxima does that raise? */
static void raise_neighbors(struct sfab_jobs *js, const struct job *j)
{
	for (uint32_t i = 0; i < j->nuses; i++) {
		uint32_t e = j->use[i].res;
		const struct on_list *l = &js->list[e];

		for (uint32_t k = 0; k < l->n; k++)
			raise(js, e, js->background[e], &l->on[k].job->top,
			      &l->on[k].job->end_top);
	}
}

/*
 * The jobs that have a maximum on one of the resources of @j, each once, into
 * js->met: only theirs fall with the load there.
 */
static void meet_at_maximum(struct sfab_jobs *js, const struct job *j)
{
	js->serial++;
	js->nmet = 0;
	for (uint32_t i = 0; i < j->nuses; i++) {
		uint32_t e = j->use[i].res;
		const struct on_list *l = &js->list[e];
		double r = js->background[e] * js->m->inv_cap[e];

		for (uint32_t k = 0; k < l->n; k++)
			if (r >= l->on[k].job->top ||
			    (js->m->end[e] && r >= l->on[k].job->end_top))
				meet(js, l->on[k].job);
	}
}

static void set_total(struct sfab_jobs *js, uint32_t res)
{
	js->background[res] = js->from_jobs[res] + js->unexplained[res];
}

static void change(struct sfab_jobs *js, uint32_t res, double x)
{
	js->from_jobs[res] += x;
	set_total(js, res);
}

static int link_in(struct sfab_jobs *js, struct job *j)
{
	if (make_room(js, j) < 0)
		return -1;
	for (uint32_t i = 0; i < j->nuses; i++) {
		struct on_list *l = &js->list[j->use[i].res];

		j->use[i].at = l->n;
		l->on[l->n].job = j;
		l->on[l->n++].use = i;
		change(js, j->use[i].res, j->use[i].x);
	}
	raise_neighbors(js, j);
	refresh(js, j);
	js->nhosts += j->n;
	js->ntalking += j->talks ? j->n : 0;
	return 0;
}

static void link_out(struct sfab_jobs *js, struct job *j)
{
	meet_at_maximum(js, j);
	for (uint32_t i = 0; i < j->nuses; i++) {
		struct on_list *l = &js->list[j->use[i].res];
		struct on last = l->on[--l->n];

		l->on[j->use[i].at] = last;
		last.job->use[last.use].at = j->use[i].at;
		change(js, j->use[i].res, -j->use[i].x);
	}
	for (uint32_t i = 0; i < js->nmet; i++)
		refresh(js, js->met[i]);
	js->nhosts -= j->n;
	js->ntalking -= j->talks ? j->n : 0;
}

static struct job *new_job(struct sfab_jobs *js, uint64_t id,
			   const struct sfab_spec *spec)
{
	const struct sfab_load *l = &js->scratch;
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->id = id;
	j->n = spec->n;
	j->talks = sfab_traffic_share(spec->traffic, 0) >
		   sfab_traffic_share(spec->traffic, 1);
	j->use = calloc(l->ntouched + 1u, sizeof(*j->use));
	j->host = calloc(spec->n + 1u, sizeof(*j->host));
	if (!j->use || !j->host) {
		free_job(j);
		return NULL;
	}
	memcpy(j->host, spec->host, spec->n * sizeof(*j->host));
	for (uint32_t i = 0; i < l->ntouched; i++) {
		j->use[i].res = l->touched[i];
		j->use[i].x = floor(l->v[l->touched[i]] + 0.5);
	}
	j->nuses = l->ntouched;
	return j;
}

static int add_job(struct sfab_jobs *js, struct job *j)
{
	if (!j)
		return -1;
	if (link_in(js, j) < 0) {
		free_job(j);
		return -1;
	}
	HASH_ADD(hh, js->jobs, id, sizeof(j->id), j);
	if (!j->lost)
		return 0;
	link_out(js, j);
	free_job(j);
	return -1;
}

int sfab_jobs_add(struct sfab_jobs *js, uint64_t id,
		  const struct sfab_spec *spec, struct sfab_err *err)
{
	int rc;

	if (find(js, id))
		return sfab_fail(err, SFAB_EINVAL, "job %llu runs already",
				 (unsigned long long) id);
	sfab_load_clear(&js->scratch);
	rc = sfab_demand(js->m, spec, &js->scratch, &js->scratch, NULL, err);
	if (rc == 0 && add_job(js, new_job(js, id, spec)) < 0)
		rc = sfab_fail(err, SFAB_ENOMEM, "job %llu: no memory",
			       (unsigned long long) id);
	sfab_load_clear(&js->scratch);
	return rc;
}

void sfab_jobs_remove(struct sfab_jobs *js, uint64_t id)
{
	struct job *j = find(js, id);

	if (!j)
		return;
	if (!j->suspended)
		link_out(js, j);
	HASH_DEL(js->jobs, j);
	free_job(j);
}

void sfab_jobs_end(struct sfab_jobs *js, uint64_t id, uint64_t now_s)
{
	struct job *j = find(js, id);

	if (!j || j->suspended) {
		sfab_jobs_remove(js, id);
		return;
	}
	link_out(js, j);
	HASH_DEL(js->jobs, j);
	j->end_s = now_s ? now_s : 1;
	j->later = NULL;
	*js->last_ended = j;
	js->last_ended = &j->later;
	js->nended++;
	forget_ended(js, SFAB_JOBS_ENDED_MAX);
}

void sfab_jobs_suspend(struct sfab_jobs *js, uint64_t id)
{
	struct job *j = find(js, id);

	if (!j || j->suspended)
		return;
	link_out(js, j);
	j->suspended = 1;
}

void sfab_jobs_resume(struct sfab_jobs *js, uint64_t id)
{
	struct job *j = find(js, id);

	if (j && j->suspended && link_in(js, j) == 0)
		j->suspended = 0;
}

void sfab_jobs_set_times(struct sfab_jobs *js, uint64_t id, uint64_t start_s,
			 uint64_t limit_s)
{
	struct job *j = find(js, id);

	if (!j)
		return;
	j->start_s = start_s;
	j->limit_s = limit_s;
}

int sfab_jobs_has(const struct sfab_jobs *js, uint64_t id)
{
	return find(js, id) != NULL;
}

uint32_t sfab_jobs_count(const struct sfab_jobs *js)
{
	return HASH_COUNT(js->jobs);
}

double sfab_jobs_talking(const struct sfab_jobs *js)
{
	return js->nhosts ? (double) js->ntalking / (double) js->nhosts : 0;
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
	sfab_jobs_total(js);
}

void sfab_jobs_total(struct sfab_jobs *js)
{
	struct job *j, *next;

	for (uint32_t e = 0; e < js->m->nres; e++)
		set_total(js, e);
	HASH_ITER(hh, js->jobs, j, next)
		refresh(js, j);
}

const double *sfab_jobs_background(const struct sfab_jobs *js)
{
	return js->background;
}

const double *sfab_jobs_wait_share(const struct sfab_jobs *js)
{
	return js->wait_share;
}

void sfab_jobs_add_demand(const struct sfab_jobs *js, uint64_t id, uint32_t n,
			  double *load)
{
	const struct job *j = find(js, id);

	if (!j || j->suspended)
		return;
	for (uint32_t i = 0; i < j->nuses; i++)
		if (j->use[i].res < n)
			load[j->use[i].res] += j->use[i].x;
}

double sfab_jobs_slowdown(struct sfab_jobs *js, uint64_t id)
{
	const struct job *j = find(js, id);

	return j && !j->suspended ? slowdown(j->top, j->end_top) : 1.0;
}

double sfab_jobs_harm(struct sfab_jobs *js, const struct sfab_load *add,
		      double *slowed)
{
	double harm = 0;

	*slowed = 0;
	js->serial++;
	js->nmet = 0;
	for (uint32_t i = 0; i < add->ntouched; i++) {
		uint32_t e = add->touched[i];
		const struct on_list *l = &js->list[e];
		double x = js->background[e] + add->v[e];

		if (x * js->m->inv_cap[e] <= 1)
			continue;	/* slows nobody down */
		for (uint32_t k = 0; k < l->n; k++) {
			struct job *j = l->on[k].job;

			if (j->seen != js->serial) {
				j->new_top = j->top;
				j->new_end_top = j->end_top;
				meet(js, j);
			}
			raise(js, e, x, &j->new_top, &j->new_end_top);
		}
	}
	for (uint32_t i = 0; i < js->nmet; i++) {
		const struct job *j = js->met[i];

		double more = slowdown(j->new_top, j->new_end_top) -
			      slowdown(j->top, j->end_top);

		if (more > 0) {
			*slowed += more;
			harm += j->n * more;
		}
	}
	return harm;
}
