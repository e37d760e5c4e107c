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

int64_t sfab_monotonic_ns(void);	/* a clock that only runs forward */
uint64_t sfab_realtime_ms(void);	/* since 1970 */

#endif
