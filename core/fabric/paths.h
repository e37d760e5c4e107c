/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.h - every path from a leaf to an end port, walked once
 *
 * A row per end port and leaf of the same plane holds the switch-to-switch
 * links in order, SFAB_PATH_END after the last; the eject link is the port's
 * own.  These links have the lowest ids, so that two bytes do for most fabrics.
 * Where they do not, where there are port groups, or where the table would have
 * more than SFAB_PATHS_MAX bytes, there are no paths and routes are walked
 * (route.h).  Memory: leaves x ports x longest path x 2 bytes a plane.
 */
#ifndef SFAB_PATHS_H
#define SFAB_PATHS_H

#include <stddef.h>
#include <stdint.h>

#include "core/fabric/fabric.h"

#define SFAB_PATH_END	0xFFFFu
#define SFAB_PATH_LOST	0xFFFEu	/* first entry: there is no route */
#define SFAB_PATHS_MAX	(100u << 20)	/* slurmctld may have two tables */

struct sfab_paths {
	uint32_t width;		/* entries a row */
	uint16_t *link;
	size_t *port_at;	/* by end port: where its rows begin */
	uint32_t *leaf_at;	/* by leaf: where among them its row is */
};

/* 0 and *@out set (NULL: no paths); -1: no memory. */
int sfab_paths_create(const struct sfab_fabric *f, struct sfab_paths **out);
void sfab_paths_destroy(struct sfab_paths *p);		/* NULL is fine */

/* @leaf and @port must be of one plane, @port on a leaf. */
static inline const uint16_t *sfab_path(const struct sfab_paths *p,
					uint32_t leaf, uint32_t port)
{
	return p->link + p->port_at[port] + p->leaf_at[leaf];
}

#endif
