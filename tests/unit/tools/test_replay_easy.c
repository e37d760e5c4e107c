/* SPDX-License-Identifier: GPL-2.0-or-later */
/* EASY backfill: which job starts next. */

#include "tests/unit/fixtures/unit.h"

#include "tools/replay/easy.h"

#include <math.h>

#define NOW 100

/* Ten nodes: four run to 150, three to 200, one to 300; two are free. */
static const struct sfab_easy_end running[] = { { 300, 1 }, { 150, 4 }, { 200, 3 } };

static const struct {
	uint32_t need;
	double time;
	uint32_t spare;
} reservation[] = {
	{ 3, 150, 3 },
	{ 6, 150, 0 },
	{ 7, 200, 2 },
	{ 9, 200, 0 },
	{ 10, 300, 0 },
	{ 11, INFINITY, 0 },
};

LOOP_TEST(a_reservation, N(reservation))
{
	struct sfab_easy_end end[] = { running[0], running[1], running[2] };
	struct sfab_easy r = sfab_easy_reserve(2, end, 3, reservation[_i].need);

	ck_assert_double_eq(r.time, reservation[_i].time);
	ck_assert_uint_eq(r.spare, reservation[_i].spare);
}

/* All that end at the time of the reservation are spare then. */
TEST(jobs_that_end_together)
{
	struct sfab_easy_end end[] = { { 150, 1 }, { 150, 5 }, { 150, 2 } };
	struct sfab_easy r = sfab_easy_reserve(0, end, 3, 2);

	ck_assert_double_eq(r.time, 150);
	ck_assert_uint_eq(r.spare, 6);
}

static const struct {
	struct easy_job queue[3];
	uint32_t next;
} choice[] = {
	/* the head fits */
	{ { { 2, 900 }, { 1, 1 } }, 0 },
	/* it does not; the next ends before it needs its nodes */
	{ { { 7, 900 }, { 2, 100 } }, 1 },
	/* a second too long, but two nodes are spare then */
	{ { { 7, 900 }, { 2, 101 } }, 1 },
	/* a second too long, and only one node is spare */
	{ { { 8, 900 }, { 2, 101 } }, EASY_NONE },
	{ { { 8, 900 }, { 2, 101 }, { 1, 999 } }, 2 },
	/* too large to be backfilled */
	{ { { 7, 900 }, { 3, 1 } }, EASY_NONE },
};

LOOP_TEST(the_next_job, N(choice))
{
	struct sfab_easy_end end[] = { running[0], running[1], running[2] };
	uint32_t n = 3;

	while (choice[_i].queue[n - 1].nodes == 0)
		n--;
	ck_assert_uint_eq(easy_next(2, end, 3, choice[_i].queue, n, NOW),
			  choice[_i].next);
}

TEST(nothing_waits_or_nothing_is_free)
{
	struct easy_job one = { 1, 1 };

	ck_assert_uint_eq(easy_next(5, NULL, 0, NULL, 0, NOW), EASY_NONE);
	ck_assert_uint_eq(easy_next(0, NULL, 0, &one, 1, NOW), EASY_NONE);
}

TEST(backfill_looks_so_deep_and_no_deeper)
{
	struct easy_job queue[EASY_DEPTH + 2];
	struct sfab_easy_end end[] = { { 150, 8 } };

	for (uint32_t i = 0; i < EASY_DEPTH + 2; i++)
		queue[i] = (struct easy_job) { 9, 10 };
	queue[EASY_DEPTH + 1].nodes = 1;
	ck_assert_uint_eq(easy_next(2, end, 1, queue, EASY_DEPTH + 2, NOW),
			  EASY_NONE);
	queue[EASY_DEPTH].nodes = 1;
	ck_assert_uint_eq(easy_next(2, end, 1, queue, EASY_DEPTH + 2, NOW),
			  EASY_DEPTH);
}

UNIT_MAIN("easy")
