/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_stock_choice.c - what Slurm's own nodes mean for a job, and how the log says it */

#include "tests/unit/fixtures/unit.h"

#include "place/place_private.h"
#include "tests/unit/fixtures/service.h"

static struct service t;

/* All routes go over one spine: each leaf has one uplink. */
static const struct clos narrow = { .leaves = 4, .spines = 2, .hosts = 4,
				    .same_spine = 1 };

/*
 * Two hosts on each of two leaves: of the full rate of each host two thirds go to the other
 * leaf, so its uplink carries 4/3 of what it can.
 */
static const uint32_t torn[] = { 0, 1, 5, 6 };

static void check_torn(const struct sfab_stock *s)
{
	ck_assert_int_eq(s->is_known, 1);
	ck_assert_int_eq(s->is_same, 0);
	ck_assert_double_eq_tol(s->score.slowdown, 4.0 / 3, 1e-9);
	ck_assert_double_eq_tol(s->score.term[SFAB_TERM_OTHERS], 0, 1e-9);
	ck_assert_uint_eq(s->score.leaves, 2);
}

TEST(observed_jobs_run_on_the_nodes_of_slurm)
{
	service_start(&t, &narrow, "Mode=observe\nDefaultTraffic=uniform=1\n");
	ck_assert_int_eq(service_ask(&t, 7, 4)->reason, SFAB_STOCK_OBSERVE);
	service_begin_on(&t, 7, torn, 4, 0);
	check_torn(&t.p->stock);
	/*
	 * One more job between the same leaves fills each of its links: the four nodes take
	 * twice as long.
	 */
	ck_assert_int_eq(service_ask(&t, 8, 2)->reason, SFAB_STOCK_OBSERVE);
	service_begin_on(&t, 8, (const uint32_t[]) { 2, 7 }, 2, 0);
	ck_assert_double_eq_tol(t.p->stock.score.slowdown, 7.0 / 3, 1e-9);
	ck_assert_double_eq_tol(t.p->stock.score.term[SFAB_TERM_OTHERS], 4, 1e-9);
}

TEST(placed_jobs_are_compared_with_the_tree_policy)
{
	service_start(&t, &narrow, "Mode=on\nDefaultTraffic=uniform=1\n");
	service_begin(&t, service_ask(&t, 7, 4), 7);
	ck_assert_int_eq(t.p->begin_decision.reason, SFAB_PLACED);
	ck_assert_int_eq(t.p->stock.is_known, 1);
	ck_assert_uint_eq(t.p->stock.score.leaves, 1);
	ck_assert_double_eq_tol(t.p->stock.score.slowdown, 1, 1e-9);
	/* Elsewhere than it was placed: these nodes are Slurm's. */
	sfab_place_end(t.p, 7, 0);
	for (uint32_t i = 0; i < t.nnodes; i++)
		t.node[i] = SFAB_NODE_USABLE | SFAB_NODE_IDLE;
	service_ask(&t, 8, 4);
	service_begin_on(&t, 8, torn, 4, 0);
	ck_assert_int_eq(t.p->begin_decision.reason, SFAB_STOCK_REFUSED);
	check_torn(&t.p->stock);
}

TEST(jobs_without_a_search_have_no_stock_choice)
{
	service_start(&t, &narrow, "Mode=on\nDefaultTraffic=uniform=1\n");
	ck_assert_int_eq(service_ask(&t, 7, 16)->reason, SFAB_STOCK_NO_CHOICE);
	service_begin(&t, service_ask(&t, 7, 16), 7);
	ck_assert_int_eq(t.p->stock.is_known, 0);
	service_stop(&t);
	/* One job was compared; the next was never asked about. */
	service_start(&t, &narrow, "Mode=observe\nDefaultTraffic=uniform=1\n");
	service_ask(&t, 7, 4);
	service_begin_on(&t, 7, torn, 4, 0);
	ck_assert_int_eq(t.p->stock.is_known, 1);
	service_begin_on(&t, 9, (const uint32_t[]) { 8, 9 }, 2, 0);
	ck_assert_int_eq(t.p->stock.is_known, 0);
}

TEST(the_log_has_the_user_and_the_stock_score)
{
	const struct sfab_place_who who = { .user = 1001, .account = "physics",
					    .name = "a\"\n\x1b[2J" };
	const double full_hours = 0.75;
	/* 4 nodes, of which half of the time goes for mpi that takes half as long again */
	const struct sfab_stock stock = {
		.is_known = 1,
		.score = { .slowdown = 1.25, .alone = 1.125, .servers = 2, .leaves = 3,
			   .term[SFAB_TERM_OTHERS] = 0.5, .lost.part[0].beside = 1.5 },
	};
	const struct sfab_decision d = {
		.is_scored = 1, .n = 4,
		.traffic = { .nparts = 1, .part[0] = { .class = SFAB_MPI, .share = 0.5 } },
		.score = { .slowdown = 1.125, .alone = 1.0625, .leaves = 2,
			   .lost.part[0].beside = 1 },
	};
	struct sfab_logline l = { .event = "start", .id = 7, .n = 4, .decision = &d,
				  .partition = "main", .who = &who, .stock = &stock,
				  .full_hours = &full_hours };
	char line[4096];

	sfab_logline_json(&l, line, sizeof(line));
	ck_assert_ptr_nonnull(strstr(line, "\"partition\":\"main\",\"user\":1001,"
				     "\"account\":\"physics\",\"name\":\"a\\\"??[2J\","));
	ck_assert_ptr_nonnull(strstr(line, "\"leaves\":2,\"slowdown\":1.125,\"alone\":1.0625,"
				     "\"servers\":0,\"lost\":{}"));
	ck_assert_ptr_nonnull(strstr(line, "\"stock\":{\"slowdown\":1.25,\"alone\":1.125,"
				     "\"servers\":2,\"lost\":{\"mpi\":1},\"others\":0.5,"
				     "\"leaves\":3,\"same\":false}"));
	ck_assert_ptr_nonnull(strstr(line, "\"full_hours\":0.75,"));
	l.who = NULL;
	l.stock = NULL;
	l.full_hours = NULL;
	sfab_logline_json(&l, line, sizeof(line));
	ck_assert_ptr_null(strstr(line, "\"user\""));
	ck_assert_ptr_null(strstr(line, "\"stock\""));
	ck_assert_ptr_null(strstr(line, "\"full_hours\""));
}

UNIT_MAIN("place stock")
