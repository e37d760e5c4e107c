/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_need.c - how many tasks a node takes, and how many nodes a job needs */

#include "tests/unit/fixtures/unit.h"

#include "place/request/need.h"

/* Of a node; and memory that a job wants for each CPU. */
#define CPUS(all, free) .cpus = all, .free_cpus = free
#define MEMORY(all, free) .memory_mb = all, .free_memory_mb = free
#define PER_CPU(mb) .memory_mb = mb, .memory_per_cpu = 1

static const struct capacity_case {
	const char *what;
	struct sfab_ask ask;
	struct sfab_node_resources room;
	uint32_t expect;
} capacities[] = {
	{ "one task a CPU", { 0 }, { CPUS(64, 64) }, 64 },
	{ "only free CPUs", { 0 }, { CPUS(64, 5) }, 5 },
	{ "whole nodes: all CPUs", { .flags = SFAB_ASK_WHOLE_NODES }, { CPUS(64, 5) }, 64 },
	{ "-c 3", { .cpus_per_task = 3 }, { CPUS(64, 64) }, 21 },
	{ "-c 3: all CPUs", { .cpus_per_task = 3, .flags = SFAB_ASK_ANY_CPUS },
	  { CPUS(64, 64) }, 64 },
	{ "-c more than free", { .cpus_per_task = 6 }, { CPUS(64, 5) }, 0 },
	{ "--ntasks-per-node", { .tasks_per_node = 8 }, { CPUS(64, 64) }, 8 },
	{ "--ntasks-per-node, no room", { .tasks_per_node = 8, .cpus_per_task = 2 },
	  { CPUS(64, 15) }, 0 },
	{ "--mincpus", { .cpus_per_node = 32 }, { CPUS(64, 31) }, 0 },
	{ "memory is no resource", { .memory_mb = 9000 },
	  { CPUS(4, 4), .memory_mb = 8000 }, 4 },
	{ "memory of a node", { .flags = SFAB_ASK_COUNT_MEMORY, .memory_mb = 4000 },
	  { CPUS(4, 4), MEMORY(8000, 4000) }, 4 },
	{ "memory of a node, no room", { .flags = SFAB_ASK_COUNT_MEMORY, .memory_mb = 4000 },
	  { CPUS(4, 4), MEMORY(8000, 3999) }, 0 },
	{ "memory of a CPU",
	  { .flags = SFAB_ASK_COUNT_MEMORY, PER_CPU(1000), .cpus_per_task = 2 },
	  { CPUS(8, 8), MEMORY(8000, 5000) }, 2 },
	{ "memory of a CPU: whole cores", { .flags = SFAB_ASK_COUNT_MEMORY, PER_CPU(1100) },
	  { CPUS(8, 8), MEMORY(6000, 6000), .threads = 2 }, 4 },
	{ "memory of a CPU: whole cores, and whole tasks",
	  { .flags = SFAB_ASK_COUNT_MEMORY, PER_CPU(1100), .cpus_per_task = 3 },
	  { CPUS(8, 8), MEMORY(6000, 6000), .threads = 2 }, 1 },
	{ "memory of a CPU: not for one core",
	  { .flags = SFAB_ASK_COUNT_MEMORY, PER_CPU(4000) },
	  { CPUS(8, 8), MEMORY(6000, 6000), .threads = 2 }, 0 },
	{ "memory of a node: CPUs that hold no whole task, too",
	  { .flags = SFAB_ASK_COUNT_MEMORY | SFAB_ASK_ANY_CPUS,
	    .memory_mb = 4000, .cpus_per_task = 5 },
	  { CPUS(8, 8), MEMORY(8000, 8000) }, 8 },
	{ "all memory, free", { .flags = SFAB_ASK_COUNT_MEMORY },
	  { CPUS(4, 4), MEMORY(8000, 8000) }, 4 },
	{ "all memory, in use", { .flags = SFAB_ASK_COUNT_MEMORY },
	  { CPUS(4, 4), MEMORY(8000, 7999) }, 0 },
	{ "overcommit", { .flags = SFAB_ASK_OVERCOMMIT, .cpus_per_task = 9 },
	  { CPUS(4, 4) }, 1 },
	{ "a node without CPUs", { 0 }, { 0 }, 0 },
	{ "one thread of each core", { .threads_per_core = 1 },
	  { CPUS(16, 16), .threads = 2 }, 8 },
	{ "jobs hold whole cores", { 0 }, { CPUS(16, 15), .threads = 2 }, 14 },
	{ "more threads than a core has", { .threads_per_core = 2 },
	  { CPUS(8, 8), .threads = 1 }, 0 },
	{ "one task a core", { .tasks_per_core = 1 }, { CPUS(16, 16), .threads = 2 }, 8 },
	{ "one task a core, whole nodes",
	  { .tasks_per_core = 1, .flags = SFAB_ASK_WHOLE_NODES },
	  { CPUS(16, 4), .threads = 2 }, 8 },
	{ "one task a core, -c 2", { .tasks_per_core = 1, .cpus_per_task = 2 },
	  { CPUS(16, 16), .threads = 2 }, 8 },
	{ "one task a core, -c 3: two cores each", { .tasks_per_core = 1, .cpus_per_task = 3 },
	  { CPUS(16, 16), .threads = 2 }, 4 },
	{ "-B 2:4", { .sockets_per_node = 2, .cores_per_socket = 4 },
	  { CPUS(16, 16), .threads = 2, .sockets = 2 }, 16 },
	{ "-B 2:4, a core is in use", { .sockets_per_node = 2, .cores_per_socket = 4 },
	  { CPUS(16, 14), .threads = 2, .sockets = 2 }, 0 },
	{ "-B 2:5", { .sockets_per_node = 2, .cores_per_socket = 5 },
	  { CPUS(16, 16), .threads = 2, .sockets = 2 }, 0 },
	{ "-B 3", { .sockets_per_node = 3 }, { CPUS(16, 16), .threads = 2, .sockets = 2 }, 0 },
	{ "--ntasks-per-socket=3", { .tasks_per_socket = 3 },
	  { CPUS(16, 16), .threads = 2, .sockets = 2 }, 8 },
	{ "some CPUs are not for its partition", { .cpus_per_task = 3 },
	  { CPUS(16, 16), .denied_cpus = 9 }, 2 },
	{ "two tasks of each core, room for one", { .tasks_per_core = 2 }, { CPUS(8, 1) }, 0 },
	{ "two tasks of each core, room for three", { .tasks_per_core = 2 },
	  { CPUS(8, 3) }, 3 },
	{ "--mincpus minds not what its partition may have", { .cpus_per_node = 12 },
	  { CPUS(16, 16), .denied_cpus = 12 }, 4 },
	{ "--mincpus minds what is free", { .cpus_per_node = 12 },
	  { CPUS(16, 8), .denied_cpus = 12 }, 0 },
	{ "all are not for its partition", { 0 }, { CPUS(16, 16), .denied_cpus = 16 }, 0 },
	{ "whole nodes, some CPUs are not for its partition", { .flags = SFAB_ASK_WHOLE_NODES },
	  { CPUS(16, 16), .denied_cpus = 1 }, 0 },
	{ "whole nodes, memory of a CPU: of all its CPUs",
	  { .flags = SFAB_ASK_COUNT_MEMORY | SFAB_ASK_WHOLE_NODES, PER_CPU(1000) },
	  { CPUS(8, 8), MEMORY(7999, 7999) }, 0 },
	{ "the same where there is so much",
	  { .flags = SFAB_ASK_COUNT_MEMORY | SFAB_ASK_WHOLE_NODES, PER_CPU(1000) },
	  { CPUS(8, 8), MEMORY(8000, 8000) }, 8 },
	{ "the same, one thread of each core",
	  { .flags = SFAB_ASK_COUNT_MEMORY | SFAB_ASK_WHOLE_NODES,
	    PER_CPU(1000), .threads_per_core = 1 },
	  { CPUS(8, 8), MEMORY(4000, 4000), .threads = 2 }, 4 },
	{ "tasks of a node beyond its CPUs: memory of each",
	  { .flags = SFAB_ASK_COUNT_MEMORY | SFAB_ASK_OVERCOMMIT,
	    PER_CPU(100), .tasks_per_node = 20 },
	  { CPUS(8, 8), MEMORY(8000, 1999) }, 0 },
	{ "tasks of a node beyond its CPUs, which have memory each",
	  { .flags = SFAB_ASK_COUNT_MEMORY | SFAB_ASK_OVERCOMMIT,
	    PER_CPU(100), .tasks_per_node = 8 },
	  { CPUS(8, 7), MEMORY(8000, 8000) }, 0 },
	{ "--mincpus: memory of each",
	  { .flags = SFAB_ASK_COUNT_MEMORY, PER_CPU(100), .cpus_per_node = 6 },
	  { CPUS(8, 8), MEMORY(8000, 599) }, 0 },
	{ "memory of a CPU, one task a core: of all its threads",
	  { .flags = SFAB_ASK_COUNT_MEMORY, PER_CPU(1000), .tasks_per_core = 1 },
	  { CPUS(8, 8), MEMORY(8000, 5000), .threads = 2 }, 2 },
};

