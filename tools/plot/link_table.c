/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link_table.c - links and the jobs on them; see link_table.h
 *
 * The same rows for text and JSON.  Text names the largest jobs in one column,
 * as a line has to end; JSON has all of them as a list.
 */

#include "tools/plot/link_table.h"

#include <stdlib.h>

#include "tools/ui/json.h"
#include "tools/ui/link_columns.h"

#define GB 1e9

/* Columns by index: those of every table of links, then these. */
enum { T_LINK, T_KIND = T_LINK + LINK_NCOLUMNS, T_LOAD, T_CAPACITY, T_FILL,
       T_JOBS, T_IDS };

const struct column link_table_columns[] = {
	LINK_COLUMNS,
	{ "kind", "isl (switch to switch), eject (to host), inject (from host)",
	  COLUMN_TEXT, 0, SHOWN_IF_ASKED },
	{ "load_gbs", "GB/s that the running jobs ask of it", COLUMN_NUMBER, 2,
	  SHOWN },
	{ "capacity_gbs", "GB/s of data it can carry", COLUMN_NUMBER, 2, SHOWN },
	{ "fill", "load over capacity", COLUMN_NUMBER, 2, SHOWN },
	{ "jobs", "how many ask for it", COLUMN_COUNT, 0, SHOWN },
	{ "job_gbs", "the largest 8, and how much each asks (GB/s)", COLUMN_TEXT, 0,
	  SHOWN },
	{ 0 }
};

struct table *link_table(const struct link_jobs *l, const uint32_t *link,
			 uint32_t n)
{
	struct table *t = table_create(link_table_columns);

	for (uint32_t i = 0; i < n; i++) {
		const struct sfab_link *x = &l->f->links[link[i]];
		char *jobs = link_jobs_text(l, link[i]);

		table_row(t);
		link_cells(t, T_LINK, l->f, link[i]);
		table_text(t, T_KIND, sfab_link_kind_name(x->kind));
		table_number(t, T_LOAD, l->load[link[i]] / GB);
		table_number(t, T_CAPACITY, x->capacity / GB);
		table_number(t, T_FILL, l->load[link[i]] / x->capacity);
		table_count(t, T_JOBS, link_jobs_count(l, link[i]));
		table_text(t, T_IDS, jobs);
		free(jobs);
	}
	return t;
}

/* [{ "job": 333, "user": "anna", "gbs": 4.2 }, ...], largest first. */
static struct json_object *jobs_of_link_json(const struct link_jobs *l,
					     uint32_t link)
{
	struct json_object *jobs = json_object_new_array();

	for (uint32_t i = l->first[link]; i < l->first[link + 1]; i++) {
		const struct joblist_job *job = &l->list->job[l->part[i].job];
		struct json_object *o = json_object_new_object();

		json_add(o, "job", json_object_new_uint64(job->id));
		json_add(o, "user", job->user ? json_name(job->user) : NULL);
		json_add(o, "gbs", json_number(l->part[i].load / GB));
		json_object_array_add(jobs, o);
	}
	return jobs;
}

struct json_object *link_table_json(const struct link_jobs *l,
				    const uint32_t *link, uint32_t n)
{
	struct table *t = link_table(l, link, n);
	struct json_object *rows = table_json(t);

	for (uint32_t i = 0; i < n; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		/* The column for people goes, and the list comes. */
		json_object_object_del(row, "job_gbs");
		json_add(row, "by_job", jobs_of_link_json(l, link[i]));
	}
	table_destroy(t);
	return rows;
}
