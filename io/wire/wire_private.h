/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire_private.h - what wire.c gives performance.c to count with
 */
#ifndef SFAB_WIRE_PRIVATE_H
#define SFAB_WIRE_PRIVATE_H

#include "io/wire/wire.h"

#define SFAB_PERFORMANCE_SIZE 192	/* bytes of an attribute */

struct sfab_performance {	/* what an agent can count; all 0: not asked yet */
	int known;
	uint32_t cap, cap2;	/* of its ClassPortInfo */
};

/* That of node @node, until the next discovery. */
struct sfab_performance *sfab_wire_performance(struct sfab_wire *w, uint32_t node);

/*
 * Get attribute @id of its performance agent, or set it; @data: of the question, then of
 * the answer.  -1: no answer.
 */
int sfab_wire_ask_agent(struct sfab_wire *w, uint32_t node, uint8_t port, unsigned id,
			int set, uint8_t data[SFAB_PERFORMANCE_SIZE]);

#endif
