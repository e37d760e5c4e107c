/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet.c - a grid of quantities that is drawn; see sheet.h
 *
 * A sheet owns its names, cells and parts; names in s->place are the fabric's.
 * It does not know what the values mean: callers set the unit and, where values
 * can be too large, s->full.
 */

#include "tools/plot/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "tools/ui/json.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"

#define PARTS_NAMED 8	/* in a tooltip: a short one, and a small file */

void sheet_init(struct sheet *s, uint32_t nrows, uint32_t ncolumns)
{
	memset(s, 0, sizeof(*s));
	s->nrows = nrows;
	s->ncolumns = ncolumns;
	s->row = need(nrows, sizeof(*s->row));
	s->guid = need(nrows, sizeof(*s->guid));
	s->level = need(nrows, sizeof(*s->level));
	s->cell = need((size_t) nrows * ncolumns, sizeof(*s->cell));
}

void sheet_free(struct sheet *s)
{
	for (uint32_t r = 0; r < s->nrows; r++)
		free(s->row[r]);
	for (uint32_t g = 0; g < s->ngroups; g++) {
		free(s->group[g].name);
		free(s->group[g].title);
	}
	free(s->group);
	free(s->level);
	free(s->row);
	free(s->guid);
	free(s->name);
	free(s->title);
	free(s->cell);
	free(s->part);
	memset(s, 0, sizeof(*s));
}

void sheet_only_used(struct sheet *s)
{
	uint32_t kept = 0;

	for (uint32_t r = 0; r < s->nrows; r++) {
		int is_used = 0;

		for (uint32_t c = 0; c < s->ncolumns; c++)
			is_used |= s->cell[sheet_cell(s, r, c)].state == HEAT_USED;
		if (!is_used)
			continue;
		/*
		 * Rows move to the front, over rows that were dropped.
		 * Parts stay: cells refer to them by their number.
		 */
		if (r != kept) {
			free(s->row[kept]);
			s->row[kept] = s->row[r];
			s->row[r] = NULL;
			s->guid[kept] = s->guid[r];
			s->level[kept] = s->level[r];
			memcpy(&s->cell[sheet_cell(s, kept, 0)], &s->cell[sheet_cell(s, r, 0)],
			       s->ncolumns * sizeof(*s->cell));
		}
		kept++;
	}
	for (uint32_t r = kept; kept && r < s->nrows; r++)
		free(s->row[r]);
	/* An empty picture would say less than one in which all is unused. */
	s->nrows = kept ? kept : s->nrows;
}

void sheet_scale(struct sheet *s, double max)
{
	size_t n = (size_t) s->nrows * s->ncolumns;
	/*
	 * Links of several speeds share a scale: it ends where the fastest is
	 * full.
	 */
	double full = 0;
	struct heat_stats stats;

	for (size_t k = 0; k < n; k++)
		full = fmax(full, s->cell[k].full);
	sheet_stats(s, &stats);
	s->max = full > 0 ? full : fmax(stats.max, 2 * stats.mean);
	if (max > 0)
		s->max = max;
}

unsigned sheet_over(const struct heat_cell *c)
{
	/* a port that is exactly full is not beyond */
	if (!(c->full > 0) || c->value <= c->full * (1 + 1e-9))
		return 0;
	return c->value <= 2 * c->full ? 1 : c->value <= 4 * c->full ? 2 : HEAT_OVER_MOST;
}

char *sheet_number(double value, char text[SHEET_NUMBER_SIZE])
{
	double size = fabs(value);
	/*
	 * The bounds are where rounding brings one more digit before the point:
	 * 99.96 is "100", not "100.0".
	 */
	int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;

	if (size > 0 && size < 0.001) {
		snprintf(text, SHEET_NUMBER_SIZE, "%.1g", value);
		return text;
	}
	snprintf(text, SHEET_NUMBER_SIZE, "%.*f", digits, value);
	if (digits) {
		char *end = text + strlen(text);

		/* "12.50" says no more than "12.5", and cells are narrow. */
		while (end[-1] == '0')
			*--end = '\0';
		if (end[-1] == '.')
			end[-1] = '\0';
	}
	return text;
}

/* Equal groups stay in the order of the list. */
static int compare_groups(const void *a, const void *b)
{
	const struct heat_group *x = a, *y = b;

	if (x->colliding != y->colliding)
		return x->colliding < y->colliding ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return x->was > y->was ? 1 : -1;
}

/*
 * Legends, letters and colors go by the index of a group, so jobs that collide, then the
 * largest, get the ones that are easiest to tell apart.  Parts refer to groups by index:
 * all are renumbered.
 */
void sheet_sort_groups(struct sheet *s)
{
	uint32_t *rank = need(s->ngroups, sizeof(*rank));

	for (uint32_t g = 0; g < s->ngroups; g++)
		s->group[g].was = g;
	qsort(s->group, s->ngroups, sizeof(*s->group), compare_groups);
	for (uint32_t g = 0; g < s->ngroups; g++)
		rank[s->group[g].was] = g;
	for (uint32_t k = 0; k < s->nparts; k++)
		s->part[k].group = rank[s->part[k].group];
	free(rank);
}

