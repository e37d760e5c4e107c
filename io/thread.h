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
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>

#include "core/err.h"

struct sfab_worker {
	pthread_t thread;
	sem_t wake;
	atomic_int quit;
	int ready, started;
};

/* It may be woken from now on.  @w is all zero; -1: no semaphore. */
int sfab_worker_init(struct sfab_worker *w, struct sfab_err *err);
int sfab_worker_start(struct sfab_worker *w, const char *name,
		      void *(*run)(void *), void *arg, struct sfab_err *err);
/*
 * Ask it to end and wait two seconds at most.  -1: it still runs, and what it
 * uses must stay.  Twice is fine, and so is one that was never started.
 */
int sfab_worker_stop(struct sfab_worker *w);
/* It was stopped, and nobody wakes it any more.  Twice is fine. */
void sfab_worker_clear(struct sfab_worker *w);

void sfab_worker_wake(struct sfab_worker *w);	/* waits for nothing */

/* For the thread itself. */
int sfab_worker_goes_on(const struct sfab_worker *w);	/* 0: it is to end */
/* Until woken; at once if it was woken since the last sleep or nap. */
void sfab_worker_sleep(struct sfab_worker *w);
/* The same for @ms at most; no clock that is set changes that. */
void sfab_worker_nap(struct sfab_worker *w, uint64_t ms);

int64_t sfab_monotonic_ns(void);	/* a clock that only runs forward */
uint64_t sfab_realtime_ms(void);	/* since 1970 */

#endif
