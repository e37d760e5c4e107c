/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.h - every path from a leaf to an end port, walked once
 *
 * There is one row per end port and leaf of the same plane.  It holds the switch-to-switch
 * links in order, then SFAB_PATH_END.  The eject link is not stored; it is the port's own.
 * Switch-to-switch links have the lowest ids, so in most fabrics two bytes are enough.  If they
 * are not, or if there are port groups, or if the table would exceed SFAB_PATHS_MAX bytes,
 * there are no paths and routes are walked (route.h).  Memory per plane: leaves x ports x
 * longest path x 2 bytes.
 */
#ifndef SFAB_PATHS_H
#define SFAB_PATHS_H

#include <stddef.h>
#include <stdint.h>

#include "core/fabric/fabric.h"

#define SFAB_PATH_END	0xFFFFu
#define SFAB_PATH_LOST	0xFFFEu	/* first entry: there is no route */
#define SFAB_PATHS_MAX	(100u << 20)	/* bytes; slurmctld may hold two tables */

struct sfab_paths {
	uint32_t width;		/* entries per row */
	uint16_t *link;
	size_t *port_at;	/* by end port: start of its rows */
	uint32_t *leaf_at;	/* by leaf: offset of its row within them */
};

/* Make the table and set *@out, in @arena, or to NULL: there are no paths.  -1: out of memory. */
int sfab_paths_make(const struct sfab_fabric *f, struct sfab_arena *arena,
		    struct sfab_paths **out);

/* Return the row of @leaf and @port, which must be in the same plane, and @port on a leaf. */
static inline const uint16_t *sfab_path(const struct sfab_paths *p,
					uint32_t leaf, uint32_t port)
{
	return p->link + p->port_at[port] + p->leaf_at[leaf];
}

#endif
