/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_numbers.c - nodes, tasks, CPUs and memory of a job as slurmctld has them
 *
 * Options go through sbatch's rules, then through slurmctld's; see job_ask.h.
 *
 * Each function here repeats one step of Slurm's own, with its order and its
 * quirks.  The jobs of tests/slurm/rules show where versions differ.  A step
 * that looks wrong is more likely to be Slurm's than ours: check there first.
 */

#include <string.h>
#include <strings.h>

#include "tools/slurm/job_ask.h"
#include "tools/slurm/slurm_rules.h"
#include "tools/ui/number.h"

#define NODES_MAX 500000u	/* slurmctld's stand-in for no limit */

struct numbers {		/* after sbatch's rules, before slurmctld's */
	int has_nodes, has_tasks, has_cpus;
	uint32_t min_nodes, max_nodes, tasks, each;	/* max 0: no limit */
	uint32_t min_cpus, mincpus;
};

#define ANY UINT32_MAX		/* all that there are, and given explicitly */

struct layout {			/* 0: not given */
	uint32_t sockets, cores, threads, tasks_per_core;
};

static uint32_t larger_number(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/*
 * Products of what users type may exceed 32 bits.  Such a job can never start,
 * and the largest number says so as well.
 */
static uint32_t multiply_capped(uint32_t a, uint32_t b)
{
	uint64_t product = (uint64_t) a * b;

	return product > UINT32_MAX ? UINT32_MAX : (uint32_t) product;
}

/*
 * A hint yields to options that are explicit.  Compare --hint in sbatch(1):
 * memory_bound is one core of each socket, compute_bound all cores, both with
 * one thread of a core.
 */
static struct layout layout_of(const struct sbatch *s)
{
	struct layout l = { s->sockets, s->cores, s->threads, s->tasks_per_core };

	if (!s->hint || s->threads || s->tasks_per_core ||
	    (s->flags & SBATCH_LAYOUT))
		return l;
	if (strcasecmp(s->hint, "multithread") == 0) {
		l.tasks_per_core = ANY;
		return l;
	}
	l.threads = 1;
	if (strcasecmp(s->hint, "memory_bound") == 0)
		l.cores = 1;
	else if (strcasecmp(s->hint, "compute_bound") == 0)
		l.sockets = l.cores = 0;
	return l;
}

/* Without -n: one task per node, or per requested thread. */
static void count_tasks(struct numbers *n, const struct layout *l)
{
	n->tasks = larger_number(n->min_nodes, 1);
	n->has_tasks = l->sockets || l->cores || l->threads;
	n->tasks = multiply_capped(n->tasks, larger_number(l->sockets, 1));
	n->tasks = multiply_capped(n->tasks, larger_number(l->cores, 1));
	n->tasks = multiply_capped(n->tasks, larger_number(l->threads, 1));
}

/* Later versions of sbatch count the nodes of -w only if there is no -N. */
static uint32_t least_nodes(const struct sbatch *s, uint32_t listed,
			    const char *version)
{
	if ((s->flags & SBATCH_NODES) &&
	    slurm_rule_holds(SLURM_CHOOSES_OF_NODELIST, version))
		return s->min_nodes;
	return larger_number(s->min_nodes, listed);
}

/* A job with fewer tasks than nodes gets one node for each task. */
uint32_t job_ask_least_nodes(const struct sbatch *s, uint32_t listed,
			     const char *version)
{
	uint32_t n = least_nodes(s, listed, version);

	return (s->flags & SBATCH_NTASKS) && s->ntasks < n ? s->ntasks : n;
}

/* What sbatch makes of the options before it sends them. */
static struct numbers as_sbatch(const struct sbatch *s, uint32_t listed,
				const char *version)
{
	struct numbers n = {
	    .has_nodes = listed || (s->flags & SBATCH_NODES),
	    .has_tasks = !!(s->flags & SBATCH_NTASKS),
	    .has_cpus = !!(s->flags & SBATCH_CPUS),
	    .min_nodes = least_nodes(s, listed, version),
	    .max_nodes = s->max_nodes,
	    .tasks = s->ntasks,
	    .each = s->cpus_per_task,
	    .mincpus = s->mincpus,
	};
	/*
	 * sbatch derives tasks from nodes only if their number is not a range.
	 */
	int fixed = !n.max_nodes || n.min_nodes == n.max_nodes;
	struct layout l = layout_of(s);

	if (s->tasks_per_node && !n.has_tasks && fixed) {
		n.tasks = multiply_capped(n.min_nodes, s->tasks_per_node);
		n.has_tasks = 1;
	}
	/* -c 4 means that a node must have four CPUs free for a task. */
	if (n.has_cpus)
		n.mincpus = larger_number(n.mincpus, n.each);
	if ((n.has_nodes || (s->flags & SBATCH_LAYOUT)) && fixed &&
	    !n.has_tasks) {
		count_tasks(&n, &l);
	} else if (n.has_nodes && n.has_tasks) {
		if (n.tasks < n.max_nodes)
			n.max_nodes = n.tasks;
		if (n.tasks < n.min_nodes)
			n.min_nodes = n.max_nodes = n.tasks;
	}
	/* The tasks share CPUs, so one CPU per node is enough. */
	if (s->flags & SBATCH_OVERCOMMIT)
		n.min_cpus = n.min_nodes;
	else
		n.min_cpus = multiply_capped(n.tasks, n.each);
	return n;
}

/* What slurmctld makes of that at submission. */
static void as_slurmctld(struct numbers *n, const struct sbatch *s,
			 uint32_t required, const struct scontrol_partition *p)
{
	int overcommit = !!(s->flags & SBATCH_OVERCOMMIT);

	if (s->tasks_per_node && n->has_nodes && !n->has_tasks) {
		n->tasks = multiply_capped(s->tasks_per_node, n->min_nodes);
		n->has_tasks = 1;
	}
	if (!overcommit && n->has_tasks && n->tasks > n->min_cpus)
		n->min_cpus = multiply_capped(n->tasks, n->each);
	n->min_cpus = larger_number(n->min_cpus, required);
	n->mincpus = larger_number(n->mincpus, 1);
	/* A node must hold all tasks that --ntasks-per-node puts there. */
	if (s->tasks_per_node && !overcommit && n->has_tasks && n->tasks > 1)
		n->mincpus = larger_number(
		    n->mincpus, multiply_capped(n->each, s->tasks_per_node));
	n->mincpus = larger_number(n->mincpus, n->each);
	n->min_nodes = larger_number(n->min_nodes, p->min_nodes);
}

/* Never more nodes than tasks, unless the job asked for more nodes. */
static uint32_t limit_nodes_by_tasks(const struct numbers *n, uint32_t nodes)
{
	if (!n->has_tasks || nodes <= n->tasks)
		return nodes;
	return larger_number(n->tasks, n->min_nodes);
}

/* "UNLIMITED" and no text are 0. */
static uint64_t parse_megabytes(const char *text)
{
	uint64_t mb = 0;

	if (text)
		number_parse(text, UINT32_MAX, &mb);
	return mb;
}

/*
 * The job's own --mem or --mem-per-cpu, else the partition's default, else that of
 * slurm.conf.  0 means all memory of the node.
 */
static void set_ask_memory(const struct sbatch *s, const struct cluster *c,
			   const struct scontrol_partition *p,
			   struct sfab_ask *ask)
{
	uint64_t per_cpu = parse_megabytes(c->config.memory_per_cpu);

	if (s->memory != MEMORY_UNSAID) {
		ask->memory_mb = s->memory_mb;
		ask->memory_per_cpu = s->memory == MEMORY_CPU;
	} else if (p->cpu_mb || p->node_mb) {
		ask->memory_mb = p->cpu_mb ? p->cpu_mb : p->node_mb;
		ask->memory_per_cpu = p->cpu_mb != 0;
	} else {
		ask->memory_mb =
		    per_cpu ? per_cpu
			    : parse_megabytes(c->config.memory_per_node);
		ask->memory_per_cpu = per_cpu != 0;
	}
	if (!ask->memory_mb)
		ask->memory_per_cpu = 0;
}

/* What the job leaves open about tasks on a core, the site may set. */
static void set_ask_layout(const struct sbatch *s, const struct cluster *c,
			   struct sfab_ask *ask)
{
	const char *params = c->config.select_params;
	struct layout l = layout_of(s);

	ask->sockets_per_node = l.sockets;
	ask->cores_per_socket = l.cores;
	ask->threads_per_core = l.threads;
	ask->tasks_per_socket = s->tasks_per_socket;
	ask->tasks_per_core = l.tasks_per_core == ANY ? 0 : l.tasks_per_core;
	if (!l.tasks_per_core && params &&
	    strcasestr(params, "ONE_TASK_PER_CORE"))
		ask->tasks_per_core = 1;
}

/*
 * Do the tasks of a node hold fewer CPUs than --mincpus?  Whole nodes and devices are
 * counted in another way.
 */
static int is_capped_by_tasks(const struct numbers *n, const struct sbatch *s,
			      const struct scontrol_partition *p, const char *version)
{
	return s->tasks_per_node && n->has_tasks && !s->gres && !sbatch_wants_gpus(s) &&
	       s->share != SHARE_EXCLUSIVE && !p->exclusive &&
	       n->mincpus > multiply_capped(n->each, s->tasks_per_node) &&
	       slurm_rule_holds(SLURM_TASKS_CAP_CPUS, version);
}

/* What Slurm would keep waiting forever; NULL: nothing. */
static const char *broken_limit(const struct numbers *n, const struct sbatch *s,
				const struct scontrol_partition *p,
				const char *version)
{
	/*
	 * Unless EnforcePartLimits is set, Slurm accepts a job beyond the
	 * partition's limits, and shows a reason such as PartitionNodeLimit.
	 */
	if (p->max_nodes && (n->min_nodes > p->max_nodes ||
			     (n->has_nodes && n->max_nodes > p->max_nodes)))
		return "more nodes than its MaxNodes";
	if (p->max_nodes && n->has_tasks && !n->max_nodes &&
	    n->tasks > p->max_nodes &&
	    slurm_rule_holds(SLURM_TASKS_ARE_MAX_NODES, version))
		return "more tasks than its MaxNodes, without -N";
	if (n->has_nodes && n->max_nodes && n->max_nodes < p->min_nodes)
		return "fewer nodes than its MinNodes";
	if (n->has_tasks && n->tasks < p->min_nodes &&
	    slurm_rule_holds(SLURM_REFUSES_FEW_TASKS, version))
		return "fewer tasks than its MinNodes";
	if ((s->flags & SBATCH_TIME) && p->limit_s &&
	    (!s->limit_s || s->limit_s > p->limit_s))
		return "more time than its MaxTime";
	if (is_capped_by_tasks(n, s, p, version))
		return "more CPUs of a node than its tasks there have";
	return NULL;
}

const char *job_ask_numbers(const struct sbatch *s, uint32_t listed,
			    uint32_t required, const struct cluster *c,
			    const struct scontrol_partition *p,
			    struct sfab_ask *ask)
{
	const char *version = c->config.version;
	struct numbers n = as_sbatch(s, listed, version);
	uint32_t limit = p->max_nodes && p->max_nodes < NODES_MAX ?
			 p->max_nodes : NODES_MAX;
	int ranged = n.has_nodes && n.max_nodes;

	as_slurmctld(&n, s, required, p);
	ask->min_nodes = n.min_nodes;
	ask->max_nodes = ranged && n.max_nodes < limit ? n.max_nodes : limit;
	ask->req_nodes = ranged && !(s->flags & SBATCH_MIN_NODES) ?
			 ask->max_nodes : ask->min_nodes;
	ask->max_nodes = limit_nodes_by_tasks(&n, ask->max_nodes);
	ask->req_nodes = limit_nodes_by_tasks(&n, ask->req_nodes);
	ask->tasks = n.has_tasks ? n.tasks : 0;
	ask->min_cpus = n.min_cpus;
	ask->cpus_per_task = n.each;
	ask->tasks_per_node = s->tasks_per_node;
	ask->cpus_per_node = n.mincpus;
	set_ask_memory(s, c, p, ask);
	set_ask_layout(s, c, ask);
	return broken_limit(&n, s, p, version);
}
