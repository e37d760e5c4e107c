/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * osm_topology.h - what OpenSM knew after a sweep, and the fabric built from it
 *
 * osm_topology_take.c fills a topology while it holds OpenSM's lock: flat arrays, nothing
 * checked, nothing converted.  Everything else happens later, in our own thread.  This header
 * includes no OpenSM header.
 */
#ifndef SFAB_OPENSM_OSM_TOPOLOGY_H
#define SFAB_OPENSM_OSM_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/err.h"
#include "core/fabric/fabric.h"
#include "io/namemap.h"

struct sfab_topo_port {		/* a port with something on the other end */
	uint64_t guid;				/* port GUID */
	uint64_t to_guid;			/* node GUID of the other end */
	uint16_t lid;				/* base LID; 0 on a switch */
	uint8_t num, to_num;
	uint8_t lmc;
	uint8_t to_switch;			/* the other end is a switch */
	uint8_t is_up;				/* the link is active */
	uint8_t fdr10;				/* Mellanox FDR10 is active */
	uint8_t width, speed, extended_speed;	/* codes of PortInfo, see io/rate.h */
};

struct sfab_topo_node {
	uint64_t guid;
	size_t name;			/* offset in names */
	size_t lft;			/* offset in lft */
	uint32_t nlft;			/* entries for LIDs 0 .. nlft - 1; 0: none */
	uint32_t first_port, nlisted;	/* its range in port[] */
	uint16_t lid;			/* of a switch */
	uint8_t is_switch;
	uint8_t nports;
};

struct sfab_topology {
	uint64_t time_ms;		/* when it was copied; since the epoch */
	uint32_t locked_us;		/* how long OpenSM's lock was held */
	uint64_t sm_guid;		/* port GUID of the subnet manager */
	int has_errors;			/* the sweep had errors; parts may be missing */
	char engine[32];		/* engine that routed; "": unknown */
	char engines_asked[160];	/* engines that it was told to try; "": unknown */
	char source[64];		/* "OpenSM 3.3.23" */
	uint32_t nnodes, nports;
	size_t nlft, nnames;		/* bytes */
	struct sfab_topo_node *node;
	struct sfab_topo_port *port;
	uint8_t *lft;
	char *names;			/* NUL-terminated, one after the other */
	struct sfab_arena arena;	/* the four arrays */
};

/*
 * Create a topology with the counts of @counts and arrays for these.  The arrays are not
 * zeroed, but their pages are in memory, so that no page fault happens under OpenSM's lock.
 * NULL: no memory.
 */
struct sfab_topology *sfab_topology_create(const struct sfab_topology *counts);
void sfab_topology_destroy(struct sfab_topology *t);	/* NULL is fine */

struct osm_opensm;
/*
 * Copy nodes, links and tables under OpenSM's read lock (osm_topology_take.c).  The caller must
 * not hold it, and destroys the result.  Takes 9 to 23 ms for 5,184 hosts.  NULL: no memory.
 */
struct sfab_topology *sfab_topology_take(struct osm_opensm *osm);

/*
 * Build the fabric that `sfabric import` builds from OpenSM's dump files of this sweep.  @plane
 * names it, @map (NULL: none) names its nodes, and @past is as for sfab_builder_set_past().
 * NULL with *err.
 */
struct sfab_fabric *sfab_topology_fabric(const struct sfab_topology *t,
					 const char *plane,
					 const struct sfab_namemap *map,
					 const struct sfab_fabric *past,
					 struct sfab_err *err);

#endif
