/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link_columns.h - both ends of a link as columns of a table
 *
 * A table of links has LINK_COLUMNS anywhere in its columns, or its own of the same fields;
 * link_columns_cells() fills them.
 */
#ifndef SFAB_LINK_COLUMNS_H
#define SFAB_LINK_COLUMNS_H

#include <stdint.h>

#include "core/fabric/fabric.h"
#include "tools/ui/table.h"

#define LINK_COLUMNS \
	{ "fabric", "plane", COLUMN_TEXT, 0, SHOWN_IF_ANY }, \
	{ "switch", "where the link begins: a switch, or a host", COLUMN_TEXT, \
	  0, SHOWN }, \
	{ "guid", "node GUID there", COLUMN_GUID, 0, SHOWN_IF_ASKED }, \
	{ "port", "out port there", COLUMN_COUNT, 0, SHOWN }, \
	{ "to", "where it leads", COLUMN_TEXT, 0, SHOWN }, \
	{ "to_port", "port there", COLUMN_COUNT, 0, SHOWN }

/*
 * Set the cells of @link in the last row: switch, guid, port, to; and fabric, to_guid, to_port,
 * kind and capacity_gbs where the table has them.
 */
void link_columns_cells(struct table *t, const struct sfab_fabric *f, uint32_t link);

/* Add what link_columns_cells() sets as members of @object; null if @link is SFAB_NONE. */
void link_columns_json_add(struct json_object *object, const struct sfab_fabric *f,
			   uint32_t link);

#endif
