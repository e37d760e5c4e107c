/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.c - the clocks of the system; see clock.h */

#include "io/clock.h"

#include <time.h>

int64_t sfab_clock_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t sfab_clock_realtime_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
}
