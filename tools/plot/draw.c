/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw.c - what to draw -> a heat map; see draw.h
 *
 * The steps: open the fabric, choose the rows of the sheet, find a value for each link, then
 * whose it is, and the scale.  Cells have jobs only where the values are loads of jobs.
 */

#include "tools/plot/draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/plot/link_jobs.h"
#include "tools/site/with_counters.h"
#include "tools/ui/say.h"

#define SET_MOST 40		/* bytes of a set in a title */

/*
 * "compute > io", where a long list of hosts is cut; "all jobs"; or like "job 333 (64 hosts,
 * mpi)" with the traffic as the user or the script gave it.  Caller frees.
 */
static char *name_of_drawn(const struct draw_wish *w, const struct joblist_job *job)
{
	char traffic[1024];	/* longer ones are cut */

	if (w->measured)
		return need_copy("measured");
	if (!w->of_jobs)
		return need_text("%.*s%s > %.*s%s", SET_MOST, w->from,
				 strlen(w->from) > SET_MOST ? "..." : "", SET_MOST, w->to,
				 strlen(w->to) > SET_MOST ? "..." : "");
	if (!job)
		return need_copy("all jobs");
	sfab_traffic_text(&job->traffic, traffic, sizeof(traffic));
	return need_text("job %" PRIu64 " (%" PRIu32 " hosts, %s)%s", job->id,
			 job->n, traffic, job->suspended ? ", suspended" : "");
}

/*
 * A value for each link, from one of three sources: measured, routes between sets, or jobs;
 * and the name of what is drawn.
 */
static int find_values(struct drawing *d, const struct draw_wish *w, double *value,
		       struct report *r, struct sfab_err *err)
{
	const struct preview_context *p = &d->p;
	const struct joblist_job *job = w->job ? joblist_find(&p->list, w->job, err) : NULL;
	struct counted k;
	int rc;

	if (w->job && !job)
		return -1;
	d->s.name = name_of_drawn(w, job);
	if (w->of_jobs)
		return links_of_jobs(p, job, w->value, value, err);
	if (!w->measured)
		return links_of_sets(&p->site, w->from, w->to, w->value, value, r, err);
	rc = counted_open(&k, &p->site, w->counters, COUNTED_HERE, NULL, err);
	if (rc == 0)
		rc = links_measured(k.ms, w->value, value, err);
	counted_close(&k);
	return rc;
}

static int fill_drawing(struct drawing *d, struct draw_wish *w,
			struct report *r, struct sfab_err *err)
{
	struct sheet *s = &d->s;

	s->value = need(s->f->nlinks, sizeof(*s->value));
	if (find_values(d, w, s->value, r, err) != 0)
		return -1;
	s->into = w->direction == PORTS_INTO;
	/* Of loads the fuller one, so that overload is seen. */
	if (w->direction == PORTS_FULLER && (w->of_jobs || w->measured) &&
	    w->value != LINKS_ROUTES)
		s->into = ports_into_is_fuller(s);
	s->title = need_text("%s: %s %s each %s", s->name, w->by_job ? "jobs" :
			     links_unit(w->value), s->into ? "into" : "out of",
			     ports_what(s->f, w->rows));
	return 0;
}

/*
 * All jobs of a port are named in a map of one job, too: they are what it meets there.  A
 * sheet shows one direction: if all is well in the one that was asked for and not in the
 * other, the user would never look for it.
 */
static void add_jobs(struct sheet *s, const struct preview_context *p, struct report *r)
{
	uint32_t over[2] = { 0 };	/* by direction */

	link_jobs_find(&s->jobs, p);
	for (uint32_t row = 0; row < s->nrows; row++)
		for (uint32_t c = 0; c < s->ncolumns; c++)
			for (int into = 0; into < 2; into++) {
				uint32_t link = sheet_link(s, row, c, into);

				over[into] += link != SFAB_NONE &&
					      link_jobs_overload(&s->jobs, link);
			}
	if (over[!s->into] && !over[s->into])
		report_warning(r, "ports are overloaded in the other direction: %" PRIu32
			       ", seen with %s", over[!s->into], s->into ? "--leaving" : "--into");
	sheet_rank_jobs(s);
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
	/* Without jobs the context is only a site: it has no list and no model. */
	rc = w->of_jobs ? preview_context_open(&d->p, &w->o, r, err) :
			  site_open(&d->p.site, &w->o.options, r, err);
	if (rc == 0) {
		ports_shape(&d->s, d->p.site.f, w->rows);
		d->s.unit = w->value;
		d->s.by_job = w->by_job;
		rc = fill_drawing(d, w, r, err);
	}
	if (rc != 0) {
		draw_close(d);
		return rc;
	}
	if (w->of_jobs && sheet_fills(&d->s))
		add_jobs(&d->s, &d->p, r);
	if (w->of_jobs)
		link_jobs_warn(&d->p, r);
	if (w->only_used)
		sheet_only_used(&d->s);
	sheet_scale(&d->s, w->max);
	return 0;
}

void draw_close(struct drawing *d)
{
	sheet_free(&d->s);
	preview_context_close(&d->p);
	memset(d, 0, sizeof(*d));
}
