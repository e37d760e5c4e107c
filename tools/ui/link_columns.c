/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link_columns.c - what tables say of a link; see link_columns.h
 *
 * Tables of links have the same columns for both ends, whatever else they show.
 */

#include "tools/ui/link_columns.h"

#include "tools/ui/json.h"

void link_columns_cells(struct table *t, const struct sfab_fabric *f, uint32_t link)
{
	const struct sfab_link *l = &f->links[link];

	if (table_has(t, "fabric"))
		table_text(t, "fabric", f->planes[sfab_link_plane(f, link)].name);
	table_text(t, "switch", sfab_link_from_name(f, link));
	table_guid(t, "guid", sfab_link_from_guid(f, link));
	table_count(t, "port", l->from_port);
	table_text(t, "to", sfab_link_to_name(f, link));
	if (table_has(t, "to_guid"))
		table_guid(t, "to_guid", sfab_link_to_guid(f, link));
	if (table_has(t, "to_port"))
		table_count(t, "to_port", l->to_port);
	if (table_has(t, "kind"))
		table_text(t, "kind", sfab_link_kind_name(l->kind));
	if (table_has(t, "capacity_gbs"))
		table_gbs(t, "capacity_gbs", l->capacity);
}

/* The members come from a table of one row, so that the keys are those of all tables of links. */
void link_columns_json_add(struct json_object *object, const struct sfab_fabric *f,
			   uint32_t link)
{
	static const struct column columns[] = { LINK_COLUMNS, { 0 } };
	struct table *t = table_create(columns);
	struct json_object *rows;

	table_row(t);
	if (link != SFAB_NONE)
		link_columns_cells(t, f, link);
	rows = table_take_json(t);
	json_object_object_foreach(json_object_array_get_idx(rows, 0), key, value)
		json_add(object, key, json_object_get(value));
	json_object_put(rows);
}
