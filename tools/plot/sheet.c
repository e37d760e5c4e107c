/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sheet.c - grids of quantities that are drawn alike; see sheet.h */

#include "tools/plot/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/printable.h"
#include "tools/ui/say.h"

void sheet_init(struct sheet *s, uint32_t nrows, uint32_t ncolumns)
{
	memset(s, 0, sizeof(*s));
	s->nrows = nrows;
	s->ncolumns = ncolumns;
	s->row = need(nrows, sizeof(*s->row));
	s->guid = need(nrows, sizeof(*s->guid));
	s->plane = need(nrows, sizeof(*s->plane));
}

void sheet_free(struct sheet *s)
{
	for (uint32_t r = 0; r < s->nrows; r++)
		free(s->row[r]);
	for (uint32_t c = 0; s->column && c < s->ncolumns; c++)
		free(s->column[c]);
	for (uint32_t i = 0; i < s->nmaps; i++) {
		free(s->map[i].name);
		free(s->map[i].title);
		free(s->map[i].cell);
	}
	free(s->row);
	free(s->guid);
	free(s->plane);
	free(s->column);
	free(s->place);
	free(s->map);
	memset(s, 0, sizeof(*s));
}

struct heatmap *sheet_add_take(struct sheet *s, char *name, char *title)
{
	struct heatmap *m;

	s->map = need_more(s->map, s->nmaps, sizeof(*s->map));
	m = &s->map[s->nmaps++];
	*m = (struct heatmap) {
		.kind = HEAT_AMOUNT, .name = name, .title = title,
		.cell = need((size_t) s->nrows * s->ncolumns,
			     sizeof(*m->cell)),
	};
	return m;
}

static double amount_of_cell(const struct heat_cell *c)
{
	return c->state == HEAT_USED ? c->value : 0.0;
}

/*
 * A port that exists in only one of the two maps carries nothing in the other.
 */
static struct heat_cell change_of_cell(const struct heat_cell *a,
				       const struct heat_cell *b)
{
	struct heat_cell c = {.value = amount_of_cell(b) - amount_of_cell(a)};

	if (a->state == HEAT_USED || b->state == HEAT_USED)
		c.state = HEAT_USED;
	else
		c.state = b->state == HEAT_NONE ? a->state : b->state;
	return c;
}

struct heatmap *sheet_add_change(struct sheet *s, uint32_t a, uint32_t b,
				 char *title)
{
	struct heatmap *m = sheet_add_take(s, need_copy("difference"), title);

	m->kind = HEAT_CHANGE;
	for (size_t i = 0; i < (size_t) s->nrows * s->ncolumns; i++)
		m->cell[i] =
		    change_of_cell(&s->map[a].cell[i], &s->map[b].cell[i]);
	return m;
}

/* 1: some map of the sheet has a value in this row. */
static int row_is_used(const struct sheet *s, uint32_t row)
{
	for (uint32_t i = 0; i < s->nmaps; i++)
		for (uint32_t c = 0; c < s->ncolumns; c++)
			if (s->map[i].cell[sheet_cell(s, row, c)].state ==
			    HEAT_USED)
				return 1;
	return 0;
}

void sheet_only_used(struct sheet *s)
{
	uint32_t kept = 0;

	for (uint32_t r = 0; r < s->nrows; r++)
		if (row_is_used(s, r)) {
			uint32_t to = kept++;
			size_t a = sheet_cell(s, r, 0),
			       b = sheet_cell(s, to, 0);

			if (r == to)
				continue;
			free(s->row[to]);
			s->row[to] = s->row[r];
			s->row[r] = NULL;
			s->guid[to] = s->guid[r];
			s->plane[to] = s->plane[r];
			if (s->place)
				memcpy(s->place + b, s->place + a,
				       s->ncolumns * sizeof(*s->place));
			for (uint32_t i = 0; i < s->nmaps; i++)
				memcpy(s->map[i].cell + b, s->map[i].cell + a,
				       s->ncolumns * sizeof(*s->map[i].cell));
		}
	for (uint32_t r = kept; kept && r < s->nrows; r++)
		free(s->row[r]);
	s->nrows = kept ? kept : s->nrows;
}

