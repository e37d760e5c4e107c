/* SPDX-License-Identifier: GPL-2.0-or-later */
/* heatmap.c - a grid of quantities in the terminal; see heatmap.h */

#include "heatmap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "colour.h"
#include "labels.h"
#include "printable.h"
#include "say.h"

#define LABEL_SHORT 16		/* characters that a row's label always may have */
#define LEGEND_CELLS 24
#define RESET "\033[0m"

void heatmap_init(struct heatmap *m, uint32_t nrows, uint32_t ncolumns)
{
	memset(m, 0, sizeof(*m));
	m->nrows = nrows;
	m->ncolumns = ncolumns;
	m->label = need(nrows, sizeof(*m->label));
	m->cell = need((size_t) nrows * ncolumns, sizeof(*m->cell));
}

void heatmap_free(struct heatmap *m)
{
	for (uint32_t r = 0; r < m->nrows; r++)
		free(m->label[r]);
	free(m->label);
	free(m->cell);
	free(m->title);
	memset(m, 0, sizeof(*m));
}

static int cmp_double(const void *a, const void *b)
{
	double x = *(const double *) a, y = *(const double *) b;

	return (x > y) - (x < y);
}

void heatmap_stats(const struct heatmap *m, struct heat_stats *s)
{
	size_t n = (size_t) m->nrows * m->ncolumns;
	double *value = need(n, sizeof(*value));

	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < n; i++) {
		const struct heat_cell *c = &m->cell[i];

		if (c->state != HEAT_USED && c->state != HEAT_UNUSED)
			continue;
		s->used += c->state == HEAT_USED;
		value[s->total++] = c->state == HEAT_USED ? c->value : 0.0;
		s->mean += value[s->total - 1];
	}
	if (s->total) {
		qsort(value, s->total, sizeof(*value), cmp_double);
		s->max = value[s->total - 1];
		s->mean /= (double) s->total;
		s->p99 = value[(s->total * 99 + 99) / 100 - 1];
	}
	free(value);
}

enum heat_palette heatmap_palette(FILE *out)
{
	const char *no = getenv("NO_COLOR");
	const char *term = getenv("TERM");
	const char *depth = getenv("COLORTERM");

	if (!isatty(fileno(out)) || (no && *no) || !term ||
	    strcmp(term, "dumb") == 0)
		return HEAT_PLAIN;
	if (depth && (strcmp(depth, "truecolor") == 0 ||
		      strcmp(depth, "24bit") == 0))
		return HEAT_FULL;
	return strstr(term, "256") ? HEAT_256 : HEAT_PLAIN;
}

unsigned heatmap_width(FILE *out)
{
	struct winsize size;

	if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 &&
	    size.ws_col > 0)
		return size.ws_col;
	return 80;
}

/* How the picture is drawn. */
struct look {
	enum heat_palette palette;
	double max;
	char **label;		/* by row, short */
	int label_width;
	int cell;		/* width of a cell: 1 or 2 */
};

static void put_colour(double t, enum heat_palette palette, FILE *out)
{
	struct colour c = colour_heat(t);

	if (palette == HEAT_FULL)
		fprintf(out, "\033[48;2;%u;%u;%um", c.red, c.green, c.blue);
	else
		fprintf(out, "\033[48;5;%um", colour_heat_256(t));
}

static void put_used(double t, int width, enum heat_palette palette, FILE *out)
{
	if (palette == HEAT_PLAIN) {
		fprintf(out, "%-*d", width, (int) fmin(10 * t, 9));
		return;
	}
	put_colour(t, palette, out);
	fprintf(out, "%*s" RESET, width, "");
}

static void put_cell(const struct heat_cell *c, int width,
		     const struct look *look, FILE *out)
{
	static const char *const sign[] = {
		[HEAT_NONE] = " ", [HEAT_DOWN] = "x", [HEAT_UNUSED] = ".",
	};

	if (c->state == HEAT_USED)
		put_used(c->value / look->max, width, look->palette, out);
	else
		fprintf(out, "%-*s", width, sign[c->state]);
}

/* Columns up to the last that has a port. */
static uint32_t row_end(const struct heatmap *m, uint32_t row)
{
	uint32_t n = m->ncolumns;

	while (n > 0 && heatmap_cell(m, row, n - 1)->state == HEAT_NONE)
		n--;
	return n;
}

/* Port numbers above the columns: 1, and every 5th or 10th that fits. */
static void put_axis(const struct heatmap *m, const struct look *look, FILE *out)
{
	uint32_t step = look->cell == 2 ? 5 : 10;
	int at = 0;

	fprintf(out, "%*s", look->label_width + 2, "");
	for (uint32_t p = 1; p <= m->ncolumns; p = p == 1 ? step : p + step) {
		int column = (int) (p - 1) * look->cell;

		at += fprintf(out, "%*s%" PRIu32, column - at, "", p);
	}
	fputc('\n', out);
}

static void put_row(const struct heatmap *m, uint32_t row,
		    const struct look *look, FILE *out)
{
	uint32_t end = row_end(m, row);

	fprintf(out, "%-*s  ", look->label_width, look->label[row]);
	for (uint32_t c = 0; c < end; c++) {
		const struct heat_cell *cell = heatmap_cell(m, row, c);
		int is_colour = cell->state == HEAT_USED &&
				look->palette != HEAT_PLAIN;

		/* no blanks at the end of a line, but colours to the edge */
		put_cell(cell, c + 1 < end || is_colour ? look->cell : 1, look,
			 out);
	}
	fputc('\n', out);
}

static void put_legend(const struct heatmap *m, const struct look *look,
		       FILE *out)
{
	fprintf(out, "%*s", look->label_width + 2, "");
	if (look->palette == HEAT_PLAIN) {
		fprintf(out, "0-9 tenths of %.6g %s", look->max, m->unit);
	} else {
		fputs("0 ", out);
		for (int i = 0; i < LEGEND_CELLS; i++)
			put_used(i / (LEGEND_CELLS - 1.0), 1, look->palette,
				 out);
		fprintf(out, " %.6g %s", look->max, m->unit);
	}
	fputs("   . unused   x down\n", out);
}

/* Labels are cut if there is no room; cells have two characters if there is. */
static void choose_look(const struct heatmap *m, unsigned width,
			struct look *look)
{
	size_t room = width > m->ncolumns + 2 ? width - m->ncolumns - 2 : 0;
	size_t longest;

	if (room < LABEL_SHORT)
		room = LABEL_SHORT;
	look->label = labels_make(m->label, m->nrows, room, &longest);
	look->label_width = (int) longest;
	look->cell = longest + 2 + 2 * m->ncolumns <= width ? 2 : 1;
}

void heatmap_draw(const struct heatmap *m, enum heat_palette palette,
		  unsigned width, FILE *out)
{
	struct heat_stats s;
	struct look look = { .palette = palette };
	char *title = printable(m->title, 0);

	heatmap_stats(m, &s);
	look.max = s.max;
	choose_look(m, width, &look);
	fprintf(out, "%s\n%" PRIu64 " of %" PRIu64 " %s used, max %.6g, mean "
		"%.4g, p99 %.6g %s\n", title, s.used, s.total, m->what, s.max,
		s.mean, s.p99, m->unit);
	put_axis(m, &look, out);
	for (uint32_t r = 0; r < m->nrows; r++)
		put_row(m, r, &look, out);
	put_legend(m, &look, out);
	labels_free(look.label, m->nrows);
	free(title);
}
