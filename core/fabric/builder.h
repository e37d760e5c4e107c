/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builder.h - collect what readers find, check it, freeze it into a fabric
 *
 * Nodes are named by (plane, node GUID), so a reader of tables and a reader of topology need
 * not know of each other and may be called in any order.  The builder records each call
 * together with the file and line set by sfab_builder_set_origin().  Every error text begins
 * with them, "FILE:LINE: ", also for errors found only at freeze.
 *
 * A host that forwards (a ring without switches, sfabric-routes(5)) is given as two switches,
 * "in" and "out".  A directed link joins them, and its capacity is the host's forwarding rate.
 * The host's end port injects into "out" and is ejected from "in".  If the host is bonded,
 * "out" has a port group for each LID.
 *
 *     cables in --> [in] --forwarding rate--> [out] --> cables out
 *                     \--eject--> port --inject--^
 */
#ifndef SFAB_BUILDER_H
#define SFAB_BUILDER_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"

struct sfab_builder;		/* opaque */

enum sfab_builder_flags {
	SFAB_BUILD_STRICT = 0,
	SFAB_BUILD_PARTIAL = 1,		/* switches may lack a table */
	SFAB_BUILD_UNROUTED = 3,	/* all switches may lack one: cables only */
};

struct sfab_builder *sfab_builder_create(unsigned flags);	/* NULL: out of memory */
void sfab_builder_destroy(struct sfab_builder *b);		/* NULL is fine */

/* Are switches expected to have tables? */
int sfab_builder_wants_tables(const struct sfab_builder *b);

/* Set the source of the following calls.  @file is copied.  NULL: no source. */
void sfab_builder_set_origin(struct sfab_builder *b, const char *file, unsigned line);

/* Add a plane.  Return its id (0, 1, ...) or -1. */
int sfab_builder_add_plane(struct sfab_builder *b, const char *name,
			   struct sfab_err *err);
/* Set the engine that routed. */
void sfab_builder_set_engine(struct sfab_builder *b, uint32_t plane,
			     const char *engine);
/*
 * Set the engines that the subnet manager was configured to try, e.g. "ftree,updn".  Text that
 * sfab_plane_engines_are_names() rejects counts as unknown, as it does for
 * sfab_builder_set_engine().
 */
void sfab_builder_set_engines_asked(struct sfab_builder *b, uint32_t plane,
				    const char *engines);
void sfab_builder_set_sm(struct sfab_builder *b, uint32_t plane, uint64_t guid);
/* Let this plane have LIDs of 24 bits (Omni-Path).  Those of others end at SFAB_IB_LID_MAX. */
void sfab_builder_allow_wide_lids(struct sfab_builder *b, uint32_t plane);
/*
 * Set this fabric as it was read last, borrowed until freeze.  NULL: not known.  A node that
 * had a name there keeps it, even if other nodes have its description now.
 */
void sfab_builder_set_past(struct sfab_builder *b, const struct sfab_fabric *past);
void sfab_builder_set_source(struct sfab_builder *b, const char *text);
void sfab_builder_set_time(struct sfab_builder *b, uint64_t seconds);
/*
 * Record that the source shows adaptive routing: the shares of groups are a guess.  Bonded
 * ports also have groups, but their shares are known.  The highest @state counts.
 */
void sfab_builder_set_adaptive(struct sfab_builder *b, enum sfab_adaptive state);
/*
 * What a source says about a switch.  A switch that adapts, and whose groups no source gave,
 * makes the fabric SFAB_ADAPTIVE_UNKNOWN.  So does an engine for adaptive routing, if no groups
 * of its plane were read.
 */
enum sfab_switch_fact {
	SFAB_SWITCH_ADAPTS = 1,		/* it chooses ports by load */
	SFAB_SWITCH_ADAPTS_NOT = 2,	/* it was asked, and does not adapt */
	SFAB_SWITCH_GROUPS_READ = 4,	/* its port groups were read; it may have none */
	SFAB_SWITCH_CAN_ADAPT = 8,	/* devices of its type can */
};
/* Record @fact of a known switch.  Other GUIDs are ignored. */
void sfab_builder_add_fact(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			   enum sfab_switch_fact fact);
/* Was sfab_builder_add_fact() called with @fact for this switch? */
int sfab_builder_has_fact(const struct sfab_builder *b, uint32_t plane, uint64_t guid,
			  enum sfab_switch_fact fact);

/*
 * Set the vendor (OUI) and device of a known switch, as NodeInfo has them (IBA 1.4, 14.2.5.3).
 * If such a switch can route adaptively (SFAB_SWITCH_CAN_ADAPT), nobody asked whether it does,
 * and no engine is known that routes statically, the fabric is SFAB_ADAPTIVE_UNKNOWN: static
 * tables do not show it.
 */
void sfab_builder_set_device(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			     uint32_t vendor, uint32_t device);

/*
 * Add a switch.  Repeating the same (plane, guid) with the same facts is fine (a second file of
 * the same fabric).  Different facts are SFAB_EFORMAT, "duplicate GUID".  @lid 0: not known
 * yet, a later call may supply it.
 */
