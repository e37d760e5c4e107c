/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire.h - what a local port sees of its subnet, MAD by MAD
 *
 * No type of libibmad and libibumad appears here, so that all other code is independent of
 * them.  Any subnet manager will do: only subnet management agents (topology, tables) and
 * performance agents (counters) are asked.  Needs read and write access to
 * /dev/infiniband/umad*.
 *
 * One MAD is outstanding at a time, and at most .rate are sent per second.  An unanswered MAD
 * is sent three times within the time-out.  Its node is then not asked again until the next
 * discovery, so a dead path costs one time-out, and one more if it was asked about adaptive
 * routing.  The same happens to a node whose answers took sixteen time-outs in total.  A
 * redirect to another agent is followed twice per question, each time for one more MAD.  A
 * discovery of more than fifteen minutes or 8,000,000 MADs fails.  8,000,000 MADs after it no
 * switch is asked about adaptive routing any more.
 */
#ifndef SFAB_WIRE_H
#define SFAB_WIRE_H

#include <stdint.h>

#include "core/err.h"
#include "io/counters/counters.h"
#include "io/wire/discover.h"

struct sfab_wire_options {
	const char *ca;		/* "mlx5_0", borrowed; NULL: the first with a port up */
	int port;		/* 0: the first that is up */
	uint32_t timeout_ms;	/* of a question, its three tries together; a redirect has
				   as much again */
	uint32_t rate;		/* MADs per second; 0: no limit */
	uint64_t mkey;		/* M_Key of subnet management; 0: none */
};

struct sfab_wire;		/* opaque */

/* Open a local port.  NULL with *err: SFAB_EIO, no such port or no access. */
struct sfab_wire *sfab_wire_open(const struct sfab_wire_options *o,
				 struct sfab_err *err);
void sfab_wire_close(struct sfab_wire *w);		/* NULL is fine */

/*
 * Find all nodes that answer; the previous result is discarded.  -1 with *err: SFAB_EIO,
 * SFAB_ENOMEM, SFAB_ELIMIT (an agent invents nodes, or delays its answers as long as it can).
 */
int sfab_wire_discover(struct sfab_wire *w, struct sfab_err *err);

/* Return what was found, nothing after a failure.  Valid until the next discovery. */
const struct sfab_discovery *sfab_wire_found(const struct sfab_wire *w);

/* What a switch says of adaptive routing. */
enum sfab_ar_answer {
	SFAB_AR_UNSUPPORTED,	/* it does not know the question */
	SFAB_AR_OFF,		/* it does not adapt */
	SFAB_AR_ON,		/* it adapts, as its tables say */
	SFAB_AR_MUTE,		/* no answer */
	SFAB_AR_UNCLEAR,	/* it adapts, and nobody knows over which ports */
};
struct sfab_ar_tables;
/*
 * Ask switch @node about adaptive routing, and set *@t: to its tables after SFAB_AR_ON, to no
 * entries but a reason after SFAB_AR_MUTE and SFAB_AR_UNCLEAR (adaptive.h says more), and else
 * to no entries.  If the switch does not answer, sfab_wire_lft() may still ask it.
 */
enum sfab_ar_answer sfab_wire_adaptive(struct sfab_wire *w, uint32_t node,
				       struct sfab_ar_tables *t);

/*
 * Get a block of the table of node @node (an index).  A block whose LIDs nobody has is not
 * asked for, and has no routes.  -1: no answer.
 */
int sfab_wire_lft(struct sfab_wire *w, uint32_t node, uint32_t block,
		  uint8_t out[SFAB_LFT_BLOCK]);

/* Get the counters, without rates, of port number @port.  -1: no answer. */
int sfab_wire_count(struct sfab_wire *w, uint32_t node, uint8_t port,
		    struct sfab_counter *c);
/* Set the XmitWait of port number @port to 0.  -1: no answer. */
int sfab_wire_clear_wait(struct sfab_wire *w, uint32_t node, uint8_t port);

/* Return the MADs sent since the wire was opened, including discovery. */
uint64_t sfab_wire_mads(const struct sfab_wire *w);

#endif
