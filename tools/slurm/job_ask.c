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

#include "io/hostlist.h"
#include "place/request/need.h"
#include "tools/slurm/job_nodes.h"
#include "tools/slurm/job_sharing.h"
#include "tools/slurm/slurm_rules.h"
#include "tools/ui/xalloc.h"

/*
 * Is @word in a list of slurm.conf ("CR_Core_Memory,CR_LLN"), in upper or lower case?  A
 * substring is enough for the words asked for here.
 */
static int has_word(const char *text, const char *word)
{
	return text && strcasestr(text, word) != NULL;
}

static int config_has(const struct job_ask *a, const char *key, const char *word)
{
	return has_word(slurmfacts_get(&a->c->config, key), word);
}

/* Do associations and QOS cap what a job gets (AccountingStorageEnforce=limits)? */
static int enforces_limits(const struct job_ask *a)
{
	return config_has(a, "AccountingStorageEnforce", "limits");
}

/*
 * Return the flags that options alone do not give: what flags_of_question() of the plugin finds
 * in slurmctld's records.
 */
static unsigned flags_of_cluster(const struct job_ask *a)
{
	const struct scontrol_partition *p = a->partition;
	const struct sbatch *s = a->given;
	/* The partition's own SelectTypeParameters; scontrol prints NONE if it has none. */
	const char *select = p->select;
	int counts_memory = select && strcmp(select, "NONE") != 0 ? has_word(select, "MEMORY") :
			    config_has(a, "SelectTypeParameters", "MEMORY");
	const struct {
		int is_set;
		unsigned flag;
	} flags[] = {
		{ p->least_loaded || config_has(a, "SelectTypeParameters", "CR_LLN"),
		  SFAB_ASK_LLN },
		{ config_has(a, "SchedulerParameters", "pack_serial_at_end") &&
		  a->ask.min_cpus == 1 && a->ask.req_nodes == 1,
		  SFAB_ASK_SERIAL },
		{ config_has(a, "SchedulerParameters", "bf_busy_nodes"), SFAB_ASK_BUSY_NODES },
		{ cluster_packs(a->c, p), SFAB_ASK_TOPOLOGY },
		{ slurm_rule_holds(SLURM_COUNTS_ANY_CPUS, a->c->config.version),
		  SFAB_ASK_ANY_CPUS },
		/* A partition may define what else comes with a GPU. */
		{ p->job_defaults && (sbatch_wants_gpus(s) || has_word(s->gres, "gpu")),
		  SFAB_ASK_GRES },
		{ s->share == SHARE_EXCLUSIVE || p->exclusive, SFAB_ASK_WHOLE_NODES },
		{ counts_memory, SFAB_ASK_COUNT_MEMORY },
		{ enforces_limits(a), SFAB_ASK_FEW_CPUS },
	};
	unsigned set = 0;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (flags[i].is_set)
			set |= flags[i].flag;
	return set;
}

/*
 * Set what the question says of each node.  A job that waits for something else gets no usable
 * node.
 */
static void fill_ask_nodes(struct job_ask *a)
{
	const struct cluster *c = a->c;

	a->ask.node = a->node = xcalloc(c->nodes.n, sizeof(*a->node));
	a->ask.weight = a->weight = xcalloc(c->nodes.n, sizeof(*a->weight));
	for (uint32_t i = 0; i < c->nodes.n; i++) {
		a->node[i] = job_nodes_flags(a, i);
		if (*a->wait_reason)
			a->node[i] &= (uint8_t) ~SFAB_NODE_USABLE;
		a->weight[i] = c->nodes.node[i].weight;
	}
	a->ask.allowed = a->allowed = job_sharing_allowed(a);
}

/* Do the nodes differ in size?  Compared with the first node only: one that differs is enough. */
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
 * May Slurm's own choice hold fewer CPUs?  Where nodes differ in size, the plugin asks Slurm
 * for that choice, and takes it if so.  Of plain nodes the smallest are always the fewest CPUs;
 * with tasks to fill them, or nodes that are given, they may not be.
 */
static int may_hold_less(const struct job_ask *a)
{
	const struct sfab_ask *ask = &a->ask;
	int has_tasks = !ask->tasks_per_node &&
			sfab_need_units(ask) > sfab_need_min(ask);

	return has_kinds(a->c) &&
	       (enforces_limits(a) || ((ask->flags & SFAB_ASK_WHOLE_NODES) &&
				       (has_tasks || a->given->nodelist)));
}

