/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * need.c - how many nodes a job needs; see need.h
 *
 * Follows what select/cons_tres computes from --ntasks, --cpus-per-task, --mem and the options
 * for sockets, cores and threads, also where that is surprising.  tests/slurm/rules.t compares
 * it with the real Slurm, a job for each rule.  Where Slurm's own result depends on which cores
 * are in use, we choose no such node: the count is never higher than Slurm's.
 */

#include "place/request/need.h"

#include <stdlib.h>

#include "core/uint.h"

/*
 * Count the CPUs of the node that the job will hold, at least.  Of a whole node these are all,
 * with as many threads in each core as the job uses.
 */
static uint64_t count_held_cpus(const struct sfab_ask *ask, const struct sfab_node_resources *node)
{
	uint32_t threads = sfab_uint_max(node->threads, 1);

	if (!(ask->flags & SFAB_ASK_WHOLE_NODES))
		return sfab_uint_max(sfab_uint_max(ask->tasks_per_node, ask->cpus_per_node),
				     ask->cpus_per_task);
	if (!ask->threads_per_core || ask->threads_per_core >= threads)
		return node->cpus;
	return (uint64_t) node->cpus / threads * ask->threads_per_core;
}

/* Is memory counted for each CPU that the job holds? */
static int is_memory_per_cpu(const struct sfab_ask *ask)
{
	return (ask->flags & SFAB_ASK_COUNT_MEMORY) && ask->memory_mb && ask->memory_per_cpu;
}

uint32_t sfab_need_unit_cpus(const struct sfab_ask *ask)
{
	int whole_tasks = !(ask->flags & SFAB_ASK_ANY_CPUS) || is_memory_per_cpu(ask) ||
			  ask->tasks_per_node || ask->tasks_per_socket || ask->tasks_per_core;

	return whole_tasks ? sfab_uint_max(ask->cpus_per_task, 1) : 1;
}

/*
 * Count the units of @cpus that fit into the memory of a node.  Slurm takes CPUs away until
 * their memory is there: @threads at a time, those of a core.
 */
static uint64_t fit_memory(const struct sfab_ask *ask, const struct sfab_node_resources *node,
			   uint32_t cpus, uint32_t threads)
{
	uint64_t lacking_mb, dropped;

	if (!(ask->flags & SFAB_ASK_COUNT_MEMORY))
		return UINT32_MAX;
	if (!ask->memory_mb)	/* --mem=0: all memory of the node */
		return node->free_memory_mb == node->memory_mb ? UINT32_MAX : 0;
	if (!ask->memory_per_cpu)
		return node->free_memory_mb >= ask->memory_mb ? UINT32_MAX : 0;
	/* Slurm reserves memory for the CPUs it will hold before it counts tasks. */
	if (node->free_memory_mb < ask->memory_mb * count_held_cpus(ask, node))
		return 0;
	if (ask->tasks_per_core == 1 && ask->cpus_per_task <= 1)
		return node->free_memory_mb /	/* it holds all of them */
		       (ask->memory_mb * sfab_uint_max(node->threads, 1));
	lacking_mb = ask->memory_mb * cpus;
	lacking_mb -= lacking_mb < node->free_memory_mb ? lacking_mb : node->free_memory_mb;
	dropped = sfab_uint_div_up(lacking_mb, ask->memory_mb * threads) * threads;
	return dropped < cpus ? (cpus - dropped) / sfab_need_unit_cpus(ask) : 0;
}

/* Count the CPUs of a core that the job can use; 0: it wants more than there are. */
static uint32_t count_threads(const struct sfab_ask *ask, const struct sfab_node_resources *node)
{
	uint32_t n = sfab_uint_max(node->threads, 1);
	uint64_t tasks = (uint64_t) ask->tasks_per_core * sfab_uint_max(ask->cpus_per_task, 1);

	if (!tasks && ask->threads_per_core > n)
		return 0;
	if (tasks && tasks < n)
		n = (uint32_t) tasks;
	return ask->threads_per_core ? sfab_uint_min(n, ask->threads_per_core) : n;
}

