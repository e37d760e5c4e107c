/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_ask.c - what the plugin would be asked about a job; see job_ask.h
 *
 * Does with sbatch's options and scontrol's text what plugin/slurm/facts.c does with
 * slurmctld's records.  What the texts cannot tell becomes a warning.
 */

#include "tools/slurm/job_ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/hostlist.h"
#include "place/request/count.h"
#include "tools/slurm/slurm_rules.h"
#include "tools/ui/say.h"

/*
 * Parameters of slurm.conf are lists in any case ("CR_Core_Memory,CR_LLN").  A
 * substring is enough for the words asked for here.
 */
static int has_word(const char *text, const char *word)
{
	return text && strcasestr(text, word) != NULL;
}

static int config_has(const struct cluster *c, const char *key, const char *word)
{
	return has_word(slurmfacts_get(&c->config, key), word);
}

/*
 * A partition may have its own SelectTypeParameters; scontrol prints NONE if it
 * has not.
 */
static int has_memory_param(const struct cluster *c,
			    const struct scontrol_partition *p)
{
	return p->select && strcmp(p->select, "NONE") != 0 ?
	       has_word(p->select, "MEMORY") :
	       config_has(c, "SelectTypeParameters", "MEMORY");
}

/* AccountingStorageEnforce=limits: associations and QOS cap what a job gets. */
static int enforces_limits(const struct cluster *c)
{
	return config_has(c, "AccountingStorageEnforce", "limits");
}

/* What flags_of_question() of the plugin finds in slurmctld's records. */
static unsigned flags_of_sbatch(const struct sbatch *s, const struct cluster *c,
				const struct scontrol_partition *p,
				const struct sfab_ask *ask)
{
	const struct {
		int is;
		unsigned flag;
	} flags[] = {
	    {s->flags & SBATCH_LATER, SFAB_ASK_FUTURE},
	    {s->flags & SBATCH_HET, SFAB_ASK_HET},
	    {p->least_loaded || config_has(c, "SelectTypeParameters", "CR_LLN"),
	     SFAB_ASK_LLN},
	    {s->flags & SBATCH_SPREAD, SFAB_ASK_SPREAD},
	    {config_has(c, "SchedulerParameters", "pack_serial_at_end") && ask->min_cpus == 1 &&
		 ask->req_nodes == 1,
	     SFAB_ASK_SERIAL},
	    {config_has(c, "SchedulerParameters", "bf_busy_nodes"), SFAB_ASK_BUSY_NODES},
	    {s->flags & SBATCH_SEGMENT, SFAB_ASK_SEGMENT},
	    {s->flags & SBATCH_UNITS || cluster_packs(c, p), SFAB_ASK_TOPOLOGY},
	    {slurm_rule_holds(SLURM_COUNTS_ANY_CPUS, c->config.version),
	     SFAB_ASK_ANY_CPUS},
	    /* A partition may define what else comes with a GPU. */
	    {p->job_defaults && (sbatch_wants_gpus(s) || has_word(s->gres, "gpu")),
	     SFAB_ASK_GRES},
	    {s->share == SHARE_EXCLUSIVE || p->exclusive, SFAB_ASK_WHOLE_NODES},
	    {s->flags & SBATCH_OVERCOMMIT, SFAB_ASK_OVERCOMMIT},
	    {has_memory_param(c, p), SFAB_ASK_COUNT_MEMORY},
	    {s->flags & SBATCH_CONTIGUOUS, SFAB_ASK_CONTIGUOUS},
	    {enforces_limits(c), SFAB_ASK_FEW_CPUS},
	};
	unsigned all = 0;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (flags[i].is)
			all |= flags[i].flag;
	return all;
}

/* A node whose sockets or threads are unknown counts as having one of each. */
static uint16_t count_or_one(uint32_t n)
{
	return n && n < UINT16_MAX ? (uint16_t) n : 1;
}

