/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_sharing.c - what the jobs on a node leave to another job; see job_sharing.h
 *
 * plugin/slurm/node_sharing.c finds the same from slurmctld's records: change both.  Which of
 * the rules hold depends on the version (slurm_rules.h).
 */

#include "tools/slurm/job_sharing.h"

#include <stdlib.h>

#include "tools/slurm/slurm_rules.h"
#include "tools/ui/xalloc.h"

/* Find the job's partition.  A job in several runs in one, which is what scontrol prints then. */
static const struct scontrol_partition *job_partition(const struct cluster *c,
						      const struct scontrol_job *job)
{
	return job->run.partition ? cluster_partition(c, job->run.partition) : NULL;
}

/*
 * Return the CPUs of each node that MaxCPUsPerNode still allows; NULL: it is not set.  Some
 * versions count jobs of other partitions against the limit too, but only on nodes where the
 * partition itself has no job.
 */
uint32_t *job_sharing_allowed(const struct job_ask *a)
{
	const struct scontrol_partition *p = a->partition;
	const struct cluster *c = a->c;
	int others_count = slurm_rule_holds(SLURM_LIMIT_COUNTS_OTHERS, c->config.version);
	uint32_t *own_cpus, *other_cpus;

	if (!p->max_cpus)
		return NULL;
	own_cpus = xcalloc(c->nodes.n, sizeof(*own_cpus));
	other_cpus = xcalloc(c->nodes.n, sizeof(*other_cpus));
	for (uint32_t i = 0; i < c->jobs.n; i++) {
		const struct scontrol_job *job = &c->jobs.job[i];
		uint32_t *by_node = job_partition(c, job) == p ? own_cpus : other_cpus;

		for (uint32_t k = 0; cluster_job_holds_cpus(job) && k < job->run.n; k++)
			by_node[job->run.node[k]] += job->run.cpus[k];
	}
	for (uint32_t i = 0; i < c->nodes.n; i++) {
		uint32_t held = own_cpus[i] || !others_count ? own_cpus[i] : other_cpus[i];

		/*
		 * What jobs hold may exceed the limit, which an administrator can lower at any
		 * time.
		 */
		own_cpus[i] = held < p->max_cpus ? p->max_cpus - held : 0;
	}
	free(other_cpus);
	return own_cpus;
}

/* -- which jobs may share a node ------------------------------------------ */

int job_sharing_shares(const struct job_ask *a)
{
	const struct scontrol_partition *p = a->partition;

	return p->forced || (p->rows > 1 && a->given->share == SHARE_YES);
}

/* Return how many CPUs @job keeps from others on the @k-th of its nodes. */
static uint32_t cpus_kept(const struct scontrol_job *job, uint32_t k)
{
	return cluster_job_holds_cpus(job) ? job->run.cpus[k] : 0;
}

/* Is @p another one than @partition, with rows (OverSubscribe=YES:2 or FORCE:2, or more)? */
static int is_in_rows(const struct scontrol_partition *p,
		      const struct scontrol_partition *partition)
{
	return p && p != partition && p->rows > 1;
}

/*
 * Mark the nodes on which the rule about rows holds: those where a job of another partition
 * with rows has CPUs, or before ROWS_ARE_EXACT all nodes.  Return 0 if there is no such
 * partition, and ours is not OverSubscribe=EXCLUSIVE: the rule then holds nowhere.
 */
static int mark_rows(struct job_ask *a)
{
	const struct scontrol_partition *partition = a->partition;
	const struct cluster *c = a->c;
	int is_exact = slurm_rule_holds(SLURM_ROWS_ARE_EXACT, c->config.version);
	int has_rows = partition->exclusive;

	for (uint32_t i = 0; i < c->partitions.n; i++)
		has_rows |= is_in_rows(&c->partitions.partition[i], partition);
	for (uint32_t i = 0; !is_exact && i < c->nodes.n; i++)
		a->node_is[i] |= NODE_IS_IN_ROWS;
	for (uint32_t i = 0; is_exact && i < c->jobs.n; i++) {
		const struct scontrol_job *job = &c->jobs.job[i];
		int in_rows = is_in_rows(job_partition(c, job), partition);

		for (uint32_t k = 0; in_rows && k < job->run.n; k++)
			if (cpus_kept(job, k))
				a->node_is[job->run.node[k]] |= NODE_IS_IN_ROWS;
	}
	return has_rows;
}

/*
 * Ban the nodes of jobs that the job may not join.  Jobs that own their cores may join jobs
 * that share theirs only within one partition.  The newer rule is about all jobs of the node,
 * also those that were suspended by hand and hold no CPUs.  Until ROWS_ARE_EXACT it counts for
 * jobs that want whole nodes, too: a node that is idle otherwise may have a suspended job.
 */
void job_sharing_ban(struct job_ask *a)
{
	const struct scontrol_partition *partition = a->partition;
	const struct cluster *c = a->c;
	int shares = job_sharing_shares(a);
	int rows_ban = slurm_rule_holds(SLURM_ROWS_BAN, c->config.version);

	if ((a->given->share == SHARE_EXCLUSIVE || partition->exclusive) &&
	    (rows_ban || slurm_rule_holds(SLURM_ROWS_ARE_EXACT, c->config.version)))
		return;
	if (!shares && !mark_rows(a))
		return;
	for (uint32_t i = 0; i < c->jobs.n; i++) {
		const struct scontrol_job *job = &c->jobs.job[i];
		const struct scontrol_partition *p = job_partition(c, job);
		/* Does it share its cores now?  Compare job_sharing_shares(). */
		int job_shares = p && !job->exclusive &&
			      (p->forced || (p->rows > 1 && job->shares));

		if (!cluster_job_runs(job))
			continue;
		for (uint32_t k = 0; k < job->run.n; k++) {
			uint16_t *node = &a->node_is[job->run.node[k]];
			int is_banned;

			if (shares)
				is_banned = cpus_kept(job, k) && !job_shares;
			else if (rows_ban)
				is_banned = cpus_kept(job, k) && is_in_rows(p, partition);
			else
				is_banned = p && (*node & NODE_IS_IN_ROWS) &&
				       (job->shares || p->forced);
			*node |= is_banned ? NODE_IS_BANNED : 0;
		}
	}
}
