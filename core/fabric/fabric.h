/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fabric.h - switches, end ports, links and forwarding tables of the subnets
 * that a cluster uses
 *
 *     host --has--> end port --inject link--> switch --isl--> switch ...
 *                        ^-----eject link------- leaf
 *
 * A fabric is made by a builder (builder.h), checked once and never changed:
 * everything here is const, may be shared between threads without a lock and
 * lives until sfab_fabric_destroy().  All ids are dense uint32_t, valid for
 * one fabric only; SFAB_NONE means "none".  GUIDs and LIDs are host-endian.
 *
 * Order (it decides ties everywhere, so that the same fabric gives the same
 * answer whatever file it came from):
 *   planes    as they were given
 *   switches  by plane, then GUID
 *   hosts     by name, numbers inside a name compared as numbers
 *   ports     by host, then plane, then port GUID
 *   links     by switch and port number (ISL and eject), then inject links by
 *             end port
 *   leaves    by switch
 *
 * A host that forwards for others is a switch with an end port on it, its own
 * forwarding capacity a link between two such switches (builder.h says how).
 */
#ifndef SFAB_FABRIC_H
#define SFAB_FABRIC_H

#include <stdint.h>

#include "core/err.h"

#define SFAB_NONE UINT32_MAX
#define SFAB_LID_MAX 0xBFFF	/* last unicast LID (IBA 1.4, 4.1.3) */
#define SFAB_PORT_NONE 0xFF	/* LFT entry: no route (IBA 1.4, 14.2.5.11) */
#define SFAB_SWITCH_PORTS_MAX 254
#define SFAB_HOPS_MAX 64	/* longer than any route; more is a loop */

/*
 * What any link, forwarding host or IO server can carry, bytes/s: no quotient
 * of a load and a capacity leaves the range of a float.
 */
#define SFAB_CAPACITY_MIN 1e6
#define SFAB_CAPACITY_MAX 1e15
#define SFAB_CAPACITY_EXPECTED "0.001 to 1e+06 GB/s"

static inline int sfab_is_capacity(double x)	/* NaN is none */
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
	const char *name;	/* subnet name; "" if nobody gave one */
	uint64_t sm_guid;	/* 0: unknown */
	const char *engine;	/* routing engine that OpenSM really used, "" unknown */
	const char *asked;	/* engines it was asked to try, "" unknown */
	uint32_t nlids;		/* LIDs 0..nlids-1 have an entry below */
	const uint32_t *lid_port;	/* end port that owns a LID, or SFAB_NONE */
	const uint32_t *lid_switch;	/* switch that owns a LID, or SFAB_NONE */
	uint32_t switch0, nswitches;	/* its switches are consecutive */
};

/* Ports that share the packets to a LID: adaptive routing, bonding. */
struct sfab_group {
	uint32_t nports;
	const uint8_t *port;
	const double *share;	/* positive, sums to 1 */
};

struct sfab_switch {
	uint64_t guid;		/* node GUID */
	const char *name;	/* description, through the node-name map */
	uint32_t plane;
	uint32_t leaf;		/* leaf id, or SFAB_NONE for a spine */
	uint16_t lid;		/* 0: none */
	uint8_t nports;		/* ports 1..nports */
	uint8_t has_lft;	/* 0: nothing is known of its table */
	const uint32_t *out;	/* out[p], p = 1..nports: link, or SFAB_NONE */
	const uint8_t *lft;	/* lft[lid], lid < plane's nlids: out port */
	const uint16_t *lft_group;	/* NULL, or group id + 1 by LID; 0: use lft */
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
	const char *desc;	/* description as given, mapped */
	uint32_t host, plane;
	uint32_t sw;		/* leaf switch, or SFAB_NONE: not cabled */
	uint32_t leaf;		/* its leaf id, SFAB_NONE: not cabled, or SHARP */
	uint32_t inject, eject;	/* links, or SFAB_NONE */
	uint16_t lid;		/* base LID, 0: none */
	uint8_t lmc;		/* owns lid .. lid + 2^lmc - 1 */
	uint8_t num;		/* port number on its node */
	uint8_t sw_port;	/* port number on its leaf switch */
	double rate;		/* bytes/s of the inject link */
};

struct sfab_link {		/* one direction of a cable */
	uint32_t from;		/* switch; end port if INJECT */
	uint32_t to;		/* switch; end port if EJECT */
	uint8_t from_port, to_port;	/* numbers on either node */
	uint8_t kind;		/* enum sfab_link_kind */
	uint8_t up;		/* 0: cabled but down; carries nothing */
	double capacity;	/* bytes/s of data, after encoding */
};

