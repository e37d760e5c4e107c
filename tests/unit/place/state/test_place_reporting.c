/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_reporting.c - all running jobs are reported, a share of them in each call */

#include "tests/unit/fixtures/unit.h"

#include <time.h>

#include "place/state/reporting.h"

#define JOBS 1000

static struct sfab_reporting t;
static uint32_t told;		/* so many, in order */
static uint64_t each_us;	/* CPU time that a job takes */

static uint64_t cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
}

static void tell(void *context, uint32_t id)
{
	uint64_t end = cpu_us() + each_us;

	ck_assert_ptr_eq(context, &told);
	ck_assert_uint_eq(id, 7 * told);
	told++;
	while (each_us && cpu_us() < end)
		;
}

static void set_up(void)
{
	told = 0;
	each_us = 0;
	for (uint32_t i = 0; i < JOBS; i++)
		ck_assert_int_eq(sfab_reporting_note(&t, 7 * i), 0);
}

static void tear_down(void)
{
	sfab_reporting_clear(&t);
}

TEST(few_are_told_at_once)
{
	t.n = 3;
	ck_assert_int_eq(sfab_reporting_go_on(&t, tell, &told), 1);
	ck_assert_uint_eq(told, 3);
	ck_assert_int_eq(sfab_reporting_go_on(&t, tell, &told), 1);
	ck_assert_uint_eq(told, 3);
}

TEST(nothing_to_tell_is_told)
{
	sfab_reporting_clear(&t);
	ck_assert_int_eq(sfab_reporting_go_on(&t, tell, &told), 1);
	ck_assert_uint_eq(told, 0);
}

TEST(many_take_several_calls)
{
	int calls = 1;

	each_us = SFAB_REPORTING_US / 100;
	while (!sfab_reporting_go_on(&t, tell, &told)) {
		ck_assert_uint_le(told, 100u * (unsigned) calls);
		calls++;
	}
	ck_assert_uint_eq(told, JOBS);
	ck_assert_int_ge(calls, JOBS / 100);
}

TEST(each_call_tells_one_at_least)
{
	each_us = 2 * SFAB_REPORTING_US;
	t.n = 3;
	for (uint32_t i = 1; i < 3; i++) {
		ck_assert_int_eq(sfab_reporting_go_on(&t, tell, &told), 0);
		ck_assert_uint_eq(told, i);
	}
	ck_assert_int_eq(sfab_reporting_go_on(&t, tell, &told), 1);
	ck_assert_uint_eq(told, 3);
}

TEST(another_round_begins_anew)
{
	each_us = 2 * SFAB_REPORTING_US;
	ck_assert_int_eq(sfab_reporting_go_on(&t, tell, &told), 0);
	sfab_reporting_clear(&t);
	each_us = 0;
	told = 0;
	for (uint32_t i = 0; i < 5; i++)
		ck_assert_int_eq(sfab_reporting_note(&t, 7 * i), 0);
	ck_assert_int_eq(sfab_reporting_go_on(&t, tell, &told), 1);
	ck_assert_uint_eq(told, 5);
}

UNIT_MAIN_WITH("place reporting", set_up, tear_down)
