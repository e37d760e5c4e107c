/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_running.c - running jobs: every event may come twice, and sums always add up */

#include "tests/unit/fixtures/unit.h"

#include "place/running.h"

static const struct sfab_place_node nodes[4] = {
	{ .cpus = 8 }, { .cpus = 8 }, { .cpus = 8 }, { .cpus = 16 },
};

static struct sfab_running r;

static void set_up(void)
{
	ck_assert_int_eq(sfab_running_reset(&r, nodes, 4), 0);
}

static void tear_down(void)
{
	sfab_running_clear(&r);
}

static void put(uint32_t id, unsigned flags)
{
	const uint32_t node[] = { 1, 3, 7 }, cpus[] = { 2, 4, 1 };
	const uint64_t memory[] = { 100, 200, 1 };
	struct sfab_place_run run = {
		.id = id, .flags = flags, .n = 3, .node = node, .cpus = cpus,
		.memory_mb = memory,
	};

	ck_assert_ptr_nonnull(sfab_running_put(&r, &run));
}

/* What is open is what is not held. */
static void expect_open(void)
{
	uint32_t open_nodes = 0;
	uint64_t open_cpus = 0;

	for (int i = 0; i < 4; i++)
		if (nodes[i].cpus > r.cpus[i]) {
			open_nodes++;
			open_cpus += nodes[i].cpus - r.cpus[i];
		}
	ck_assert_uint_eq(r.open_nodes, open_nodes);
	ck_assert_uint_eq(r.open_cpus, open_cpus);
}

static void expect(uint32_t cpus1, uint32_t cpus3,
		   uint64_t memory3)
{
	ck_assert_uint_eq(r.cpus[0], 0);
	ck_assert_uint_eq(r.cpus[1], cpus1);
	ck_assert_uint_eq(r.cpus[3], cpus3);
	ck_assert_uint_eq(r.memory_mb[3], memory3);
	expect_open();
}

TEST(begin_and_end_twice)
{
	put(1, 0);
	put(1, 0);
	expect(2, 4, 200);
	ck_assert_uint_eq(sfab_running_count(&r), 1);
	/* a node that does not exist was left out */
	ck_assert_uint_eq(sfab_running_find(&r, 1)->n, 2);
	ck_assert_int_eq(sfab_running_remove(&r, 1), 1);
	ck_assert_int_eq(sfab_running_remove(&r, 1), 0);
	expect(0, 0, 0);
}

TEST(whole_nodes_hold_all_cpus)
{
	put(1, SFAB_RUN_WHOLE_NODES);
	put(2, 0);
	expect(8 + 2, 16 + 4, 400);
}

TEST(suspended_by_hand_frees_cpus)
{
	put(1, 0);
	ck_assert_int_eq(sfab_running_suspend(&r, 1, SFAB_RUN_FREES_CPUS), 1);
	ck_assert_int_eq(sfab_running_suspend(&r, 1, SFAB_RUN_FREES_CPUS), 0);
	expect(0, 0, 200);
	ck_assert_int_eq(sfab_running_resume(&r, 1), 1);
	ck_assert_int_eq(sfab_running_resume(&r, 1), 0);
	expect(2, 4, 200);
}

TEST(suspended_by_gang_keeps_cpus)
{
	put(1, 0);
	ck_assert_int_eq(sfab_running_suspend(&r, 1, 0), 1);
	expect(2, 4, 200);
	sfab_running_remove(&r, 1);
	expect(0, 0, 0);
}

TEST(ends_while_suspended)
{
	put(1, SFAB_RUN_SUSPENDED | SFAB_RUN_FREES_CPUS);
	expect(0, 0, 200);
	sfab_running_remove(&r, 1);
	expect(0, 0, 0);
}

TEST(gives_a_node_back)
{
	put(1, 0);
	ck_assert_int_eq(sfab_running_shrink(&r, 1, 1), 1);
	ck_assert_int_eq(sfab_running_shrink(&r, 1, 1), 0);
	ck_assert_int_eq(sfab_running_shrink(&r, 2, 1), 0);
	expect(0, 4, 200);
	ck_assert_uint_eq(sfab_running_find(&r, 1)->held[0].node, 3);
}

TEST(unknown_jobs_are_no_trouble)
{
	ck_assert_int_eq(sfab_running_suspend(&r, 9, 0), 0);
	ck_assert_int_eq(sfab_running_resume(&r, 9), 0);
	ck_assert_int_eq(sfab_running_remove(&r, 9), 0);
}

UNIT_MAIN_WITH("place running", set_up, tear_down)
