/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout.h - rows of a torus, groups of a dragonfly: what cables alone tell
 *
 * In a torus two cables of a switch lie in different dimensions if they are sides of a
 * square, and in one row if they are not.  So coordinates follow from cables, whatever
 * the names and tables say.  In a dragonfly the switches of a group are all joined; in
 * a dragonfly+ its leaves and spines are, and spines join the groups.  A few cables may
 * be missing; with more, nothing is said.  A ring of 4 is the same graph as a
 * square, so names decide: if they follow each other around the ring, it is a dimension
 * of 4, else two of 2.
 *
 * Coordinates begin at 0 at the first switch by name and grow toward the neighbor with
 * the lower name; dimensions are in the order of these neighbors.  Groups begin at 1
 * and are numbered by their first switch.
 */
#ifndef SFAB_LAYOUT_H
#define SFAB_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "core/fabric/fabric.h"

#define SFAB_LAYOUT_DIMS 12u	/* a hypercube of 4,096 switches */

enum sfab_layout_kind {
	SFAB_LAYOUT_OTHER = 0,	/* a tree, or nothing that has rows or groups */
	SFAB_LAYOUT_GRID,	/* torus, mesh or hypercube */
	SFAB_LAYOUT_GROUPS,	/* dragonfly, dragonfly+ */
};

struct sfab_layout {		/* of one plane */
	enum sfab_layout_kind kind;
	uint32_t switch0, nswitches;
	uint32_t ndims;
	uint32_t size[SFAB_LAYOUT_DIMS];
	uint8_t is_ring[SFAB_LAYOUT_DIMS];	/* the last is joined to the first */
	uint8_t is_either;	/* names do not tell squares from rings of 4 */
	uint16_t (*at)[SFAB_LAYOUT_DIMS];	/* coordinates by switch - switch0 */
	uint32_t ngroups;
	uint8_t has_spines;		/* dragonfly+ */
	uint32_t *group;		/* by switch - switch0, from 1 */
};

/* 0; -1: out of memory.  O(links x ports of a switch). */
int sfab_layout_find(const struct sfab_fabric *f, uint32_t plane, struct sfab_layout *out);
void sfab_layout_clear(struct sfab_layout *l);

/*
 * "torus of 16 x 16", "hypercube of 2 x 2 x 2 x 2 or torus of 4 x 4" if either is
 * meant, "dragonfly of 33 groups"; where a link between switches of the
 * plane is: "+y of x=8 y=13", "from group 2 to group 5".  "" if that is not known.
 */
#define SFAB_LAYOUT_TEXT 96u
void sfab_layout_text(const struct sfab_layout *l, char text[SFAB_LAYOUT_TEXT]);
void sfab_layout_link_text(const struct sfab_layout *l, const struct sfab_fabric *f,
			   uint32_t link, char text[SFAB_LAYOUT_TEXT]);

/* Where a switch is: "3,5", "group 2"; "" if that is not known. */
void sfab_layout_switch_text(const struct sfab_layout *l, uint32_t sw,
			     char text[SFAB_LAYOUT_TEXT]);

/*
 * Number of the row or group of a switch: those of one stand together when switches are
 * in the order of sfab_layout_cmp(), by coordinates or groups.
 */
uint32_t sfab_layout_band(const struct sfab_layout *l, uint32_t sw);
int sfab_layout_cmp(const struct sfab_layout *l, uint32_t a, uint32_t b);

#endif
