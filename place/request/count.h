/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count.h - how many nodes a job needs
 *
 * Slurm asks for one node when a job said only tasks: `sbatch -n 4096` looks
 * like a one-node job.  The count then follows from what each node can take.
 */
#ifndef SFAB_PLACE_COUNT_H
#define SFAB_PLACE_COUNT_H

#include <stdint.h>

#include "place/place.h"

struct sfab_room {		/* of one node */
	uint32_t cpus, free_cpus;
	uint64_t memory_mb, free_memory_mb;
	uint32_t sockets, threads;	/* of the node, of a core; 0: one */
	uint32_t denied;	/* CPUs that the job's partition may not have */
};

/*
 * Tasks of the job that the node can take now; 0: the node is no use.  As in
 * cons_tres' _allocate_sc().  Jobs hold whole cores.  Which sockets of a node have
 * the free cores is not known: a job that minds its sockets gets nodes all of
 * whose cores are free.
 */
uint32_t sfab_capacity(const struct sfab_ask *ask, const struct sfab_room *room);

/* Tasks that the job wants room for; 0: each node will do. */
uint32_t sfab_tasks_wanted(const struct sfab_ask *ask);

struct sfab_count {
	uint32_t n;		/* nodes, 0: the job does not fit */
	uint32_t largest;	/* so many of the largest must be in ... */
	uint32_t least;		/* ... and each other must take so many tasks */
};

/*
 * Fewest nodes that can hold the job, and which of them leave the most choice:
 * with the @largest of the nodes that are not required, any others of capacity
 * @least or more will do.  @capacity: of the @n nodes that are not required; put
 * in descending order.  @required nodes take @taken tasks.  O(n log n).
 */
struct sfab_count sfab_count_nodes(const struct sfab_ask *ask,
				   uint32_t *capacity, uint32_t n,
				   uint32_t required, uint64_t taken);

/* Nodes the job wants before room is looked at. */
uint32_t sfab_count_least(const struct sfab_ask *ask);

#endif
