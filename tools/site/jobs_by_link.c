/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs_by_link.c - which running jobs load each link; see jobs_by_link.h
 *
 * Links -> jobs, where core has jobs -> links.  The parts of link e are part[first[e]] up to
 * part[first[e + 1]], largest first; that is one array for all, as a link has from none to
 * hundreds of jobs.
 */

#include "tools/site/jobs_by_link.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/spelling.h"
#include "tools/ui/json.h"
#include "tools/ui/link_columns.h"
#include "tools/ui/number.h"
#include "tools/ui/xalloc.h"

#define JOBS_NAMED 8	/* in a line of text or a tooltip; JSON has all */

/* A job whose user is not known is nobody's. */
int jobs_by_link_is_of_user(const struct joblist_job *job, const char *user)
{
	return !user || (job->user && strcmp(job->user, user) == 0);
}

static int compare_link_loads(const void *a, const void *b)
{
	const struct link_job *x = a, *y = b;

	if (x->link != y->link)
		return x->link < y->link ? -1 : 1;
	if (x->load != y->load)
		return x->load < y->load ? 1 : -1;
	return x->job > y->job ? 1 : -1;
}

void jobs_by_link_find(struct jobs_by_link *l, const struct sfab_fabric *f,
		       const struct joblist *list, struct sfab_jobs *jobs)
{
	double *load = xcalloc(f->nlinks, sizeof(*load));
	uint32_t n = 0;

	*l = (struct jobs_by_link) {
		.f = f, .list = list,
		.first = xcalloc(f->nlinks + 1, sizeof(*l->first)),
		.load = xcalloc(f->nlinks, sizeof(*l->load)),
	};
	for (uint32_t j = 0; j < list->n; j++) {
		memset(load, 0, f->nlinks * sizeof(*load));
		sfab_jobs_add_demand(jobs, list->job[j].id, f->nlinks, load);
		for (uint32_t e = 0; e < f->nlinks; e++) {
			if (!(load[e] > 0))
				continue;
			l->part = xgrow(l->part, n, sizeof(*l->part));
			l->part[n++] = (struct link_job) { e, j, load[e] };
			l->load[e] += load[e];
			l->first[e + 1]++;
		}
	}
	if (n)
		qsort(l->part, n, sizeof(*l->part), compare_link_loads);
	for (uint32_t e = 0; e < f->nlinks; e++)
		l->first[e + 1] += l->first[e];
	free(load);
}

void jobs_by_link_free(struct jobs_by_link *l)
{
	free(l->first);
	free(l->part);
	free(l->load);
	memset(l, 0, sizeof(*l));
}

char *jobs_by_link_text(const struct jobs_by_link *l, uint32_t link, int in_percent)
{
	double capacity = l->f->links[link].capacity;
	const struct link_job *part = l->part + l->first[link];
	uint32_t n = jobs_by_link_count(l, link);
	char number[NUMBER_SHORT_SIZE], *text = xstrdup("");

	for (uint32_t i = 0; i < n && i < JOBS_NAMED; i++)
		xjoin(&text, ", ", "%" PRIu64 " (%s)", l->list->job[part[i].job].id,
		      number_short(in_percent ? 100 * part[i].load / capacity :
						      part[i].load / SFAB_GB, number));
	if (n > JOBS_NAMED)
		xjoin(&text, "", " and %" PRIu32 " more", n - JOBS_NAMED);
	return text;
}

/* Loads that miss all IO look harmless. */
void jobs_by_link_warn(const struct joblist *list, const struct sfab_iosets *io,
		       struct reply *r)
{
	if (list->n && (!io || !io->nsets))
		reply_warning(r, "no IO set: what jobs read and write is not in these "
			      "loads (import --io HOSTLIST, or IoSet in sfabric.conf)");
}

/*
 * Check that the user has a job: a wrong user would draw an empty picture.  Two errors:
 * nobody's user is known, or this one has no job, with the nearest name.
 */
int jobs_by_link_check_user(const struct joblist *list, const char *user,
			    struct sfab_err *err)
{
	struct sfab_spelling spelling = sfab_spelling_start(user);
	int has_users = 0;

	for (uint32_t i = 0; i < list->n; i++) {
		if (jobs_by_link_is_of_user(&list->job[i], user))
			return 0;
		if (list->job[i].user) {
			sfab_spelling_offer(&spelling, list->job[i].user);
			has_users = 1;
		}
	}
	if (list->n && !has_users)
		return sfab_fail(err, SFAB_ENOENT, "user %.60s: no job's user is "
				 "known (expected lines of ID HOSTLIST TRAFFIC USER, "
				 "or --slurm)", user);
	return sfab_fail(err, SFAB_ENOENT, "user %.60s has no running job%s", user,
			 sfab_spelling_question(&spelling));
}

/* -- as a table -------------------------------------------------------------- */

static const struct column link_columns[] = {
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

struct table *jobs_by_link_table(const struct jobs_by_link *l, const uint32_t *link,
				 uint32_t n)
{
	struct table *t = table_create(link_columns);

	for (uint32_t i = 0; i < n; i++) {
		char *jobs = jobs_by_link_text(l, link[i], 0);

		table_row(t);
		link_columns_cells(t, l->f, link[i]);
		table_gbs(t, "load_gbs", l->load[link[i]]);
		table_number(t, "fill", jobs_by_link_fill(l, link[i]));
		table_count(t, "jobs", jobs_by_link_count(l, link[i]));
		table_text(t, "job_gbs", jobs);
		free(jobs);
	}
	return t;
}

/*
 * Return the table's rows for JSON.  Text names the largest jobs in one column, as a line has
 * to end; JSON has all of them as a list: [{ "job": 333, "user": "anna", "gbs": 4.2 }, ...],
 * largest first.
 */
struct json_object *jobs_by_link_json(const struct jobs_by_link *l,
				      const uint32_t *link, uint32_t n)
{
	struct json_object *rows = table_take_json(jobs_by_link_table(l, link, n));

	for (uint32_t i = 0; i < n; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		struct json_object *jobs = json_object_new_array();

		for (uint32_t k = l->first[link[i]]; k < l->first[link[i] + 1]; k++) {
			const struct joblist_job *job = &l->list->job[l->part[k].job];
			struct json_object *o = json_object_new_object();

			json_add(o, "job", json_object_new_uint64(job->id));
			json_add(o, "user", json_name(job->user));
			json_add(o, "gbs", json_gbs(l->part[k].load));
			json_object_array_add(jobs, o);
		}
		/* The column for people goes, and the list comes. */
		json_object_object_del(row, "job_gbs");
		json_add(row, "by_job", jobs);
	}
	return rows;
}
