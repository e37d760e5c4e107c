/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_effects.c - what a change does to the running jobs; see job_effects.h
 *
 * Each running job is measured among all others, on the routes of one fabric.
 * The plugin does not come into this: a change of cables moves no job, so only
 * the links below it change.
 */

#include "tools/whatif/job_effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/search/score.h"
#include "tools/ui/say.h"

#define GB 1e9
#define LEAST 1e-3		/* relative; smaller differences do not count */

enum {
	J_JOB, J_HOSTS, J_TRAFFIC, J_GBS_NOW, J_GBS_BASE, J_GBS_THEN, J_SLOW_NOW,
	J_SLOW_BASE, J_SLOW_THEN, J_LOST_NOW, J_LOST_THEN, J_CHANGE,
};

const struct column jobs_columns[] = {
	{ "job", "its id", COLUMN_COUNT, 0, SHOWN },
	{ "hosts", "its hosts in the fabric", COLUMN_COUNT, 0, SHOWN },
	{ "traffic", "what it sends", COLUMN_TEXT, 0, SHOWN },
	{ "gbs_now", "GB/s it gets among all others, with all its flows at one rate",
	  COLUMN_NUMBER, 2, SHOWN },
	{ "gbs_base", "on the unchanged fabric as OpenSM routes it here, if that differs",
	  COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "gbs_then", "after the change", COLUMN_NUMBER, 2, SHOWN },
	{ "slowdown_now", "by all jobs together; 1 is none", COLUMN_NUMBER, 2,
	  SHOWN_IF_ASKED },
	{ "slowdown_base", "as gbs_base", COLUMN_NUMBER, 2, SHOWN_IF_ASKED },
	{ "slowdown_then", "after the change", COLUMN_NUMBER, 2,
	  SHOWN_IF_ASKED },
	{ "lost_now", "part of its time that it loses, beside the others",
	  COLUMN_NUMBER, 3, SHOWN_IF_ANY },
	{ "lost_then", "after the change", COLUMN_NUMBER, 3, SHOWN_IF_ANY },
	{ "change", "better, worse or none", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

struct effect_side { /* one routing with its jobs */
	struct sfab_model *m;
	struct sfab_jobs *js;
	struct sfab_scorer *sc;
	double *load;		/* of the current job, by resource */
};

/* On failure the caller frees what is there. */
static int side_open(struct effect_side *s, const struct sfab_fabric *f,
		     const struct site *site, const struct joblist *list,
		     struct sfab_err *err)
{
	s->m = sfab_site_view_model(f, site->io, site->conf);
	s->js = s->m ? sfab_jobs_create(s->m) : NULL;
	s->sc = s->js ? sfab_scorer_create(s->m) : NULL;
	if (!s->sc)
		return sfab_no_memory(err);
	s->load = need(s->m->nres + 1u, sizeof(*s->load));
	return joblist_start(list, s->js, err);
}

static int measure_job(struct effect_side *s, const struct joblist_job *job,
		       struct job_rate *out, struct sfab_err *err)
{
	struct sfab_spec spec = joblist_spec(job);
	struct sfab_score score;
	const double *all;
	const struct sfab_model *m;
	double asked = 0, top = 1;

	/* A suspended job sends nothing. */
	if (job->suspended || !job->n)
		return 0;
	/* What all its end ports send, over the fullest of its resources. */
	all = sfab_jobs_background(s->js);
	m = s->m;
	memset(s->load, 0, m->nres * sizeof(*s->load));
	sfab_jobs_add_demand(s->js, job->id, m->nres, s->load);
	for (uint32_t e = 0; e < m->nres; e++) {
		if (s->load[e] <= 0)
			continue;
		top = fmax(top, all[e] * m->inv_cap[e]);
		if (e < m->f->nlinks && m->f->links[e].kind == SFAB_LINK_INJECT)
			asked += s->load[e];
	}
	/*
	 * The fullest link sets the pace for all flows of the job, so its rate
	 * is what it wants divided by that link's load.
	 */
	out->gbs = asked / top / GB;
	out->slowdown = sfab_jobs_slowdown(s->js, job->id);
	/*
	 * A score is about a job that is not there yet, so it is taken out for
	 * the moment.
	 */
	sfab_jobs_remove(s->js, job->id);
	if (sfab_score(s->sc, s->js, &spec, NULL, NULL, &score, err) != 0 ||
	    sfab_jobs_add(s->js, job->id, &spec, err) != 0)
		return -1;
	out->lost = score.lost.time;
	return 0;
}

struct job_rate *jobs_rates(const struct sfab_fabric *f, const struct site *site,
			    const struct joblist *list, struct sfab_err *err)
{
	struct job_rate *out = need(list->n + 1u, sizeof(*out));
	struct effect_side s = {.m = NULL};
	int rc = side_open(&s, f, site, list, err);

	for (uint32_t i = 0; rc == 0 && i < list->n; i++)
		rc = measure_job(&s, &list->job[i], &out[i], err);
	sfab_scorer_destroy(s.sc);
	sfab_jobs_destroy(s.js);
	sfab_model_destroy(s.m);
	free(s.load);
	if (rc == 0)
		return out;
	free(out);
	return NULL;
}

/* 1: @a is larger than @b, -1: smaller, 0: no significant difference. */
static int compare_by_margin(double a, double b)
{
	if (fabs(a - b) <= LEAST * fmax(a, b))
		return 0;
	return a > b ? 1 : -1;
}

/*
 * The first measure that differs decides: what a job gets, then what slows it, then what
 * it loses in its phases.
 */
int jobs_change(const struct job_rate *now, const struct job_rate *then)
{
	int change = compare_by_margin(then->gbs, now->gbs);

	if (!change)
		change = compare_by_margin(now->slowdown, then->slowdown);
	if (!change)
		change = compare_by_margin(now->lost, then->lost);
	return change;
}

static void add_compared_job(struct table *t, const struct joblist_job *job,
			     const struct job_rate *now,
			     const struct job_rate *base,
			     const struct job_rate *then)
{
	static const char *const words[] = { "worse", "none", "better" };
	char traffic[1024];

	sfab_traffic_text(&job->traffic, traffic, sizeof(traffic));
	table_row(t);
	table_count(t, J_JOB, job->id);
	table_count(t, J_HOSTS, job->n);
	table_text(t, J_TRAFFIC, traffic);
	table_number(t, J_GBS_NOW, now->gbs);
	if (base) {
		table_number(t, J_GBS_BASE, base->gbs);
		table_number(t, J_SLOW_BASE, base->slowdown);
	}
	table_number(t, J_GBS_THEN, then->gbs);
	table_number(t, J_SLOW_NOW, now->slowdown);
	table_number(t, J_SLOW_THEN, then->slowdown);
	table_number(t, J_LOST_NOW, now->lost);
	table_number(t, J_LOST_THEN, then->lost);
	table_text(t, J_CHANGE, words[1 + jobs_change(base ? base : now, then)]);
}

struct table *jobs_table(const struct joblist *list,
			 const struct joblist_job *only,
			 const struct job_rate *now, const struct job_rate *base,
			 const struct job_rate *then, enum jobs_which which)
{
	const struct job_rate *from = base ? base : now;
	struct table *t = table_create(jobs_columns);

	for (uint32_t i = 0; i < list->n; i++) {
		if ((only && only != &list->job[i]) ||
		    (which == JOBS_CHANGED && !jobs_change(&from[i], &then[i])))
			continue;
		add_compared_job(t, &list->job[i], &now[i], base ? &base[i] : NULL,
				 &then[i]);
	}
	return t;
}