/* A job that waits for something else gets no usable node. */
static void fill_ask_nodes(struct job_ask *a, const struct cluster *c,
			   const struct job_nodes *set, const struct sbatch *s)
{
	a->ask.node = a->node = need(c->nodes.n, sizeof(*a->node));
	a->ask.weight = a->weight = need(c->nodes.n, sizeof(*a->weight));
	a->ask.sockets = a->sockets = need(c->nodes.n, sizeof(*a->sockets));
	a->ask.threads = a->threads = need(c->nodes.n, sizeof(*a->threads));
	for (uint32_t i = 0; i < c->nodes.n; i++) {
		const struct scontrol_node *node = &c->nodes.node[i];

		a->node[i] = job_nodes_flags(set, s, c, &a->ask, i);
		if (*a->waits)
			a->node[i] &= (uint8_t) ~SFAB_NODE_USABLE;
		a->weight[i] = node->weight;
		a->sockets[i] = count_or_one(node->sockets);
		a->threads[i] = count_or_one(node->threads);
	}
	a->ask.allowed = a->allowed = job_beside_allowed(c, a->partition);
}

/*
 * Root and SlurmUser see all jobs.  Operators do too, but we cannot tell who is
 * one.
 */
static int hides_jobs(const struct cluster *c)
{
	uid_t me = getuid();

	return config_has(c, "PrivateData", "jobs") && me != 0 &&
	       me != c->config.uid;
}

/*
 * Do the nodes differ in size?  Compared with the first node only: one that
 * differs is enough.
 */
static int has_kinds(const struct cluster *c)
{
	const struct scontrol_node *node = c->nodes.node;
	uint32_t i = 1;

	while (i < c->nodes.n && node[i].cpus == node[0].cpus &&
	       node[i].cpus_effective == node[0].cpus_effective &&
	       node[i].threads == node[0].threads &&
	       node[i].memory_mb == node[0].memory_mb)
		i++;
	return i < c->nodes.n;
}

/*
 * Where nodes differ in size, the plugin asks Slurm for its own choice, and takes it
 * if it holds fewer CPUs.  Of plain nodes the smallest are always the fewest CPUs;
 * with tasks to fill them, or nodes that are given, they may not be.
 */
static int may_hold_less(const struct sfab_ask *ask, const struct sbatch *s,
			 const struct cluster *c)
{
	int has_tasks = !ask->tasks_per_node &&
			sfab_count_wanted(ask) > sfab_count_least(ask);

	return has_kinds(c) &&
	       (enforces_limits(c) || ((ask->flags & SFAB_ASK_WHOLE_NODES) &&
				       (has_tasks || s->nodelist)));
}

/* The numbers that decide the node count are not all that Slurm checks. */
static void warn_of_count(const struct sfab_ask *ask, const struct sbatch *s,
			  uint32_t max_cpus, struct report *r)
{
	if (ask->cpus_per_task > 1 && max_cpus % ask->cpus_per_task &&
	    !ask->memory_per_cpu && !(ask->flags & SFAB_ASK_ANY_CPUS))
		report_warning(r, "MaxCPUsPerNode=%u is no multiple of --cpus-per-task: "
			       "Slurm may take too few nodes, and refuse them", max_cpus);
	if (s->nodelist && (s->flags & SBATCH_NTASKS) &&
	    ask->tasks > ask->req_nodes)
		report_warning(r, "--nodelist: the number of nodes that Slurm adds "
			       "for the tasks is uncertain");
	if (ask->cores_per_socket > 1 || ask->sockets_per_node > 1 ||
	    ask->tasks_per_socket)
		report_warning(r, "sockets: nodes with some cores in use are ignored");
}

