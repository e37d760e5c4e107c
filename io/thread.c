/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread.c - threads of our own inside a daemon; see thread.h */

#include "thread.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#define JOIN_NS INT64_C(2000000000)
#define LOOK_NS 1000000		/* how often a thread is looked at that ends */

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
	const struct timespec look = { .tv_nsec = LOOK_NS };
	int64_t until = sfab_monotonic_ns() + JOIN_NS;

	while (pthread_tryjoin_np(thread, NULL)) {
		if (sfab_monotonic_ns() >= until) {
			pthread_detach(thread);
			return -1;
		}
		clock_nanosleep(CLOCK_MONOTONIC, 0, &look, NULL);
	}
	return 0;
}

void sfab_nap_init(struct sfab_nap *nap)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&nap->cond, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&nap->lock, NULL);
	nap->woken = 0;
}

void sfab_nap_clear(struct sfab_nap *nap)
{
	pthread_cond_destroy(&nap->cond);
	pthread_mutex_destroy(&nap->lock);
}

void sfab_nap_take(struct sfab_nap *nap, uint32_t ms)
{
	int64_t end = sfab_monotonic_ns() + (int64_t) ms * 1000000;
	const struct timespec until = { .tv_sec = end / 1000000000,
					.tv_nsec = end % 1000000000 };

	pthread_mutex_lock(&nap->lock);
	while (!nap->woken &&
	       !pthread_cond_timedwait(&nap->cond, &nap->lock, &until))
		;
	nap->woken = 0;
	pthread_mutex_unlock(&nap->lock);
}

void sfab_nap_wake(struct sfab_nap *nap)
{
	pthread_mutex_lock(&nap->lock);
	nap->woken = 1;
	pthread_cond_signal(&nap->cond);
	pthread_mutex_unlock(&nap->lock);
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
