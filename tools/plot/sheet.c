/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet.c - a heat map of switches and ports; see sheet.h
 *
 * A sheet has no cells of its own: each is worked out from its link when it is asked for.
 */

#include "tools/plot/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "tools/plot/labels.h"
#include "tools/ui/json.h"
#include "tools/ui/number.h"
#include "tools/ui/printable.h"
#include "tools/ui/xalloc.h"

static const char *const state_name[] = {
	[HEAT_NONE] = "none", [HEAT_DOWN] = "down", [HEAT_UNUSED] = "unused",
	[HEAT_USED] = "used",
};

void sheet_free(struct sheet *s)
{
	for (uint32_t r = 0; r < s->nrows; r++)
		free(s->row[r].name);
	free(s->row);
	free(s->value);
	free(s->name);
	free(s->title);
	free(s->rank);
	free(s->rank_of);
	jobs_by_link_free(&s->jobs);
	memset(s, 0, sizeof(*s));
}

uint32_t sheet_link(const struct sheet *s, uint32_t row, uint32_t column, int is_incoming)
{
	const struct sfab_fabric *f = s->f;
	const struct sfab_switch *sw = &f->switches[s->row[row].sw];
	uint32_t out = column < sw->nports ? sw->out[column + 1] : SFAB_NONE;
	const struct sfab_link *l;

	if (out == SFAB_NONE || !is_incoming)
		return out;
	l = &f->links[out];
	if (l->kind == SFAB_LINK_EJECT)
		return f->ports[l->to].inject;
	return l->to_port > f->switches[l->to].nports ? SFAB_NONE :
							f->switches[l->to].out[l->to_port];
}

int sheet_fills(const struct sheet *s)
{
	return s->unit == VALUE_LOAD || s->unit == VALUE_PERCENT;
}

/* Take a value of 0 for unused, and so one that is not known. */
struct heat_cell sheet_cell(const struct sheet *s, uint32_t row, uint32_t column)
{
	uint32_t out = sheet_link(s, row, column, 0), in = sheet_link(s, row, column, 1);
	struct heat_cell c = { .link = SFAB_NONE };
	const struct sfab_link *l;
	int is_incoming = s->is_incoming;

	if (s->value && s->is_fuller)
		is_incoming = in != SFAB_NONE && s->value[in] > s->value[out];
	if (s->value)
		c.link = is_incoming ? in : out;
	if (c.link == SFAB_NONE)
		return c;
	l = &s->f->links[c.link];
	if (sheet_fills(s))
		c.full = link_value_in_unit(s->unit, l->capacity, l);
	c.state = HEAT_DOWN;
	if (!l->up)
		return c;
	c.value = s->value[c.link];
	c.state = c.value > 0 ? HEAT_USED : HEAT_UNUSED;
	if (s->jobs.list && c.state == HEAT_USED) {
		c.job = s->jobs.part + s->jobs.first[c.link];
		c.njobs = jobs_by_link_count(&s->jobs, c.link);
	}
	return c;
}

void sheet_drop_unused(struct sheet *s)
{
	uint32_t kept = 0;

	for (uint32_t r = 0; r < s->nrows; r++) {
		struct heat_row row = s->row[r];
		int is_used = 0;

		for (uint32_t c = 0; c < s->ncolumns; c++)
			is_used |= sheet_cell(s, r, c).state == HEAT_USED;
		/* Rows change places, so that each is freed once. */
		if (is_used) {
			s->row[r] = s->row[kept];
			s->row[kept++] = row;
		}
	}
	for (uint32_t r = kept; kept && r < s->nrows; r++)
		free(s->row[r].name);
	/* An empty picture would say less than one in which all is unused. */
	s->nrows = kept ? kept : s->nrows;
}

/* Let links of several speeds share the scale: the fastest is full at its end. */
void sheet_scale(struct sheet *s, double max)
{
	struct heat_stats stats;

	sheet_stats(s, &stats);
	s->max = max > 0 ? max : stats.full > 0 ? stats.full : fmax(stats.max, 2 * stats.mean);
}

unsigned sheet_overload(const struct heat_cell *c)
{
	/* A port that is exactly full is not beyond. */
	if (!(c->full > 0) || c->value <= c->full * (1 + 1e-9))
		return 0;
	return c->value <= 2 * c->full ? 1 : c->value <= 4 * c->full ? 2 : HEAT_OVER_MAX;
}

/* Order jobs by their load that collides, then by all of it; equal jobs keep the list's order. */
static int compare_heat_jobs(const void *a, const void *b)
{
	const struct heat_job *x = a, *y = b;

	if (x->colliding != y->colliding)
		return x->colliding < y->colliding ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return x->job > y->job ? 1 : -1;
}

