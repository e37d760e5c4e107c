/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.c - a heat map drawn with characters; see terminal.h
 *
 * A cell is one character or two.  With 24-bit or 256 colors it is a blank on a
 * colored ground, else a digit for its tenth of the scale.  The second is also
 * what a log or a mail keeps.  Like
 *
 *     port  1       5
 *     S001  9 9 . 9 x 9 4 .
 *     0-9 tenths of 12 routes   . unused   x down
 */

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
#define LEGEND_CELLS 24	/* steps of a color legend */
#define RESET "\033[0m"

/*
 * There is no asking a terminal what it can do without waiting for its answer,
 * so the environment decides: COLORTERM as terminals set it, then TERM.
 * NO_COLOR wins.
 */
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

/* 80 for what is no terminal, so that a pipe or a file is always the same. */
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
	int by_group;
	char **label;		/* by row, short */
	int label_width;
	int cell;		/* width of a cell in characters: 1 or 2 */
};

/* A letter for each of the largest jobs, * for several on a port, ? for others. */
#define LETTERS 26

/*
 * @number is the color where there are 256, @c where there are 24 bits; @sign
 * stands on it.
 */
static void put_background(struct color c, unsigned number, int width,
			   const struct look *look, const char *sign, FILE *out)
{
	if (look->palette == PALETTE_FULL)
		fprintf(out, "\033[48;2;%u;%u;%um", c.red, c.green, c.blue);
	else
		fprintf(out, "\033[48;5;%um", number);
	fprintf(out, "%-*s" RESET, width, sign);
}

/* Tenths of the scale, 0-9, or blanks on a background of the color. */
static void put_used(double t, int width, const struct look *look, FILE *out)
{
	if (look->palette == PALETTE_PLAIN)
		fprintf(out, "%-*d", width, (int) fmin(10 * t, 9));
	else
		put_background(color_of(t), color_256(t), width, look, "", out);
}

#define RED_256 160	/* of the same cube as color_256() */

/*
 * What a used cell is: a letter, an overload, or an amount.  Where jobs have
 * letters, a plain terminal shows "!" for an overload: that matters more than
 * whose it is.
 */
static void put_used_cell(const struct sheet *s, const struct heatmap *m,
			  size_t i, int width, const struct look *look, FILE *out)
{
	unsigned over = sheet_over(s, m, i);
	const struct heat_cell *cell = &m->cell[i];
	char sign[2] = "!";

	if (look->by_group) {
		uint32_t group = cell->nparts ? m->part[cell->part].group : 0;

		sign[0] = cell->nparts != 1 ? '*' :
			  group < LETTERS ? (char) ('a' + (int) group) : '?';
	}
	if (!over && !look->by_group)
		put_used(sheet_place(s, m->cell[i].value), width, look, out);
	else if (over && look->palette != PALETTE_PLAIN)
		put_background(color_of_ink(ON_DARK, INK_OVER, over - 1), RED_256,
			       width, look, look->by_group ? sign : "", out);
	else
		fprintf(out, "%-*s", width, over && look->by_group ? "!" : sign);
}

/*
 * Numbers above the columns: 1, and every 5th or 10th that fits.  @at is how
 * many characters stand already.
 */
static void put_axis(const struct sheet *s, const struct look *look, FILE *out)
{
	uint32_t step = look->cell == 2 ? 5 : 10;
	int at = 0;

	fprintf(out, "%*s  ", look->label_width,
		s->column_title && strlen(s->column_title) <=
		(size_t) look->label_width ? s->column_title : "");
	for (uint32_t p = 1; p <= s->ncolumns; p = p == 1 ? step : p + step) {
		int column = (int) (p - 1) * look->cell;

		at += fprintf(out, "%*s%" PRIu32, column - at, "", p);
	}
	fputc('\n', out);
}

/* "S018 9 9 .  x 9", at most up to the last column that has a port. */
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
			put_used_cell(s, m, sheet_cell(s, row, c), width, look,
				      out);
		else
			fprintf(out, "%-*s", width, sign[cell->state]);
	}
	fputc('\n', out);
}

/* "0 <24 colored blanks> 12 GB/s". */
static void put_color_legend(const struct sheet *s, const struct look *look,
			     FILE *out)
{
	char number[SHEET_NUMBER_SIZE];

	fputs("0 ", out);
	for (int i = 0; i < LEGEND_CELLS; i++)
		put_used(i / (LEGEND_CELLS - 1.0), 1, look, out);
	fprintf(out, " %s %s", sheet_number(s->max, number), s->unit);
}

/* "a 334 (64 hosts)", a line each, and what the other signs mean. */
static void put_group_legend(const struct sheet *s, const struct look *look,
			     FILE *out)
{
	uint32_t n = sheet_groups_drawn(s);

	fprintf(out, "* several %s", s->parts);
	if (n > LETTERS)
		fprintf(out, "   ? %" PRIu32 " smaller %s", n - LETTERS, s->parts);
	fputs("   ! overloaded   . unused   x down\n", out);
	for (uint32_t g = 0; g < n && g < LETTERS; g++) {
		char *name = printable(s->group[g].title, 0);

		fprintf(out, "%*s  %c  %s\n", look->label_width, "",
			(char) ('a' + (int) g), name);
		free(name);
	}
}

/* Indented like the cells. */
static void put_legend(const struct sheet *s, const struct look *look, FILE *out)
{
	char max[SHEET_NUMBER_SIZE];

	fprintf(out, "%*s", look->label_width + 2, "");
	if (look->by_group) {
		put_group_legend(s, look, out);
		return;
	}
	if (look->palette == PALETTE_PLAIN)
		fprintf(out, "0-9 tenths of %s %s", sheet_number(s->max, max), s->unit);
	else
		put_color_legend(s, look, out);
	if (s->full)
		fputs(look->palette == PALETTE_PLAIN ? "   ! overloaded" :
		      "   red: overloaded", out);
	fputs("   . unused   x down\n", out);
}

void terminal_draw(const struct sheet *s, const struct heatmap *m,
		   enum palette palette, unsigned width, FILE *out)
{
	struct look look = { .palette = palette, .by_group = s->by_group };
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
	put_legend(s, &look, out);
	labels_free(look.label, s->nrows);
	free(title);
	free(figures);
}
