/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread.c - threads of our own inside a daemon; see thread.h */

#include "thread.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#define JOIN_SECONDS 2

int sfab_thread_start(pthread_t *thread, const char *name,
		      void *(*run)(void *), void *arg, struct sfab_err *err)
{
	sigset_t all, was;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &was);
	rc = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	if (rc)
		return sfab_fail(err, SFAB_EIO, "thread %s: %s", name,
				 strerror(rc));
	pthread_setname_np(*thread, name);
	return 0;
}

int sfab_thread_join(pthread_t thread)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += JOIN_SECONDS;
	if (!pthread_timedjoin_np(thread, NULL, &until))
		return 0;
	pthread_detach(thread);
	return -1;
}

int64_t sfab_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t sfab_realtime_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
}
