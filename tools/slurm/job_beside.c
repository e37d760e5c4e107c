/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_beside.c - what the jobs on a node leave to another job; see job_ask.h
 *
 * plugin/slurm/beside.c finds the same from slurmctld's records: change both.  Which
 * of the rules hold depends on the version (slurm_rules.h).
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/slurm/job_ask.h"
#include "tools/slurm/slurm_rules.h"
#include "tools/ui/say.h"

typedef void on_node(void *arg, const struct scontrol_job *job, uint32_t node,
		     uint32_t cpus);

/*
 * Call @f for each node of each job that is on nodes.  CPUs are those that the job holds
 * there: none if it was suspended by hand.
 */
static int each_hold(const struct cluster *c, on_node *f, void *arg,
		     struct sfab_err *err)
{
	struct cluster_hold hold;
	int rc = 0;

	cluster_hold_init(&hold, c);
	for (uint32_t i = 0; rc == 0 && i < c->jobs.n; i++) {
		const struct scontrol_job *job = &c->jobs.job[i];

		if (!cluster_job_runs(job))
			continue;
		rc = cluster_job_hold(c, job, &hold, err);
		for (uint32_t k = 0; k < hold.n; k++)
			f(arg, job, hold.node[k],
			  cluster_job_holds_cpus(job) ? hold.cpus[k] : 0);
	}
	cluster_hold_free(&hold);
	return rc;
}

/* -- CPUs of a partition -------------------------------------------------- */

/* For MaxCPUsPerNode of a partition. */
struct allowed {
	const struct cluster *c;
	const struct scontrol_partition *part;
	uint32_t *own, *others;	/* [nodes] held by its jobs, by other jobs */
};

/* A job in several partitions runs in one, which is what scontrol prints then. */
static const struct scontrol_partition *part_of(const struct cluster *c,
						const struct scontrol_job *job)
{
	return job->partition ? cluster_partition(c, job->partition) : NULL;
}

/*
 * Some versions count jobs of other partitions against the limit too, but only
 * on nodes where the partition itself has no job.
 */
static void add_held_cpus(void *arg, const struct scontrol_job *job,
			  uint32_t node, uint32_t cpus)
{
	struct allowed *a = arg;

	if (part_of(a->c, job) == a->part)
		a->own[node] += cpus;
	else if (slurm_rule_holds(SLURM_LIMIT_COUNTS_OTHERS, a->c->config.version))
		a->others[node] += cpus;
}

uint32_t *job_beside_allowed(const struct cluster *c,
			     const struct scontrol_partition *p,
			     struct sfab_err *err)
{
	struct allowed a = { .c = c, .part = p };

	if (!p->max_cpus)
		return NULL;
	a.own = need(c->nodes.n, sizeof(*a.own));
	a.others = need(c->nodes.n, sizeof(*a.others));
	if (each_hold(c, add_held_cpus, &a, err) != 0) {
		free(a.own);
		a.own = NULL;
	}
	for (uint32_t i = 0; a.own && i < c->nodes.n; i++) {
		uint32_t used = a.own[i] ? a.own[i] : a.others[i];

		/*
		 * What jobs hold may exceed the limit, which an administrator
		 * can lower at any time.
		 */
		a.own[i] = used < p->max_cpus ? p->max_cpus - used : 0;
	}
	free(a.others);
	return a.own;
}

/* -- which jobs may share a node ------------------------------------------ */

int job_beside_shares(const struct sbatch *s, const struct scontrol_partition *p)
{
	return p->forced || (p->rows > 1 && s->share == SHARE_YES);
}

struct preview_ban {
	const struct cluster *c;
	const struct scontrol_partition *part;
	int shares;
	uint8_t *rows;		/* nodes where jobs of other partitions that share cores
				   count */
	uint8_t *node;
};

/*
 * Jobs that own their cores may join jobs that share theirs only within one
 * partition.  The newer rule is about all jobs of the node, also those that were
 * suspended by hand and hold no CPUs: until ROWS_ARE_EXACT even whole nodes, which
 * else are idle, may have one.
 */
static void mark_banned(void *arg, const struct scontrol_job *job,
			uint32_t node, uint32_t cpus)
{
	const struct preview_ban *ban = arg;
	const struct scontrol_partition *p = part_of(ban->c, job);
	uint8_t *is = &ban->node[node];

	/* Unless it shares its cores now.  Compare job_beside_shares(). */
	if (ban->shares)
		*is |= cpus && (job->exclusive || !p ||
				!(p->forced || (p->rows > 1 && job->shares)));
	else if (slurm_rule_holds(SLURM_ROWS_BAN, ban->c->config.version))
		*is |= cpus && p && p != ban->part && p->rows > 1;
	else
		*is |= p && ban->rows[node] && (job->shares || p->forced);
}

/* Nodes with a job of another partition that could share its cores. */
static void mark_row_job(void *arg, const struct scontrol_job *job, uint32_t node,
			 uint32_t cpus)
{
	const struct preview_ban *ban = arg;
	const struct scontrol_partition *p = part_of(ban->c, job);

	ban->rows[node] |= cpus && p && p != ban->part && p->rows > 1;
}

/*
 * Nodes where such jobs count: without ROWS_ARE_EXACT one that ran anywhere, and for
 * OverSubscribe=EXCLUSIVE one of any partition.  0 if no node, or an error.
 */
static int find_rows(struct preview_ban *ban, struct sfab_err *err)
{
	const struct cluster *c = ban->c;
	int count = ban->part->exclusive;

	for (uint32_t i = 0; i < c->partitions.n; i++) {
		const struct scontrol_partition *p = &c->partitions.partition[i];

		count |= p != ban->part && p->rows > 1;
	}
	if (!count)
		return 0;
	if (slurm_rule_holds(SLURM_ROWS_ARE_EXACT, c->config.version))
		return each_hold(c, mark_row_job, ban, err) == 0;
	memset(ban->rows, 1, c->nodes.n);
	return 1;
}

uint8_t *job_beside_banned(const struct sbatch *s, const struct cluster *c,
			   const struct scontrol_partition *p,
			   struct sfab_err *err)
{
	const char *version = c->config.version;
	struct preview_ban ban = {
	    .c = c, .part = p, .shares = job_beside_shares(s, p)};

	if ((s->share == SHARE_EXCLUSIVE || p->exclusive) &&
	    (slurm_rule_holds(SLURM_ROWS_BAN, version) ||
	     slurm_rule_holds(SLURM_ROWS_ARE_EXACT, version)))
		return NULL;
	ban.rows = need(c->nodes.n, 1);
	ban.node = need(c->nodes.n, 1);
	if (!(ban.shares || find_rows(&ban, err)) ||
	    each_hold(c, mark_banned, &ban, err) != 0) {
		free(ban.node);
		ban.node = NULL;
	}
	free(ban.rows);
	return ban.node;
}