/* Count the cores that the job can use, @threads CPUs each. */
static uint32_t count_cores(const struct sfab_ask *ask, const struct sfab_node_resources *node,
			    uint32_t threads)
{
	uint32_t sockets = sfab_uint_max(node->sockets, 1);
	uint32_t all = node->cpus / sfab_uint_max(node->threads, 1), per_socket = all / sockets;
	uint32_t open = node->free_cpus / sfab_uint_max(node->threads, 1);
	uint64_t tasks = (uint64_t) ask->tasks_per_socket * sfab_uint_max(ask->cpus_per_task, 1);

	if (ask->flags & SFAB_ASK_WHOLE_NODES)
		open = all;
	/* cores_per_socket 1 and sockets_per_node 1 restrict nothing: any core will do. */
	if (ask->cores_per_socket <= 1 && ask->sockets_per_node <= 1 && !ask->tasks_per_socket)
		return open;
	/* With a core in use we do not know which socket has the free ones. */
	if (open < all || per_socket < ask->cores_per_socket || sockets < ask->sockets_per_node)
		return 0;
	if (tasks && sfab_uint_div_up(tasks, threads) < per_socket)
		per_socket = (uint32_t) sfab_uint_div_up(tasks, threads);
	return per_socket * sockets;
}

/*
 * Count the CPUs of the node that the job can use: a multiple of @threads, or limited.
 * --mincpus ignores the limit.
 */
static uint32_t count_usable_cpus(const struct sfab_ask *ask,
				  const struct sfab_node_resources *node, uint32_t threads)
{
	uint32_t cpus = threads * count_cores(ask, node, threads);
	uint32_t allowed = node->cpus > node->denied_cpus ? node->cpus - node->denied_cpus : 0;

	if (cpus < ask->cpus_per_node ||
	    ((ask->flags & SFAB_ASK_WHOLE_NODES) && node->denied_cpus))
		return 0;
	return sfab_uint_min(cpus, allowed);
}

/* Return what a task takes: with cores of its own it leaves the last one's spare threads unused. */
static uint32_t count_task_cpus(const struct sfab_ask *ask, uint32_t threads)
{
	uint32_t n = sfab_uint_max(ask->cpus_per_task, 1);

	if (ask->tasks_per_core != 1 || n <= threads)
		return n;
	return (uint32_t) sfab_uint_div_up(n, threads) * threads;
}

/*
 * MaxCPUsPerNode cuts CPUs after whole tasks were made of them, and only memory per CPU makes
 * whole tasks of the rest again.
 */
uint32_t sfab_need_loose_cpus(const struct sfab_ask *ask, const struct sfab_node_resources *node)
{
	uint32_t threads, all, allowed, task;

	if (!node->denied_cpus || ask->cpus_per_task <= 1 || is_memory_per_cpu(ask) ||
	    (ask->flags & SFAB_ASK_ANY_CPUS))
		return 0;
	threads = count_threads(ask, node);
	if (!threads)
		return 0;
	all = threads * count_cores(ask, node, threads);
	allowed = count_usable_cpus(ask, node, threads);
	task = count_task_cpus(ask, threads);
	return sfab_uint_min(all / task * ask->cpus_per_task, allowed) -
	       allowed / task * ask->cpus_per_task;
}

uint32_t sfab_need_capacity(const struct sfab_ask *ask, const struct sfab_node_resources *node)
{
	uint32_t threads = count_threads(ask, node);
	uint32_t cpus = threads ? count_usable_cpus(ask, node, threads) : 0;
	uint64_t units = threads ? cpus / count_task_cpus(ask, threads) : 0;
	uint64_t memory_units = threads ? fit_memory(ask, node, cpus, threads) : 0;
	uint32_t min;

	if (!cpus || !memory_units)
		return 0;
	/* With --mem-per-cpu, --overcommit does not reduce --ntasks-per-node. */
	if (is_memory_per_cpu(ask) && cpus < ask->tasks_per_node)
		return 0;
	if (ask->flags & SFAB_ASK_OVERCOMMIT)
		return units ? (uint32_t) units : 1;
	if (units && sfab_need_unit_cpus(ask) < ask->cpus_per_task)
		units = cpus;
	if (units > memory_units)
		units = memory_units;
	/* Slurm gives no task to a node that cannot fill a socket, or a core. */
	min = ask->tasks_per_socket ? ask->tasks_per_socket : ask->tasks_per_core;
	if (ask->tasks_per_node)
		min = ask->tasks_per_node;
	if (units < min)
		return 0;
	return ask->tasks_per_node ? ask->tasks_per_node : (uint32_t) units;
}