void sheet_scale(struct sheet *s, double max)
{
	size_t n = (size_t) s->nrows * s->ncolumns;

	s->max = s->max_change = 0;
	for (uint32_t i = 0; i < s->nmaps; i++) {
		double *top = s->map[i].kind == HEAT_AMOUNT ? &s->max :
							      &s->max_change;

		for (size_t k = 0; k < n; k++)
			*top = fmax(*top, fabs(s->map[i].cell[k].value));
	}
	if (max > 0)
		s->max = s->max_change = max;
}

double sheet_place(const struct sheet *s, const struct heatmap *m, double value)
{
	double max = m->kind == HEAT_AMOUNT ? s->max : s->max_change;

	return max > 0 ? fmin(fmax(value / max, -1.0), 1.0) : 0.0;
}

static int compare_cell_values(const void *a, const void *b)
{
	double x = *(const double *) a, y = *(const double *) b;

	return (x > y) - (x < y);
}

void sheet_stats(const struct sheet *s, const struct heatmap *m,
		 struct heat_stats *stats)
{
	size_t n = (size_t) s->nrows * s->ncolumns;
	double *value = need(n, sizeof(*value));

	memset(stats, 0, sizeof(*stats));
	for (size_t i = 0; i < n; i++) {
		const struct heat_cell *c = &m->cell[i];

		if (c->state != HEAT_USED && c->state != HEAT_UNUSED)
			continue;
		stats->used += c->state == HEAT_USED;
		stats->more += c->value > 0;
		stats->less += c->value < 0;
		stats->min = fmin(stats->min, c->value);
		stats->max = fmax(stats->max, c->value);
		stats->mean += amount_of_cell(c);
		value[stats->total++] = amount_of_cell(c);
	}
	if (stats->total) {
		qsort(value, stats->total, sizeof(*value), compare_cell_values);
		stats->mean /= (double) stats->total;
		stats->p99 = value[(stats->total * 99 + 99) / 100 - 1];
	}
	free(value);
}

char *sheet_figures(const struct sheet *s, const struct heatmap *m)
{
	struct heat_stats st;

	sheet_stats(s, m, &st);
	if (m->kind == HEAT_CHANGE)
		return need_text("%" PRIu64 " %s have more, %" PRIu64 " less; "
				 "largest rise %.6g, largest fall %.6g %s",
				 st.more, s->what, st.less, st.max, 0 - st.min,
				 s->unit);
	return need_text("%" PRIu64 " of %" PRIu64 " %s used, max %.6g, mean "
			 "%.4g, p99 %.6g %s", st.used, st.total, s->what,
			 st.max, st.mean, st.p99, s->unit);
}

/* Caller frees. */
static char *name_port(const struct sheet *s, uint32_t row, uint32_t column)
{
	const struct heat_place *to = &s->place[sheet_cell(s, row, column)];

	if (!to->to)
		return need_text("%s port %" PRIu32, s->row[row], column + 1);
	return need_text("%s port %" PRIu32 " to %s port %u", s->row[row],
			 column + 1, to->to, to->to_port);
}

char *sheet_place_name(const struct sheet *s, uint32_t row, uint32_t column)
{
	char *raw = s->place ? name_port(s, row, column) :
			       need_text("%s to %s", s->row[row],
					 s->column[column]);
	char *name = printable(raw, 0);

	free(raw);
	return name;
}

char *sheet_value_text(const struct sheet *s, const struct heatmap *m,
		       const struct heat_cell *c)
{
	if (c->state == HEAT_DOWN)
		return need_copy("down");
	if (c->state != HEAT_USED)
		return need_copy("unused");
	return need_text(m->kind == HEAT_CHANGE ? "%+.6g %s" : "%.6g %s",
			 c->value, s->unit);
}
