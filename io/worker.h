/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worker.h - our own threads inside somebody else's daemon
 *
 * The threads block all signals and have a name that ps shows.  They can be abandoned: a thread
 * that hangs in a dead file system must not keep the daemon from exiting.
 */
#ifndef SFAB_WORKER_H
#define SFAB_WORKER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>

#include "core/err.h"

struct sfab_worker {			/* private */
	pthread_t thread;
	sem_t wake;
	atomic_int quit, started;
};

/* Start a thread that calls @run with @arg; @w is all zero.  -1 with *err. */
int sfab_worker_start(struct sfab_worker *w, const char *name,
		      void *(*run)(void *), void *arg, struct sfab_err *err);
/*
 * Ask the thread to end and wait at most two seconds.  -1: it still runs, and what it uses must
 * stay valid.  May be repeated, also for a worker never started.  No other thread may wake it
 * any more.
 */
int sfab_worker_stop(struct sfab_worker *w);

void sfab_worker_wake(struct sfab_worker *w);	/* never waits; nothing if not started */

/* May the thread go on?  For the thread itself. */
int sfab_worker_goes_on(const struct sfab_worker *w);
/* Sleep until woken, or not at all if woken since the last sleep.  For the thread itself. */
void sfab_worker_sleep(struct sfab_worker *w);
/* Sleep until woken, but at most @ms on the monotonic clock.  For the thread itself. */
void sfab_worker_nap(struct sfab_worker *w, uint64_t ms);

#endif
