/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread.h - threads of our own inside somebody else's daemon
 *
 * They take no signals, carry a name that ps shows, and may be given up: a
 * thread that hangs in a dead file system must not hang the daemon's end.
 */
#ifndef SFAB_THREAD_H
#define SFAB_THREAD_H

#include <pthread.h>
#include <stdint.h>

#include "../core/err.h"

int sfab_thread_start(pthread_t *thread, const char *name,
		      void *(*run)(void *), void *arg, struct sfab_err *err);

/* Wait two seconds at most.  -1: it still runs; what it uses must stay. */
int sfab_thread_join(pthread_t thread);

/* A sleep that another thread may end; no clock that is set changes it. */
struct sfab_nap {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	int woken;
};

void sfab_nap_init(struct sfab_nap *nap);
void sfab_nap_clear(struct sfab_nap *nap);
/* For so long, or until woken; at once if it was woken since the last nap. */
void sfab_nap_take(struct sfab_nap *nap, uint32_t ms);
void sfab_nap_wake(struct sfab_nap *nap);

int64_t sfab_monotonic_ns(void);	/* a clock that only runs forward */
uint64_t sfab_realtime_ms(void);	/* since 1970 */

#endif
