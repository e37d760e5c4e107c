/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.c - a heat map drawn with characters; see terminal.h
 *
 * A cell is one character or two: a digit for its tenth of the scale, which a log or a
 * mail keeps.  Colors are for pictures (picture.h).  Like
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
#include "tools/ui/output.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"

#define LABEL_SHORT 16		/* characters always allowed for a row's label */

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
	char **label;		/* by row, short */
	int label_width;
	int cell;		/* width of a cell in characters: 1 or 2 */
};

/* A letter for each of the largest jobs, * for several on a port, ? for others. */
#define LETTERS 26

/*
 * A used cell is a letter, an overload, or a tenth of the scale.  Where jobs have
 * letters, "!" is an overload: that matters more than whose it is.
 */
static char sign_of_cell(const struct sheet *s, const struct heat_cell *cell)
{
	static const char sign[] = {
		[HEAT_NONE] = ' ', [HEAT_DOWN] = 'x', [HEAT_UNUSED] = '.',
	};
	uint32_t group = cell->nparts ? s->part[cell->part].group : 0;

	if (cell->state != HEAT_USED)
		return sign[cell->state];
	if (sheet_over(cell))
		return '!';
	if (!s->by_group)
		return (char) ('0' + (int) fmin(10 * sheet_place(s, cell->value), 9));
	return cell->nparts != 1 ? '*' : group < LETTERS ? (char) ('a' + (int) group) : '?';
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
static void put_row(const struct sheet *s, uint32_t row, const struct look *look, FILE *out)
{
	uint32_t end = s->ncolumns;

	/* Columns up to the last that has a port. */
	while (end > 0 &&
	       s->cell[sheet_cell(s, row, end - 1)].state == HEAT_NONE)
		end--;
	fprintf(out, "%-*s  ", look->label_width, look->label[row]);
	/* no trailing blanks */
	for (uint32_t c = 0; c < end; c++)
		fprintf(out, "%-*c", c + 1 < end ? look->cell : 1,
			sign_of_cell(s, &s->cell[sheet_cell(s, row, c)]));
	fputc('\n', out);
}

/* Indented like the cells.  Jobs have "a 334 (64 hosts)", a line each. */
static void put_legend(const struct sheet *s, const struct look *look, FILE *out)
{
	uint32_t n = s->by_group ? sheet_groups_drawn(s) : 0;
	char max[SHEET_NUMBER_SIZE];

	fprintf(out, "%*s", look->label_width + 2, "");
	if (s->by_group)
		fprintf(out, "* several %s", s->parts);
	else
		fprintf(out, "0-9 tenths of %s %s", sheet_number(s->max, max), s->unit);
	if (n > LETTERS)
		fprintf(out, "   ? %" PRIu32 " smaller %s", n - LETTERS, s->parts);
	if (s->fills)
		fputs("   ! overloaded", out);
	fputs("   . unused   x down\n", out);
	for (uint32_t g = 0; g < n && g < LETTERS; g++) {
		char *name = printable(s->group[g].title, 0);

		fprintf(out, "%*s  %c  %s\n", look->label_width, "",
			(char) ('a' + (int) g), name);
		free(name);
	}
}

void terminal_draw(const struct sheet *s, unsigned width, FILE *out)
{
	struct look look = { 0 };
	char *title = printable(s->title, 0);
	char *figures = sheet_figures(s);
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
		put_row(s, r, &look, out);
	put_legend(s, &look, out);
	labels_free(look.label, s->nrows);
	free(title);
	free(figures);
}