LOOP_TEST(a_node_takes_so_many_tasks, N(capacities))
{
	const struct capacity_case *c = &capacities[_i];

	ck_assert_msg(sfab_need_capacity(&c->ask, &c->room) == c->expect,
		      "%s: found %u, expected %u", c->what,
		      sfab_need_capacity(&c->ask, &c->room), c->expect);
}

static const struct capacity_case looses[] = {
	{ "all CPUs of its partition hold tasks", { .cpus_per_task = 2 },
	  { CPUS(16, 16), .denied_cpus = 12 }, 0 },
	{ "one of four has none", { .cpus_per_task = 3 }, { CPUS(16, 16), .denied_cpus = 12 }, 1 },
	{ "no more are free", { .cpus_per_task = 3 }, { CPUS(16, 4), .denied_cpus = 12 }, 0 },
	{ "no limit", { .cpus_per_task = 3 }, { CPUS(16, 16) }, 0 },
	{ "memory of a node",
	  { .cpus_per_task = 3, .memory_mb = 1000, .flags = SFAB_ASK_COUNT_MEMORY },
	  { CPUS(16, 16), .denied_cpus = 12 }, 1 },
	{ "memory of a CPU: Slurm counts tasks",
	  { .cpus_per_task = 3, PER_CPU(100), .flags = SFAB_ASK_COUNT_MEMORY },
	  { CPUS(16, 16), .denied_cpus = 12 }, 0 },
	{ "it gives these CPUs tasks, too", { .cpus_per_task = 3, .flags = SFAB_ASK_ANY_CPUS },
	  { CPUS(16, 16), .denied_cpus = 12 }, 0 },
	{ "tasks of whole cores", { .cpus_per_task = 3, .tasks_per_core = 1 },
	  { CPUS(16, 16), .denied_cpus = 12, .threads = 2 }, 1 },
	{ "more threads than a core has", { .cpus_per_task = 3, .threads_per_core = 2 },
	  { CPUS(16, 16), .denied_cpus = 12 }, 0 },
};