uint32_t sfab_need_units(const struct sfab_ask *ask)
{
	uint64_t cpus = (uint64_t) ask->tasks * sfab_uint_max(ask->cpus_per_task, 1);

	/* With --overcommit a node takes any number of tasks. */
	if (ask->flags & SFAB_ASK_OVERCOMMIT)
		return 0;
	if (cpus < ask->min_cpus)
		cpus = ask->min_cpus;
	cpus = sfab_uint_div_up(cpus, sfab_need_unit_cpus(ask));
	return cpus < UINT32_MAX ? (uint32_t) cpus : UINT32_MAX;
}

uint32_t sfab_need_min(const struct sfab_ask *ask)
{
	uint32_t n = sfab_uint_max(sfab_uint_max(ask->req_nodes, ask->min_nodes), 1);

	if (!ask->tasks_per_node)
		return n;
	return sfab_uint_max(n, (uint32_t) sfab_uint_div_up(ask->tasks, ask->tasks_per_node));
}

uint32_t sfab_need_enough(const struct sfab_ask *ask)
{
	struct sfab_ask min = *ask;

	min.req_nodes = ask->min_nodes;
	return sfab_need_min(&min);
}

static int compare_descending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/*
 * Take the fewest of the largest nodes such that any others complete the set of @nadded, if
 * each takes an even share of the rest.  Ends, because the sum of the @nadded largest is
 * enough.
 */
static struct sfab_need leave_choice(const uint32_t *capacity, uint32_t nadded, uint64_t rest)
{
	uint32_t nlargest = 0;
	uint64_t min = nadded ? sfab_uint_div_up(rest, nadded) : 0;

	while (nlargest < nadded && capacity[nadded - 1] < min) {
		rest -= rest < capacity[nlargest] ? rest : capacity[nlargest];
		nlargest++;
		min = nlargest < nadded ? sfab_uint_div_up(rest, nadded - nlargest) : 0;
	}
	return (struct sfab_need){ .nlargest = nlargest, .min_units = min ? (uint32_t) min : 1 };
}

struct sfab_need sfab_need_nodes(const struct sfab_ask *ask, uint32_t *capacity, uint32_t n,
				 uint32_t required, uint64_t taken_units, uint32_t loose_cpus)
{
	uint64_t wanted = sfab_need_units(ask), sum = 0;
	uint64_t rest = wanted > taken_units ? wanted - taken_units : 0;
	uint32_t count = sfab_uint_max(sfab_need_min(ask), required), nadded = 0, sorted = 1;
	struct sfab_need found = { 0 };

	/* Usually all nodes are equal, and sorting would be the most expensive step. */
	while (sorted < n && capacity[sorted - 1] >= capacity[sorted])
		sorted++;
	if (sorted < n)
		qsort(capacity, n, sizeof(*capacity), compare_descending);
	while (nadded < n && (sum < rest || required + nadded < count))
		sum += capacity[nadded++];
	if (sum < rest || required + nadded < count ||
	    (ask->max_nodes && required + nadded > ask->max_nodes))
		return found;
	/*
	 * Slurm takes nodes until their CPUs are enough, and refuses the job if the tasks then
	 * do not fit.  Are the CPUs enough without the last node, counting @loose_cpus on each?
	 */
	if (required + nadded > count && loose_cpus &&
	    (uint64_t) (required + nadded - 1) * loose_cpus >=
		    (rest + capacity[nadded - 1] - sum) * ask->cpus_per_task)
		return found;
	found = leave_choice(capacity, nadded, rest);
	found.n = required + nadded;
	return found;
}
