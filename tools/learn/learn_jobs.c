/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learn_jobs.c - running jobs from Slurm or from a file; see learn_jobs.h
 *
 * Two sources, one form.  What Slurm says has all that the history needs; a file of jobs has
 * hosts and ids, so jobs from it can be measured but not remembered by name.
 */

#include "tools/learn/learn_jobs.h"

#include <stdlib.h>

#include "core/ascending.h"
#include "tools/ui/xalloc.h"

static char *copy_or_null(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

/*
 * Take a job from scontrol.  Texts are copied, because the learner keeps the job longer than
 * scontrol's answer.
 */
static void take_scontrol_job(struct learner_job *entry, const struct cluster *c,
			      const struct scontrol_job *job, const struct sfab_fabric *f)
{
	const struct sfab_place_run *run = &job->run;

	*entry = (struct learner_job){ .id = run->id, .start_s = run->start_s,
				    .suspended = job->state == JOB_SUSPENDED,
				    .nodes = run->n, .user = run->who.user,
				    .name = copy_or_null(run->who.name),
				    .account = copy_or_null(run->who.account),
				    .partition = copy_or_null(run->partition) };
	entry->host = xcalloc(run->n + 1u, sizeof(*entry->host));
	entry->cpus = xcalloc(run->n + 1u, sizeof(*entry->cpus));
	for (uint32_t i = 0; i < run->n; i++) {
		const struct scontrol_node *node = &c->nodes.node[run->node[i]];
		uint32_t host = sfab_fabric_host(f, node->name);

		if (host == SFAB_NONE)
			continue;
		entry->host[entry->n] = host;
		/*
		 * The share is 1 if the job has the node alone, or the node's number of CPUs is
		 * not known.
		 */
		entry->cpus[entry->n] = job->exclusive || !node->cpus ||
					run->cpus[i] >= node->cpus ?
					1 : (double) run->cpus[i] / node->cpus;
		entry->n++;
	}
}

struct learner_job *learn_jobs_ask(const struct sfab_fabric *f, uint32_t *n, struct sfab_err *err)
{
	struct learner_job *jobs;
	struct cluster c;

	*n = 0;
	if (cluster_ask(&c, err) != 0)
		return NULL;
	jobs = xcalloc(c.jobs.n + 1u, sizeof(*jobs));
	for (uint32_t i = 0; i < c.jobs.n; i++)
		if (cluster_job_runs(&c.jobs.job[i]))
			take_scontrol_job(&jobs[(*n)++], &c, &c.jobs.job[i], f);
	cluster_free(&c);
	return jobs;
}

/* Read the jobs from a file.  Hosts and CPUs move over; the rest of the list is freed. */
struct learner_job *learn_jobs_read(const char *path, const struct sfab_fabric *f,
				    const struct sfab_conf *conf, uint32_t *n, struct sfab_err *err)
{
	struct learner_job *jobs;
	struct joblist list;

	if (joblist_read(&list, path, f, conf, err) != 0)
		return NULL;
	*n = list.n;
	jobs = xcalloc(*n + 1u, sizeof(*jobs));
	for (uint32_t i = 0; i < *n; i++) {
		struct joblist_job *from = &list.job[i];

		jobs[i] = (struct learner_job){ .id = (uint32_t) from->id,
						.suspended = from->suspended, .n = from->n,
						.host = from->host, .cpus = from->cpus };
		from->host = NULL;
		from->cpus = NULL;
	}
	joblist_free(&list);
	qsort(jobs, *n, sizeof(*jobs), sfab_ascending_u32);
	return jobs;
}
