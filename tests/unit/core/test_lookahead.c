/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking ahead: what a choice costs the next starts of the queue, by hand.
 *
 * Fabric: four leaves of four hosts, one spine that all routes use, 4 GB/s.
 */

#include "tests/unit/fixtures/unit.h"

#include "core/search/lookahead.h"
#include "tests/unit/fixtures/made.h"

#include <string.h>

#define NHOSTS 16

static struct sfab_fabric *f;
static struct sfab_model *m;
static struct sfab_jobs *js;
static struct sfab_scorer *sc;
static struct sfab_traffic t;
static uint8_t avail[NHOSTS];

static void set_up(void)
{
	static const struct made shape = { .leaves = 4, .spines = 2, .hosts = 4,
					   .same_spine = 1 };

	f = made_fabric(&shape);
	m = sfab_model_create(f, NULL);
	js = sfab_jobs_create(m);
	sc = sfab_scorer_create(m);
	memset(avail, 1, sizeof(avail));
	ck_assert(m && js && sc);
	ck_assert_int_eq(sfab_traffic_parse("mpi=1", NULL, &t, NULL), 0);
}

static void tear_down(void)
{
	sfab_scorer_destroy(sc);
	sfab_jobs_destroy(js);
	sfab_model_destroy(m);
	sfab_fabric_destroy(f);
}

static void run(uint64_t id, uint32_t first, uint32_t n, uint64_t limit)
{
	uint32_t host[NHOSTS];
	struct sfab_spec s = { .n = n, .host = host, .traffic = &t };

	for (uint32_t i = 0; i < n; i++) {
		host[i] = first + i;
		avail[first + i] = 0;
	}
	ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
	sfab_jobs_set_times(js, id, 1000, limit);
}

/* Cost of putting a job of two at @a and @b when @queue waits; -1: none starts. */
static double cost(const struct sfab_queue *queue, uint32_t a, uint32_t b)
{
	struct sfab_request rq = { .n = 2, .avail = avail, .traffic = &t,
				   .queue = queue, .limit_s = 100 };
	uint32_t host[] = { a, b }, steps = 0;
	struct sfab_err err = { .code = SFAB_OK };
	struct ahead *ahead = sfab_ahead_create(m, js, &rq, &err);
	double x = -1;

	ck_assert_int_eq(err.code, SFAB_OK);
	if (ahead)
		ck_assert_int_eq(sfab_ahead_cost(ahead, host, 2, &steps, &x, NULL), 0);
	sfab_ahead_destroy(ahead);
	return x;
}

START_TEST(a_broken_leaf_costs_the_next_job)
{
	struct sfab_queued wait = { .n = 4, .limit_s = 100, .traffic = &t };
	struct sfab_queue queue = { .now_s = 1000, .n = 1, .job = &wait };

	run(1, 0, 4, 1000);	/* leaf 1 and 2 are busy for long */
	run(2, 4, 4, 1000);
	/* both on leaf 3: leaf 4 is whole, the next job fits on it */
	ck_assert_double_eq_tol(cost(&queue, 8, 9), 0, 1e-12);
	/*
	 * One on each: the next job gets three hosts of leaf 3 and one of leaf
	 * 4.  Each of its nodes sends 4/3 to each other one; the three and the
	 * one exchange 3 x 4/3 = 4 each way, and ours 4 each way: 8 on links
	 * of 4.
	 */
	ck_assert_double_eq_tol(cost(&queue, 8, 12), 1, 1e-12);
}
END_TEST

/*
 * At half the rate nothing is full, so by the mean nobody is slowed.  A step is slowed
 * by half by what is on its links: the half of the time that the job spends in steps.
 */
START_TEST(by_steps_it_costs_to_meet)
{
	struct sfab_queued wait = { .n = 4, .limit_s = 100, .traffic = &t };
	struct sfab_queue queue = { .now_s = 1000, .n = 1, .job = &wait };

	run(1, 0, 4, 1000);
	run(2, 4, 4, 1000);
	ck_assert_int_eq(sfab_traffic_parse("mpi=0.5", NULL, &t, NULL), 0);
	ck_assert_double_eq_tol(cost(&queue, 8, 12), 0, 1e-12);
	m->by_steps = SFAB_MPI_BOTH;
	ck_assert_double_eq_tol(cost(&queue, 8, 12), 0.25, 1e-12);
	ck_assert_double_eq_tol(cost(&queue, 8, 9), 0, 1e-12);
}
END_TEST

