/* SPDX-License-Identifier: GPL-2.0-or-later */
/* count.c - how many nodes a job needs; see count.h */

#include "count.h"

#include <stdlib.h>

static uint32_t max(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
	return (a + b - 1) / b;
}

/* Tasks that fit into the memory of a node. */
static uint64_t fit_memory(const struct sfab_ask *ask,
			   const struct sfab_room *room)
{
	uint64_t per_task;

	if (!(ask->flags & SFAB_ASK_COUNT_MEMORY))
		return UINT32_MAX;
	if (!ask->memory_mb)	/* all of the node's */
		return room->free_memory_mb == room->memory_mb ? UINT32_MAX : 0;
	if (!ask->memory_per_cpu)
		return room->free_memory_mb >= ask->memory_mb ? UINT32_MAX : 0;
	per_task = ask->memory_mb * max(ask->cpus_per_task, 1);
	return room->free_memory_mb / per_task;
}

uint32_t sfab_capacity(const struct sfab_ask *ask, const struct sfab_room *room)
{
	uint32_t cpus = ask->flags & SFAB_ASK_WHOLE_NODES ? room->cpus :
							    room->free_cpus;
	uint64_t fit = cpus / max(ask->cpus_per_task, 1);
	uint64_t by_memory = fit_memory(ask, room);

	if (!cpus || cpus < ask->cpus_per_node || !by_memory)
		return 0;
	if (ask->flags & SFAB_ASK_OVERCOMMIT)
		return fit ? (uint32_t) fit : 1;
	if (fit > by_memory)
		fit = by_memory;
	if (!ask->tasks_per_node)
		return (uint32_t) fit;
	return fit < ask->tasks_per_node ? 0 : ask->tasks_per_node;
}

uint32_t sfab_tasks_wanted(const struct sfab_ask *ask)
{
	if (ask->flags & SFAB_ASK_OVERCOMMIT)
		return 0;
	return max(ask->tasks, (uint32_t) divide_up(ask->min_cpus,
						    max(ask->cpus_per_task, 1)));
}

uint32_t sfab_count_least(const struct sfab_ask *ask)
{
	uint32_t n = max(max(ask->req_nodes, ask->min_nodes), 1);

	if (!ask->tasks_per_node)
		return n;
	return max(n, (uint32_t) divide_up(ask->tasks, ask->tasks_per_node));
}

static int descending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* Most often all nodes are alike, and sorting would be the dearest part. */
static void sort_descending(uint32_t *capacity, uint32_t n)
{
	uint32_t i = 1;

	while (i < n && capacity[i - 1] >= capacity[i])
		i++;
	if (i < n)
		qsort(capacity, n, sizeof(*capacity), descending);
}

/*
 * For @more of the nodes: the fewest of the largest such that any others that
 * take an even part of the rest will do.  The sum of the @more largest is
 * enough, so it ends.
 */
static struct sfab_count leave_choice(const uint32_t *capacity, uint32_t more,
				      uint64_t rest)
{
	uint32_t k = 0;
	uint64_t least = more ? divide_up(rest, more) : 0;

	while (k < more && capacity[more - 1] < least) {
		rest -= rest < capacity[k] ? rest : capacity[k];
		k++;
		least = k < more ? divide_up(rest, more - k) : 0;
	}
	return (struct sfab_count){
		.largest = k, .least = least ? (uint32_t) least : 1,
	};
}

struct sfab_count sfab_count_nodes(const struct sfab_ask *ask,
				   uint32_t *capacity, uint32_t n,
				   uint32_t required, uint64_t taken)
{
	uint64_t wanted = sfab_tasks_wanted(ask), sum = 0;
	uint64_t rest = wanted > taken ? wanted - taken : 0;
	uint32_t count = max(sfab_count_least(ask), required), more = 0;
	struct sfab_count found = { 0 };

	sort_descending(capacity, n);
	while (more < n && (sum < rest || required + more < count))
		sum += capacity[more++];
	if (sum < rest || required + more < count ||
	    (ask->max_nodes && required + more > ask->max_nodes))
		return found;
	found = leave_choice(capacity, more, rest);
	found.n = required + more;
	return found;
}
