/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watchdog.h - stop a search that takes longer than MaxSearchTime
 *
 * The searching thread stores its deadline and may have to wake the watchdog; it never waits
 * for it.  Once awake, the watchdog keeps checking the clock until no search has a deadline, so
 * a stream of searches rarely has to wake it.
 *
 * Each search has its own stop flag, selected by the low bits of its deadline, so that a late
 * watchdog does not stop the next search.
 */
#ifndef SFAB_PLACE_WATCHDOG_H
#define SFAB_PLACE_WATCHDOG_H

#include <stdatomic.h>
#include <stdint.h>

#include "core/err.h"
#include "io/worker.h"

#define SFAB_WATCHDOG_FLAGS 64

struct sfab_watchdog {
	struct sfab_worker worker;
	atomic_int awake;
	_Atomic int64_t deadline;	/* CLOCK_MONOTONIC, ns; 0: no search */
	unsigned searches;		/* used by the searching thread only */
	volatile int stop[SFAB_WATCHDOG_FLAGS];
};

/* Start the thread; @w is all zero.  -1 with *err. */
int sfab_watchdog_start(struct sfab_watchdog *w, struct sfab_err *err);
/* End the thread, if it was started.  -1: it still runs and uses @w. */
int sfab_watchdog_stop(struct sfab_watchdog *w);

/*
 * Watch a search that begins and may take @us microseconds (0: no limit).  Return the value for
 * sfab_request.stop; NULL: nothing will stop it.
 */
const volatile int *sfab_watchdog_begin(struct sfab_watchdog *w, uint32_t us);
/* End the watch: the search has ended. */
void sfab_watchdog_end(struct sfab_watchdog *w);

#endif
