/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw.c - what to draw -> a sheet of heat maps; see draw.h
 *
 * A sheet has one map for each thing that is drawn: one, or before, after and
 * difference, or all jobs and then each job.
 *
 * The steps: open the fabrics, shape the rows and columns of the sheet, add a
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
 * planner is only a site: it has no list and no model.
 */
static int open_side(struct planner *p, const struct draw_wish *w,
		     const char *snapshot, struct report *r,
		     struct sfab_err *err)
{
	struct planner_options o = w->o;

	if (snapshot)
		o.options.snapshot = snapshot;
	if (w->of_jobs)
		return planner_open(p, &o, r, err);
	memset(p, 0, sizeof(*p));
	return site_open(&p->site, &o.options, r, err);
}

/*
 * The title of a job's map, or of all jobs (NULL).  Caller frees.  Like "job
 * 333 (64 hosts, mpi)" with the traffic as the user or the script gave it.
 */
static char *job_name(const struct joblist_job *job, const struct draw_wish *w)
{
	char traffic[1024];	/* longer ones are cut */

	if (!job)
		return w->user ? need_text("jobs of %s", w->user) :
				 need_copy("all jobs");
	sfab_traffic_text(&job->traffic, traffic, sizeof(traffic));
	return need_text("job %" PRIu64 " (%" PRIu32 " hosts, %s)%s", job->id,
			 job->n, traffic, job->suspended ? ", suspended" : "");
}

#define SET_MOST 40		/* bytes of a set in a title */

/* "compute > io in FILE"; a long list of hosts is cut.  Caller frees. */
static char *side_name(const struct side *side)
{
	const char *more[2] = { strlen(side->from) > SET_MOST ? "..." : "",
				strlen(side->to) > SET_MOST ? "..." : "" };

	return need_text("%.*s%s > %.*s%s%s%s", SET_MOST, side->from, more[0], SET_MOST,
			 side->to, more[1], side->snapshot ? " in " : "",
			 side->snapshot ? side->snapshot : "");
}

/* "compute > io: routes out of each spine port" */
static char *title_of(const char *name, const struct draw_wish *w,
		      const struct sfab_fabric *f)
{
	const char *unit = w->by == BY_JOB ? "jobs" : w->by == BY_USER ? "users" :
			   links_unit(w->value);

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
static int add_job_map(struct drawing *d, const struct planner *p,
		       struct draw_wish *w, const struct joblist_job *job,
		       struct sfab_err *err)
{
	const struct sfab_fabric *f = p->site.f;
	double *value = need(f->nlinks, sizeof(*value));

	if (links_of_jobs(p, job, w->user, w->value, value, err) != 0) {
		free(value);
		return -1;
	}
	add_value_map(d, w, f, job_name(job, w), value);
	return 0;
}

/*
 * One of three sources: measured, routes between sets, or jobs.  Each gives a
 * value for each link.
 */
static int add_side(struct drawing *d, const struct planner *p,
		    struct draw_wish *w, const struct side *side,
		    struct report *r, struct sfab_err *err)
{
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

		if (links_of_sets(&p->site, side->from, side->to, w->value,
				  value, r, err) != 0) {
			free(value);
			return -1;
		}
		add_value_map(d, w, f, side_name(side), value);
		return 0;
	}
	if (side->job) {
		job = joblist_find(&p->list, side->job, err);
		if (!job)
			return -1;
	}
	return add_job_map(d, p, w, job, err);
}

/* What --compare-... does not name is as on the other side. */
static int fill_drawing(struct drawing *d, struct draw_wish *w,
			struct report *r, struct sfab_err *err)
{
	d->nshown = 1;
	if (add_side(d, &d->p, w, &w->a, r, err) != 0)
		return -1;
	if (w->compare) {
		const struct planner *p = w->b.snapshot ? &d->other : &d->p;
		char *title;

		/* Before, after, difference. */
		w->b.from = w->b.from ? w->b.from : w->a.from;
		w->b.to = w->b.to ? w->b.to : w->a.to;
		w->b.job = w->b.job ? w->b.job : w->a.job;
		if (add_side(d, p, w, &w->b, r, err) != 0)
			return -1;
		/*
		 * Map 0 is before, map 1 after; the third is the difference of
		 * their cells.
		 */
		title = need_text("%s minus %s", d->s.map[1].name,
				  d->s.map[0].name);
		sheet_add_change(&d->s, 0, 1, title);
		d->nshown = 3;
		return 0;
	}
	/* Map 0 is all jobs already; hundreds of small maps follow. */
	if (w->each_job && w->of_jobs && !w->a.job) {
		for (uint32_t i = 0; i < d->p.list.n; i++)
			if (link_jobs_is_of(&d->p.list.job[i], w->user) &&
			    add_job_map(d, &d->p, w, &d->p.list.job[i], err) !=
			    0)
				return -1;
		return 0;
	}
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
	if (!w->has_value)
		w->value = w->of_jobs || w->measured ? LINKS_LOAD : LINKS_ROUTES;
	/* the first snapshot last: the report describes it */
	rc = w->b.snapshot ? open_side(&d->other, w, w->b.snapshot, r, err) : 0;
	if (rc == 0)
		rc = open_side(&d->p, w, NULL, r, err);
	if (rc == 0) {
		/* Both fabrics give rows, so a switch that only one has is seen. */
		ports_shape(&d->s, d->p.site.f, d->other.site.f, w->rows);
		d->s.unit = links_unit(w->value);
		if (w->user)
			rc = link_jobs_check_user(&d->p.list, w->user, err);
		if (rc == 0)
			rc = fill_drawing(d, w, r, err);
	}
	if (rc == 0)
		draw_add_full(&d->s, &d->p, w);
	if (rc == 0 && w->of_jobs && !w->b.snapshot)
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
	planner_close(&d->p);
	planner_close(&d->other);
	memset(d, 0, sizeof(*d));
}