double sheet_place(const struct sheet *s, double value)
{
	return s->max > 0 ? fmin(fmax(value / s->max, 0.0), 1.0) : 0.0;
}

/*
 * Over all ports that could be used: unused ones count as 0 in mean and p99,
 * links that are down do not count.
 */
void sheet_stats(const struct sheet *s, struct heat_stats *stats)
{
	size_t n = (size_t) s->nrows * s->ncolumns;
	double *value = need(n, sizeof(*value));

	memset(stats, 0, sizeof(*stats));
	for (size_t i = 0; i < n; i++) {
		const struct heat_cell *c = &s->cell[i];
		double amount = c->state == HEAT_USED ? c->value : 0;

		if (c->state != HEAT_USED && c->state != HEAT_UNUSED)
			continue;
		stats->used += c->state == HEAT_USED;
		stats->max = fmax(stats->max, c->value);
		stats->mean += amount;
		value[stats->total++] = amount;
	}
	if (stats->total) {
		qsort(value, stats->total, sizeof(*value), sfab_ascending_double);
		stats->mean /= (double) stats->total;
		/*
		 * The smallest value that at least 99 % of the ports do not
		 * exceed.
		 */
		stats->p99 = value[(stats->total * 99 + 99) / 100 - 1];
	}
	free(value);
}

/*
 * The line below a title, like "512 of 648 ports used, max 12, mean 4.1, p99
 * 11.5 routes".
 */
char *sheet_figures(const struct sheet *s)
{
	char max[SHEET_NUMBER_SIZE], mean[SHEET_NUMBER_SIZE];
	char p99[SHEET_NUMBER_SIZE], beyond[40] = "";
	struct heat_stats st;
	uint64_t over = 0;

	sheet_stats(s, &st);
	sheet_number(st.max, max);
	for (size_t i = 0; i < (size_t) s->nrows * s->ncolumns; i++)
		over += sheet_over(&s->cell[i]) > 0;
	if (over)
		snprintf(beyond, sizeof(beyond), "; %" PRIu64 " overloaded", over);
	return need_text("%" PRIu64 " of %" PRIu64 " %s used, max %s, mean "
			 "%s, p99 %s %s%s", st.used, st.total, s->what, max,
			 sheet_number(st.mean, mean),
			 sheet_number(st.p99, p99), s->unit, beyond);
}

/* Made printable as a whole: names of nodes are whatever their hosts set. */
char *sheet_place_name(const struct sheet *s, uint32_t row, uint32_t column)
{
	const struct heat_cell *at = &s->cell[sheet_cell(s, row, column)];
	char *raw, *name;

	if (!at->to)
		raw = need_text("%s port %" PRIu32, s->row[row], column + 1);
	else if (s->into)
		raw = need_text("%s port %u to %s port %" PRIu32, at->to, at->to_port,
				s->row[row], column + 1);
	else
		raw = need_text("%s port %" PRIu32 " to %s port %u", s->row[row],
				column + 1, at->to, at->to_port);
	name = printable(raw, 0);
	free(raw);
	return name;
}

/*
 * "4.2 GB/s", "7.5 GB/s, more than the 4 it carries", "down".  The caller owns it.
 */
char *sheet_value_text(const struct sheet *s, const struct heat_cell *c)
{
	char text[SHEET_NUMBER_SIZE], full[SHEET_NUMBER_SIZE];

	if (c->state == HEAT_DOWN)
		return need_copy("down");
	if (c->state != HEAT_USED)
		return need_copy("unused");
	sheet_number(c->value, text);
	if (sheet_over(c))
		return need_text("%s %s, more than the %s it carries", text,
				 s->unit, sheet_number(c->full, full));
	return need_text("%s %s", text, s->unit);
}

/* Groups are sorted by then, those with nothing at the end. */
uint32_t sheet_groups_drawn(const struct sheet *s)
{
	uint32_t n = 0;

	while (n < s->ngroups && s->group[n].total > 0)
		n++;
	return n;
}

char *sheet_parts_text(const struct sheet *s, const struct heat_cell *c)
{
	char number[SHEET_NUMBER_SIZE], *raw = NULL, *text;
	size_t size;
	FILE *out;

	if (!c->nparts)
		return NULL;
	out = need_made(open_memstream(&raw, &size));
	/* One part: "job", without the s. */
	fprintf(out, "%.*s", (int) strlen(s->parts) - (c->nparts == 1), s->parts);
	for (uint32_t i = 0; i < c->nparts && i < PARTS_NAMED; i++) {
		const struct heat_part *part = &s->part[c->part + i];

		fprintf(out, "%s %s (%s)", i ? "," : "",
			s->group[part->group].name,
			sheet_number(part->value, number));
	}
	if (c->nparts > PARTS_NAMED)
		fprintf(out, " and %" PRIu32 " more", c->nparts - PARTS_NAMED);
	fclose(out);
	text = printable(need_made(raw), 0);
	free(raw);
	return text;
}

/* -- JSON: values have all their digits, as whoever wants it wants to compute -- */

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
void sheet_json(const struct sheet *s, struct json_object *data)
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