/*
 * Rank colliding jobs first.  Legends, letters and colors go by rank, so these get the ones
 * that are easiest to tell apart.
 */
void sheet_rank_jobs(struct sheet *s)
{
	uint32_t n = s->jobs.list->n;

	s->rank = xcalloc(n, sizeof(*s->rank));
	s->rank_of = xcalloc(n, sizeof(*s->rank_of));
	for (uint32_t j = 0; j < n; j++)
		s->rank[j].job = j;
	for (uint32_t r = 0; r < s->nrows; r++)
		for (uint32_t c = 0; c < s->ncolumns; c++) {
			struct heat_cell cell = sheet_cell(s, r, c);

			for (uint32_t i = 0; i < cell.njobs; i++) {
				struct heat_job *ranked = &s->rank[cell.job[i].job];
				double load = link_value_in_unit(s->unit, cell.job[i].load,
								 &s->f->links[cell.link]);

				ranked->total += load;
				if (cell.njobs > 1 &&
				    jobs_by_link_is_overloaded(&s->jobs, cell.link))
					ranked->colliding += load;
			}
		}
	qsort(s->rank, n, sizeof(*s->rank), compare_heat_jobs);
	for (uint32_t k = 0; k < n; k++)
		s->rank_of[s->rank[k].job] = k;
}

double sheet_scale_position(const struct sheet *s, double value)
{
	return s->max > 0 ? fmin(fmax(value / s->max, 0.0), 1.0) : 0.0;
}

/*
 * Compute the figures of all ports that could be used.  Unused ones count as 0 in mean and p99.
 * Links that are down do not count.
 */
void sheet_stats(const struct sheet *s, struct heat_stats *stats)
{
	double *value = xcalloc((size_t) s->nrows * s->ncolumns, sizeof(*value));

	memset(stats, 0, sizeof(*stats));
	for (uint32_t r = 0; r < s->nrows; r++)
		for (uint32_t k = 0; k < s->ncolumns; k++) {
			struct heat_cell c = sheet_cell(s, r, k);
			double amount = c.state == HEAT_USED ? c.value : 0;

			stats->full = fmax(stats->full, c.full);
			stats->overloaded += sheet_overload(&c) > 0;
			if (c.state != HEAT_USED && c.state != HEAT_UNUSED)
				continue;
			stats->used += c.state == HEAT_USED;
			stats->max = fmax(stats->max, c.value);
			stats->mean += amount;
			value[stats->total++] = amount;
		}
	if (stats->total) {
		qsort(value, stats->total, sizeof(*value), sfab_ascending_double);
		stats->mean /= (double) stats->total;
		/* The smallest value that at least 99 % of the ports do not exceed. */
		stats->p99 = value[(stats->total * 99 + 99) / 100 - 1];
	}
	free(value);
}

char *sheet_figures(const struct sheet *s)
{
	char max[NUMBER_SHORT_SIZE], mean[NUMBER_SHORT_SIZE];
	char p99[NUMBER_SHORT_SIZE], beyond[40] = "";
	struct heat_stats st;

	sheet_stats(s, &st);
	number_short(st.max, max);
	if (st.overloaded)
		snprintf(beyond, sizeof(beyond), "; %" PRIu64 " overloaded", st.overloaded);
	return xstrfmt("%" PRIu64 " of %" PRIu64 " ports used, max %s, mean "
		       "%s, p99 %s %s%s", st.used, st.total, max,
		       number_short(st.mean, mean),
		       number_short(st.p99, p99), link_value_unit(s->unit), beyond);
}

/*
 * Write "wolf-S018 port 24 to wolf-L024 port 36: 7.5 GB/s, more than the 4 it carries".  Names
 * are made printable: they are whatever their hosts set.
 */
char *sheet_cell_text(const struct sheet *s, uint32_t row, uint32_t column,
		      const struct heat_cell *c)
{
	const struct sfab_link *l = &s->f->links[c->link];
	const char *name = s->row[row].name;
	int is_outgoing = c->link == sheet_link(s, row, column, 0);
	char *raw = xstrfmt("%s port %u to %s port %u",
			    is_outgoing ? name : sfab_link_from_name(s->f, c->link), l->from_port,
			    is_outgoing ? sfab_link_to_name(s->f, c->link) : name, l->to_port);
	char *text = printable(raw, 0), number[NUMBER_SHORT_SIZE];

	if (c->state != HEAT_USED)
		xjoin(&text, ": ", "%s", state_name[c->state]);
	else
		xjoin(&text, ": ", "%s %s", number_short(c->value, number),
		      link_value_unit(s->unit));
	if (c->state == HEAT_USED && sheet_overload(c))
		xjoin(&text, ", ", "more than the %s it carries",
		      number_short(c->full, number));
	free(raw);
	if (c->njobs) {
		raw = jobs_by_link_text(&s->jobs, c->link, s->unit == VALUE_PERCENT);
		xjoin(&text, "\n", "job%s %s", c->njobs == 1 ? "" : "s", raw);
		free(raw);
	}
	return text;
}

