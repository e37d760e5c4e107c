/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builder.h - collect what readers find, check it, freeze it into a fabric
 *
 * Nodes are named by (plane, node GUID), so that a reader of tables and a
 * reader of topology need not know of each other, in any order of calls.
 * Each call is remembered with the place set by sfab_builder_at(), and every
 * error text, also those found at freeze, begins with it: "FILE:LINE: ".
 *
 * A host that forwards (a ring without switches, sfabric-routes(5)) is given as
 * two switches, "in" and "out", joined by a directed link whose capacity is the
 * host's forwarding rate; its end port injects into "out" and is ejected from
 * "in".  A bonded host's "out" switch then has a port group towards each LID.
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
	SFAB_BUILD_UNROUTED = 3,	/* all of them may: cables alone */
};

struct sfab_builder *sfab_builder_create(unsigned flags);	/* NULL: memory */
void sfab_builder_destroy(struct sfab_builder *b);		/* NULL is fine */

/* Is it to have tables? */
int sfab_builder_wants_tables(const struct sfab_builder *b);

/* Where the following calls come from; @file is copied.  NULL: nowhere. */
void sfab_builder_at(struct sfab_builder *b, const char *file, unsigned line);

/* Add a plane; returns its id (0, 1, ...) or -1. */
int sfab_builder_plane(struct sfab_builder *b, const char *name,
		       struct sfab_err *err);
void sfab_builder_engine(struct sfab_builder *b, uint32_t plane,
			 const char *engine);
/* What the subnet manager was configured to try, e.g. "ftree,updn". */
void sfab_builder_asked(struct sfab_builder *b, uint32_t plane,
			const char *engines);
void sfab_builder_sm(struct sfab_builder *b, uint32_t plane, uint64_t guid);
void sfab_builder_source(struct sfab_builder *b, const char *text);
void sfab_builder_time(struct sfab_builder *b, uint64_t seconds);
/*
 * Adaptive routing was seen: shares of groups are a guess.  Bonded ports have
 * groups too, but theirs are known.
 */
void sfab_builder_adaptive(struct sfab_builder *b);

/*
 * A switch.  Giving the same (plane, guid) again with the same facts is fine
 * (a second file of the same fabric); with others it is SFAB_EFORMAT,
 * "duplicate GUID".  @lid 0: not known (yet); a later call may tell.
 */
int sfab_builder_switch(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			const char *name, unsigned nports, unsigned lid,
			struct sfab_err *err);

/*
 * Enhanced port 0 of a switch, given before, has 2^@lmc LIDs.  Entries for them
 * are known, but no table keeps those behind the first: nothing is sent there.
 * Where nobody tells, freeze finds out as for end ports.
 */
void sfab_builder_switch_lmc(struct sfab_builder *b, uint32_t plane,
			     uint64_t guid, unsigned lmc);

/* Ports of a switch that was given: 0 with *@nports, or -1. */
int sfab_builder_switch_ports(const struct sfab_builder *b, uint32_t plane,
			      uint64_t guid, uint32_t *nports);

/*
 * The source of an end port does not tell its LMC.  Freeze then takes the
 * highest LMC of 0..7 that all such ports of the plane can have: base LIDs are
 * aligned to it and the LIDs behind each have routes and no other owner.
 */
#define SFAB_LMC_UNKNOWN 8

/*
 * An end port.  @host NULL: the first word of @desc, which then must not be
 * empty (SFAB_EFORMAT "host without a name").  Descriptions are already
 * mapped.  Ports with the same host name form one host.  Where several nodes of a
 * plane have one description of two words or more ("c001 HCA-1"), or more than 16
 * one of a single word, each is a host of its own, named by its GUID.
 */
int sfab_builder_port(struct sfab_builder *b, uint32_t plane,
		      uint64_t node_guid, unsigned num, uint64_t port_guid,
		      const char *desc, const char *host, unsigned lid,
		      unsigned lmc, struct sfab_err *err);

/* The end port, given before, is one of a router: its host runs no jobs. */
void sfab_builder_router(struct sfab_builder *b, uint32_t plane,
			 uint64_t node_guid, unsigned num);

/*
 * The link that leaves (@guid, @num); node GUIDs at both ends.  @capacity in
 * bytes/s (sfab_is_capacity(); 0 is SFAB_EFORMAT "rate not known").  The opposite
 * direction is a call of its own: freeze refuses a "one-way link" and ends that
 * disagree.
 */
int sfab_builder_link(struct sfab_builder *b, uint32_t plane, uint64_t guid,
		      unsigned num, uint64_t to_guid, unsigned to_num,
		      double capacity, int up, struct sfab_err *err);

/* The same, up, and there need be no opposite direction. */
int sfab_builder_link_directed(struct sfab_builder *b, uint32_t plane,
			       uint64_t guid, unsigned num, uint64_t to_guid,
			       unsigned to_num, double capacity,
			       struct sfab_err *err);

/*
 * Table entries of a switch for LIDs @lid0 .. @lid0 + @n - 1.  SFAB_PORT_NONE
 * is "no route", 0 the switch itself.  Entries for LIDs that nobody owns make
 * freeze fail with "unknown LID" unless sfab_builder_forget_unknown() was
 * called: a live table may keep LIDs of hosts that left.  Ports are checked
 * against the switch's port count at freeze.  Entries may be given again; the
 * last call counts, but if both come from files (sfab_builder_at()) and lead to
 * different ports it is SFAB_EFORMAT, "two tables".
 */
int sfab_builder_lft(struct sfab_builder *b, uint32_t plane, uint64_t guid,
		     unsigned lid0, const uint8_t *ports, unsigned n,
		     struct sfab_err *err);
void sfab_builder_forget_unknown(struct sfab_builder *b);

/*
 * The entries of that table stand one a line, the one of @lid in @line: errors
 * found at freeze then name the line of the entry.
 */
void sfab_builder_lft_lines(struct sfab_builder *b, uint32_t plane,
			    uint64_t guid, unsigned lid, unsigned line);

/*
 * Share @lid at switch @guid over @n ports; shares are normalised to sum 1.
 * Many LIDs may have the same group: it is kept once.
 */
int sfab_builder_group(struct sfab_builder *b, uint32_t plane, uint64_t guid,
		       unsigned lid, const uint8_t *ports, const double *shares,
		       unsigned n, struct sfab_err *err);

/*
 * Check everything and make the fabric: ends of links agree, LIDs are unique
 * in their plane, table ports exist, no table loops, every named host has a
 * role (SHARP aggregation nodes are recognised by their description).  The
 * builder is used up but must still be destroyed.  O(size of the tables).
 */
struct sfab_fabric *sfab_builder_freeze(struct sfab_builder *b,
					struct sfab_err *err);

#endif
