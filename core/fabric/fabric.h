/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fabric.h - switches, end ports, links and forwarding tables of the subnets that a cluster
 * uses
 *
 *    host --has--> end port --inject link--> switch --isl--> switch ...
 *                       ^-----eject link------- leaf
 *
 * A builder (builder.h) makes and checks a fabric once; after that it never changes.
 * Everything here is const, may be shared between threads without a lock, and lives until
 * sfab_fabric_destroy().  All ids are dense uint32_t and valid for one fabric only; SFAB_NONE
 * means "none".  GUIDs and LIDs are host-endian.
 *
 * LIDs have up to 24 bits and may be far apart.  The LIDs of a plane that some port or switch
 * owns are numbered from 0 in ascending order; such a number is an entry, since tables have one
 * of each:
 *
 *     LID      1      2      5      6  0x40001
 *     entry    0      1      2      3        4    lft[entry]: the port
 *
 * Order (it breaks ties everywhere, so the same fabric gives the same answer whatever file it
 * came from):
 *   planes    in the order given
 *   switches  by plane, then GUID
 *   hosts     by name, numbers inside a name compared as numbers
 *   ports     by host, then plane, then port GUID
 *   links     by switch and port number (ISL and eject), then inject links by
 *             end port
 *   leaves    by switch
 *
 * A host that forwards for others is a switch with an end port on it.  Its forwarding capacity
 * is a link between two such switches (see builder.h).
 */
#ifndef SFAB_FABRIC_H
#define SFAB_FABRIC_H

#include <stdint.h>

#include "core/arena.h"
#include "core/err.h"

#define SFAB_NONE UINT32_MAX
#define SFAB_IB_LID_MAX 0xBFFF	/* last unicast LID of InfiniBand (IBA 1.4, 4.1.3) */
#define SFAB_LID_MAX 0xEFFFFF	/* last unicast LID of 24 bits: Omni-Path's multicast
				   LIDs begin at 0xF00000 */
#define SFAB_LIDS_MAX (1u << 22)	/* LIDs that exist in all planes */
#define SFAB_PORT_NONE 0xFF	/* LFT entry: no route (IBA 1.4, 14.2.5.11) */
#define SFAB_SWITCH_PORTS_MAX 254
#define SFAB_HOPS_MAX 64	/* longer than any real route; a longer walk is a loop */
#define SFAB_GB 1e9		/* bytes in the GB of "GB/s" */

/*
 * Limits for the capacity of a link, forwarding host or IO server, bytes/s.  Within them every
 * load / capacity fits in a float.
 */
#define SFAB_CAPACITY_MIN 1e6
#define SFAB_CAPACITY_MAX 1e15
#define SFAB_CAPACITY_EXPECTED "0.001 to 1e+06 GB/s"

static inline int sfab_fabric_is_capacity(double x)	/* NaN fails */
{
	return x >= SFAB_CAPACITY_MIN && x <= SFAB_CAPACITY_MAX;
}

enum sfab_link_kind {
	SFAB_LINK_ISL,		/* switch to switch */
	SFAB_LINK_EJECT,	/* leaf switch to end port */
	SFAB_LINK_INJECT,	/* end port to leaf switch */
};

enum sfab_host_role {
	SFAB_HOST_COMPUTE,
	SFAB_HOST_IO,		/* has a port in some IO set */
	SFAB_HOST_SHARP,	/* aggregation node inside a switch */
	SFAB_HOST_OTHER,	/* SM hosts, routers: never a node of a job */
};

struct sfab_plane {
	const char *name;		/* subnet name; "" if not given */
	uint64_t sm_guid;		/* 0: unknown */
	const char *engine;		/* routing engine that OpenSM actually used, "" unknown */
	const char *asked;		/* engines it was configured to try, "" unknown */
	uint32_t lid_end;		/* the greatest LID + 1; 1: no LID */
	uint32_t nlids;			/* LIDs that exist: entries 0..nlids-1 */
	const uint32_t *lid;		/* by entry, ascending: the LID */
	const uint32_t *lid_port;	/* by entry: end port that owns it, or SFAB_NONE */
	const uint32_t *lid_switch;	/* by entry: switch that owns it, or SFAB_NONE */
	uint32_t switch0, nswitches;	/* its switches are consecutive */
};

