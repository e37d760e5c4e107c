/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * made.h - small fabrics for unit tests
 *
 * Leaf l has GUID 0x100 + l, spine s 0x200 + s, host h (from 1) node GUID
 * 0x1000 + 16 h with port GUIDs 1, 2, ... after it.  Hosts hang on leaf ports
 * 1.., spine s on leaf port hosts + 1 + s.  A leaf sends LID x up to spine
 * (x % spines), which is d-mod-k on consecutive LIDs.
 */
#ifndef SFAB_TEST_MADE_H
#define SFAB_TEST_MADE_H

#include "core/builder.h"
#include "core/fabric.h"

#define MADE_CAPACITY 4.0e9

struct made {
	unsigned leaves, spines, hosts;	/* hosts per leaf */
	unsigned planes;	/* 0: 1; each host has a port in every plane */
	unsigned lmc;
	int same_spine;		/* 1: every LID goes up to spine 0 */
	int grouped;		/* 1: every LID is shared over all spines */
};

/* The builder just before freeze; hosts are named n1, n2, ... */
struct sfab_builder *made_builder(const struct made *m);

/* Frozen; fails the test if it cannot be. */
struct sfab_fabric *made_fabric(const struct made *m);

/* Two hosts on a leaf, two leaves, two spines: the smallest with a choice. */
struct sfab_fabric *made_small(void);

/*
 * Make frozen tables bad, as no fabric should be: entries lead anywhere or
 * nowhere, also around loops, and links are down.
 */
void made_spoil(struct sfab_fabric *f, unsigned seed);

#endif