void job_ask_warn_few(const struct job_ask *a)
{
	const char *preempt = slurmfacts_get(&a->c->config, "PreemptType");

	if (preempt && strcmp(preempt, "preempt/none") != 0)
		reply_warning(a->reply, "preemption is ignored");
	if (job_sharing_shares(a) || config_has(a, "PreemptMode", "GANG"))
		reply_warning(a->reply, "jobs may share cores: too few are idle, and the "
			      "preview cannot tell whether Slurm shares cores of "
			      "others");
}

/* Warn of the job's own options and of the site's. */
static void warn_of_options(const struct job_ask *a)
{
	const struct sbatch *s = a->given;
	const struct sfab_ask *ask = &a->ask;
	const struct scontrol_partition *p = a->partition;
	const char *version = a->c->config.version;
	const struct {
		int is_given;
		const char *text;
	} doubts[] = {
		{ s->nodelist && (s->flags & SBATCH_NTASKS) && ask->tasks > ask->req_nodes,
		  "--nodelist: the number of nodes that Slurm adds for the tasks is "
		  "uncertain" },
		{ ask->cores_per_socket > 1 || ask->sockets_per_node > 1 ||
		  ask->tasks_per_socket,
		  "sockets: nodes with some cores in use are ignored" },
		/*
		 * Slurm fills the first neighbors that have enough CPUs together, from their
		 * first node on: too many small nodes, and the job never starts.
		 */
		{ (ask->flags & SFAB_ASK_CONTIGUOUS) && ask->tasks && has_kinds(a->c),
		  "--contiguous on nodes of several sizes: Slurm looks at the first "
		  "neighbors only, and may never start the job" },
		{ !!*s->gpus + !!*s->gpus_job + !!*s->gpus_task > 1,
		  "GPUs are given in several ways: the preview ignores what follows for "
		  "nodes and tasks" },
		{ p->max_cpus && slurm_rule_holds(SLURM_LIMIT_COUNTS_OTHERS, version),
		  "MaxCPUsPerNode: the preview counts CPUs of other partitions, and Slurm "
		  "not where a job of this one ended" },
		{ ask->switches != 0,
		  "--switches: leaves of the fabric are counted; Slurm counts switches of "
		  "topology.conf" },
		{ s->share == SHARE_USER || p->exclusive_user,
		  "nodes for one user: the preview ignores which users share nodes" },
		{ ask->flags & SFAB_ASK_OVERCOMMIT &&
		  (ask->flags & SFAB_ASK_WHOLE_NODES || ask->cpus_per_task > 1) &&
		  slurm_rule_holds(SLURM_OVERCOMMIT_WAITS, version),
		  "--overcommit with whole nodes or --cpus-per-task: the job waits if not "
		  "all tasks have CPUs" },
		{ may_hold_less(a),
		  "nodes differ in size: if Slurm's own choice holds less, the job gets "
		  "that, which the preview ignores" },
		{ slurmfacts_hides_jobs(&a->c->config),
		  "PrivateData=jobs: pending jobs of others are ignored" },
	};

	for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++)
		if (doubts[i].is_given)
			reply_warning(a->reply, "%s", doubts[i].text);
}

/* Warn where slurmctld knows more than scontrol prints, so that the preview may be wrong. */
static void warnings_of_ignored_facts(const struct job_ask *a)
{
	const struct sbatch *s = a->given;
	const struct sfab_ask *ask = &a->ask;
	struct reply *r = a->reply;
	uint32_t pending = 0, max_cpus = a->partition->max_cpus;

	for (uint32_t i = 0; i < a->c->jobs.n; i++)
		pending += a->c->jobs.job[i].state == JOB_PENDING;
	for (uint32_t i = 0; i < s->nnotes; i++)
		reply_warning(r, "--%s: the preview ignores it",
			      s->note[i]);
	if (s->constraint && !job_nodes_is_simple(s->constraint))
		reply_warning(r, "--constraint '%s' is not understood: the preview "
			      "assumes that all nodes have it", s->constraint);
	if (ask->cpus_per_task > 1 && max_cpus % ask->cpus_per_task &&
	    !ask->memory_per_cpu && !(ask->flags & SFAB_ASK_ANY_CPUS))
		reply_warning(r, "MaxCPUsPerNode=%u is no multiple of --cpus-per-task: "
			      "Slurm may take too few nodes, and refuse them", max_cpus);
	warn_of_options(a);
	if (pending)
		reply_warning(r, "%u jobs are pending: they may start before "
			      "this one", pending);
}

