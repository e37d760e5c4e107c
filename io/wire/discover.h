/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * discover.h - find all nodes of a subnet, one by one, from a local port
 *
 * Agents may lie.  What they say costs no more than the limits below allow.  A node
 * that answers is asked once, however many routes lead to it.  One that does not
 * answer is not asked about its other ports.  Ports that a node claims not to have
 * are ignored.  The caller's ask() can stop a discovery at any time.
 */
#ifndef SFAB_DISCOVER_H
#define SFAB_DISCOVER_H

#include <stdint.h>

#include "io/wire/wire.h"

#define SFAB_SMP_SIZE 64	/* bytes of an attribute */
#define SFAB_SMP_HOPS 62	/* of a directed route (IBA 1.4, 14.2.1.2) */
#define SFAB_DISCOVER_NODES 49151u	/* each has a LID */
#define SFAB_DISCOVER_PORTS 4000000u

/* port to leave by at hop 1, 2, ... */
struct sfab_smp_path {
	uint8_t hops;
	uint8_t port[SFAB_SMP_HOPS + 2];
};

enum sfab_smp_answer {
	SFAB_SMP_ANSWER,
	SFAB_SMP_REFUSED,	/* an answer with an error status: no such attribute */
	SFAB_SMP_SILENT,
	SFAB_SMP_OVER,		/* out of time: stop asking */
};

/* Ask for attribute @id of the node at the end of @to; @mod: which port. */
struct sfab_smp_door {
	void *ctx;
	enum sfab_smp_answer (*ask)(void *ctx, const struct sfab_smp_path *to,
				    unsigned id, unsigned mod,
				    uint8_t out[SFAB_SMP_SIZE]);
};

struct sfab_discovery;		/* opaque */

/* NULL with *err: SFAB_EIO, no node answers; SFAB_ELIMIT; SFAB_ENOMEM. */
struct sfab_discovery *sfab_discover(const struct sfab_smp_door *door,
				     struct sfab_err *err);
void sfab_discovery_destroy(struct sfab_discovery *d);	/* NULL is fine */

/* What was found; valid as long as @d. */
uint32_t sfab_discovery_nodes(const struct sfab_discovery *d,
			      const struct sfab_wire_node **node);
const struct sfab_smp_path *sfab_discovery_path(const struct sfab_discovery *d,
						uint32_t node);
/* Number of cabled ports whose other end did not answer. */
uint32_t sfab_discovery_silent(const struct sfab_discovery *d);
/* Port GUID of the subnet manager of our local port; 0: none. */
uint64_t sfab_discovery_sm(const struct sfab_discovery *d);

#endif
