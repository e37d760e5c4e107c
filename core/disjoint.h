/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disjoint.h - connected components of a graph by union-find, in an array of parents
 *
 * Begin with @parent[i] = i.  The root of a component is its lowest element, so the answer does
 * not depend on the order in which components were joined.
 */
#ifndef SFAB_DISJOINT_H
#define SFAB_DISJOINT_H

#include <stdint.h>

/* Return the root of the component of @i.  Halve the path, which keeps later calls short. */
static inline uint32_t sfab_disjoint_root(uint32_t *parent, uint32_t i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

static inline void sfab_disjoint_join(uint32_t *parent, uint32_t i, uint32_t k)
{
	uint32_t a = sfab_disjoint_root(parent, i);
	uint32_t b = sfab_disjoint_root(parent, k);

	parent[a > b ? a : b] = a > b ? b : a;
}

#endif