/*
 * Find the job's partition.  Of several, Slurm takes the first that can start the job; the
 * preview takes the first, with a warning.
 */
static int find_partition(struct job_ask *a, struct sfab_err *err)
{
	const char *given = a->given->ask.partition;
	char *name = given ? xstrdup(given) : NULL;
	char *comma = name ? strchr(name, ',') : NULL;
	int rc = 0;

	if (comma) {
		*comma = '\0';
		reply_warning(a->reply, "several partitions: only %s is considered", name);
	}
	a->partition = cluster_partition(a->c, name);
	if (!a->partition && name)
		rc = sfab_fail(err, SFAB_ENOENT, "partition '%.60s': no such "
			       "partition", name);
	else if (!a->partition)
		rc = sfab_fail(err, SFAB_ENOENT, "there is no default partition "
			       "(expected -p)");
	free(name);
	return rc;
}

int job_ask_alone(const struct sbatch *given, struct sfab_ask *ask, struct sfab_err *err)
{
	/*
	 * Static structs are zero: a partition without limits, and a cluster of unknown
	 * version, which counts as newer than all.
	 */
	static const struct scontrol_partition any;
	static const struct cluster unknown;
	struct job_ask a = { .given = given, .c = &unknown, .partition = &any };
	struct sfab_names names = { 0 };

	if (given->nodelist && sfab_hostlist_expand(given->nodelist, &names, err) != 0)
		return -1;
	a.nlisted = a.nrequired = names.n;
	sfab_names_free(&names);
	job_ask_numbers(&a);
	*ask = a.ask;
	ask->flags = 0;
	return 0;
}

/*
 * Fill in the question.  The order matters: the numbers come before the flags that depend on
 * them, and reservations need to know from the flags whether the job takes whole nodes.
 */
static int find_question(struct job_ask *a, struct sfab_err *err)
{
	const struct scontrol_partition *p = a->partition;
	const char *limit = job_ask_numbers(a);
	int rc;

	a->ask.id = JOB_ASK_ID;
	a->ask.partition = p->name;
	if (!(a->given->flags & SBATCH_TIME))
		a->ask.limit_s = p->default_s ? p->default_s : p->limit_s;
	a->ask.flags |= flags_of_cluster(a);
	if (job_nodes_gpus(a) != 0)
		a->ask.flags |= SFAB_ASK_GRES;
	if (limit)
		snprintf(a->wait_reason, sizeof(a->wait_reason),
			 "partition %s: the job asks for %s", p->name, limit);
	else if (!p->is_up)
		snprintf(a->wait_reason, sizeof(a->wait_reason), "partition %s is not up", p->name);
	rc = job_ask_licenses(a, err);
	if (rc == 0)
		rc = job_ask_reserve(a, err);
	if (rc == 0)
		fill_ask_nodes(a);
	warnings_of_ignored_facts(a);
	return rc;
}

int job_ask_make(struct job_ask *a, const struct sbatch *given, const struct cluster *c,
		 struct reply *r, struct sfab_err *err)
{
	unsigned flags = given->ask.flags;
	const char *newer = flags & SFAB_ASK_SEGMENT  ? "--segment" :
			    flags & SFAB_ASK_TOPOLOGY ? "--exclusive=topo" : NULL;
	int rc;

	*a = (struct job_ask){ .given = given, .c = c, .reply = r };
	/* sbatch refuses options that it does not have. */
	if (newer && !slurm_rule_holds(SLURM_HAS_SEGMENTS, c->config.version))
		return sfab_fail(err, SFAB_EINVAL, "%s: Slurm %s does not have it", newer,
				 c->config.version);
	if (find_partition(a, err) != 0)
		return -1;
	rc = job_nodes_find(a, err);
	/* -w must not name more nodes than the job can have. */
	if (rc == 0 && (given->flags & SBATCH_NODES) && given->ask.max_nodes &&
	    given->ask.max_nodes < a->nrequired)
		rc = sfab_fail(err, SFAB_EINVAL, "-w names %u nodes, -N allows %u",
			       a->nrequired, given->ask.max_nodes);
	if (rc == 0)
		rc = find_question(a, err);
	free(a->node_is);
	a->node_is = NULL;
	return rc;
}

void job_ask_free(struct job_ask *a)
{
	free(a->node);
	free(a->weight);
	free(a->allowed);
	memset(a, 0, sizeof(*a));
}