LOOP_TEST(a_node_has_so_many_loose_cpus, N(looses))
{
	const struct capacity_case *c = &looses[_i];

	ck_assert_msg(sfab_need_loose_cpus(&c->ask, &c->room) == c->expect,
		      "%s: found %u, expected %u", c->what,
		      sfab_need_loose_cpus(&c->ask, &c->room), c->expect);
}

static const struct count_case {
	const char *what;
	struct sfab_ask ask;
	uint32_t n, capacity[8];
	uint32_t required;
	uint64_t taken;
	uint32_t nodes, min, largest;
} counts[] = {
	{ "-N4", { .min_nodes = 4, .req_nodes = 4, .max_nodes = 4 }, 6,
	  { 64, 64, 64, 64, 64, 64 }, 0, 0, 4, 1, 0 },
	{ "-N4 -n 200: each must take 50",
	  { .min_nodes = 4, .req_nodes = 4, .max_nodes = 4, .tasks = 200 }, 6,
	  { 64, 49, 64, 50, 64, 64 }, 0, 0, 4, 50, 0 },
	{ "-n 200 alone", { .min_nodes = 1, .req_nodes = 1, .tasks = 200 }, 6,
	  { 64, 64, 64, 64, 64, 64 }, 0, 0, 4, 50, 0 },
	{ "-n 200 on half free nodes", { .min_nodes = 1, .req_nodes = 1, .tasks = 200 }, 8,
	  { 32, 32, 64, 32, 32, 64, 32, 32 }, 0, 0, 5, 24, 2 },
	{ "-n 27 on one large and small ones", { .req_nodes = 1, .tasks = 27 }, 4,
	  { 9, 20, 9, 9 }, 0, 0, 2, 7, 1 },
	{ "-N3 -n 27: more than needed",
	  { .min_nodes = 3, .req_nodes = 3, .max_nodes = 3, .tasks = 27 }, 4, { 9, 20, 9, 9 },
	  0, 0, 3, 9, 0 },
	{ "-N3 -n 27 on unequal ones",
	  { .min_nodes = 3, .req_nodes = 3, .max_nodes = 3, .tasks = 27 }, 4, { 8, 20, 3, 4 },
	  0, 0, 3, 4, 1 },
	{ "all of the largest", { .req_nodes = 1, .tasks = 12 }, 3, { 6, 1, 6 }, 0, 0, 2, 6,
	  0 },
	{ "no choice at all", { .req_nodes = 1, .tasks = 13 }, 3, { 6, 1, 6 }, 0, 0, 3, 1, 2 },
	{ "-n 1", { .min_nodes = 1, .req_nodes = 1, .tasks = 1 }, 2, { 4, 4 }, 0, 0, 1, 1, 0 },
	{ "-n 100 -c 2, by CPUs",
	  { .min_nodes = 1, .req_nodes = 1, .min_cpus = 200,
	    .cpus_per_task = 2, .flags = SFAB_ASK_ANY_CPUS },
	  4, { 64, 64, 64, 64 }, 0, 0, 4, 50, 0 },
	{ "-n 100 -c 2, by tasks",
	  { .min_nodes = 1, .req_nodes = 1, .min_cpus = 200,
	    .cpus_per_task = 2, .flags = SFAB_ASK_ANY_CPUS | SFAB_ASK_COUNT_MEMORY, PER_CPU(1) },
	  4, { 32, 32, 32, 32 }, 0, 0, 4, 25, 0 },
	{ "--ntasks-per-node", { .req_nodes = 1, .tasks = 24, .tasks_per_node = 8 }, 5,
	  { 8, 8, 8, 8, 8 }, 0, 0, 3, 8, 0 },
	{ "-N2-6 wants six", { .min_nodes = 2, .req_nodes = 6, .max_nodes = 6 }, 8,
	  { 1, 1, 1, 1, 1, 1, 1, 1 }, 0, 0, 6, 1, 0 },
	{ "too few nodes", { .min_nodes = 4, .req_nodes = 4, .max_nodes = 4 }, 3,
	  { 64, 64, 64 }, 0, 0, 0, 0, 0 },
	{ "too few tasks fit", { .req_nodes = 1, .tasks = 9 }, 2, { 4, 4 }, 0, 0, 0, 0, 0 },
	{ "no more than allowed", { .req_nodes = 1, .max_nodes = 2, .tasks = 9 }, 4,
	  { 4, 4, 4, 4 }, 0, 0, 0, 0, 0 },
	{ "required nodes take the rest", { .req_nodes = 1, .tasks = 10 }, 4, { 4, 4, 4, 4 }, 2,
	  8, 3, 2, 0 },
	{ "required nodes are enough", { .req_nodes = 1, .tasks = 8 }, 4, { 4, 4, 4, 4 }, 2, 8,
	  2, 1, 0 },
	{ "required and -N4", { .req_nodes = 4, .max_nodes = 4 }, 4, { 4, 4, 4, 4 }, 2, 8, 4, 1,
	  0 },
	{ "overcommit needs no room",
	  { .req_nodes = 2, .tasks = 99, .flags = SFAB_ASK_OVERCOMMIT }, 3, { 1, 1, 1 }, 0, 0,
	  2, 1, 0 },
};

