/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_reporting.c - all running jobs are reported, a share of them in each call */

#include "tests/unit/fixtures/unit.h"

#include <time.h>

#include "place/state/reporting.h"

#define JOBS 1000

static struct sfab_reporting t;
static uint32_t nreported;	/* jobs, in the order of their IDs */
static uint64_t each_us;	/* CPU time that a job takes */

static uint64_t cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
}

static void report_job(void *context, uint32_t id)
{
	uint64_t end = cpu_us() + each_us;

	ck_assert_ptr_eq(context, &nreported);
	ck_assert_uint_eq(id, 7 * nreported);
	nreported++;
	while (each_us && cpu_us() < end)
		;
}

static void set_up(void)
{
	nreported = 0;
	each_us = 0;
	for (uint32_t i = 0; i < JOBS; i++)
		ck_assert_int_eq(sfab_reporting_note(&t, 7 * i), 0);
}

static void tear_down(void)
{
	sfab_reporting_clear(&t);
}

TEST(few_jobs_are_reported_in_one_call)
{
	t.n = 3;
	ck_assert_int_eq(sfab_reporting_go_on(&t, report_job, &nreported), 1);
	ck_assert_uint_eq(nreported, 3);
	ck_assert_int_eq(sfab_reporting_go_on(&t, report_job, &nreported), 1);
	ck_assert_uint_eq(nreported, 3);
}

TEST(without_jobs_nothing_is_reported)
{
	sfab_reporting_clear(&t);
	ck_assert_int_eq(sfab_reporting_go_on(&t, report_job, &nreported), 1);
	ck_assert_uint_eq(nreported, 0);
}

TEST(many_jobs_take_several_calls)
{
	int calls = 1;

	each_us = SFAB_REPORTING_US / 100;
	while (!sfab_reporting_go_on(&t, report_job, &nreported)) {
		ck_assert_uint_le(nreported, 100u * (unsigned) calls);
		calls++;
	}
	ck_assert_uint_eq(nreported, JOBS);
	ck_assert_int_ge(calls, JOBS / 100);
}

TEST(each_call_reports_at_least_one_job)
{
	each_us = 2 * SFAB_REPORTING_US;
	t.n = 3;
	for (uint32_t i = 1; i < 3; i++) {
		ck_assert_int_eq(sfab_reporting_go_on(&t, report_job, &nreported), 0);
		ck_assert_uint_eq(nreported, i);
	}
	ck_assert_int_eq(sfab_reporting_go_on(&t, report_job, &nreported), 1);
	ck_assert_uint_eq(nreported, 3);
}

TEST(a_new_round_starts_with_the_first_job)
{
	each_us = 2 * SFAB_REPORTING_US;
	ck_assert_int_eq(sfab_reporting_go_on(&t, report_job, &nreported), 0);
	sfab_reporting_clear(&t);
	each_us = 0;
	nreported = 0;
	for (uint32_t i = 0; i < 5; i++)
		ck_assert_int_eq(sfab_reporting_note(&t, 7 * i), 0);
	ck_assert_int_eq(sfab_reporting_go_on(&t, report_job, &nreported), 1);
	ck_assert_uint_eq(nreported, 5);
}

UNIT_MAIN_WITH("place reporting", set_up, tear_down)
