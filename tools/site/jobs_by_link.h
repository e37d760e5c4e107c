/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs_by_link.h - which running jobs load each link, and by how much
 *
 * A job's load is its demand, as in the background of placements: what it would send if it ran
 * alone.  A link with two or more jobs is shared.  One that is asked for more than it carries
 * is overloaded.  Jobs whose shared link is overloaded collide.
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

/* The load of the link over its capacity. */
static inline double jobs_by_link_fill(const struct jobs_by_link *l, uint32_t link)
{
	return l->load[link] / l->f->links[link].capacity;
}

/*
 * For qsort(): the fullest first; equal ones in the order of the fabric, so that answers can be
 * compared.
 */
static inline int jobs_by_link_order(const struct jobs_by_link *l, uint32_t x, uint32_t y)
{
	double fx = jobs_by_link_fill(l, x), fy = jobs_by_link_fill(l, y);

	if (fx != fy)
		return fx < fy ? 1 : -1;
	return x > y ? 1 : -1;
}

/* Is the link asked for more than it carries?  With 1e-9 of slack, as exactly full is not. */
static inline int jobs_by_link_is_overloaded(const struct jobs_by_link *l, uint32_t link)
{
	return l->load[link] > l->f->links[link].capacity * (1 + 1e-9);
}

/*
 * Text like "333 (12), 334 (0.4) and 5 more": the largest 8 jobs, in GB/s, or in percent of the
 * link's capacity; caller frees.
 */
char *jobs_by_link_text(const struct jobs_by_link *l, uint32_t link, int in_percent);

/* SFAB_ENOENT: no running job is this user's, or no user is known. */
int jobs_by_link_check_user(const struct joblist *list, const char *user, struct sfab_err *err);

/*
 * Warn if jobs run and no IO set is known: the loads then lack what jobs write.  @io may be
 * NULL.
 */
void jobs_by_link_warn(const struct joblist *list, const struct sfab_iosets *io, struct reply *r);

/* A table with a row for each of @link [@n], in that order; the caller owns it. */
struct table *jobs_by_link_table(const struct jobs_by_link *l, const uint32_t *link, uint32_t n);

/*
 * The rows of jobs_by_link_table() as JSON, each with an array of {job, user, gbs}, largest
 * first.
 */
struct json_object *jobs_by_link_json(const struct jobs_by_link *l,
				      const uint32_t *link, uint32_t n);

/* Is the job the user's?  Everybody's if @user is NULL. */
int jobs_by_link_is_of_user(const struct joblist_job *job, const char *user);

#endif