/*
 * Do switches choose a port for each packet?  UNKNOWN: some do, and the source does not say
 * among which ports; the tables then do not tell where traffic goes.
 */
enum sfab_adaptive {
	SFAB_ADAPTIVE_NO,
	SFAB_ADAPTIVE_GROUPS,	/* among the ports of known groups */
	SFAB_ADAPTIVE_UNKNOWN,
};

/* Ports that share the packets to one LID: adaptive routing or bonding. */
struct sfab_group {
	uint32_t nports;
	const uint8_t *port;
	const double *share;	/* positive, sums to 1 */
};

struct sfab_switch {
	uint64_t guid;			/* node GUID */
	const char *name;		/* description after the node-name map */
	uint32_t plane;
	uint32_t leaf;			/* leaf id, or SFAB_NONE for a spine */
	uint32_t lid;			/* 0: none */
	uint8_t nports;			/* ports 1..nports */
	uint8_t has_lft;		/* 0: its table is not known */
	const uint32_t *out;		/* out[p], p = 1..nports: link, or SFAB_NONE */
	const uint8_t *lft;		/* by entry of the plane: out port */
	const uint16_t *lft_group;	/* NULL, or group id + 1 by entry; 0: use lft */
	uint32_t ngroups;
	const struct sfab_group *groups;
};

struct sfab_host {
	const char *name;	/* first word of the description */
	enum sfab_host_role role;
	uint32_t port0, nports;	/* its end ports are consecutive */
};

struct sfab_port {		/* an end port */
	uint64_t guid;		/* port GUID */
	uint64_t node_guid;
	const char *desc;	/* description as given, after the node-name map */
	uint32_t host, plane;
	uint32_t sw;		/* leaf switch, SFAB_NONE: not cabled */
	uint32_t leaf;		/* its leaf id, SFAB_NONE: not cabled or SHARP */
	uint32_t inject, eject;	/* links, or SFAB_NONE */
	uint32_t lid;		/* base LID, 0: none */
	uint32_t entry;		/* of lid; those of lid + 1 ... follow it */
	uint8_t lmc;		/* owns lid .. lid + 2^lmc - 1 */
	uint8_t num;		/* port number on its node */
	uint8_t sw_port;	/* port number on its leaf switch */
	double rate;		/* bytes/s of the inject link */
};

struct sfab_link {		/* one direction of a cable */
	uint32_t from;			/* switch; end port if INJECT */
	uint32_t to;			/* switch; end port if EJECT */
	uint8_t from_port, to_port;	/* port numbers on the two nodes */
	uint8_t kind;			/* enum sfab_link_kind */
	uint8_t up;			/* 0: cabled but down; carries nothing */
	double capacity;		/* bytes/s of data, after encoding */
};

struct sfab_leaf {
	uint32_t sw;
	uint32_t nports;
	const uint32_t *port;	/* end ports by port number of the switch */
};

struct sfab_fabric {
	uint32_t nplanes, nswitches, nhosts, nports, nlinks, nleaves;
	uint32_t nrails;	/* highest number of end ports on one host */
	uint8_t adaptive;	/* enum sfab_adaptive */
	uint64_t time;		/* when it was read, seconds since 1970; 0: unknown */
	const char *source;	/* its input files: "opensm-lfts.dump ..." */
	const struct sfab_plane *planes;
	const struct sfab_switch *switches;
	const struct sfab_host *hosts;
	const struct sfab_port *ports;
	const struct sfab_link *links;
	const struct sfab_leaf *leaves;
	struct sfab_arena mem;	/* private: holds all arrays and texts */
};

void sfab_fabric_destroy(struct sfab_fabric *f);	/* NULL is fine */

/*
 * Set the role that the site gives a host.  Only the owner of @f may call this, and only before
 * anything is derived from @f.  The nodes inside switches (SHARP) keep their role.
 */
void sfab_fabric_set_role(struct sfab_fabric *f, uint32_t host,
			  enum sfab_host_role role);

/*
 * Record that the switches do not adapt, as the site says: SFAB_ADAPTIVE_UNKNOWN becomes
 * SFAB_ADAPTIVE_NO.  Groups that a source named stay.  Who may call it, and when: see
 * sfab_fabric_set_role().
 */
