/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lid_walk.h - from many switches to one LID: each switch is visited once
 *
 * The table entries for one LID form a tree with the destination as its root (with port groups,
 * an acyclic graph).  It is walked depth first from every switch that the caller asks about,
 * but no switch is visited twice.  A switch is recorded after all switches between it and the
 * destination:
 *
 *      leaf 3 --\
 *      leaf 2 --->- spine ---> leaf 1 ---> port       recorded: leaf 1, spine,
 *                                                      leaf 2, leaf 3
 */
#ifndef SFAB_LID_WALK_H
#define SFAB_LID_WALK_H

#include "core/arena.h"
#include "core/fabric/fabric.h"

struct sfab_lid_visit {		/* a switch, for the current LID */
	uint32_t serial;	/* not the current one: not visited */
	uint8_t on_stack;
	uint8_t arrives;	/* all routes from here end at the destination */
	uint8_t hops;		/* switches on the longest of them */
	double sources;		/* starts at 0; the caller may sum traffic here */
};

struct sfab_lid_walk {
	const struct sfab_fabric *f;
	uint32_t entry;			/* of the LID */
	uint32_t to;			/* end port that owns the LID, or SFAB_NONE: a switch
					   does */
	uint32_t serial;
	uint32_t loop;			/* a switch on the first loop found, or SFAB_NONE */
	struct sfab_lid_visit *visit;	/* by switch */
	uint32_t *order, norder;	/* switches as they were recorded */
	struct sfab_lid_frame *stack;
};

/* Open a walk, with its arrays in @arena, which has failed if there is no memory. */
struct sfab_lid_walk sfab_lid_walk_open(const struct sfab_fabric *f, struct sfab_arena *arena);

/* Make the LID at @entry, which end port @to owns, the destination of the walks that follow. */
void sfab_lid_walk_to(struct sfab_lid_walk *w, uint32_t entry, uint32_t to);

/* Walk from @sw, unless it has been visited.  Return its visit, borrowed. */
struct sfab_lid_visit *sfab_lid_walk_from(struct sfab_lid_walk *w, uint32_t sw);

#endif