LOOP_TEST(a_job_needs_so_many_nodes, N(counts))
{
	const struct count_case *c = &counts[_i];
	uint32_t capacity[8];
	struct sfab_need got;

	memcpy(capacity, c->capacity, sizeof(capacity));
	got = sfab_need_nodes(&c->ask, capacity, c->n, c->required, c->taken, 0);
	ck_assert_msg(got.n == c->nodes && got.min_units == c->min &&
		      got.nlargest == c->largest,
		      "%s: found %u nodes of %u and %u large ones, expected %u of %u and %u",
		      c->what, got.n, got.min_units, got.nlargest, c->nodes,
		      c->min, c->largest);
}

static const struct {
	const char *what;
	uint32_t nodes, tasks, capacity, loose, expect;
} shorts[] = {
	{ "-n4, four CPUs of each: Slurm takes three nodes, and refuses", 1, 4, 1, 1, 0 },
	{ "-n3, four CPUs of each: it takes three", 1, 3, 1, 1, 3 },
	{ "-N4 -n4, four CPUs of each: it takes four", 4, 4, 1, 1, 4 },
	{ "-n7, ten CPUs of each: it takes three", 1, 7, 3, 1, 3 },
	{ "-n7, eleven CPUs of each: it takes two", 1, 7, 3, 2, 0 },
};