void sfab_fabric_set_static(struct sfab_fabric *f);

/* Return the host with exactly this name, or SFAB_NONE.  O(log hosts). */
uint32_t sfab_fabric_host(const struct sfab_fabric *f, const char *name);

/* Return the entry of @lid in the tables of @p, or SFAB_NONE: nobody owns it.  O(log LIDs). */
uint32_t sfab_plane_entry(const struct sfab_plane *p, uint32_t lid);

/*
 * Count the entries from @entry on whose LIDs follow each other without a gap.  0: the end.
 * O(their number), or O(1) if there is no gap at all.
 */
uint32_t sfab_plane_run(const struct sfab_plane *p, uint32_t entry);

/* Return the end port with this port GUID, or SFAB_NONE.  O(n). */
uint32_t sfab_fabric_port_by_guid(const struct sfab_fabric *f, uint64_t guid);

/* Does the switch have hosts (a leaf)?  One without is a spine.  SHARP nodes do not count. */
static inline int sfab_switch_is_leaf(const struct sfab_fabric *f, uint32_t sw)
{
	return f->switches[sw].leaf != SFAB_NONE;
}

/* Write the name of a host that has no other, "0x0002c90300100001", to @buf.  Return @buf. */
#define SFAB_GUID_NAME_SIZE 19
char *sfab_fabric_guid_name(uint64_t guid, char buf[SFAB_GUID_NAME_SIZE]);

/*
 * Count the hosts named by the GUID of their node, because their description is blank, the
 * factory default, or shared by several nodes.  SHARP nodes do not count.  Set *@first (may be
 * NULL) to the first, or to SFAB_NONE.  O(hosts).
 */
uint32_t sfab_fabric_nameless(const struct sfab_fabric *f, uint32_t *first);

/*
 * Did another engine route than the first one requested?  OpenSM silently falls back to the
 * next, and at the end of the list to min-hop.  0 also if either is not known.
 */
int sfab_plane_fell_back(const struct sfab_plane *p);
/*
 * Is @text a list of names of routing engines, or empty?  They are letters, digits, "_" and "-"
 * between commas or blanks.  These names are written to opensm.conf.
 */
int sfab_plane_engines_are_names(const char *text);
/* Return the position, from 1, of the engine that routed among those requested.  0: it is none. */
uint32_t sfab_plane_asked_for(const struct sfab_plane *p);

/*
 * Is the port cabled to a leaf in both directions (up or down)?  Any other port carries
 * nothing, and its ids must not be used as an index.
 */
static inline int sfab_port_is_cabled(const struct sfab_port *p)
{
	return p->leaf != SFAB_NONE && p->inject != SFAB_NONE &&
	       p->eject != SFAB_NONE;
}

/* Count the cabled ports of a host. */
uint32_t sfab_host_cabled(const struct sfab_fabric *f, uint32_t host);

/* Return the leaf of a host's first cabled port, the one that placement uses, or SFAB_NONE. */
uint32_t sfab_host_leaf(const struct sfab_fabric *f, uint32_t host);

/* Return "isl", "eject" or "inject", and "compute", "io", "sharp" or "other". */
const char *sfab_link_kind_name(enum sfab_link_kind kind);
const char *sfab_host_role_name(enum sfab_host_role role);

/*
 * Return the name of the node at either end of a link, borrowed: that of the switch, or of the
 * host for an end port.
 */
const char *sfab_link_from_name(const struct sfab_fabric *f, uint32_t link);
const char *sfab_link_to_name(const struct sfab_fabric *f, uint32_t link);
/* Return the GUID of the node at that end of the link. */
uint64_t sfab_link_from_guid(const struct sfab_fabric *f, uint32_t link);
uint64_t sfab_link_to_guid(const struct sfab_fabric *f, uint32_t link);
/* Return the plane of the node where the link begins.  Both ends are in the same plane. */
uint32_t sfab_link_plane(const struct sfab_fabric *f, uint32_t link);

/*
 * Compare names in natural order, c2 before c10: <0, 0, >0.  The order is total, since strcmp
 * decides between names that differ only in leading zeros.
 */
int sfab_fabric_name_cmp(const char *a, const char *b);

#endif
