/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_numbers.c - nodes, tasks, CPUs and memory of a job as slurmctld has them; see job_ask.h
 *
 * Options go through sbatch's rules, then through slurmctld's; see job_ask.h.
 *
 * Each function here repeats one step of Slurm's own, with its order and its quirks.  The jobs
 * of tests/slurm/rules show where versions differ.  A step that looks wrong is more likely to
 * be Slurm's than ours: check there first.
 */

#include <string.h>
#include <strings.h>

#include "core/uint.h"
#include "tools/slurm/job_ask.h"
#include "tools/slurm/slurm_rules.h"
#include "tools/ui/number.h"

#define NODES_MAX 500000u	/* slurmctld's stand-in for no limit */
#define ANY UINT32_MAX		/* all that there are, and given explicitly */

/*
 * Multiply, up to UINT32_MAX.  Products of what users type may exceed 32 bits.  Such a job can
 * never start, and the largest number says so as well.
 */
static uint32_t multiply_capped(uint32_t a, uint32_t b)
{
	uint64_t product = (uint64_t) a * b;

	return product > UINT32_MAX ? UINT32_MAX : (uint32_t) product;
}

/*
 * Apply --hint, which yields to options that are explicit.  Compare sbatch(1): memory_bound is
 * one core of each socket, compute_bound all cores, both with one thread of a core.
 */
static void apply_hint(struct sbatch *s)
{
	struct sfab_ask *ask = &s->ask;

	if (!s->hint || ask->threads_per_core || ask->tasks_per_core ||
	    (s->flags & SBATCH_LAYOUT))
		return;
	if (strcasecmp(s->hint, "multithread") == 0) {
		ask->tasks_per_core = ANY;
		return;
	}
	ask->threads_per_core = 1;
	if (strcasecmp(s->hint, "memory_bound") == 0)
		ask->cores_per_socket = 1;
	else if (strcasecmp(s->hint, "compute_bound") == 0)
		ask->sockets_per_node = ask->cores_per_socket = 0;
}

/* Count the tasks of a job without -n: one per node, or per requested thread. */
static void count_tasks(struct sbatch *s)
{
	struct sfab_ask *ask = &s->ask;

	ask->tasks = sfab_uint_max(ask->min_nodes, 1);
	if (ask->sockets_per_node || ask->cores_per_socket || ask->threads_per_core)
		s->flags |= SBATCH_NTASKS;
	ask->tasks = multiply_capped(ask->tasks, sfab_uint_max(ask->sockets_per_node, 1));
	ask->tasks = multiply_capped(ask->tasks, sfab_uint_max(ask->cores_per_socket, 1));
	ask->tasks = multiply_capped(ask->tasks, sfab_uint_max(ask->threads_per_core, 1));
}

/* Return the least number of nodes.  Later versions of sbatch count those of -w only without -N. */
static uint32_t min_nodes(const struct sbatch *s, uint32_t nlisted,
			  const char *version)
{
	if ((s->flags & SBATCH_NODES) &&
	    slurm_rule_holds(SLURM_CHOOSES_OF_NODELIST, version))
		return s->ask.min_nodes;
	return sfab_uint_max(s->ask.min_nodes, nlisted);
}

/* Return the least number of nodes.  With fewer tasks than nodes, each task gets one node. */
uint32_t job_ask_min_nodes(const struct job_ask *a)
{
	const struct sbatch *s = a->given;
	uint32_t n = min_nodes(s, a->nlisted, a->c->config.version);

	return (s->flags & SBATCH_NTASKS) && s->ask.tasks < n ? s->ask.tasks : n;
}

/*
 * Change the options as sbatch does before it sends them.  SBATCH_NODES and SBATCH_NTASKS then
 * also say that a number follows from others.
 */
