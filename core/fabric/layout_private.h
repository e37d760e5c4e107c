/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout_private.h - what layout.c and layout_grid.c share */
#ifndef SFAB_LAYOUT_PRIVATE_H
#define SFAB_LAYOUT_PRIVATE_H

#include "core/fabric/layout.h"

struct cabling {		/* switches of a plane, counted from its first */
	const struct sfab_fabric *f;
	uint32_t switch0, n;
	uint32_t *first;	/* [n + 1] into next */
	uint32_t *next;		/* neighbors, each once */
};

int sfab_cabling_joins(const struct cabling *g, uint32_t a, uint32_t b);

/* Order by name, then by GUID. */
int sfab_cabling_before(const struct cabling *g, uint32_t a, uint32_t b);

/* 1: the plane is a grid, and @out says so; 0: it is not; -1: out of memory. */
int sfab_layout_find_grid(const struct cabling *g, struct sfab_layout *out);

#endif
