/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * need.h - how many nodes a job needs
 *
 * Slurm asks for one node when a job gave only a task count: `sbatch -n 4096` looks like a
 * one-node job.  The node count then follows from what each node can hold.
 */
#ifndef SFAB_PLACE_NEED_H
#define SFAB_PLACE_NEED_H

#include <stdint.h>

#include "place/place.h"

struct sfab_node_resources {		/* of one node */
	uint32_t cpus, free_cpus;
	uint64_t memory_mb, free_memory_mb;
	uint32_t sockets, threads;	/* per node, per core; 0: one */
	uint32_t denied_cpus;		/* not for the job's partition (MaxCPUsPerNode) */
};

/*
 * Return the CPUs of a unit, by which the functions below count what a node can hold.  A unit
 * is a task, or with SFAB_ASK_ANY_CPUS a CPU: some versions of Slurm count all eight CPUs of a
 * node for -c 3, unless memory per CPU, or tasks per node, socket or core are given.
 */
uint32_t sfab_need_unit_cpus(const struct sfab_ask *ask);

/*
 * Count the units of the job that the node can hold now; 0: the node is unusable.  Follows
 * cons_tres' _allocate_sc().  Jobs hold whole cores.  We do not know which sockets have the
 * free cores: a job that restricts sockets gets only nodes whose cores are all free.
 */
uint32_t sfab_need_capacity(const struct sfab_ask *ask, const struct sfab_node_resources *node);

/*
 * Count the CPUs of the node that Slurm counts for the job although they hold no whole task: a
 * limit of the partition (MaxCPUsPerNode) is no multiple of --cpus-per-task.
 */
uint32_t sfab_need_loose_cpus(const struct sfab_ask *ask, const struct sfab_node_resources *node);

/* Return the units that all nodes of the job must hold; 0: any node will do. */
uint32_t sfab_need_units(const struct sfab_ask *ask);

struct sfab_need {		/* of a job */
	uint32_t n;		/* nodes, 0: the job does not fit */
	uint32_t nlargest;	/* how many of the largest nodes must be in */
	uint32_t min_units;	/* units that every other node must hold */
};

/*
 * Find the fewest nodes that can hold the job, and the condition that leaves most choice: the
 * set has `nlargest` of the largest nodes that are not required, and any others of at least
 * `min_units` units.  @capacity has the units of the @n nodes that are not required, and is
 * sorted in descending order.  @required nodes hold @taken_units units.
 *
 * @loose_cpus is the maximum of sfab_need_loose_cpus() over the nodes.  If Slurm, counting
 * these CPUs, takes fewer nodes than the tasks need, it refuses the job, and n is 0.  O(n log
 * n).
 */
struct sfab_need sfab_need_nodes(const struct sfab_ask *ask, uint32_t *capacity, uint32_t n,
				 uint32_t required, uint64_t taken_units, uint32_t loose_cpus);

/* Return how many nodes the job asks for, before capacities are considered. */
uint32_t sfab_need_min(const struct sfab_ask *ask);
/* Return with how many nodes the job starts if no more are free: MIN of -N MIN-MAX. */
uint32_t sfab_need_enough(const struct sfab_ask *ask);

#endif
