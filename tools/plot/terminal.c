/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminal.c - a heat map drawn with characters; see terminal.h */

#include "tools/plot/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/plot/labels.h"
#include "tools/plot/palette.h"
#include "tools/ui/output.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"

#define LABEL_SHORT 16		/* characters always allowed for a row's label */
#define LEGEND_CELLS 24
#define RESET "\033[0m"

enum palette terminal_palette(FILE *out)
{
	const char *no = getenv("NO_COLOR");
	const char *term = getenv("TERM");
	const char *depth = getenv("COLORTERM");

	if (!output_is_terminal(out) || (no && *no) || !term ||
	    strcmp(term, "dumb") == 0)
		return PALETTE_PLAIN;
	if (depth && (strcmp(depth, "truecolor") == 0 ||
		      strcmp(depth, "24bit") == 0))
		return PALETTE_FULL;
	return strstr(term, "256") ? PALETTE_256 : PALETTE_PLAIN;
}

unsigned terminal_width(FILE *out)
{
	struct winsize size;

	if (output_is_terminal(out) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
	    size.ws_col > 0)
		return size.ws_col;
	return 80;
}

/* How the picture is drawn. */
struct look {
	enum palette palette;
	enum heat_kind kind;
	char **label;		/* by row, short */
	int label_width;
	int cell;		/* width of a cell in characters: 1 or 2 */
};

/* Tenths of the scale: 0-9; for a change 1-9 up, a-i down, and = for none. */
static char digit_for_value(double t, enum heat_kind kind)
{
	int tenth = (int) fmin(10 * fabs(t), 9);

	if (kind == HEAT_AMOUNT)
		return (char) ('0' + tenth);
	if (t == 0.0)
		return '=';
	tenth = tenth ? tenth : 1;
	return (char) (t > 0 ? '0' + tenth : 'a' + tenth - 1);
}

/* A digit, or blanks on a background of the cell's color. */
static void put_used(double t, int width, const struct look *look, FILE *out)
{
	struct color c;

	if (look->palette == PALETTE_PLAIN) {
		fprintf(out, "%-*c", width, digit_for_value(t, look->kind));
		return;
	}
	c = color_of(look->kind, t);
	if (look->palette == PALETTE_FULL)
		fprintf(out, "\033[48;2;%u;%u;%um", c.red, c.green, c.blue);
	else
		fprintf(out, "\033[48;5;%um", color_256(look->kind, t));
	fprintf(out, "%*s" RESET, width, "");
}

/* Numbers above the columns: 1, and every 5th or 10th that fits. */
static void put_axis(const struct sheet *s, const struct look *look, FILE *out)
{
	uint32_t step = look->cell == 2 ? 5 : 10;
	int at = 0;

	fprintf(out, "%*s", look->label_width + 2, "");
	for (uint32_t p = 1; p <= s->ncolumns; p = p == 1 ? step : p + step) {
		int column = (int) (p - 1) * look->cell;

		at += fprintf(out, "%*s%" PRIu32, column - at, "", p);
	}
	fputc('\n', out);
}

static void put_row(const struct sheet *s, const struct heatmap *m,
		    uint32_t row, const struct look *look, FILE *out)
{
	uint32_t end = s->ncolumns;

	/* Columns up to the last that has a port. */
	while (end > 0 &&
	       m->cell[sheet_cell(s, row, end - 1)].state == HEAT_NONE)
		end--;
	fprintf(out, "%-*s  ", look->label_width, look->label[row]);
	for (uint32_t c = 0; c < end; c++) {
		const struct heat_cell *cell = &m->cell[sheet_cell(s, row, c)];
		int is_color = cell->state == HEAT_USED &&
			       look->palette != PALETTE_PLAIN;
		int width = c + 1 < end || is_color ? look->cell : 1;
		static const char *const sign[] = {
		    [HEAT_NONE] = " ",
		    [HEAT_DOWN] = "x",
		    [HEAT_UNUSED] = ".",
		};

		/* no trailing blanks, but colors up to the edge */
		if (cell->state == HEAT_USED)
			put_used(sheet_place(s, m, cell->value), width, look,
				 out);
		else
			fprintf(out, "%-*s", width, sign[cell->state]);
	}
	fputc('\n', out);
}

/* Digits are tenths of the largest value; letters are the same downwards. */
static void put_plain_legend(const struct sheet *s, enum heat_kind kind,
			     FILE *out)
{
	if (kind == HEAT_AMOUNT)
		fprintf(out, "0-9 tenths of %.6g %s", s->max, s->unit);
	else
		fprintf(out, "1-9 more, a-i less, tenths of %.6g %s   = same",
			s->max_change, s->unit);
}

void terminal_draw(const struct sheet *s, const struct heatmap *m,
		   enum palette palette, unsigned width, FILE *out)
{
	struct look look = { .palette = palette, .kind = m->kind };
	char *title = printable(m->title, 0);
	char *figures = sheet_figures(s, m);
	size_t room = width > s->ncolumns + 2 ? width - s->ncolumns - 2 : 0;
	size_t longest;

	/*
	 * If space is short, labels are cut; if there is enough, cells are two
	 * wide.
	 */
	if (room < LABEL_SHORT)
		room = LABEL_SHORT;
	look.label = labels_make(s->row, s->nrows, room, &longest);
	look.label_width = (int) longest;
	look.cell = longest + 2 + 2 * s->ncolumns <= width ? 2 : 1;
	fprintf(out, "%s\n%s\n", title, figures);
	put_axis(s, &look, out);
	for (uint32_t r = 0; r < s->nrows; r++)
		put_row(s, m, r, &look, out);
	fprintf(out, "%*s", look.label_width + 2, "");
	if (look.palette == PALETTE_PLAIN) {
		put_plain_legend(s, look.kind, out);
	} else {
		double least = look.kind == HEAT_AMOUNT ? 0.0 : -1.0;

		fprintf(out, "%.6g ", least * s->max_change);
		for (int i = 0; i < LEGEND_CELLS; i++)
			put_used(least + (1 - least) * i / (LEGEND_CELLS - 1.0),
				 1, &look, out);
		fprintf(out, " %.6g %s", look.kind == HEAT_AMOUNT ? s->max :
			s->max_change, s->unit);
	}
	fputs("   . unused   x down\n", out);
	labels_free(look.label, s->nrows);
	free(title);
	free(figures);
}
