/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sizes.c - how many hosts, where a job leaves it open */

#include "tests/unit/fixtures/unit.h"

#include "core/random.h"
#include "core/search/sizes.h"
#include "tests/unit/fixtures/fabrics.h"

#define NHOSTS 32

/* All traffic between leaves meets on one spine. */
static const struct clos shape = { .leaves = 4, .spines = 2, .hosts = 8, .same_spine = 1 };
static const struct sfab_traffic mpi = { .nparts = 1, .part = { {
	.class = SFAB_MPI, .share = 1, .pattern = SFAB_PATTERN_MIX } } };

static struct sfab_fabric *f;
static struct sfab_model *m;
static struct sfab_scorer *sc;
static uint8_t avail[NHOSTS];
static struct sfab_request rq;
static uint32_t refused;		/* count that cannot be set */

static void set_up(void)
{
	f = unit_fabric(&shape);
	m = unit_model(f, NULL);
	sc = unit_scorer(m);
	memset(avail, 1, sizeof(avail));
	rq = (struct sfab_request){ .avail = avail, .traffic = &mpi, .seed = 1 };
	refused = 0;
}

static int set_n(void *context, uint32_t n)
{
	struct sfab_request *of = context;

	if (n != refused)
		of->n = n;
	return n != refused;
}

static struct sfab_choice choose(uint32_t min, uint32_t max)
{
	const struct sfab_sizing z = { min, set_n, &rq };
	struct sfab_choice c;

	rq.n = max;
	ck_assert_int_eq(sfab_sizes_search(sc, NULL, &rq, &z, &c, NULL), 0);
	ck_assert_uint_eq(rq.n, c.n);
	return c;
}

static uint32_t count(uint32_t min, uint32_t max)
{
	struct sfab_choice c = choose(min, max);
	uint32_t n = c.n;

	sfab_choice_clear(&c);
	return n;
}

TEST(a_leaf_is_better_than_a_leaf_and_two)
{
	/* Ten hosts: four of them exchange over one link, twice as long and more. */
	ck_assert_uint_eq(count(10, 10), 10);
	ck_assert_uint_eq(count(4, 10), 8);
	ck_assert_uint_eq(count(9, 10), 9);
	/* The job would end later on eight than on all of these. */
	ck_assert_uint_eq(count(4, 8), 8);
	ck_assert_uint_eq(count(1, 4), 4);
	refused = 8;
	ck_assert_uint_eq(count(4, 10), 9);
}

TEST(a_smaller_choice_reports_the_largest_too)
{
	struct sfab_choice c = choose(4, 10), all;

	ck_assert_uint_eq(c.max_n, 10);
	rq.n = 10;
	ck_assert_int_eq(sfab_search(sc, NULL, &rq, &all, NULL), 0);
	ck_assert_double_eq_tol(c.lost_at_max, all.score.total, 1e-9);
	ck_assert_uint_eq(all.max_n, 0);
	sfab_choice_clear(&c);
	sfab_choice_clear(&all);
}

/* Never later, never more node hours lost, never fewer than allowed, always the same. */
LOOP_TEST(any_range, 200)
{
	uint64_t random = (uint64_t) _i;
	uint32_t max, min, left = 0;
	struct sfab_choice c, all, again;

	for (uint32_t h = 0; h < NHOSTS; h++)
		left += avail[h] = sfab_random(&random) % 4 > 0;
	max = 1 + (uint32_t) (sfab_random(&random) % left);
	min = 1 + (uint32_t) (sfab_random(&random) % max);
	c = choose(min, max);
	again = choose(min, max);
	rq.n = max;
	ck_assert_int_eq(sfab_search(sc, NULL, &rq, &all, NULL), 0);
	ck_assert(c.n >= min && c.n <= max);
	ck_assert_double_le(c.score.slowdown / c.n, all.score.slowdown / max + 1e-12);
	ck_assert_double_le(c.score.total / c.n, all.score.total / max + 1e-12);
	ck_assert_uint_eq(again.n, c.n);
	ck_assert_mem_eq(again.host, c.host, c.n * sizeof(*c.host));
	sfab_choice_clear(&c);
	sfab_choice_clear(&all);
	sfab_choice_clear(&again);
}

static volatile int stop;

static int stop_then_set(void *context, uint32_t n)
{
	stop = 1;
	return set_n(context, n);
}

TEST(a_stop_keeps_what_was_found)
{
	const struct sfab_sizing z = { 4, stop_then_set, &rq };
	struct sfab_choice c;

	stop = 0;
	rq.n = 10;
	rq.stop = &stop;
	ck_assert_int_eq(sfab_sizes_search(sc, NULL, &rq, &z, &c, NULL), 0);
	ck_assert_uint_eq(c.n, 10);
	ck_assert_uint_eq(rq.n, 10);
	sfab_choice_clear(&c);
	ck_assert_int_eq(sfab_sizes_search(sc, NULL, &rq, &z, &c, NULL), -1);
	ck_assert_ptr_null(c.host);
}

UNIT_MAIN_WITH("sizes", set_up, NULL)