static void apply_sbatch_rules(struct sbatch *s, uint32_t nlisted, const char *version)
{
	struct sfab_ask *ask = &s->ask;
	int is_fixed;

	ask->min_nodes = min_nodes(s, nlisted, version);
	s->flags |= nlisted ? SBATCH_NODES : 0;
	/* sbatch derives tasks from nodes only if their number is not a range. */
	is_fixed = !ask->max_nodes || ask->min_nodes == ask->max_nodes;
	apply_hint(s);
	if (ask->tasks_per_node && !(s->flags & SBATCH_NTASKS) && is_fixed) {
		ask->tasks = multiply_capped(ask->min_nodes, ask->tasks_per_node);
		s->flags |= SBATCH_NTASKS;
	}
	/* -c 4 means that a node must have four CPUs free for a task. */
	if (s->flags & SBATCH_CPUS)
		ask->cpus_per_node = sfab_uint_max(ask->cpus_per_node, ask->cpus_per_task);
	if ((s->flags & (SBATCH_NODES | SBATCH_LAYOUT)) && is_fixed &&
	    !(s->flags & SBATCH_NTASKS)) {
		count_tasks(s);
	} else if ((s->flags & SBATCH_NODES) && (s->flags & SBATCH_NTASKS)) {
		if (ask->tasks < ask->max_nodes)
			ask->max_nodes = ask->tasks;
		if (ask->tasks < ask->min_nodes)
			ask->min_nodes = ask->max_nodes = ask->tasks;
	}
	/* The tasks share CPUs, so one CPU per node is enough. */
	if (ask->flags & SFAB_ASK_OVERCOMMIT)
		ask->min_cpus = ask->min_nodes;
	else
		ask->min_cpus = multiply_capped(ask->tasks, ask->cpus_per_task);
}

/* Change the options as slurmctld does at submission. */
static void apply_slurmctld_rules(struct sbatch *s, uint32_t nrequired,
				  const struct scontrol_partition *p)
{
	struct sfab_ask *ask = &s->ask;
	int overcommits = !!(ask->flags & SFAB_ASK_OVERCOMMIT);

	if (ask->tasks_per_node && (s->flags & SBATCH_NODES) &&
	    !(s->flags & SBATCH_NTASKS)) {
		ask->tasks = multiply_capped(ask->tasks_per_node, ask->min_nodes);
		s->flags |= SBATCH_NTASKS;
	}
	if (!overcommits && (s->flags & SBATCH_NTASKS) && ask->tasks > ask->min_cpus)
		ask->min_cpus = multiply_capped(ask->tasks, ask->cpus_per_task);
	ask->min_cpus = sfab_uint_max(ask->min_cpus, nrequired);
	ask->cpus_per_node = sfab_uint_max(ask->cpus_per_node, 1);
	/* A node must hold all tasks that --ntasks-per-node puts there. */
	if (ask->tasks_per_node && !overcommits && (s->flags & SBATCH_NTASKS) && ask->tasks > 1)
		ask->cpus_per_node = sfab_uint_max(ask->cpus_per_node,
						   multiply_capped(ask->cpus_per_task,
								   ask->tasks_per_node));
	ask->cpus_per_node = sfab_uint_max(ask->cpus_per_node, ask->cpus_per_task);
	ask->min_nodes = sfab_uint_max(ask->min_nodes, p->min_nodes);
}

/* Limit the nodes to the number of tasks, unless the job asked for more nodes. */
static uint32_t limit_nodes_by_tasks(const struct sfab_ask *ask, uint32_t nodes)
{
	if (!ask->tasks || nodes <= ask->tasks)
		return nodes;
	return sfab_uint_max(ask->tasks, ask->min_nodes);
}

/* Return the default memory in slurm.conf; "UNLIMITED" and no text are 0. */
static uint64_t default_memory(const struct cluster *c, const char *key)
{
	const char *text = slurmfacts_get(&c->config, key);
	uint64_t mb = 0;

	if (text)
		number_parse(text, UINT32_MAX, &mb);
	return mb;
}

/*
 * Set the memory: the job's own --mem or --mem-per-cpu, else the partition's default, else that
 * of slurm.conf.  0 means all memory of the node.
 */