struct sfab_leaf {
	uint32_t sw;
	uint32_t nports;
	const uint32_t *port;	/* end ports in order of the switch's port */
};

struct sfab_fabric {
	uint32_t nplanes, nswitches, nhosts, nports, nlinks, nleaves;
	uint32_t nrails;	/* most end ports that a host has in this fabric */
	uint8_t adaptive;	/* 1: switches choose ports by load */
	uint64_t time;		/* seconds since 1970 when it was read, 0: unknown */
	const char *source;	/* what it was made from: "opensm-lfts.dump ..." */
	const struct sfab_plane *planes;
	const struct sfab_switch *switches;
	const struct sfab_host *hosts;
	const struct sfab_port *ports;
	const struct sfab_link *links;
	const struct sfab_leaf *leaves;
	void *mem;		/* private: fabric_private.h */
};

void sfab_fabric_destroy(struct sfab_fabric *f);	/* NULL is fine */

/*
 * What a site says of a host.  Only by who owns @f, and before anything was
 * made of it.  The nodes inside switches (SHARP) stay what they are.
 */
void sfab_fabric_set_role(struct sfab_fabric *f, uint32_t host,
			  enum sfab_host_role role);

/* Host with exactly this name, or SFAB_NONE.  O(log hosts). */
uint32_t sfab_fabric_host(const struct sfab_fabric *f, const char *name);

/* Switch by node GUID / end port by port GUID, or SFAB_NONE.  O(n). */
uint32_t sfab_fabric_switch_by_guid(const struct sfab_fabric *f, uint64_t guid);
uint32_t sfab_fabric_port_by_guid(const struct sfab_fabric *f, uint64_t guid);

/* Has it hosts?  An aggregation node (SHARP) is no host.  A spine has none. */
static inline int sfab_switch_is_leaf(const struct sfab_fabric *f, uint32_t sw)
{
	return f->switches[sw].leaf != SFAB_NONE;
}

/* "0x0002c90300100001": what a host is called that nobody named. */
#define SFAB_GUID_NAME_SIZE 19
char *sfab_guid_name(uint64_t guid, char buf[SFAB_GUID_NAME_SIZE]);

/*
 * Hosts that are named by the GUID of their node: the description is blank, the
 * factory's, or that of several nodes.  SHARP nodes are not counted.  *@one (may be
 * NULL): the first, or SFAB_NONE.  O(hosts).
 */
uint32_t sfab_fabric_nameless(const struct sfab_fabric *f, uint32_t *one);

/*
 * 1 if another engine routed than the first of those that were asked for
 * (OpenSM goes to the next, at last to min-hop, without a word); 0 also if
 * either is not known.
 */
int sfab_plane_fell_back(const struct sfab_plane *p);

/*
 * Is the port cabled to a leaf, both ways (up or down)?  A port that is not
 * carries nothing, and no index may be taken from it.
 */
static inline int sfab_port_is_cabled(const struct sfab_port *p)
{
	return p->leaf != SFAB_NONE && p->inject != SFAB_NONE &&
	       p->eject != SFAB_NONE;
}

/* How many ports of a host are. */
uint32_t sfab_host_cabled(const struct sfab_fabric *f, uint32_t host);

/* Leaf of a host's first cabled port: what placement calls "its leaf". */
uint32_t sfab_host_leaf(const struct sfab_fabric *f, uint32_t host);

/* "isl", "eject", "inject"; "compute", "io", "sharp", "other". */
const char *sfab_link_kind_name(enum sfab_link_kind kind);
const char *sfab_host_role_name(enum sfab_host_role role);

/*
 * Name of what a link starts from and leads to: the switch's name, or the
 * host's name for an end port.  Borrowed.
 */
const char *sfab_link_from_name(const struct sfab_fabric *f, uint32_t link);
const char *sfab_link_to_name(const struct sfab_fabric *f, uint32_t link);
/* Node GUID at either end. */
uint64_t sfab_link_from_guid(const struct sfab_fabric *f, uint32_t link);
uint64_t sfab_link_to_guid(const struct sfab_fabric *f, uint32_t link);

/*
 * <0, 0, >0: order of names in which c2 comes before c10.  Total: names that
 * differ only in leading zeros are ordered by strcmp.
 */
int sfab_name_cmp(const char *a, const char *b);

#endif
