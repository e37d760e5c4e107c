/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw.c - what to draw -> a heat map; see draw.h
 *
 * The steps: open the fabric, shape the rows and columns of the sheet, fill the cells, then
 * what a full cell is, who is in it, and the scale.  Drawing knows neither links nor jobs:
 * picture.c and terminal.c only see the sheet.
 *
 * "Full" is the value at which a link carries all it can, so that a cell above it can be
 * marked.  "Parts" are the jobs whose loads add up to a cell.  Full cells exist only for
 * loads (GB/s or percent), parts only where the loads are those of jobs.
 */

#include "tools/plot/draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/plot/link_jobs.h"
#include "tools/site/with_counters.h"
#include "tools/ui/say.h"

#define GB 1e9
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
	const struct sfab_fabric *f = d->p.site.f;
	double *value = need(f->nlinks, sizeof(*value));
	int rc = find_values(d, w, value, r, err);

	if (rc == 0) {
		d->s.into = w->direction == PORTS_INTO;
		/* Of loads the fuller one, so that overload is seen. */
		if (w->direction == PORTS_FULLER && (w->of_jobs || w->measured) &&
		    w->value != LINKS_ROUTES)
			d->s.into = ports_into_is_fuller(&d->s, f, value, w->value != LINKS_LOAD);
		d->s.title = need_text("%s: %s %s each %s", d->s.name, w->by_job ? "jobs" :
				       links_unit(w->value), d->s.into ? "into" : "out of",
				       ports_what(f, w->rows));
		ports_fill(&d->s, f, value);
	}
	free(value);
	return rc;
}

/* -- what fills cells, and which jobs are in them ---------------------------- */

/* What a link carries, or a load on it, in the unit of the picture. */
static double in_unit(double bytes, const struct sfab_link *l,
		      enum links_value value)
{
	return value == LINKS_PERCENT ? 100 * bytes / l->capacity : bytes / GB;
}

/*
 * The jobs of a link are the parts of its cell, largest first in both.  Those that nobody
 * uses have none.
 */
static void add_cell_parts(struct sheet *s, struct heat_cell *cell, const struct link_jobs *l,
			   uint32_t link, enum links_value value)
{
	const struct link_job *of = l->part + l->first[link];

	cell->part = s->nparts;
	cell->nparts = link_jobs_count(l, link);
	for (uint32_t i = 0; i < cell->nparts; i++) {
		double load = in_unit(of[i].load, &l->f->links[link], value);

		s->part = need_more(s->part, s->nparts, sizeof(*s->part));
		s->part[s->nparts++] = (struct heat_part) { of[i].job, load };
		s->group[of[i].job].total += load;
		if (cell->nparts > 1 && link_jobs_overload(l, link))
			s->group[of[i].job].colliding += load;
	}
}

/*
 * All jobs of a port are named in a map of one job, too: they are what it meets there.  The
 * name of a group stands in cells, like "333"; the title in the legend, like "333 (64 hosts,
 * anna)".  A sheet shows one direction: if all is well in the one that was asked for and not
 * in the other, the user would never look for it.
 */
static void add_parts(struct sheet *s, const struct preview_context *p, enum links_value value,
		      struct report *r)
{
	size_t ncells = (size_t) s->nrows * s->ncolumns;
	uint32_t over[2] = { 0 };	/* by direction */
	struct link_jobs l;

	link_jobs_find(&l, p);
	for (size_t i = 0; i < ncells; i++)
		for (int into = 0; into < 2; into++)
			over[into] += s->cell[i].link[into] != SFAB_NONE &&
				      link_jobs_overload(&l, s->cell[i].link[into]);
	if (over[!s->into] && !over[s->into])
		report_warning(r, "ports are overloaded in the other direction: %" PRIu32
			       ", seen with %s", over[!s->into], s->into ? "--leaving" : "--into");
	s->parts = "jobs";
	s->ngroups = p->list.n;
	s->group = need(s->ngroups, sizeof(*s->group));
	for (uint32_t j = 0; j < s->ngroups; j++) {
		const struct joblist_job *job = &p->list.job[j];

		s->group[j].name = need_text("%" PRIu64, job->id);
		s->group[j].title = need_text("%" PRIu64 " (%" PRIu32 " hosts%s%s)", job->id, job->n,
					      job->user ? ", " : "", job->user ? job->user : "");
	}
	for (size_t i = 0; i < ncells; i++)
		if (s->cell[i].state == HEAT_USED)
			add_cell_parts(s, &s->cell[i], &l, s->cell[i].link[s->into], value);
	sheet_sort_groups(s);
	link_jobs_free(&l);
}

int draw_make(struct drawing *d, struct draw_wish *w, struct report *r,
	      struct sfab_err *err)
{
	int rc, is_load;

	memset(d, 0, sizeof(*d));
	/*
	 * Jobs and counters are about bytes, sets of hosts about routes, unless
	 * --value says otherwise.
	 */
	if (w->value == LINKS_DEFAULT)
		w->value = w->of_jobs || w->measured ? LINKS_LOAD : LINKS_ROUTES;
	is_load = w->value == LINKS_LOAD || w->value == LINKS_PERCENT;
	/* Without jobs the context is only a site: it has no list and no model. */
	rc = w->of_jobs ? preview_context_open(&d->p, &w->o, r, err) :
			  site_open(&d->p.site, &w->o.options, r, err);
	if (rc == 0) {
		ports_shape(&d->s, d->p.site.f, w->rows);
		d->s.unit = links_unit(w->value);
		d->s.by_group = w->by_job;
		rc = fill_drawing(d, w, r, err);
	}
	if (rc != 0) {
		draw_close(d);
		return rc;
	}
	d->s.fills = is_load;
	for (size_t i = 0; is_load && i < (size_t) d->s.nrows * d->s.ncolumns; i++) {
		uint32_t link = d->s.cell[i].link[d->s.into];
		const struct sfab_link *l = &d->p.site.f->links[link];

		if (link != SFAB_NONE)
			d->s.cell[i].full = in_unit(l->capacity, l, w->value);
	}
	if (is_load && w->of_jobs)
		add_parts(&d->s, &d->p, w->value, r);
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