void job_ask_warn_few(const struct sbatch *s, const struct cluster *c,
		      const struct scontrol_partition *p, struct report *r)
{
	const char *preempt = slurmfacts_get(&c->config, "PreemptType");

	if (preempt && strcmp(preempt, "preempt/none") != 0)
		report_warning(r, "preemption is ignored");
	if (job_beside_shares(s, p) || config_has(c, "PreemptMode", "GANG"))
		report_warning(r, "jobs may share cores: too few are idle, and the "
			       "preview cannot tell whether Slurm shares cores of "
			       "others");
}

/*
 * Where slurmctld knows more than scontrol prints, the preview may be wrong: say
 * so.
 */
static void warn_of_ignored_facts(const struct job_ask *a,
				  const struct sbatch *s,
				  const struct cluster *c, struct report *r)
{
	uint32_t pending = 0;

	for (uint32_t i = 0; i < c->jobs.n; i++)
		pending += c->jobs.job[i].state == JOB_PENDING;
	for (uint32_t i = 0; i < s->nnotes; i++)
		report_warning(r, "--%s: the preview ignores it",
			       s->note[i]);
	if (s->constraint && !job_nodes_features(s->constraint))
		report_warning(r, "--constraint '%s' is not understood: the preview "
			       "assumes that all nodes have it", s->constraint);
	warn_of_count(&a->ask, s, a->partition->max_cpus, r);
	/* Slurm fills the first neighbors that have enough CPUs together, from
	   their first node on: too many small nodes, and the job never starts. */
	if ((a->ask.flags & SFAB_ASK_CONTIGUOUS) && a->ask.tasks && has_kinds(c))
		report_warning(r, "--contiguous on nodes of several sizes: Slurm looks "
			       "at the first neighbors only, and may never start the "
			       "job");
	if (!!*s->gpus + !!*s->gpus_job + !!*s->gpus_task > 1)
		report_warning(r, "GPUs are given in several ways: the preview "
			       "ignores what follows for nodes and tasks");
	if (a->partition->max_cpus &&
	    slurm_rule_holds(SLURM_LIMIT_COUNTS_OTHERS, c->config.version))
		report_warning(r, "MaxCPUsPerNode: the preview counts CPUs of other "
			       "partitions, and Slurm not where a job of this one ended");
	if (s->ask.switches)
		report_warning(r, "--switches: leaves of the fabric are counted; "
			       "Slurm counts switches of topology.conf");
	if (s->share == SHARE_USER || a->partition->exclusive_user)
		report_warning(r, "nodes for one user: the preview ignores which "
			       "users share nodes");
	if (a->ask.flags & SFAB_ASK_OVERCOMMIT &&
	    (a->ask.flags & SFAB_ASK_WHOLE_NODES || a->ask.cpus_per_task > 1) &&
	    slurm_rule_holds(SLURM_OVERCOMMIT_WAITS, c->config.version))
		report_warning(r, "--overcommit with whole nodes or --cpus-per-task: the "
			       "job waits if not all tasks have CPUs");
	if (may_hold_less(&a->ask, s, c))
		report_warning(r, "nodes differ in size: if Slurm's own choice holds "
			       "less, the job gets that, which the preview ignores");
	if (hides_jobs(c))
		report_warning(r, "PrivateData=jobs: pending jobs of others are "
			       "ignored");
	if (pending)
		report_warning(r, "%u jobs are pending: they may start before "
			       "this one", pending);
}

/* sbatch takes several partitions: the first that can start the job counts. */
static int find_partition(struct job_ask *a, const struct sbatch *s,
			  const struct cluster *c, struct report *r,
			  struct sfab_err *err)
{
	char *name = s->ask.partition ? need_copy(s->ask.partition) : NULL;
	char *comma = name ? strchr(name, ',') : NULL;
	int rc = 0;

	if (comma) {
		*comma = '\0';
		report_warning(r, "several partitions: only %s is considered",
			       name);
	}
	a->partition = cluster_partition(c, name);
	if (!a->partition && name)
		rc = sfab_fail(err, SFAB_ENOENT, "partition '%.60s': no such "
			       "partition", name);
	else if (!a->partition)
		rc = sfab_fail(err, SFAB_ENOENT, "there is no default partition "
			       "(expected -p)");
	free(name);
	return rc;
}

