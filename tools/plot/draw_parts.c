/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw_parts.c - what fills cells, and which jobs are in them; see draw_parts.h
 *
 * "Full" is the value at which a link carries all it can, so that a cell above
 * it can be marked.  "Parts" are the jobs whose loads add up to a cell.  Full
 * cells exist only for loads (GB/s or percent), parts only where the loads are
 * those of jobs.
 */

#include "tools/plot/draw_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/plot/link_jobs.h"
#include "tools/ui/say.h"

#define GB 1e9

/* What a link carries, or a load on it, in the unit of the picture. */
static double in_unit(double bytes, const struct sfab_link *l,
		      enum links_value value)
{
	return value == LINKS_PERCENT ? 100 * bytes / l->capacity : bytes / GB;
}

static int is_load(enum links_value value)
{
	return value == LINKS_LOAD || value == LINKS_PERCENT;
}

/*
 * Fills s->full, a value for each cell, in the unit of the sheet.  0 stays where
 * the cell is no link.
 */
void draw_add_full(struct sheet *s, const struct preview_context *p,
		   const struct draw_wish *w)
{
	const struct sfab_fabric *f = p->site.f;
	size_t n = (size_t) s->nrows * s->ncolumns;
	uint32_t *link;

	if (!is_load(w->value))
		return;
	s->full = need(n, sizeof(*s->full));
	link = ports_links(s, f, w->direction);
	for (size_t i = 0; i < n; i++)
		if (link[i] != SFAB_NONE)
			s->full[i] = in_unit(f->links[link[i]].capacity,
					     &f->links[link[i]], w->value);
	free(link);
}

/* -- groups ----------------------------------------------------------------- */

/*
 * The name stands in cells, like "333"; the title in the legend, like "333 (64
 * hosts, anna)".  The group owns both.
 */
static struct heat_group job_group(const struct joblist_job *job)
{
	char *by = job->user ? need_text(", %s", job->user) : need_copy("");
	struct heat_group g = {
		.name = need_text("%" PRIu64, job->id),
		.title = need_text("%" PRIu64 " (%" PRIu32 " hosts%s)", job->id,
				   job->n, by),
	};

	free(by);
	return g;
}

/* -- parts ------------------------------------------------------------------ */

/*
 * The jobs of a link are the parts of its cell, largest first in both.  The array has
 * space for all parts, counted before.
 */
static void add_cell_parts(struct sheet *s, struct heat_cell *cell, const struct link_jobs *l,
			   uint32_t link, enum links_value value)
{
	const struct link_job *of = l->part + l->first[link];

	cell->part = s->nparts;
	cell->nparts = link_jobs_count(l, link);
	for (uint32_t i = 0; i < cell->nparts; i++) {
		double load = in_unit(of[i].load, &l->f->links[link], value);

		s->part[s->nparts++] = (struct heat_part) { of[i].job, load };
		s->group[of[i].job].total += load;
		if (cell->nparts > 1 && link_jobs_overload(l, link))
			s->group[of[i].job].colliding += load;
	}
}

static size_t count_parts(const struct sheet *s, const struct link_jobs *l,
			  const uint32_t *link)
{
	size_t n = 0;

	for (size_t i = 0; i < (size_t) s->nrows * s->ncolumns; i++)
		if (link[i] != SFAB_NONE)
			n += link_jobs_count(l, link[i]);
	return n;
}

/* Overloaded links that leave or enter the ports of the sheet. */
static uint32_t count_overloaded(const struct sheet *s, const struct link_jobs *l,
				 enum ports_direction direction)
{
	uint32_t *link = ports_links(s, l->f, direction);
	uint32_t n = 0;

	for (size_t i = 0; i < (size_t) s->nrows * s->ncolumns; i++)
		n += link[i] != SFAB_NONE && link_jobs_overload(l, link[i]);
	free(link);
	return n;
}

/*
 * A sheet shows one direction.  If all is well in the one that was asked for and not
 * in the other, the user would never look for it.
 */
static void warn_of_other_way(const struct sheet *s, const struct link_jobs *l,
			      enum ports_direction shown, struct report *r)
{
	int into = shown == PORTS_INTO;
	uint32_t n = count_overloaded(s, l, into ? PORTS_OUT : PORTS_INTO);

	if (n && !count_overloaded(s, l, shown))
		report_warning(r, "ports are overloaded in the other direction: %" PRIu32
			       ", seen with %s", n, into ? "--leaving" : "--into");
}

/*
 * All jobs of a port are named in a map of one job, too: they are what it meets
 * there.
 */
void draw_add_parts(struct sheet *s, const struct preview_context *p,
		    const struct draw_wish *w, struct report *r)
{
	struct link_jobs l;
	uint32_t *link;

	if (!is_load(w->value))
		return;
	link_jobs_find(&l, p);
	warn_of_other_way(s, &l, w->direction, r);
	link = ports_links(s, p->site.f, w->direction);
	s->parts = "jobs";
	s->ngroups = p->list.n;
	s->group = need(s->ngroups, sizeof(*s->group));
	for (uint32_t j = 0; j < s->ngroups; j++)
		s->group[j] = job_group(&p->list.job[j]);
	s->part = need(count_parts(s, &l, link), sizeof(*s->part));
	for (size_t i = 0; i < (size_t) s->nrows * s->ncolumns; i++)
		if (link[i] != SFAB_NONE && s->cell[i].state == HEAT_USED)
			add_cell_parts(s, &s->cell[i], &l, link[i], w->value);
	s->by_group = w->by_job;
	sheet_sort_groups(s);
	free(link);
	link_jobs_free(&l);
}
