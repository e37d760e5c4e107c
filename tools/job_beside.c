/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_beside.c - what the jobs on a node leave to another one; see job_ask.h */

#include <stdlib.h>

#include "job_ask.h"
#include "say.h"

/* Call @f for each node that each job with nodes is on. */
typedef void on_node(void *arg, const struct scontrol_job *job, uint32_t node,
		     uint32_t cpus);

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
			f(arg, job, hold.node[k], hold.cpus[k]);
	}
	cluster_hold_free(&hold);
	return rc;
}

/* -- CPUs of a partition -------------------------------------------------- */

struct allowed {
	const struct cluster *c;
	const struct scontrol_partition *part;
	uint32_t *cpus;
};

static const struct scontrol_partition *part_of(const struct cluster *c,
						const struct scontrol_job *job)
{
	return job->partition ? cluster_partition(c, job->partition) : NULL;
}

static void take_off(void *arg, const struct scontrol_job *job, uint32_t node,
		     uint32_t cpus)
{
	struct allowed *a = arg;
	uint32_t left = a->cpus[node];

	if (part_of(a->c, job) == a->part)
		a->cpus[node] = left > cpus ? left - cpus : 0;
}

uint32_t *job_beside_allowed(const struct cluster *c,
			     const struct scontrol_partition *p,
			     struct sfab_err *err)
{
	struct allowed a = { .c = c, .part = p };

	if (!p->max_cpus)
		return NULL;
	a.cpus = need(c->nodes.n, sizeof(*a.cpus));
	for (uint32_t i = 0; i < c->nodes.n; i++)
		a.cpus[i] = p->max_cpus;
	if (each_hold(c, take_off, &a, err) == 0)
		return a.cpus;
	free(a.cpus);
	return NULL;
}

/* -- who joins whom ------------------------------------------------------- */

int job_beside_shares(const struct sbatch *s, const struct scontrol_partition *p)
{
	return p->forced || (p->rows > 1 && s->share == SHARE_YES);
}

struct ban {
	const struct cluster *c;
	const struct scontrol_partition *part;
	int shares;
	uint8_t *node;
};

/* Does it share its cores now?  As at job_beside_shares(). */
static int is_sharing(const struct scontrol_job *job,
		      const struct scontrol_partition *p)
{
	return !job->exclusive && p && (p->forced || (p->rows > 1 && job->shares));
}

/* Cores of one's own stand not beside shared ones, but in the own partition. */
static void mark_banned(void *arg, const struct scontrol_job *job,
			uint32_t node, uint32_t cpus)
{
	const struct ban *ban = arg;
	const struct scontrol_partition *p = part_of(ban->c, job);

	(void) cpus;
	if (ban->shares)
		ban->node[node] |= (uint8_t) !is_sharing(job, p);
	else if (p != ban->part)
		ban->node[node] |= (uint8_t) (p && p->rows > 1);
}

static int has_rows(const struct cluster *c)
{
	uint32_t i = 0;

	while (i < c->partitions.n && c->partitions.partition[i].rows <= 1)
		i++;
	return i < c->partitions.n;
}

uint8_t *job_beside_banned(const struct sbatch *s, const struct cluster *c,
			   const struct scontrol_partition *p,
			   struct sfab_err *err)
{
	struct ban ban = { .c = c, .part = p, .shares = job_beside_shares(s, p) };

	if (s->share == SHARE_EXCLUSIVE || p->exclusive ||
	    (!ban.shares && !has_rows(c)))
		return NULL;
	ban.node = need(c->nodes.n, 1);
	if (each_hold(c, mark_banned, &ban, err) == 0)
		return ban.node;
	free(ban.node);
	return NULL;
}
