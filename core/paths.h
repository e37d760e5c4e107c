/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.h - every path from a leaf to an end port, walked once
 *
 * A row per leaf and end port of the same plane holds the switch-to-switch
 * links in order, SFAB_NONE after the last; the eject link is the port's own.
 * Only fabrics without port groups have paths; others are walked
 * (route.h).  Memory: leaves x ports x longest path x 4 bytes a plane.
 */
#ifndef SFAB_PATHS_H
#define SFAB_PATHS_H

#include <stddef.h>
#include <stdint.h>

#include "fabric.h"

#define SFAB_PATH_LOST (SFAB_NONE - 1)	/* first entry: there is no route */

struct sfab_paths {
	uint32_t width;		/* entries a row */
	uint32_t *link;
	size_t *leaf_at;	/* by leaf: where its rows begin */
	uint32_t *column;	/* by end port: its place in a leaf's rows */
};

/* 0 and *@out set (NULL if the fabric has port groups); -1: no memory. */
int sfab_paths_create(const struct sfab_fabric *f, struct sfab_paths **out);
void sfab_paths_destroy(struct sfab_paths *p);		/* NULL is fine */

/* @leaf and @port must be of one plane, @port on a leaf. */
static inline const uint32_t *sfab_path(const struct sfab_paths *p,
					uint32_t leaf, uint32_t port)
{
	return p->link + p->leaf_at[leaf] + (size_t) p->column[port] * p->width;
}

#endif