START_TEST(what_does_not_fit_waits_for_an_end)
{
	struct sfab_queued wait = { .n = 12, .limit_s = 100, .traffic = &t };
	struct sfab_queue queue = { .now_s = 1000, .n = 1, .job = &wait };

	run(1, 0, 4, 50);	/* ends first; the next job then has leaf 1 too */
	ck_assert_double_gt(cost(&queue, 4, 5), 0);
	sfab_jobs_set_times(js, 1, 1000, 0);	/* stays for ever: so do we think */
	ck_assert_double_ge(cost(&queue, 4, 5), 0);
}
END_TEST

START_TEST(nothing_that_can_start_costs_nothing)
{
	struct sfab_queued wait = { .n = NHOSTS + 1, .limit_s = 100, .traffic = &t };
	struct sfab_queue queue = { .now_s = 1000, .n = 1, .job = &wait };

	ck_assert_double_le(cost(&queue, 0, 1), 0);
	queue.n = 0;
	ck_assert_double_le(cost(&queue, 0, 1), 0);
}
END_TEST

static struct sfab_choice choose(const struct sfab_queue *queue)
{
	struct sfab_request rq = { .n = 2, .avail = avail, .traffic = &t,
				   .queue = queue, .limit_s = 100, .seed = 3 };
	struct sfab_choice c;

	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
	return c;
}

START_TEST(the_search_knows_the_queue_and_is_repeatable)
{
	static const float ratio[] = { 0.2f, 0.5f, 0.9f };
	struct sfab_queued wait[3] = { { 4, 100, &t }, { 3, 50, &t }, { 2, 70, &t } };
	struct sfab_queue queue = { .now_s = 1000, .n = 3, .job = wait,
				    .nratios = 3, .ratio = ratio };
	struct sfab_choice a, b;

	run(1, 0, 4, 1000);
	run(2, 5, 2, 80);
	a = choose(&queue);
	b = choose(&queue);
	ck_assert_int_eq(memcmp(a.host, b.host, 2 * sizeof(*a.host)), 0);
	ck_assert_double_eq(a.score.total, b.score.total);
	ck_assert_uint_eq(a.score.leaves, 1);
	sfab_choice_clear(&a);
	sfab_choice_clear(&b);
}
END_TEST

/* A job of 50 s may overtake one that waits until 1060, or not any more. */
START_TEST(a_second_later_is_the_same_in_minutes)
{
	struct sfab_queued wait[2] = { { 12, 100, &t }, { 4, 50, &t } };
	struct sfab_queue queue = { .now_s = 1010, .n = 2, .job = wait };
	double first, later;

	run(1, 0, 8, 60);
	first = cost(&queue, 8, 12);
	queue.now_s++;
	later = cost(&queue, 8, 12);
	ck_assert_double_ne(first, later);
	queue.unit_s = 60;
	later = cost(&queue, 8, 12);
	queue.now_s--;
	ck_assert_double_eq(cost(&queue, 8, 12), later);
}
END_TEST

START_TEST(the_background_is_left_as_it_was)
{
	struct sfab_queued wait = { .n = 4, .limit_s = 100, .traffic = &t };
	struct sfab_queue queue = { .now_s = 1000, .n = 1, .job = &wait };
	double *before = calloc(m->nres, sizeof(*before));
	struct sfab_choice c;

	run(1, 2, 4, 60);
	memcpy(before, sfab_jobs_background(js), m->nres * sizeof(*before));
	c = choose(&queue);
	ck_assert_int_eq(memcmp(before, sfab_jobs_background(js),
				m->nres * sizeof(*before)), 0);
	sfab_choice_clear(&c);
	free(before);
}
END_TEST

static void list(TCase *tc)
{
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, a_broken_leaf_costs_the_next_job);
	tcase_add_test(tc, by_steps_it_costs_to_meet);
	tcase_add_test(tc, what_does_not_fit_waits_for_an_end);
	tcase_add_test(tc, nothing_that_can_start_costs_nothing);
	tcase_add_test(tc, the_search_knows_the_queue_and_is_repeatable);
	tcase_add_test(tc, a_second_later_is_the_same_in_minutes);
	tcase_add_test(tc, the_background_is_left_as_it_was);
}

UNIT_MAIN("ahead", list)
