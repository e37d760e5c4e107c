/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire.h - what a local port sees of its subnet, MAD by MAD
 *
 * No type of libibmad and libibumad appears here, so that all other code is
 * independent of them.  Any subnet manager will do: only subnet
 * management agents (topology, tables) and performance agents (counters) are
 * asked.  Needs read and write access to /dev/infiniband/umad*.
 *
 * One MAD is outstanding at a time, and at most .rate are sent per second.  An
 * unanswered MAD is sent three times within the time-out.  Its node is then not
 * asked again until the next discovery, so a dead path costs one time-out, and one
 * more if it was asked about adaptive routing.  The same happens to a node whose
 * answers took sixteen time-outs in total.  A redirect to another agent is followed
 * twice per question, each time for one more MAD.  A discovery of more than fifteen
 * minutes or 8,000,000 MADs fails.  8,000,000 MADs after it no switch is asked about
 * adaptive routing any more.
 */
#ifndef SFAB_WIRE_H
#define SFAB_WIRE_H

#include <stdint.h>

#include "core/err.h"
#include "io/counters/counters.h"

#define SFAB_LFT_BLOCK 64u	/* LIDs per block of a table (IBA 1.4, 14.2.5.11) */

enum sfab_wire_kind { SFAB_WIRE_SWITCH, SFAB_WIRE_CA, SFAB_WIRE_ROUTER };

struct sfab_wire_port {		/* a port with a cable and a node at its end */
	uint64_t guid;		/* port GUID; of a switch: the switch's */
	uint64_t to_guid;	/* node GUID at the other end */
	double rate;		/* bytes/s of data */
	uint16_t lid;		/* of an end port; 0: none */
	uint8_t lmc;
	uint8_t num, to_num;
	uint8_t to_kind;	/* enum sfab_wire_kind */
	uint8_t up;		/* 1: state Active */
};

struct sfab_wire_node {
	uint64_t guid;
	const char *desc;
	enum sfab_wire_kind kind;
	uint16_t lid;		/* of a switch; 0: none */
	uint32_t vendor;	/* of NodeInfo */
	uint16_t id;		/* of the device, of NodeInfo */
	uint8_t nports;		/* of the device */
	uint32_t nblocks;	/* of a switch: blocks of its table in use */
	const uint8_t *used;	/* [nblocks] 1: a node that was found has a LID of it */
	uint32_t n;
	struct sfab_wire_port *port;	/* [n] */
};

struct sfab_wire_options {
	const char *ca;		/* "mlx5_0"; NULL: the first with a port up */
	int port;		/* 0: the first that is up */
	uint32_t timeout_ms;	/* of a question, its three tries together; a redirect has
				   as much again */
	uint32_t rate;		/* MADs per second; 0: no limit */
	uint64_t mkey;		/* M_Key of subnet management; 0: none */
};

struct sfab_wire;		/* opaque */

/* NULL with *err: SFAB_EIO, no such port or no access. */
struct sfab_wire *sfab_wire_open(const struct sfab_wire_options *o,
				 struct sfab_err *err);
void sfab_wire_close(struct sfab_wire *w);		/* NULL is fine */

/*
 * Find all nodes; the previous result is discarded.  SFAB_EIO, SFAB_ENOMEM,
 * SFAB_ELIMIT (an agent invents nodes, or delays its answers as long as it can).
 * A node that does not answer is not found.
 */
int sfab_wire_discover(struct sfab_wire *w, struct sfab_err *err);

/* The nodes found: valid until the next discovery, and only after a success. */
uint32_t sfab_wire_nodes(const struct sfab_wire *w,
			 const struct sfab_wire_node **node);
/* Number of cabled ports whose other end did not answer. */
uint32_t sfab_wire_silent(const struct sfab_wire *w);
/* Port GUID of the subnet manager of our local port; 0: none. */
uint64_t sfab_wire_sm(const struct sfab_wire *w);

/*
 * What switch @node says of adaptive routing (io/wire/adaptive.h).  One that does not
 * answer is still asked for its table.
 */
enum sfab_ar_answer {
	SFAB_AR_UNTOLD,		/* it does not know the question */
	SFAB_AR_OFF,		/* it does not adapt */
	SFAB_AR_ON,		/* it adapts, as its tables say */
	SFAB_AR_MUTE,		/* no answer */
	SFAB_AR_UNCLEAR,	/* it adapts, and nobody knows over which ports */
};
struct sfab_ar_tables;
enum sfab_ar_answer sfab_wire_adaptive(struct sfab_wire *w, uint32_t node,
				       struct sfab_ar_tables *t);

/*
 * One block of the table of node @node (an index).  Blocks whose LIDs nobody has are not
 * asked for: no routes.  -1: no answer.
 */
int sfab_wire_lft(struct sfab_wire *w, uint32_t node, uint32_t block,
		  uint8_t out[SFAB_LFT_BLOCK]);

/* Counters of port number @port, all except the rates.  -1: no answer. */
int sfab_wire_count(struct sfab_wire *w, uint32_t node, uint8_t port,
		    struct sfab_counter *c);
/* Set its XmitWait to 0. */
int sfab_wire_clear_wait(struct sfab_wire *w, uint32_t node, uint8_t port);

/* MADs sent since the wire was opened, including discovery. */
uint64_t sfab_wire_mads(const struct sfab_wire *w);

#endif
