/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worker.c - threads of our own inside a daemon; see worker.h
 *
 * A thread of ours in slurmctld or opensm sleeps on a semaphore, wakes when it is told to or
 * after some time, and ends when asked.  Times are on the monotonic clock, which nobody sets.
 */

#include "io/worker.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "io/clock.h"

/* What sfab_worker_stop() promises: slurmctld's end may not take longer. */
#define JOIN_NS INT64_C(2000000000)
#define PAUSE_NS 1000000		/* how often we check whether the thread has ended */

/* Block signals before the thread starts: they belong to the daemon. */
int sfab_worker_start(struct sfab_worker *w, const char *name,
		      void *(*run)(void *), void *arg, struct sfab_err *err)
{
	sigset_t all, old;
	int rc;

	if (sem_init(&w->wake, 0, 0))
		return sfab_fail(err, SFAB_EIO, "semaphore: %s", strerror(errno));
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&w->thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		sem_destroy(&w->wake);
		return sfab_fail(err, SFAB_EIO, "thread %s: %s", name, strerror(rc));
	}
	pthread_setname_np(w->thread, name);
	atomic_store(&w->started, 1);
	return 0;
}

int sfab_worker_stop(struct sfab_worker *w)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	int64_t deadline = sfab_clock_monotonic_ns() + JOIN_NS;

	if (!atomic_load(&w->started))
		return 0;
	atomic_store(&w->quit, 1);
	sfab_worker_wake(w);
	while (pthread_tryjoin_np(w->thread, NULL)) {
		if (sfab_clock_monotonic_ns() >= deadline)
			return -1;	/* abandoned, but not detached: it may be asked again */
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	atomic_store(&w->started, 0);
	sem_destroy(&w->wake);
	return 0;
}

void sfab_worker_wake(struct sfab_worker *w)
{
	if (atomic_load(&w->started))
		sem_post(&w->wake);
}

int sfab_worker_goes_on(const struct sfab_worker *w)
{
	return !atomic_load(&w->quit);
}

/* Drop all wakes that came before a sleep: they count as one. */
static void forget_wakes(struct sfab_worker *w)
{
	while (!sem_trywait(&w->wake))
		;
}

void sfab_worker_sleep(struct sfab_worker *w)
{
	sem_wait(&w->wake);
	forget_wakes(w);
}

void sfab_worker_nap(struct sfab_worker *w, uint64_t ms)
{
	int64_t end = sfab_clock_monotonic_ns() + (int64_t) ms * 1000000;
	const struct timespec deadline = { .tv_sec = end / 1000000000,
					.tv_nsec = end % 1000000000 };

	sem_clockwait(&w->wake, CLOCK_MONOTONIC, &deadline);
	forget_wakes(w);
}
