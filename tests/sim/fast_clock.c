/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fast_clock.c - LD_PRELOAD: each second of the monotonic clock is a thousand */

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *now)
{
	int rc = (int) syscall(SYS_clock_gettime, clock, now);

	now->tv_sec *= rc == 0 && clock == CLOCK_MONOTONIC ? 1000 : 1;
	return rc;
}