int sfab_builder_add_switch(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			    const char *name, unsigned nports, unsigned lid,
			    struct sfab_err *err);

/*
 * Give the enhanced port 0 of a known switch 2^@lmc LIDs.  Table entries for all of them are
 * accepted, but only those for the first are kept: nothing is sent to the others.  Without this
 * call freeze infers the LMC as it does for end ports.
 */
void sfab_builder_set_switch_lmc(struct sfab_builder *b, uint32_t plane,
				 uint64_t guid, unsigned lmc);

/* Set *@nports to the number of ports of a known switch.  -1: it is not known. */
int sfab_builder_switch_ports(const struct sfab_builder *b, uint32_t plane,
			      uint64_t guid, uint32_t *nports);

/*
 * The source of an end port does not give its LMC.  Freeze then takes the highest LMC in 0..7
 * that fits all such ports of the plane: base LIDs are aligned to it, and the LIDs that follow
 * each base LID have routes and no other owner.
 */
#define SFAB_LMC_UNKNOWN 8

/*
 * Add an end port.  If @host is NULL the host name is the first word of @desc, which then must
 * not be empty (SFAB_EFORMAT "host without a name").  Descriptions are already mapped.  Ports
 * with the same host name form one host, with two exceptions.  If several nodes of a plane
 * share a description of two words or more ("c001 HCA-1"), or more than 16 share one of a
 * single word, each node is a host of its own, named by its GUID.  A node that had the name in
 * the past keeps it.
 */
int sfab_builder_add_port(struct sfab_builder *b, uint32_t plane,
			  uint64_t node_guid, unsigned num, uint64_t port_guid,
			  const char *desc, const char *host, unsigned lid,
			  unsigned lmc, struct sfab_err *err);

/* Record that this known end port belongs to a router: its host runs no jobs. */
void sfab_builder_mark_router(struct sfab_builder *b, uint32_t plane,
			      uint64_t node_guid, unsigned num);

enum sfab_cable {
	SFAB_CABLE_DOWN = 0,
	SFAB_CABLE_UP = 1,
	SFAB_CABLE_DIRECTED,	/* up, and may lack the opposite direction */
};
/*
 * Add the link that leaves port @num of node @guid.  Both ends are named by node GUID.
 * @capacity is in bytes/s (sfab_fabric_is_capacity(); 0 is SFAB_EFORMAT "rate not known").  The
 * opposite direction needs its own call.  Freeze rejects a "one-way link" and ends that
 * disagree.
 */
int sfab_builder_add_link(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			  unsigned num, uint64_t to_guid, unsigned to_num,
			  double capacity, enum sfab_cable state, struct sfab_err *err);

/*
 * Add table entries of a switch for LIDs @lid0 .. @lid0 + @n - 1.  SFAB_PORT_NONE means "no
 * route", 0 the switch itself.  Entries for LIDs that nobody owns make freeze fail with
 * "unknown LID", unless sfab_builder_forget_unknown() was called, or the switch has
 * SFAB_SWITCH_GROUPS_READ: a table read from the switch itself may have LIDs of hosts that
 * left.  Freeze checks ports against the switch's port count.  An entry may be given again, and
 * the last call wins.  But if both calls come from files (sfab_builder_set_origin()) and the
 * ports differ it is SFAB_EFORMAT, "two tables".
 */
int sfab_builder_add_lft(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			 unsigned lid0, const uint8_t *ports, unsigned n,
			 struct sfab_err *err);
/* Leave out entries for LIDs that nobody owns. */
void sfab_builder_forget_unknown(struct sfab_builder *b);
/* Return how many entries freeze has left out because nobody owns their LID. */
uint64_t sfab_builder_forgotten(const struct sfab_builder *b);

/* Return the port of @lid in the table given so far, or SFAB_PORT_NONE. */
uint8_t sfab_builder_lft_port(const struct sfab_builder *b, uint32_t plane,
			      uint64_t guid, unsigned lid);

/*
 * Record that the source lists that table one entry per line, and the entry of @lid is in
 * @line.  Errors found at freeze then name the line of the entry.
 */
void sfab_builder_set_lft_line(struct sfab_builder *b, uint32_t plane,
			       uint64_t guid, unsigned lid, unsigned line);

/*
 * Share @lid at switch @guid over @n ports.  Shares are normalized to sum 1.  Many LIDs may
 * have the same group: it is stored once.
 */
int sfab_builder_add_group(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			   unsigned lid, const uint8_t *ports, const double *shares,
			   unsigned n, struct sfab_err *err);

/*
 * Check everything and make the fabric.  Ends of links must agree, LIDs must be unique in their
 * plane, table ports must exist, no table may loop, and every named host gets a role (SHARP
 * aggregation nodes are recognized by their description).  The builder is used up but must
 * still be destroyed.  O(size of the tables).
 */
struct sfab_fabric *sfab_builder_freeze(struct sfab_builder *b,
					struct sfab_err *err);

#endif
