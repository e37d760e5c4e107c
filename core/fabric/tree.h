/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.h - the fabric as a tree of groups of leaves, as in topology.conf
 *
 *   level 2        [        0        ]
 *   level 1        [   0   ] [   1   ]	leaves that meet one switch away
 *   level 0        [ 0 | 1 | 2 | 3   ]	each leaf alone
 *
 * Level h joins the leaves that reach each other over switches at most h links away from a leaf
 * with compute or IO hosts.  A level that joins nothing is left out.  Groups are numbered by
 * their lowest leaf.  Several groups at the top level are parts of the fabric that no switch
 * joins.
 */
#ifndef SFAB_TREE_H
#define SFAB_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/fabric/fabric.h"

struct sfab_tree {
	uint32_t nleaves;
	uint32_t nlevels;		/* at least 1 */
	uint32_t *ngroups;		/* by level */
	uint32_t *height;		/* by level: h of its switches */
	uint32_t *group;		/* [level * nleaves + leaf] */
	uint32_t *distance;		/* by switch: links to the nearest leaf with hosts,
					   SFAB_NONE: no such leaf is reachable */
	struct sfab_arena arena;	/* holds all arrays above */
};

/*
 * Find the levels of @f, to which no reference is kept.  NULL: out of memory.  O(levels x
 * links).
 */
struct sfab_tree *sfab_tree_create(const struct sfab_fabric *f);
void sfab_tree_destroy(struct sfab_tree *t);		/* NULL is fine */

static inline uint32_t sfab_tree_group(const struct sfab_tree *t,
				       uint32_t level, uint32_t leaf)
{
	return t->group[(size_t) level * t->nleaves + leaf];
}

/* Return the lowest level at which two leaves are in one group, or SFAB_NONE. */
uint32_t sfab_tree_meet(const struct sfab_tree *t, uint32_t a, uint32_t b);

#endif
