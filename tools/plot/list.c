/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list.c - heat maps as lists of cells; see list.h
 *
 * For spreadsheets and scripts: CSV has a line for each cell, JSON the same
 * with the figures of each map.  Values have all their digits, as whoever wants
 * a list wants to compute.
 */

#include "tools/plot/list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/json.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"

static const char *const state_name[] = {
	[HEAT_NONE] = "none", [HEAT_DOWN] = "down", [HEAT_UNUSED] = "unused",
	[HEAT_USED] = "used",
};

/*
 * RFC 4180, and a leading ' where a spreadsheet would take the text for a
 * formula.  https://owasp.org/www-community/attacks/CSV_Injection: names of
 * nodes come from outside.
 */
static void put_quoted(const char *text, FILE *out)
{
	char *safe = printable(text, 0);

	fputc('"', out);
	if (*safe && strchr("=+-@", *safe))
		fputc('\'', out);
	for (const char *p = safe; *p; p++) {
		if (*p == '"')
			fputc('"', out);
		fputc(*p, out);
	}
	fputc('"', out);
	free(safe);
}

/*
 * "333:12 334:0.4" Group and value; empty for cells of which no jobs are known.
 */
static void put_csv_parts(const struct sheet *s, const struct heatmap *m,
			  const struct heat_cell *cell, FILE *out)
{
	char *text = NULL;
	size_t size;
	FILE *all = need_made(open_memstream(&text, &size));

	for (uint32_t i = 0; i < cell->nparts; i++) {
		const struct heat_part *part = &m->part[cell->part + i];

		fprintf(all, "%s%s:%.9g", i ? " " : "",
			s->group[part->group].name, part->value);
	}
	fclose(all);
	put_quoted(need_made(text), out);
	free(text);
}

/*
 * Like "all
 * jobs","wolf-S001",0x0002c90200400a28,1,"wolf-L001",19,used,4.2,GB/s,"333:4.2".
 * A port without a cable has neither to nor to_port.
 */
static void put_csv_line(const struct sheet *s, const struct heatmap *m,
			 uint32_t row, uint32_t column, FILE *out)
{
	size_t i = sheet_cell(s, row, column);
	const struct heat_place *to = s->place ? &s->place[i] : NULL;

	put_quoted(m->name, out);
	fputc(',', out);
	put_quoted(s->row[row], out);
	fprintf(out, ",0x%016" PRIx64 ",", s->guid[row]);
	if (s->column)
		put_quoted(s->column[column], out);
	else
		fprintf(out, "%" PRIu32, column + 1);
	fputc(',', out);
	if (to && to->to) {
		put_quoted(to->to, out);
		fprintf(out, ",%u", to->to_port);
	} else {
		fputc(',', out);
	}
	fprintf(out, ",%s,%.9g,%s,", state_name[m->cell[i].state],
		m->cell[i].value, s->unit);
	put_csv_parts(s, m, &m->cell[i], out);
	fputs("\r\n", out);
}

void list_csv(const struct sheet *s, FILE *out)
{
	int of_jobs = s->parts && s->nmaps &&
		      s->map[s->nmaps - 1].kind != HEAT_CHANGE;

	/* CR LF, as RFC 4180 wants it. */
	fputs("map,row,guid,column,to,to_port,state,value,unit,"
	      "parts\r\n", out);
	for (uint32_t i = 0; i < s->nmaps; i++) {
		/*
		 * Maps of single jobs, after that of all, are hundreds and
		 * mostly unused; JSON has them whole.
		 */
		enum heat_state least = i > 0 && of_jobs ? HEAT_USED : HEAT_DOWN;

		for (uint32_t r = 0; r < s->nrows; r++)
			for (uint32_t c = 0; c < s->ncolumns; c++)
				if (s->map[i].cell[sheet_cell(s, r, c)].state >=
				    least)
					put_csv_line(s, &s->map[i], r, c, out);
	}
}

static struct json_object *heat_parts_json(const struct sheet *s,
					   const struct heatmap *m,
					   const struct heat_cell *cell)
{
	struct json_object *parts = json_object_new_array();

	for (uint32_t i = 0; i < cell->nparts; i++) {
		const struct heat_part *part = &m->part[cell->part + i];
		struct json_object *o = json_object_new_object();

		json_add(o, "name", json_name(s->group[part->group].name));
		json_add(o, "value", json_number(part->value));
		json_object_array_add(parts, o);
	}
	return parts;
}

/* "full" only where the value is an amount: no change is ever full. */
static struct json_object *heat_cell_json(const struct sheet *s,
					  const struct heatmap *m, uint32_t row,
					  uint32_t column)
{
	struct json_object *cell = json_object_new_object();
	size_t i = sheet_cell(s, row, column);
	const struct heat_place *to = s->place ? &s->place[i] : NULL;

	json_add(cell, "row", json_name(s->row[row]));
	json_add(cell, "guid", json_guid(s->guid[row]));
	json_add(cell, "column", s->column ? json_name(s->column[column]) :
		 json_object_new_int64(column + 1));
	json_add(cell, "to", to && to->to ? json_name(to->to) : NULL);
	json_add(cell, "to_port", to && to->to ?
		 json_object_new_int64(to->to_port) : NULL);
	json_add(cell, "state",
		 json_object_new_string(state_name[m->cell[i].state]));
	json_add(cell, "value", json_number(m->cell[i].value));
	json_add(cell, "full", s->full && s->full[i] > 0 &&
		 m->kind == HEAT_AMOUNT ? json_number(s->full[i]) : NULL);
	json_add(cell, "parts", heat_parts_json(s, m, &m->cell[i]));
	return cell;
}

/* Cells that do not exist are left out; unused and down ones are not. */
static struct json_object *heatmap_json(const struct sheet *s,
					const struct heatmap *m)
{
	struct json_object *map = json_object_new_object();
	struct heat_stats st;
	struct json_object *cells;

	sheet_stats(s, m, &st);
	json_add(map, "name", json_name(m->name));
	json_add(map, "title", json_name(m->title));
	json_add(map, "kind", json_object_new_string(
			 m->kind == HEAT_CHANGE ? "change" : "amount"));
	json_add(map, "used", json_object_new_uint64(st.used));
	json_add(map, "total", json_object_new_uint64(st.total));
	json_add(map, "max", json_number(st.max));
	json_add(map, "min", json_number(st.min));
	json_add(map, "mean", json_number(st.mean));
	json_add(map, "p99", json_number(st.p99));
	cells = json_object_new_array();
	for (uint32_t r = 0; r < s->nrows; r++)
		for (uint32_t c = 0; c < s->ncolumns; c++)
			if (m->cell[sheet_cell(s, r, c)].state != HEAT_NONE)
				json_object_array_add(
				    cells, heat_cell_json(s, m, r, c));
	json_add(map, "cells", cells);
	return map;
}

void list_json(const struct sheet *s, struct json_object *data)
{
	struct json_object *maps = json_object_new_array();

	json_add(data, "what", json_object_new_string(s->what));
	json_add(data, "unit", json_object_new_string(s->unit));
	json_add(data, "parts", s->parts ? json_object_new_string(s->parts) : NULL);
	json_add(data, "scale_max", json_number(s->max));
	json_add(data, "scale_max_change", json_number(s->max_change));
	for (uint32_t i = 0; i < s->nmaps; i++)
		json_object_array_add(maps, heatmap_json(s, &s->map[i]));
	json_add(data, "maps", maps);
}
