/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_watchdog.c - the watchdog: stops what is late, and nothing else */

#include "tests/unit/fixtures/unit.h"

#include <time.h>

#include "io/clock.h"
#include "place/request/watchdog.h"

static int is_stopped(const volatile int *stop)
{
	return __atomic_load_n(stop, __ATOMIC_RELAXED);
}

static int wait_for_stop(const volatile int *stop, int64_t ns)
{
	int64_t end = sfab_clock_monotonic_ns() + ns;

	while (!is_stopped(stop) && sfab_clock_monotonic_ns() < end)
		nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
	return is_stopped(stop);
}

TEST(stops_a_late_search)
{
	static struct sfab_watchdog w;
	const volatile int *stop;
	int64_t begin;

	ck_assert_int_eq(sfab_watchdog_start(&w, NULL), 0);
	begin = sfab_clock_monotonic_ns();
	stop = sfab_watchdog_begin(&w, 20000);
	ck_assert_int_eq(wait_for_stop(stop, 10000000000), 1);
	ck_assert_int_ge(sfab_clock_monotonic_ns() - begin, 20000000 - 64);
	sfab_watchdog_end(&w);
	ck_assert_int_eq(sfab_watchdog_stop(&w), 0);
}

TEST(leaves_quick_searches_alone)
{
	static struct sfab_watchdog w;

	ck_assert_int_eq(sfab_watchdog_start(&w, NULL), 0);
	for (int i = 0; i < 20000; i++) {
		const volatile int *stop = sfab_watchdog_begin(&w, 30000000);

		ck_assert_int_eq(is_stopped(stop), 0);
		sfab_watchdog_end(&w);
	}
	ck_assert_int_eq(sfab_watchdog_stop(&w), 0);
}

/* A flag that was set once is down again when its turn comes. */
TEST(a_flag_is_used_again)
{
	static struct sfab_watchdog w;

	ck_assert_int_eq(sfab_watchdog_start(&w, NULL), 0);
	for (int i = 0; i < 3 * SFAB_WATCHDOG_FLAGS; i++) {
		const volatile int *stop = sfab_watchdog_begin(&w, 1000);

		ck_assert_int_eq(wait_for_stop(stop, 10000000000), 1);
		sfab_watchdog_end(&w);
	}
	ck_assert_int_eq(sfab_watchdog_stop(&w), 0);
}

TEST(nobody_stops_a_search_without_limit)
{
	static struct sfab_watchdog w;

	ck_assert(!sfab_watchdog_begin(&w, 1000));	/* not started */
	ck_assert_int_eq(sfab_watchdog_start(&w, NULL), 0);
	ck_assert(!sfab_watchdog_begin(&w, 0));
	sfab_watchdog_end(&w);
	ck_assert_int_eq(sfab_watchdog_stop(&w), 0);
	ck_assert_int_eq(sfab_watchdog_stop(&w), 0);
}

UNIT_MAIN("place watchdog")
