/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_ranks.c - in which order the nodes of a job take its ranks */

#include "tests/unit/fixtures/unit.h"

#include "place/place_private.h"
#include "tests/unit/fixtures/service.h"

static struct service t;

/* Three leaves of four hosts; a leaf reaches every other host over the same of two spines. */
static const struct clos three = { .leaves = 3, .spines = 2, .hosts = 4 };

/* Three nodes on a leaf, two, and three: by name allreduce meets itself. */
static const uint32_t torn_apart[] = { 0, 1, 2, 4, 5, 8, 9, 10 };

#define CONF(more) "Mode=on\nDefaultTraffic=allreduce=1\n" more

/* Ask and begin on @node, all other nodes being busy. */
static void begin_there(uint32_t id, const uint32_t *node,
			uint32_t n, unsigned flags)
{
	for (uint32_t i = 0; i < t.nnodes; i++)
		t.node[i] = 0;
	for (uint32_t i = 0; i < n; i++)
		t.node[node[i]] = SFAB_NODE_USABLE | SFAB_NODE_IDLE;
	service_ask(&t, id, n);
	service_begin_on(&t, id, node, n, flags);
}

/* Each of the nodes has another rank below @n. */
static void check_permutation(const uint32_t *rank, const uint32_t *node, uint32_t n)
{
	uint32_t seen = 0;

	for (uint32_t i = 0; i < n; i++) {
		ck_assert_uint_lt(rank[node[i]], n);
		seen |= 1u << rank[node[i]];
	}
	ck_assert_uint_eq(seen, (1u << n) - 1);
}

TEST(nodes_take_ranks_by_routes)
{
	const uint32_t *rank;
	char comment[SFAB_COMMENT_MORE];

	service_start(&t, &three, CONF("RankOrder=yes\n"));
	begin_there(7, torn_apart, 8, SFAB_RUN_RANKS);
	rank = sfab_place_ranks(t.p);
	ck_assert_ptr_nonnull(rank);
	check_permutation(rank, torn_apart, 8);
	ck_assert_double_lt(t.p->ranks.found_slowdown, t.p->ranks.name_slowdown);
	ck_assert_double_le(t.p->ranks.found_slowdown, t.p->ranks.leaf_slowdown);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, comment, sizeof(comment)), 1);
	ck_assert_ptr_nonnull(strstr(comment, ", ranks by routes: steps "));
	/* The next job has none left of this one. */
	service_begin_on(&t, 8, torn_apart, 8, SFAB_RUN_KNOWN | SFAB_RUN_RANKS);
	ck_assert_ptr_null(sfab_place_ranks(t.p));
}

/* What leaves the order to Slurm. */
static const struct {
	const char *conf;
	unsigned flags;
} unordered[] = {
	{ CONF(""), SFAB_RUN_RANKS },
	{ CONF("RankOrder=no\n"), SFAB_RUN_RANKS },
	{ CONF("RankOrder=yes\n"), 0 },
	{ CONF("RankOrder=yes\n"), SFAB_RUN_RANKS | SFAB_RUN_KNOWN },
	{ "Mode=observe\nDefaultTraffic=allreduce=1\nRankOrder=yes\n", SFAB_RUN_RANKS },
	{ "Mode=off\nDefaultTraffic=allreduce=1\nRankOrder=yes\n", SFAB_RUN_RANKS },
	{ "Mode=on\nDefaultTraffic=io-write=1\nRankOrder=yes\n", SFAB_RUN_RANKS },
};

LOOP_TEST(slurm_keeps_its_order, N(unordered))
{
	char comment[SFAB_COMMENT_MORE] = "";

	service_start(&t, &three, unordered[_i].conf);
	begin_there(7, torn_apart, 8, unordered[_i].flags);
	ck_assert_ptr_null(sfab_place_ranks(t.p));
	sfab_place_comment(t.p, NULL, comment, sizeof(comment));
	ck_assert_ptr_null(strstr(comment, "ranks"));
}

/* Two nodes, and nodes of one leaf: any order is alike. */
TEST(an_order_that_is_no_better_is_not_taken)
{
	static const uint32_t leaf[] = { 0, 1, 2, 3 };

	service_start(&t, &three, CONF("RankOrder=yes\n"));
	begin_there(7, leaf, 4, SFAB_RUN_RANKS);
	ck_assert_ptr_null(sfab_place_ranks(t.p));
	sfab_place_end(t.p, 7, 0);
	begin_there(8, torn_apart, 2, SFAB_RUN_RANKS);
	ck_assert_ptr_null(sfab_place_ranks(t.p));
}

TEST(without_time_slurm_keeps_its_order)
{
	service_start(&t, &three, CONF("RankOrder=yes\nMaxSearchTime=1ms\n"));
	for (uint32_t i = 0; i < t.nnodes; i++)
		t.node[i] = 0;
	for (uint32_t i = 0; i < 8; i++)
		t.node[torn_apart[i]] = SFAB_NODE_USABLE | SFAB_NODE_IDLE;
	service_ask(&t, 7, 8);
	sfab_decision_cache_find(&t.p->decisions, 7)->d.took_us = 1000;
	service_begin_on(&t, 7, torn_apart, 8, SFAB_RUN_RANKS);
	ck_assert_ptr_null(sfab_place_ranks(t.p));
}

TEST(the_log_has_the_figures)
{
	const struct sfab_decision d = { .reason = SFAB_PLACED };
	const struct sfab_ranks ranks = { .is_known = 1, .name_slowdown = 1.5,
					  .leaf_slowdown = 1.25, .found_slowdown = 1.0625 };
	struct sfab_logline l = { .event = "start", .id = 7, .n = 4, .decision = &d,
				  .ranks = &ranks };
	char line[4096];

	sfab_logline_json(&l, line, sizeof(line));
	ck_assert_ptr_nonnull(strstr(line, "\"ranks\":{\"name\":1.5,\"leaf\":1.25,"
				     "\"found\":1.0625}"));
	sfab_logline_text(&l, line, sizeof(line));
	ck_assert_ptr_nonnull(strstr(line, ", ranks by routes: steps 1.062, by name "
				     "1.500"));
	l.ranks = NULL;
	sfab_logline_json(&l, line, sizeof(line));
	ck_assert_ptr_null(strstr(line, "ranks"));
}

UNIT_MAIN("place ranks")