/* Count up to the first job that loads nothing: all such jobs have the last ranks. */
uint32_t sheet_jobs_drawn(const struct sheet *s)
{
	uint32_t n = 0;

	while (s->jobs.list && n < s->jobs.list->n && s->rank[n].total > 0)
		n++;
	return n;
}

char *sheet_job_title(const struct sheet *s, uint32_t rank)
{
	const struct joblist_job *job = &s->jobs.list->job[s->rank[rank].job];
	char *raw = xstrfmt("%" PRIu64 " (%" PRIu32 " hosts%s%s)", job->id, job->n,
			    job->user ? ", " : "", job->user ? job->user : "");
	char *title = printable(raw, 0);

	free(raw);
	return title;
}

char **sheet_labels(const struct sheet *s, size_t max, size_t *longest)
{
	char **label = xcalloc(s->nrows, sizeof(*label));

	for (uint32_t r = 0; r < s->nrows; r++)
		label[r] = printable(s->row[r].name, 0);
	*longest = labels_shorten(label, s->nrows, max);
	return label;
}

/* -- JSON: values have all their digits, for programs that compute with them ---- */

static struct json_object *heat_cell_json(const struct sheet *s, uint32_t row, uint32_t column,
					  const struct heat_cell *cell)
{
	struct json_object *o = json_object_new_object(), *parts = json_object_new_array();
	uint32_t out = sheet_link(s, row, column, 0);

	json_add(o, "row", json_name(s->row[row].name));
	json_add(o, "guid", json_guid(s->f->switches[s->row[row].sw].guid));
	json_add(o, "column", json_object_new_int64(column + 1));
	json_add(o, "to", json_name(sfab_link_to_name(s->f, out)));
	json_add(o, "to_port", json_object_new_int64(s->f->links[out].to_port));
	json_add(o, "state", json_object_new_string(state_name[cell->state]));
	json_add(o, "value", json_number(cell->value));
	json_add(o, "full", cell->full > 0 ? json_number(cell->full) : NULL);
	for (uint32_t k = 0; k < cell->njobs; k++) {
		struct json_object *p = json_object_new_object();
		char id[24];

		snprintf(id, sizeof(id), "%" PRIu64, s->jobs.list->job[cell->job[k].job].id);
		json_add(p, "name", json_object_new_string(id));
		json_add(p, "value", json_number(link_value_in_unit(s->unit, cell->job[k].load,
								    &s->f->links[cell->link])));
		json_object_array_add(parts, p);
	}
	json_add(o, "parts", parts);
	return o;
}

/* Leave out cells that do not exist, but not those that are unused or down. */
void sheet_json(const struct sheet *s, struct json_object *data)
{
	struct json_object *maps = json_object_new_array(), *map = json_object_new_object();
	struct json_object *cells = json_object_new_array();
	struct heat_stats st;

	sheet_stats(s, &st);
	json_add(data, "what", json_object_new_string("ports"));
	json_add(data, "unit", json_object_new_string(link_value_unit(s->unit)));
	json_add(data, "parts", s->jobs.list ? json_object_new_string("jobs") : NULL);
	json_add(data, "scale_max", json_number(s->max));
	json_add(map, "name", json_name(s->name));
	json_add(map, "title", json_name(s->title));
	json_add(map, "used", json_object_new_uint64(st.used));
	json_add(map, "total", json_object_new_uint64(st.total));
	json_add(map, "max", json_number(st.max));
	json_add(map, "mean", json_number(st.mean));
	json_add(map, "p99", json_number(st.p99));
	for (uint32_t r = 0; r < s->nrows; r++)
		for (uint32_t c = 0; c < s->ncolumns; c++) {
			struct heat_cell cell = sheet_cell(s, r, c);

			if (cell.state != HEAT_NONE)
				json_object_array_add(cells, heat_cell_json(s, r, c, &cell));
		}
	json_add(map, "cells", cells);
	json_object_array_add(maps, map);
	json_add(data, "maps", maps);
}