/* -c3 where the partition's limit leaves CPUs that hold no task. */
LOOP_TEST(nodes_do_not_stop_short, N(shorts))
{
	struct sfab_ask ask = { .req_nodes = shorts[_i].nodes, .cpus_per_task = 3,
				.tasks = shorts[_i].tasks };
	uint32_t capacity[5], found;

	for (int i = 0; i < 5; i++)
		capacity[i] = shorts[_i].capacity;
	found = sfab_need_nodes(&ask, capacity, 5, 0, 0, shorts[_i].loose).n;
	ck_assert_msg(found == shorts[_i].expect, "%s: found %u, expected %u",
		      shorts[_i].what, found, shorts[_i].expect);
}

/* Tasks on the @n nodes from @first on; the rest of 40 is 0. */
static uint64_t sum(const uint32_t *capacity, uint32_t first, uint32_t n)
{
	uint64_t tasks = 0;

	for (uint32_t i = first; i < first + n; i++)
		tasks += capacity[i];
	return tasks;
}

/*
 * The largest with any others of @min or more, even with the worst of them, hold the job; one
 * node less cannot, nor one of the largest less.
 */
TEST(any_choice_will_do_and_fewer_will_not)
{
	unsigned random = 12345;

	for (int round = 0; round < 5000; round++) {
		struct sfab_ask ask = { .req_nodes = 1 };
		uint32_t capacity[41] = { 0 }, n = 1 + (random >> 8) % 40, fit = 0;
		struct sfab_need got;

		for (uint32_t i = 0; i < n; i++) {
			random = random * 1103515245 + 12345;
			capacity[i] = 1 + (random >> 16) % 64;
		}
		ask.tasks = 1 + (random >> 4) % 800;
		got = sfab_need_nodes(&ask, capacity, n, 0, 0, 0);
		if (!got.n) {
			ck_assert_uint_lt(sum(capacity, 0, n), ask.tasks);
			continue;
		}
		ck_assert_uint_lt(sum(capacity, 0, got.n - 1), ask.tasks);
		while (fit < n && capacity[fit] >= got.min_units)
			fit++;
		ck_assert_uint_ge(fit, got.n);
		ck_assert_uint_ge(sum(capacity, 0, got.nlargest) +
				  sum(capacity, fit - (got.n - got.nlargest),
				      got.n - got.nlargest), ask.tasks);
	}
}

UNIT_MAIN("place count")
