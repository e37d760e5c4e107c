/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_collisions.h - the links that one running job uses, and whom it meets there
 *
 * Only links between switches count; where there are none (one switch, or hosts that forward),
 * all links do.
 */
#ifndef SFAB_JOB_COLLISIONS_H
#define SFAB_JOB_COLLISIONS_H

#include "tools/site/jobs_by_link.h"

enum link_state { LINK_ALONE, LINK_SHARED, LINK_OVERLOADED };

/* Return the state of a link.  One job alone can overload a link, too. */
static inline enum link_state job_collisions_link_state(const struct jobs_by_link *l, uint32_t link)
{
	return jobs_by_link_is_overloaded(l, link) ? LINK_OVERLOADED :
	       jobs_by_link_count(l, link) > 1 ? LINK_SHARED : LINK_ALONE;
}

/* Another job, and the links that both use. */
struct other_job {
	uint32_t job;		/* index in the list */
	uint32_t shared, overloaded;
	double worst;		/* load of all over capacity, of the worst link */
};

struct job_collisions {
	const struct jobs_by_link *jobs;
	uint32_t job;
	uint32_t n;
	uint32_t *link;			/* overloaded first, then shared, fullest first */
	uint32_t nshared, noverloaded;	/* overloaded ones may be shared too */
	uint32_t nothers;
	struct other_job *other;	/* by overloaded links, then shared ones */
};

/* Find the links that the job uses, and the jobs on them.  O(links x jobs on them). */
void job_collisions_find(struct job_collisions *j, const struct jobs_by_link *jobs, uint32_t job);
void job_collisions_free(struct job_collisions *j);	/* twice is fine */

/* Count the links, from the first, that are overloaded or shared. */
static inline uint32_t job_collisions_count_contended(const struct job_collisions *j)
{
	uint32_t n = 0;

	while (n < j->n && job_collisions_link_state(j->jobs, j->link[n]) != LINK_ALONE)
		n++;
	return n;
}

/* Return lines like "job 333: 64 hosts on 4 leaves ...", and of jobs it meets.  Caller frees. */
char *job_collisions_summary(const struct job_collisions *j);

#endif
