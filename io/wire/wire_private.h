/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wire_private.h - how performance.c asks the agents of a wire */
#ifndef SFAB_WIRE_PRIVATE_H
#define SFAB_WIRE_PRIVATE_H

#include "io/wire/wire.h"

#define SFAB_PERFORMANCE_SIZE 192	/* bytes of an attribute */

struct sfab_performance {	/* what an agent can count; all 0: not asked yet */
	int is_known;
	uint32_t cap, cap2;	/* of its ClassPortInfo */
};

/* Return what the agent of node @node can count.  Valid until the next discovery. */
struct sfab_performance *sfab_wire_performance(struct sfab_wire *w, uint32_t node);

/*
 * Get attribute @id of the performance agent of node @node, or set it (@set).  @data is the
 * question's, and then the answer's.  -1: no answer.
 */
int sfab_wire_ask_agent(struct sfab_wire *w, uint32_t node, uint8_t port, unsigned id,
			int set, uint8_t data[SFAB_PERFORMANCE_SIZE]);

#endif
