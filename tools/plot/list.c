/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list.c - heat maps as lists of cells; see list.h
 *
 * Values have all their digits, as whoever wants a list wants to compute.
 */

#include "tools/plot/list.h"

#include "tools/ui/json.h"

static const char *const state_name[] = {
	[HEAT_NONE] = "none", [HEAT_DOWN] = "down", [HEAT_UNUSED] = "unused",
	[HEAT_USED] = "used",
};

static struct json_object *heat_cell_json(const struct sheet *s, uint32_t row, uint32_t column)
{
	struct json_object *o = json_object_new_object(), *parts = json_object_new_array();
	const struct heat_cell *cell = &s->cell[sheet_cell(s, row, column)];

	json_add(o, "row", json_name(s->row[row]));
	json_add(o, "guid", json_guid(s->guid[row]));
	json_add(o, "column", json_object_new_int64(column + 1));
	json_add(o, "to", cell->to ? json_name(cell->to) : NULL);
	json_add(o, "to_port", cell->to ? json_object_new_int64(cell->to_port) : NULL);
	json_add(o, "state", json_object_new_string(state_name[cell->state]));
	json_add(o, "value", json_number(cell->value));
	json_add(o, "full", cell->full > 0 ? json_number(cell->full) : NULL);
	for (uint32_t k = 0; k < cell->nparts; k++) {
		const struct heat_part *part = &s->part[cell->part + k];
		struct json_object *p = json_object_new_object();

		json_add(p, "name", json_name(s->group[part->group].name));
		json_add(p, "value", json_number(part->value));
		json_object_array_add(parts, p);
	}
	json_add(o, "parts", parts);
	return o;
}

/* Cells that do not exist are left out; unused and down ones are not. */
void list_json(const struct sheet *s, struct json_object *data)
{
	struct json_object *maps = json_object_new_array(), *map = json_object_new_object();
	struct json_object *cells = json_object_new_array();
	struct heat_stats st;

	sheet_stats(s, &st);
	json_add(data, "what", json_object_new_string(s->what));
	json_add(data, "unit", json_object_new_string(s->unit));
	json_add(data, "parts", s->parts ? json_object_new_string(s->parts) : NULL);
	json_add(data, "scale_max", json_number(s->max));
	json_add(map, "name", json_name(s->name));
	json_add(map, "title", json_name(s->title));
	json_add(map, "used", json_object_new_uint64(st.used));
	json_add(map, "total", json_object_new_uint64(st.total));
	json_add(map, "max", json_number(st.max));
	json_add(map, "mean", json_number(st.mean));
	json_add(map, "p99", json_number(st.p99));
	for (uint32_t r = 0; r < s->nrows; r++)
		for (uint32_t c = 0; c < s->ncolumns; c++)
			if (s->cell[sheet_cell(s, r, c)].state != HEAT_NONE)
				json_object_array_add(cells, heat_cell_json(s, r, c));
	json_add(map, "cells", cells);
	json_object_array_add(maps, map);
	json_add(data, "maps", maps);
}
