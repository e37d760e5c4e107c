/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * performance.h - what is asked of a performance agent, and what its answers mean
 */
#ifndef SFAB_PERFORMANCE_H
#define SFAB_PERFORMANCE_H

#include <stdint.h>

#include "io/counters/counters.h"

#define SFAB_PERFORMANCE_SIZE 192	/* bytes of an attribute */

struct sfab_performance {	/* what an agent can count; all 0: not asked yet */
	int known;
	uint32_t cap, cap2;	/* of its ClassPortInfo */
};

/* Get attribute @id, or set it; @data: of the question, then of the answer. */
struct sfab_performance_door {
	void *ctx;
	int (*ask)(void *ctx, uint8_t port, unsigned id, int set,
		   uint8_t data[SFAB_PERFORMANCE_SIZE]);	/* -1: no answer */
};

/* All counters of port number c->port except the rates.  -1: no answer. */
int sfab_performance_count(const struct sfab_performance_door *door,
			   struct sfab_performance *can, struct sfab_counter *c);
/* Set the XmitWait of @port to 0. */
int sfab_performance_clear_wait(const struct sfab_performance_door *door,
				const struct sfab_performance *can, uint8_t port);

#endif
