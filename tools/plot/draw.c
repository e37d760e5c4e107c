/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw.c - what to draw -> a heat map; see draw.h
 *
 * The steps: open the fabric, shape the rows and columns of the sheet, fill the cells, then
 * what a full cell is, who is in it, and the scale.  Drawing knows neither links nor jobs:
 * picture.c, terminal.c and list.c only see the sheet.
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

/* Nobody asked for a direction: of loads the fuller one, so that overload is seen. */
static void choose_direction(const struct drawing *d, struct draw_wish *w,
			     const struct sfab_fabric *f, const double *value)
{
	if (w->direction == PORTS_FULLER &&
	    (w->of_jobs || w->measured) && w->value != LINKS_ROUTES)
		w->direction = ports_fuller(&d->s, f, value, w->value != LINKS_LOAD);
	if (w->direction == PORTS_FULLER)
		w->direction = PORTS_OUT;
}

/*
 * A value for each link, from one of three sources: measured, routes between sets, or jobs;
 * and the name of what is drawn.
 */
static int find_values(struct drawing *d, const struct draw_wish *w, double *value,
		       struct report *r, struct sfab_err *err)
{
	const struct preview_context *p = &d->p;
	const struct joblist_job *job = NULL;

	if (w->measured) {
		struct link_counters c;
		int rc = link_counters_read(&c, w->counters, &p->site, err);

		d->s.name = need_copy("measured");
		if (rc == 0) {
			rc = links_measured(c.measured, w->value, value, err);
			link_counters_free(&c);
		}
		return rc;
	}
	if (!w->of_jobs) {
		d->s.name = sets_name(w);
		return links_of_sets(&p->site, w->from, w->to, w->value, value, r, err);
	}
	if (w->job) {
		job = joblist_find(&p->list, w->job, err);
		if (!job)
			return -1;
	}
	d->s.name = job_name(job);
	return links_of_jobs(p, job, w->value, value, err);
}

static int fill_drawing(struct drawing *d, struct draw_wish *w,
			struct report *r, struct sfab_err *err)
{
	const struct sfab_fabric *f = d->p.site.f;
	double *value = need(f->nlinks, sizeof(*value));
	int rc = find_values(d, w, value, r, err);

	if (rc == 0) {
		choose_direction(d, w, f, value);
		d->s.into = w->direction == PORTS_INTO;
		d->s.title = title_of(d->s.name, w, f);
		ports_fill(&d->s, f, value, w->direction);
	}
	free(value);
	return rc;
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