static void set_ask_memory(struct sbatch *s, const struct cluster *c,
			   const struct scontrol_partition *p)
{
	uint64_t per_cpu = default_memory(c, "DefMemPerCPU");
	struct sfab_ask *ask = &s->ask;

	if (s->memory != MEMORY_UNSAID) {
		ask->memory_per_cpu = s->memory == MEMORY_CPU;
	} else if (p->cpu_mb || p->node_mb) {
		ask->memory_mb = p->cpu_mb ? p->cpu_mb : p->node_mb;
		ask->memory_per_cpu = p->cpu_mb != 0;
	} else {
		ask->memory_mb = per_cpu ? per_cpu : default_memory(c, "DefMemPerNode");
		ask->memory_per_cpu = per_cpu != 0;
	}
	if (!ask->memory_mb)
		ask->memory_per_cpu = 0;
}

/* Return the limit for which Slurm would let the job wait forever; NULL: none. */
static const char *find_broken_limit(const struct sbatch *s, const struct scontrol_partition *p,
				     const char *version)
{
	const struct sfab_ask *ask = &s->ask;
	int has_nodes = !!(s->flags & SBATCH_NODES), has_tasks = !!(s->flags & SBATCH_NTASKS);

	/*
	 * Unless EnforcePartLimits is set, Slurm accepts a job beyond the partition's limits,
	 * and shows a reason such as PartitionNodeLimit.
	 */
	if (p->max_nodes && (ask->min_nodes > p->max_nodes ||
			     (has_nodes && ask->max_nodes > p->max_nodes)))
		return "more nodes than its MaxNodes";
	if (p->max_nodes && has_tasks && !ask->max_nodes && ask->tasks > p->max_nodes &&
	    slurm_rule_holds(SLURM_TASKS_ARE_MAX_NODES, version))
		return "more tasks than its MaxNodes, without -N";
	if (has_nodes && ask->max_nodes && ask->max_nodes < p->min_nodes)
		return "fewer nodes than its MinNodes";
	if (has_tasks && ask->tasks < p->min_nodes &&
	    slurm_rule_holds(SLURM_REFUSES_FEW_TASKS, version))
		return "fewer tasks than its MinNodes";
	if ((s->flags & SBATCH_TIME) && p->limit_s &&
	    (!ask->limit_s || ask->limit_s > p->limit_s))
		return "more time than its MaxTime";
	/* --mincpus is checked here; whole nodes and devices are counted in another way. */
	if (ask->tasks_per_node && has_tasks && !s->gres && !sbatch_wants_gpus(s) &&
	    s->share != SHARE_EXCLUSIVE && !p->exclusive &&
	    ask->cpus_per_node > multiply_capped(ask->cpus_per_task, ask->tasks_per_node) &&
	    slurm_rule_holds(SLURM_TASKS_CAP_CPUS, version))
		return "more CPUs of a node than its tasks there have";
	return NULL;
}

const char *job_ask_numbers(struct job_ask *a)
{
	const struct scontrol_partition *p = a->partition;
	const char *params = slurmfacts_get(&a->c->config, "SelectTypeParameters");
	const char *version = a->c->config.version, *broken;
	struct sfab_ask *ask = &a->ask;
	struct sbatch s = *a->given;
	uint32_t limit = p->max_nodes && p->max_nodes < NODES_MAX ?
			 p->max_nodes : NODES_MAX;
	int is_range;

	apply_sbatch_rules(&s, a->nlisted, version);
	apply_slurmctld_rules(&s, a->nrequired, p);
	set_ask_memory(&s, a->c, p);
	broken = find_broken_limit(&s, p, version);
	*ask = s.ask;
	if (!(s.flags & SBATCH_NTASKS))
		ask->tasks = 0;
	is_range = (s.flags & SBATCH_NODES) && ask->max_nodes;
	if (!is_range || ask->max_nodes > limit)
		ask->max_nodes = limit;
	ask->req_nodes = is_range && !(s.flags & SBATCH_MIN_NODES) ?
			 ask->max_nodes : ask->min_nodes;
	ask->max_nodes = limit_nodes_by_tasks(ask, ask->max_nodes);
	ask->req_nodes = limit_nodes_by_tasks(ask, ask->req_nodes);
	/* If the job does not say how many tasks a core gets, the site may. */
	if (ask->tasks_per_core == ANY)
		ask->tasks_per_core = 0;
	else if (!ask->tasks_per_core && params && strcasestr(params, "ONE_TASK_PER_CORE"))
		ask->tasks_per_core = 1;
	return broken;
}