/* sbatch refuses options that it does not have. */
static int check_options(const struct sbatch *s, const struct cluster *c,
			 struct sfab_err *err)
{
	const char *name = s->flags & SBATCH_SEGMENT ? "--segment" :
			   s->flags & SBATCH_UNITS   ? "--exclusive=topo" : NULL;

	if (!name || slurm_rule_holds(SLURM_HAS_SEGMENTS, c->config.version))
		return 0;
	return sfab_fail(err, SFAB_EINVAL, "%s: Slurm %s does not have it", name,
			 c->config.version);
}

/* -w must not name more nodes than the job can have. */
static int check_node_counts(const struct sbatch *s, const struct job_nodes *set,
			     struct sfab_err *err)
{
	if ((s->flags & SBATCH_NODES) && s->ask.max_nodes &&
	    s->ask.max_nodes < set->nrequired)
		return sfab_fail(err, SFAB_EINVAL, "-w names %u nodes, -N "
				 "allows %u", set->nrequired, s->ask.max_nodes);
	return 0;
}

int job_ask_alone(const struct sbatch *s, struct sfab_ask *ask,
		  struct sfab_err *err)
{
	/*
	 * Static structs are zero: a partition without limits, and a cluster of
	 * unknown version, which counts as newer than all.
	 */
	static const struct scontrol_partition any;
	static const struct cluster unknown;
	struct sfab_names listed = { 0 };

	if (s->nodelist && sfab_hostlist_expand(s->nodelist, &listed, err) != 0)
		return -1;
	job_ask_numbers(s, listed.n, listed.n, &unknown, &any, ask);
	sfab_names_free(&listed);
	return 0;
}

int job_ask_make(struct job_ask *a, const struct sbatch *s,
		 const struct cluster *c, struct report *r, struct sfab_err *err)
{
	struct job_nodes set;
	const char *never;
	int rc;

	memset(a, 0, sizeof(*a));
	if (check_options(s, c, err) != 0 || find_partition(a, s, c, r, err) != 0)
		return -1;
	if (job_nodes_find(&set, s, c, a->partition, err) != 0)
		return -1;
	/*
	 * The order matters: the numbers come before the flags that depend on
	 * them, and reservations need to know from the flags whether the job
	 * takes whole nodes.
	 */
	rc = check_node_counts(s, &set, err);
	if (rc == 0) {
		never = job_ask_numbers(s, set.nlisted, set.nrequired, c,
					a->partition, &a->ask);
		a->ask.id = JOB_ASK_ID;
		if (!(s->flags & SBATCH_TIME))
			a->ask.limit_s = a->partition->default_s ? a->partition->default_s :
								   a->partition->limit_s;
		a->ask.partition = a->partition->name;
		a->ask.flags = flags_of_sbatch(s, c, a->partition, &a->ask);
		if (job_nodes_gpus(&set, s, &a->ask) != 0)
			a->ask.flags |= SFAB_ASK_GRES;
		if (never)
			snprintf(a->waits, sizeof(a->waits), "partition %s: the job asks for %s",
				 a->partition->name, never);
		else if (!a->partition->is_up)
			snprintf(a->waits, sizeof(a->waits), "partition %s is not up",
				 a->partition->name);
		rc = job_ask_licenses(a, s, c, r, err);
		if (rc == 0)
			rc = job_nodes_reserve(&set, s, c, a, r, err);
		if (rc == 0)
			fill_ask_nodes(a, c, &set, s);
		warn_of_ignored_facts(a, s, c, r);
	}
	job_nodes_free(&set);
	return rc;
}

void job_ask_free(struct job_ask *a)
{
	free(a->node);
	free(a->weight);
	free(a->sockets);
	free(a->threads);
	free(a->allowed);
	memset(a, 0, sizeof(*a));
}
