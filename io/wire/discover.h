/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * discover.h - find all nodes of a subnet, one by one, from a local port
 *
 * Agents may lie.  What they say costs no more than the limits below allow.  A node that
 * answers is asked once, however many routes lead to it.  One that does not answer is not asked
 * about its other ports.  Ports that a node claims not to have are ignored.  The caller's ask()
 * can stop a discovery at any time.
 */
#ifndef SFAB_DISCOVER_H
#define SFAB_DISCOVER_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"

#define SFAB_LFT_BLOCK 64u	/* LIDs per block of a table (IBA 1.4, 14.2.5.11) */
#define SFAB_LFT_BLOCKS ((SFAB_IB_LID_MAX + SFAB_LFT_BLOCK) / SFAB_LFT_BLOCK)
#define SFAB_SMP_SIZE 64	/* bytes of an attribute */
#define SFAB_SMP_HOPS 62	/* of a directed route (IBA 1.4, 14.2.1.2) */
#define SFAB_DISCOVER_NODES 49151u	/* each has a LID */
#define SFAB_DISCOVER_PORTS 4000000u

/* A directed route from our own port. */
struct sfab_smp_path {
	uint8_t hops;
	uint8_t port[SFAB_SMP_HOPS + 2];	/* [1..hops] the port by which a hop leaves */
};

enum sfab_smp_answer {
	SFAB_SMP_ANSWER,
	SFAB_SMP_REFUSED,	/* an answer with an error status: no such attribute */
	SFAB_SMP_SILENT,
	SFAB_SMP_OVER,		/* out of time: stop asking */
};

/* How questions are sent. */
struct sfab_smp_channel {
	void *ctx;
	/* Ask for attribute @id of the node at the end of @to; @mod: which port. */
	enum sfab_smp_answer (*ask)(void *ctx, const struct sfab_smp_path *to,
				    unsigned id, unsigned mod,
				    uint8_t out[SFAB_SMP_SIZE]);
};

enum sfab_wire_kind { SFAB_WIRE_SWITCH, SFAB_WIRE_CA, SFAB_WIRE_ROUTER };

#define SFAB_WIRE_NOBODY UINT32_MAX
#define SFAB_WIRE_ACTIVE 4		/* PortState */

struct sfab_wire_port {
	uint64_t guid;		/* port GUID; of a switch: the switch's */
	double rate;		/* bytes/s of data */
	uint32_t to;		/* node at the other end, or SFAB_WIRE_NOBODY */
	uint16_t lid, sm_lid;	/* its own, and its subnet manager's; 0: none */
	uint8_t to_num, lmc;
	uint8_t state, phys;	/* PortState, PortPhysicalState */
};

struct sfab_wire_node {
	struct sfab_smp_path path;
	uint64_t guid;
	char desc[SFAB_SMP_SIZE + 1];
	enum sfab_wire_kind kind;
	uint32_t vendor;		/* of NodeInfo */
	uint16_t id;			/* of the device, of NodeInfo */
	uint8_t nports;			/* of the device */
	uint8_t own_num;		/* of the first node: the number of our own port */
	uint32_t nblocks;		/* of a switch: blocks of its table in use */
	const uint8_t *used;		/* [nblocks] 1: a node found has a LID in the block */
	struct sfab_wire_port *port;	/* [nports + 1]; the LID of a switch is that of 0 */
};

/* A subnet, from the node of our own port on. */
struct sfab_discovery {
	uint32_t n;
	struct sfab_wire_node *node;	/* [n] */
	uint32_t silent;		/* cabled ports whose other end did not answer */
	uint64_t sm_guid;		/* port of the subnet manager of our own port; 0: none */
	uint8_t used[SFAB_LFT_BLOCKS];	/* by block of a table, as in the nodes */
};

/* Find all nodes.  NULL with *err: SFAB_EIO, no node answers; SFAB_ELIMIT; SFAB_ENOMEM. */
struct sfab_discovery *sfab_discover(const struct sfab_smp_channel *channel,
				     struct sfab_err *err);
void sfab_discovery_destroy(struct sfab_discovery *d);	/* NULL is fine */

#endif
