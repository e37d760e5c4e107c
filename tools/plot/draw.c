/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw.c - what to draw -> a sheet of heat maps; see draw.h
 *
 * A sheet has one map for each thing that is drawn: one, or all jobs and then each job.
 *
 * The steps: open the fabric, shape the rows and columns of the sheet, add a
 * map for each thing, then what applies to all maps (what a full cell is, who
 * is in it, one scale).  Drawing knows neither links nor jobs: picture.c,
 * terminal.c, page.c and list.c only see the sheet.
 */

#include "tools/plot/draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/plot/draw_parts.h"
#include "tools/plot/link_jobs.h"
#include "tools/site/link_counters.h"
#include "tools/ui/say.h"

/*
 * Opens a fabric, and the running jobs if they are wanted.  Without jobs the
 * context is only a site: it has no list and no model.
 */
static int open_drawn(struct preview_context *p, const struct draw_wish *w, struct report *r,
		      struct sfab_err *err)
{
	if (w->of_jobs)
		return preview_context_open(p, &w->o, r, err);
	memset(p, 0, sizeof(*p));
	return site_open(&p->site, &w->o.options, r, err);
}

/*
 * The title of a job's map, or of all jobs (NULL).  Caller frees.  Like "job
 * 333 (64 hosts, mpi)" with the traffic as the user or the script gave it.
 */
static char *job_name(const struct joblist_job *job)
{
	char traffic[1024];	/* longer ones are cut */

	if (!job)
		return need_copy("all jobs");
	sfab_traffic_text(&job->traffic, traffic, sizeof(traffic));
	return need_text("job %" PRIu64 " (%" PRIu32 " hosts, %s)%s", job->id,
			 job->n, traffic, job->suspended ? ", suspended" : "");
}

#define SET_MOST 40		/* bytes of a set in a title */

/* "compute > io"; a long list of hosts is cut.  Caller frees. */
static char *sets_name(const struct draw_wish *w)
{
	const char *more[2] = { strlen(w->from) > SET_MOST ? "..." : "",
				strlen(w->to) > SET_MOST ? "..." : "" };

	return need_text("%.*s%s > %.*s%s", SET_MOST, w->from, more[0], SET_MOST,
			 w->to, more[1]);
}

/* "compute > io: routes out of each spine port" */
static char *title_of(const char *name, const struct draw_wish *w,
		      const struct sfab_fabric *f)
{
	const char *unit = w->by_job ? "jobs" : links_unit(w->value);

	return need_text("%s: %s %s each %s", name, unit,
			 w->direction == PORTS_INTO ? "into" : "out of",
			 ports_what(f, w->rows));
}

/*
 * Nobody asked for a direction: of loads the fuller one, so that overload is seen.  All
 * maps of a sheet have that of the first.
 */
static void choose_direction(const struct drawing *d, struct draw_wish *w,
			     const struct sfab_fabric *f, const double *value)
{
	if (w->direction == PORTS_FULLER &&
	    (w->of_jobs || w->measured) && w->value != LINKS_ROUTES)
		w->direction = ports_fuller(&d->s, f, value, w->value != LINKS_LOAD);
	if (w->direction == PORTS_FULLER)
		w->direction = PORTS_OUT;
}

/* Adds a map of @value, which is consumed. */
static void add_value_map(struct drawing *d, struct draw_wish *w,
			  const struct sfab_fabric *f, char *name, double *value)
{
	uint32_t map = d->s.nmaps;

	choose_direction(d, w, f, value);
	d->s.into = w->direction == PORTS_INTO;
	sheet_add_take(&d->s, name, title_of(name, w, f));
	ports_fill(&d->s, map, f, value, w->direction);
	free(value);
}

/* @job NULL: the sum of all running jobs. */
static int add_job_map(struct drawing *d, const struct preview_context *p,
		       struct draw_wish *w, const struct joblist_job *job,
		       struct sfab_err *err)
{
	const struct sfab_fabric *f = p->site.f;
	double *value = need(f->nlinks, sizeof(*value));

	if (links_of_jobs(p, job, w->value, value, err) != 0) {
		free(value);
		return -1;
	}
	add_value_map(d, w, f, job_name(job), value);
	return 0;
}

/*
 * One of three sources: measured, routes between sets, or jobs.  Each gives a
 * value for each link.
 */
static int add_source(struct drawing *d, struct draw_wish *w, struct report *r,
		      struct sfab_err *err)
{
	const struct preview_context *p = &d->p;
	const struct joblist_job *job = NULL;

	if (w->measured) {
		const struct sfab_fabric *f = p->site.f;
		double *value = need(f->nlinks, sizeof(*value));
		struct link_counters c;
		int rc = link_counters_read(&c, w->counters, &p->site, err);

		if (rc == 0) {
			rc = links_measured(c.measured, w->value, value, err);
			link_counters_free(&c);
		}
		if (rc != 0) {
			free(value);
			return -1;
		}
		add_value_map(d, w, f, need_copy("measured"), value);
		return 0;
	}
	if (!w->of_jobs) {
		const struct sfab_fabric *f = p->site.f;
		double *value = need(f->nlinks, sizeof(*value));

		if (links_of_sets(&p->site, w->from, w->to, w->value, value, r, err) != 0) {
			free(value);
			return -1;
		}
		add_value_map(d, w, f, sets_name(w), value);
		return 0;
	}
	if (w->job) {
		job = joblist_find(&p->list, w->job, err);
		if (!job)
			return -1;
	}
	return add_job_map(d, p, w, job, err);
}

static int fill_drawing(struct drawing *d, struct draw_wish *w,
			struct report *r, struct sfab_err *err)
{
	if (add_source(d, w, r, err) != 0)
		return -1;
	if (!w->each_job || !w->of_jobs || w->job)
		return 0;
	/* Map 0 is all jobs already; hundreds of small maps follow. */
	for (uint32_t i = 0; i < d->p.list.n; i++)
		if (add_job_map(d, &d->p, w, &d->p.list.job[i], err) != 0)
			return -1;
	return 0;
}

int draw_make(struct drawing *d, struct draw_wish *w, struct report *r,
	      struct sfab_err *err)
{
	int rc;

	memset(d, 0, sizeof(*d));
	/*
	 * Jobs and counters are about bytes, sets of hosts about routes, unless
	 * --value says otherwise.
	 */
	if (w->value == LINKS_DEFAULT)
		w->value = w->of_jobs || w->measured ? LINKS_LOAD : LINKS_ROUTES;
	rc = open_drawn(&d->p, w, r, err);
	if (rc == 0) {
		ports_shape(&d->s, d->p.site.f, w->rows);
		d->s.unit = links_unit(w->value);
		rc = fill_drawing(d, w, r, err);
	}
	if (rc == 0)
		draw_add_full(&d->s, &d->p, w);
	if (rc == 0 && w->of_jobs)
		draw_add_parts(&d->s, &d->p, w, r);
	if (rc == 0 && w->of_jobs)
		link_jobs_warn(&d->p, r);
	if (rc == 0 && w->only_used)
		sheet_only_used(&d->s);
	if (rc == 0)
		sheet_scale(&d->s, w->max);
	else
		draw_close(d);
	return rc;
}

void draw_close(struct drawing *d)
{
	sheet_free(&d->s);
	preview_context_close(&d->p);
	memset(d, 0, sizeof(*d));
}
