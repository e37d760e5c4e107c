/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watchdog.c - end a search that takes too long; see watchdog.h
 *
 * core reads no clock, so a thread of its own does, and raises a flag that the search looks at
 * in its inner loop.  To core the flag is a plain volatile int; it is written relaxed, because
 * no other data goes with it.
 */

#include "place/request/watchdog.h"
#include "io/clock.h"

#include <time.h>

#define NAP_NS 500000000	/* longest sleep before quit is checked */

static int flag_of(int64_t deadline)
{
	return (int) (deadline % SFAB_WATCHDOG_FLAGS);
}

/*
 * Sleep until a search wakes us: none has a deadline.  awake is cleared before the deadline is
 * read again.  In the other order a search that begins in between would see a watchdog that is
 * awake, not wake it, and run without one.
 */
static void sleep_until_woken(struct sfab_watchdog *w)
{
	atomic_store(&w->awake, 0);
	if (atomic_load(&w->deadline))	/* a search began meanwhile */
		atomic_store(&w->awake, 1);
	else
		sfab_worker_sleep(&w->worker);
}

/*
 * Run the thread.  It raises the flag of the search whose deadline has passed.  The deadline
 * selects the flag, so a late look does not stop the search after it.
 */
static void *run_watchdog(void *arg)
{
	struct sfab_watchdog *w = arg;

	while (sfab_worker_goes_on(&w->worker)) {
		int64_t deadline = atomic_load(&w->deadline);
		int64_t rest_ns = deadline - sfab_clock_monotonic_ns();

		if (!deadline) {
			sleep_until_woken(w);
		} else if (rest_ns > 0) {
			struct timespec nap = {
				.tv_nsec = rest_ns < NAP_NS ? rest_ns : NAP_NS,
			};

			clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
		} else {
			__atomic_store_n(&w->stop[flag_of(deadline)], 1,
					 __ATOMIC_RELAXED);
			/* Unless the next search has set its own meanwhile. */
			atomic_compare_exchange_strong(&w->deadline, &deadline,
						       0);
		}
	}
	return NULL;
}

int sfab_watchdog_start(struct sfab_watchdog *w, struct sfab_err *err)
{
	atomic_store(&w->awake, 1);
	return sfab_worker_start(&w->worker, "sfab-watchdog", run_watchdog, w, err);
}

int sfab_watchdog_stop(struct sfab_watchdog *w)
{
	return sfab_worker_stop(&w->worker);
}

/*
 * Put the flag into the deadline: its value modulo SFAB_WATCHDOG_FLAGS is the index.  That
 * shifts it by less than 64 ns.
 */
const volatile int *sfab_watchdog_begin(struct sfab_watchdog *w, uint32_t us)
{
	int flag = (int) (++w->searches % SFAB_WATCHDOG_FLAGS);
	int64_t end = sfab_clock_monotonic_ns() + (int64_t) us * 1000;

	if (!us || !w->worker.started)
		return NULL;
	__atomic_store_n(&w->stop[flag], 0, __ATOMIC_RELAXED);
	atomic_store(&w->deadline, end - flag_of(end) + flag);
	if (!atomic_exchange(&w->awake, 1))
		sfab_worker_wake(&w->worker);
	return &w->stop[flag];
}

void sfab_watchdog_end(struct sfab_watchdog *w)
{
	atomic_store(&w->deadline, 0);
}
