/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learn_jobs.c - running jobs from Slurm or from a file; see learn_jobs.h
 *
 * Two sources, one form.  What Slurm says has all that the history needs; a
 * file of jobs has hosts and ids, so jobs from it can be measured but not
 * remembered by name.
 */

#include "tools/learn/learn_jobs.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/say.h"

static char *copy_or_null(const char *text)
{
	return text ? need_copy(text) : NULL;
}

static int compare_learner_jobs(const void *a, const void *b)
{
	const struct learner_job *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/*
 * Texts are copied, because the learner keeps the job longer than scontrol's
 * answer.
 */
static int take_scontrol_job(struct learn_jobs *jobs, const struct cluster *c,
			     const struct scontrol_job *job, struct cluster_hold *h,
			     const struct sfab_fabric *f, struct sfab_err *err)
{
	struct learner_job *to = &jobs->job[jobs->n];

	if (cluster_job_hold(c, job, h, err) != 0)
		return -1;
	*to = (struct learner_job){ .id = job->id, .start_s = job->start_s,
				    .suspended = job->state == JOB_SUSPENDED,
				    .nodes = h->n, .user = job->user, .name = copy_or_null(job->name),
				    .account = copy_or_null(job->account),
				    .partition = copy_or_null(job->partition) };
	to->host = need(h->n + 1u, sizeof(*to->host));
	to->cpus = need(h->n + 1u, sizeof(*to->cpus));
	for (uint32_t i = 0; i < h->n; i++) {
		const struct scontrol_node *node = &c->nodes.node[h->node[i]];
		uint32_t host = sfab_fabric_host(f, node->name);

		if (host == SFAB_NONE)
			continue;
		to->host[to->n] = host;
		/* 1 if the node is the job's alone, or says no number of CPUs. */
		to->cpus[to->n] = job->exclusive || !node->cpus || h->cpus[i] >= node->cpus ?
				  1 : (double) h->cpus[i] / node->cpus;
		to->n++;
	}
	jobs->n++;
	return 0;
}

int learn_jobs_ask(struct learn_jobs *jobs, const struct sfab_fabric *f,
		   struct sfab_err *err)
{
	struct cluster_hold h;
	struct cluster c;
	int rc = 0;

	memset(jobs, 0, sizeof(*jobs));
	if (cluster_ask(&c, err) != 0)
		return -1;
	jobs->job = need(c.jobs.n + 1u, sizeof(*jobs->job));
	cluster_hold_init(&h, &c);
	for (uint32_t i = 0; rc == 0 && i < c.jobs.n; i++)
		if (cluster_job_runs(&c.jobs.job[i]))
			rc = take_scontrol_job(jobs, &c, &c.jobs.job[i], &h, f, err);
	cluster_hold_free(&h);
	cluster_free(&c);
	if (rc != 0)
		learn_jobs_free(jobs, 1);
	return rc;
}

/* Hosts and CPUs move over; the rest of the list is freed. */
int learn_jobs_read(struct learn_jobs *jobs, const char *path,
		    const struct sfab_fabric *f, const struct sfab_conf *conf,
		    struct sfab_err *err)
{
	struct joblist list;

	memset(jobs, 0, sizeof(*jobs));
	if (joblist_read(&list, path, f, conf, err) != 0)
		return -1;
	jobs->job = need(list.n + 1u, sizeof(*jobs->job));
	for (uint32_t i = 0; i < list.n; i++) {
		struct joblist_job *from = &list.job[i];
		struct learner_job *to = &jobs->job[jobs->n++];

		to->id = (uint32_t) from->id;
		to->suspended = from->suspended;
		to->n = from->n;
		to->host = from->host;
		to->cpus = from->cpus;
		from->host = NULL;
		from->cpus = NULL;
	}
	joblist_free(&list);
	qsort(jobs->job, jobs->n, sizeof(*jobs->job), compare_learner_jobs);
	return 0;
}

/* @with_jobs: the learner has not taken them over. */
void learn_jobs_free(struct learn_jobs *jobs, int with_jobs)
{
	for (uint32_t i = 0; with_jobs && i < jobs->n; i++)
		learner_job_free(&jobs->job[i]);
	free(jobs->job);
	memset(jobs, 0, sizeof(*jobs));
}
