/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link_jobs.h - which running jobs load each link, and by how much
 *
 * The demand of each job as in the background of placements: what it would send
 * alone.  A link with two or more jobs is shared.  One that is asked for more than
 * it carries is overloaded.  Jobs whose shared link is overloaded collide.
 */
#ifndef SFAB_LINK_JOBS_H
#define SFAB_LINK_JOBS_H

#include <stdint.h>

#include "tools/plot/link_values.h"
#include "tools/ui/table.h"

struct link_job {
	uint32_t link;
	uint32_t job;		/* index in the list of running jobs */
	double load;		/* bytes/s */
};

struct link_jobs {
	const struct sfab_fabric *f;
	const struct joblist *list;
	uint32_t *first;	/* [nlinks + 1] of @part */
	struct link_job *part;	/* by link, largest load first */
	double *load;		/* [nlinks] their sum */
};

/* Of all jobs of @p.  O(jobs x links). */
void link_jobs_find(struct link_jobs *l, const struct preview_context *p);
void link_jobs_free(struct link_jobs *l);	/* twice is fine */

static inline uint32_t link_jobs_count(const struct link_jobs *l, uint32_t link)
{
	return l->first[link + 1] - l->first[link];
}

/* What its jobs ask over what it carries. */
static inline double link_jobs_fill(const struct link_jobs *l, uint32_t link)
{
	return l->load[link] / l->f->links[link].capacity;
}

/* For qsort(): the fullest first; equal ones in the order of the fabric, so two answers compare. */
static inline int link_jobs_order(const struct link_jobs *l, uint32_t x, uint32_t y)
{
	double fx = link_jobs_fill(l, x), fy = link_jobs_fill(l, y);

	if (fx != fy)
		return fx < fy ? 1 : -1;
	return x > y ? 1 : -1;
}

/* 1e-9 of slack: a link that is exactly full is not overloaded. */
static inline int link_jobs_overload(const struct link_jobs *l, uint32_t link)
{
	return l->load[link] > l->f->links[link].capacity * (1 + 1e-9);
}

/* "333 (12), 334 (0.4) and 5 more", the largest 8, in GB/s or percent; caller frees. */
char *link_jobs_text(const struct link_jobs *l, uint32_t link, enum link_value unit);

/* SFAB_ENOENT: no running job is this user's, or no user is known. */
int link_jobs_check_user(const struct joblist *list, const char *user,
			 struct sfab_err *err);

/* Warns if jobs run and no IO set is known: what they write is then not in it. */
void link_jobs_warn(const struct preview_context *p, struct report *r);

/* Rows in the order of @link [@n]; the caller owns the table. */
struct table *link_table(const struct link_jobs *l, const uint32_t *link,
			 uint32_t n);

/* The same with an array of {job, user, gbs} in each row, largest first. */
struct json_object *link_table_json(const struct link_jobs *l,
				    const uint32_t *link, uint32_t n);

/* Is the job the user's?  Everybody's if @user is NULL. */
int link_jobs_is_of(const struct joblist_job *job, const char *user);

#endif
