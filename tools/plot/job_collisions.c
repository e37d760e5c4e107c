/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_collisions.c - the links of one running job; see job_collisions.h
 *
 * Three questions of an administrator whose user complains: does the job share links, with
 * whom, and are they asked for more than they carry?  The summary answers in a few lines, the
 * picture and the list show where.
 */

#include "tools/plot/job_collisions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/site/hosts.h"
#include "tools/ui/number.h"
#include "tools/ui/printable.h"
#include "tools/ui/xalloc.h"

#define OTHERS_NAMED 6	/* jobs in the summary */

/* Order overloaded links before shared ones; within each state the fullest first. */
static int compare_job_links(const void *a, const void *b, void *jobs)
{
	const uint32_t *x = a, *y = b;
	enum link_state state_x = job_collisions_link_state(jobs, *x);
	enum link_state state_y = job_collisions_link_state(jobs, *y);

	if (state_x != state_y)
		return state_x < state_y ? 1 : -1;
	return jobs_by_link_order(jobs, *x, *y);
}

/* Count the jobs on a link, with the job itself, which job_collisions_find() leaves out. */
static void count_other_jobs(struct job_collisions *j, uint32_t link)
{
	const struct jobs_by_link *l = j->jobs;

	for (uint32_t i = l->first[link]; i < l->first[link + 1]; i++) {
		struct other_job *other = &j->other[l->part[i].job];

		other->shared++;
		other->overloaded += (uint32_t) jobs_by_link_is_overloaded(l, link);
		if (jobs_by_link_fill(l, link) > other->worst)
			other->worst = jobs_by_link_fill(l, link);
	}
}

static int compare_other_jobs(const void *a, const void *b)
{
	const struct other_job *x = a, *y = b;

	if (x->overloaded != y->overloaded)
		return x->overloaded < y->overloaded ? 1 : -1;
	if (x->shared != y->shared)
		return x->shared < y->shared ? 1 : -1;
	return x->job > y->job ? 1 : -1;
}

void job_collisions_find(struct job_collisions *j, const struct jobs_by_link *jobs, uint32_t job)
{
	const struct sfab_fabric *f = jobs->f;
	int isl = 0;

	*j = (struct job_collisions) { .jobs = jobs, .job = job };
	/* Fabrics without links between switches have only those of hosts. */
	for (uint32_t e = 0; e < f->nlinks; e++)
		isl |= f->links[e].kind == SFAB_LINK_ISL;
	j->link = xcalloc(f->nlinks, sizeof(*j->link));
	j->other = xcalloc(jobs->list->n, sizeof(*j->other));
	for (uint32_t i = 0; i < jobs->first[f->nlinks]; i++) {
		uint32_t e = jobs->part[i].link;

		if (jobs->part[i].job != job || (isl && f->links[e].kind != SFAB_LINK_ISL))
			continue;
		j->link[j->n++] = e;
		j->nshared += jobs_by_link_count(jobs, e) > 1;
		j->noverloaded += (uint32_t) jobs_by_link_is_overloaded(jobs, e);
		count_other_jobs(j, e);
	}
	qsort_r(j->link, j->n, sizeof(*j->link), compare_job_links, (void *) jobs);
	/* Keep those that it meets anywhere, without itself. */
	for (uint32_t i = 0; i < jobs->list->n; i++) {
		j->other[i].job = i;
		if (i != job && j->other[i].shared)
			j->other[j->nothers++] = j->other[i];
	}
	qsort(j->other, j->nothers, sizeof(*j->other), compare_other_jobs);
}

void job_collisions_free(struct job_collisions *j)
{
	free(j->link);
	free(j->other);
	memset(j, 0, sizeof(*j));
}

/* Add "job 341 (anna): ". */
static void add_job_name(const struct joblist_job *job, char **text)
{
	char *user = job->user ? printable(job->user, 0) : NULL;

	xjoin(text, "", "job %" PRIu64 "%s%s%s: ", job->id, user ? " (" : "",
	      user ? user : "", user ? ")" : "");
	free(user);
}

/*
 * Write two lines about the job, then lines like "collides with job 341 (anna): 3 overloaded of
 * 5 shared links, the worst asked for 1.8 x what it carries".
 */
char *job_collisions_summary(const struct job_collisions *j)
{
	const struct joblist_job *job = &j->jobs->list->job[j->job];
	char traffic[1024], worst[NUMBER_SHORT_SIZE], *text = NULL;

	sfab_traffic_text(&job->traffic, traffic, sizeof(traffic));
	add_job_name(job, &text);
	xjoin(&text, "", "%" PRIu32 " hosts on %" PRIu32 " leaves, %s%s\n%" PRIu32
	      " links: %" PRIu32 " shared with %" PRIu32 " job%s, %" PRIu32 " overloaded",
	      job->n, hosts_leaves(j->jobs->f, job->host, job->n, HOSTS_ALL_PORTS), traffic,
	      job->suspended ? ", suspended" : "", j->n, j->nshared, j->nothers,
	      j->nothers == 1 ? "" : "s", j->noverloaded);
	for (uint32_t i = 0; i < j->nothers && i < OTHERS_NAMED; i++) {
		const struct other_job *other = &j->other[i];

		xjoin(&text, "\n", other->overloaded ? "collides with " : "meets ");
		add_job_name(&j->jobs->list->job[other->job], &text);
		if (other->overloaded)
			xjoin(&text, "", "%" PRIu32 " overloaded of %" PRIu32 " shared "
			      "links, the worst asked for %s x what it carries",
			      other->overloaded, other->shared, number_short(other->worst, worst));
		else
			xjoin(&text, "", "%" PRIu32 " shared links, none overloaded",
			      other->shared);
	}
	if (j->nothers > OTHERS_NAMED)
		xjoin(&text, "\n", "and %" PRIu32 " more jobs", j->nothers - OTHERS_NAMED);
	return text;
}
