/* SPDX-License-Identifier: GPL-2.0-or-later */
/* freeze_private.h - shared by freeze.c, which makes a fabric, and freeze_tables.c */
#ifndef SFAB_FREEZE_PRIVATE_H
#define SFAB_FREEZE_PRIVATE_H

#include "core/fabric/builder_private.h"
#include "core/fabric/fabric.h"

struct freeze {
	struct sfab_builder *b;
	struct sfab_fabric *f;
	struct sfab_err *err;
};

/*
 * Put the tables of all switches into the fabric, and free those of the builder.  Needs
 * the entries of LIDs: runs after sfab_fabric_index_nodes().  -1: an entry is wrong.
 */
int sfab_freeze_tables(struct freeze *z);

#endif
