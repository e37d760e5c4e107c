/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs_by_link.h - which running jobs load each link, and by how much
 *
 * The demand of each job as in the background of placements: what it would send alone.  A link
 * with two or more jobs is shared.  One that is asked for more than it carries is overloaded.
 * Jobs whose shared link is overloaded collide.
 */
#ifndef SFAB_JOBS_BY_LINK_H
#define SFAB_JOBS_BY_LINK_H

#include <stdint.h>

#include "tools/site/joblist.h"
#include "tools/ui/reply.h"
#include "tools/ui/table.h"

struct link_job {
	uint32_t link;
	uint32_t job;		/* index in the list of running jobs */
	double load;		/* bytes/s */
};

struct jobs_by_link {
	const struct sfab_fabric *f;
	const struct joblist *list;
	uint32_t *first;	/* [nlinks + 1] of @part */
	struct link_job *part;	/* by link, largest load first */
	double *load;		/* [nlinks] their sum */
};

/* Find the links of all jobs of @list, which run in @jobs.  O(jobs x links). */
void jobs_by_link_find(struct jobs_by_link *l, const struct sfab_fabric *f,
		       const struct joblist *list, struct sfab_jobs *jobs);
void jobs_by_link_free(struct jobs_by_link *l);	/* twice is fine */

static inline uint32_t jobs_by_link_count(const struct jobs_by_link *l, uint32_t link)
{
	return l->first[link + 1] - l->first[link];
}

/* What its jobs ask over what it carries. */
static inline double jobs_by_link_fill(const struct jobs_by_link *l, uint32_t link)
{
	return l->load[link] / l->f->links[link].capacity;
}

/* For qsort(): the fullest first; equal ones in the order of the fabric, so two answers compare. */
static inline int jobs_by_link_order(const struct jobs_by_link *l, uint32_t x, uint32_t y)
{
	double fx = jobs_by_link_fill(l, x), fy = jobs_by_link_fill(l, y);

	if (fx != fy)
		return fx < fy ? 1 : -1;
	return x > y ? 1 : -1;
}

/* 1e-9 of slack: a link that is exactly full is not overloaded. */
static inline int jobs_by_link_overload(const struct jobs_by_link *l, uint32_t link)
{
	return l->load[link] > l->f->links[link].capacity * (1 + 1e-9);
}

/*
 * "333 (12), 334 (0.4) and 5 more", the largest 8, in GB/s, or in percent of what the link
 * carries; caller frees.
 */
char *jobs_by_link_text(const struct jobs_by_link *l, uint32_t link, int in_percent);

/* SFAB_ENOENT: no running job is this user's, or no user is known. */
int jobs_by_link_check_user(const struct joblist *list, const char *user,
			    struct sfab_err *err);

/* Warns if jobs run and no IO set is known: what they write is then not in it.  @io may be NULL. */
void jobs_by_link_warn(const struct joblist *list, const struct sfab_iosets *io,
		       struct reply *r);

/* Rows in the order of @link [@n]; the caller owns the table. */
struct table *jobs_by_link_table(const struct jobs_by_link *l, const uint32_t *link,
				 uint32_t n);

/* The same with an array of {job, user, gbs} in each row, largest first. */
struct json_object *jobs_by_link_json(const struct jobs_by_link *l,
				      const uint32_t *link, uint32_t n);

/* Is the job the user's?  Everybody's if @user is NULL. */
int job_is_of_user(const struct joblist_job *job, const char *user);

#endif
