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
 * Fills s->full, a value for each cell, in the unit of the maps.  0 stays where
 * the cell is no link.
 */
void draw_add_full(struct sheet *s, const struct planner *p,
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

/*
 * The group of each job; caller frees.  Adds the groups to the sheet.  At most
 * as many groups as jobs, so the array is made once.
 */
static uint32_t *make_groups(struct sheet *s, const struct joblist *list,
			     enum draw_by by)
{
	uint32_t *group = need(list->n, sizeof(*group));

	s->group = need(list->n, sizeof(*s->group));
	s->parts = by == BY_USER ? "users" : "jobs";
	for (uint32_t j = 0; j < list->n; j++) {
		const char *user = list->job[j].user ? list->job[j].user :
						       "unknown";

		group[j] = by == BY_USER ? 0 : j;
		while (by == BY_USER && group[j] < s->ngroups &&
		       strcmp(s->group[group[j]].name, user) != 0)
			group[j]++;
		if (group[j] < s->ngroups)
			continue;
		s->group[s->ngroups++] = by == BY_USER ?
			(struct heat_group) { .name = need_copy(user), .title = need_copy(user) } :
			job_group(&list->job[j]);
	}
	return group;
}

/* -- parts ------------------------------------------------------------------ */

struct part_maker {
	struct sheet *s;
	struct heatmap *m;	/* gets the parts */
	const struct link_jobs *l;
	const uint32_t *group;		/* by job */
	double *sum;			/* by group; zero between cells */
	enum links_value value;
};

static int compare_heat_parts(const void *a, const void *b)
{
	const struct heat_part *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->group > y->group ? 1 : -1;
}

/*
 * Several jobs may be one group: their sum stands where the first of them was.
 * Largest first, as a legend or a tip names only the first ones.  The array has
 * space for all parts of the map, counted before.
 */
static void add_cell_parts(struct part_maker *k, struct heat_cell *cell,
			   uint32_t link)
{
	const struct link_jobs *l = k->l;
	struct heat_part *part = k->m->part + k->m->nparts;

	cell->part = k->m->nparts;
	for (uint32_t i = l->first[link]; i < l->first[link + 1]; i++) {
		uint32_t g = k->group[l->part[i].job];

		/*
		 * A part is at least a load above 0, so the sum says whether
		 * the group was seen.
		 */
		if (!(k->sum[g] > 0))
			part[cell->nparts++].group = g;
		k->sum[g] += in_unit(l->part[i].load, &l->f->links[link],
				     k->value);
	}
	for (uint32_t i = 0; i < cell->nparts; i++) {
		part[i].value = k->sum[part[i].group];
		k->s->group[part[i].group].total += part[i].value;
		if (cell->nparts > 1 && link_jobs_overload(l, link))
			k->s->group[part[i].group].colliding += part[i].value;
		k->sum[part[i].group] = 0;
	}
	qsort(part, cell->nparts, sizeof(*part), compare_heat_parts);
	k->m->nparts += cell->nparts;
}

/* At most: jobs of one group become one part. */
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
void draw_add_parts(struct sheet *s, const struct planner *p,
		    const struct draw_wish *w, struct report *r)
{
	struct link_jobs l;
	struct part_maker k = { .s = s, .m = &s->map[0], .l = &l,
				.value = w->value };
	uint32_t *link, *group;

	if (!is_load(w->value))
		return;
	link_jobs_find(&l, p, w->by == BY_AMOUNT ? NULL : w->user);
	warn_of_other_way(s, &l, w->direction, r);
	link = ports_links(s, p->site.f, w->direction);
	group = make_groups(s, &p->list, w->by);
	k.group = group;
	k.sum = need(s->ngroups, sizeof(*k.sum));
	k.m->part = need(count_parts(s, &l, link), sizeof(*k.m->part));
	for (size_t i = 0; i < (size_t) s->nrows * s->ncolumns; i++)
		if (link[i] != SFAB_NONE && k.m->cell[i].state == HEAT_USED)
			add_cell_parts(&k, &k.m->cell[i], link[i]);
	s->by_group = w->by != BY_AMOUNT;
	sheet_sort_groups(s);
	free(k.sum);
	free(group);
	free(link);
	link_jobs_free(&l);
}
