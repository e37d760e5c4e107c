/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * route.h - follow the forwarding tables
 *
 * A route leads from a source end port, or from a leaf for all its sources at once, to a
 * destination LID.  Where a switch shares a LID over a group of ports, a route is a set of
 * links with shares.  Without groups it is a path and every share is 1.  SFAB_HOPS_MAX bounds
 * every walk: a loop is reported and never hangs.
 */
#ifndef SFAB_ROUTE_H
#define SFAB_ROUTE_H

#include <stdint.h>

#include "core/fabric/fabric.h"

enum sfab_route_status {
	SFAB_ROUTE_OK = 0,
	SFAB_ROUTE_NO_ENTRY,	/* table says no route (0xFF) */
	SFAB_ROUTE_DEAD_END,	/* port has no link, link is down, or wrong end port */
	SFAB_ROUTE_LOOP,
	SFAB_ROUTE_OTHER_PLANE,	/* source and destination are in no common subnet */
	SFAB_ROUTE_NO_PORT,	/* port has no LID or cable */
};

struct sfab_hop {
	uint32_t link;
	double share;		/* part of the flow, 0 < share <= 1 */
};

/* Reusable: zero it before the first use, sfab_route_clear() at the end. */
struct sfab_route {
	enum sfab_route_status status;
	uint32_t n;		/* links, by distance from the source */
	uint32_t cap;
	struct sfab_hop *hop;
	uint32_t at_switch;	/* if status is not OK: the switch where it ended */
	/* room for flows that split, 36 bytes per switch, from the first split on (route.c) */
	uint32_t nswitches;
	struct sfab_front *side[2];
	uint32_t *slot;
	struct sfab_arena mem;
};

/* Free the arrays of @r, which is then all zero. */
void sfab_route_clear(struct sfab_route *r);
/* Return a phrase for messages. */
const char *sfab_route_status_text(enum sfab_route_status status);

/*
 * Walk from switch @sw to end port @dst by its base LID: ISLs first, the eject link last.  Set
 * r->status.  -1 only if out of memory.
 */
int sfab_route_from(const struct sfab_fabric *f, uint32_t sw, uint32_t dst,
		    struct sfab_route *r);

/* Walk from end port to end port, inject link first. */
int sfab_route_ports(const struct sfab_fabric *f, uint32_t src, uint32_t dst,
		     struct sfab_route *r);

/*
 * Find a loop in the tables of @plane.  0: none.  1: *@lid is the lowest LID that loops and
 * *@sw a switch on the loop.  -1: out of memory.
 */
int sfab_route_find_loop(const struct sfab_fabric *f, uint32_t plane,
			 uint32_t *sw, uint32_t *lid);

/* A leaf whose hosts cannot reach an end port, and why. */
struct sfab_lost_pair {
	uint32_t leaf, port;
	enum sfab_route_status status;
};

/*
 * Find the pairs (leaf, end port) of a plane without a usable route.  Ports without LID or
 * cable do not count, nor does a port that is alone on its leaf toward itself.  Set *@n to the
 * number of pairs, and write the first @max of them to @pair (NULL if @max is 0).  -1: out of
 * memory.  O(switches x ports).
 */
int sfab_route_unreachable(const struct sfab_fabric *f, uint32_t plane,
			   uint64_t *n, struct sfab_lost_pair *pair,
			   uint32_t max);

/*
 * Count over all (source, destination) pairs of end ports, per link.  @routes uses base LIDs,
 * @dlids every LID.  A port is not its own destination.
 *   dlids[link]   destination LIDs that at least one source's route takes through
 *                 the link (what ibdmchk counts)
 *   routes[link]  source-destination pairs that cross it; a pair whose flow is
 *                 shared over a group counts by its share
 * @src, @dst: flags by end port id, NULL means all.  Ports without LID or leaf do not count
 * (SHARP nodes have no leaf).  Either output may be NULL; each has nlinks entries and is
 * overwritten.  *@pairs (may be NULL) is set to the number of routed pairs.  -1: out of memory.
 * O(leaves x destinations), never hosts squared.
 */
int sfab_route_counts(const struct sfab_fabric *f, const uint8_t *src,
		      const uint8_t *dst, uint32_t *dlids, double *routes,
		      uint64_t *pairs);

/*
 * Return one hop: the ports of @sw toward the LID of @entry.  A single port is returned as a
 * group of one.  A group without ports means that there is no route.
 */
static inline struct sfab_group sfab_route_look_up(const struct sfab_switch *sw, uint32_t entry)
{
	static const double whole = 1.0;
	uint16_t id = sw->lft_group ? sw->lft_group[entry] : 0;

	if (id)
		return sw->groups[id - 1];
	if (sw->has_lft && sw->lft[entry] != SFAB_PORT_NONE)
		return (struct sfab_group){ 1, &sw->lft[entry], &whole };
	return (struct sfab_group){ 0 };
}

/* Return the link out of @port if it exists and is up, else SFAB_NONE. */
static inline uint32_t sfab_route_out_link(const struct sfab_fabric *f,
					   const struct sfab_switch *sw, uint8_t port)
{
	uint32_t link = port <= sw->nports ? sw->out[port] : SFAB_NONE;

	return link != SFAB_NONE && f->links[link].up ? link : SFAB_NONE;
}

#endif
