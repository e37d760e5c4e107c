/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trees.h - small fat trees for fuzz targets, between them all that a snapshot can have:
 * planes, LMC, port groups, three levels, IO sets of every map
 *
 * Hosts are n1, n2, ... along the leaves, with node GUID 0x1000 + 16 i and a port in each
 * plane; switches have GUIDs 0x100 ... from the leaves up.  Every table is of shortest ways,
 * spread over them by LID.
 */
#ifndef SFAB_FUZZ_TREES_H
#define SFAB_FUZZ_TREES_H

#include "io/snapshot/snapshot.h"

#define FUZZ_TREES 8

/* The caller destroys it; aborts without memory. */
struct sfab_snapshot *fuzz_tree(unsigned i);

#endif
