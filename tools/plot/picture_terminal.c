/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture_terminal.c - a heat map drawn with characters; see picture_terminal.h
 *
 * A cell is one character or two: a digit for its tenth of the scale, which a log or a mail
 * keeps.  Colors are for pictures (picture.h).  Like
 *
 *     port  1       5
 *     S001  9 9 . 9 x 9 4 .
 *     0-9 tenths of 12 routes   . unused   x down
 */

#include "tools/plot/picture_terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/plot/labels.h"
#include "tools/ui/number.h"
#include "tools/ui/output.h"
#include "tools/ui/printable.h"

#define LABEL_SHORT 16		/* characters always allowed for a row's label */

unsigned picture_terminal_width(FILE *out)
{
	struct winsize size;

	if (output_is_terminal(out) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
	    size.ws_col > 0)
		return size.ws_col;
	return 80;
}

/* A letter for each of the largest jobs, * for several on a port, ? for others. */
#define LETTERS 26

/*
 * Choose the character of a cell: if used, a letter, an overload, or a tenth of the scale.
 * Where jobs have letters, "!" is an overload: that matters more than whose it is.
 */
static char sign_of_cell(const struct sheet *s, const struct heat_cell *cell)
{
	static const char sign[] = {
		[HEAT_NONE] = ' ', [HEAT_DOWN] = 'x', [HEAT_UNUSED] = '.',
	};
	uint32_t rank = cell->njobs ? s->rank_of[cell->job[0].job] : 0;

	if (cell->state != HEAT_USED)
		return sign[cell->state];
	if (sheet_overload(cell))
		return '!';
	if (!s->by_job)
		return (char) ('0' + (int) fmin(10 * sheet_scale_position(s, cell->value), 9));
	return cell->njobs != 1 ? '*' : rank < LETTERS ? (char) ('a' + (int) rank) : '?';
}

/* Write the legend, indented like the cells.  Jobs have "a 334 (64 hosts)", a line each. */
static void print_legend(const struct sheet *s, int label_width, FILE *out)
{
	uint32_t n = s->by_job ? sheet_jobs_drawn(s) : 0;
	char max[NUMBER_SHORT_SIZE];

	fprintf(out, "%*s", label_width + 2, "");
	if (s->by_job)
		fputs("* several jobs", out);
	else
		fprintf(out, "0-9 tenths of %s %s", number_short(s->max, max),
			link_value_unit(s->unit));
	if (n > LETTERS)
		fprintf(out, "   ? %" PRIu32 " smaller jobs", n - LETTERS);
	if (sheet_fills(s))
		fputs("   ! overloaded", out);
	fputs("   . unused   x down\n", out);
	for (uint32_t g = 0; g < n && g < LETTERS; g++) {
		char *name = sheet_job_title(s, g);

		fprintf(out, "%*s  %c  %s\n", label_width, "",
			(char) ('a' + (int) g), name);
		free(name);
	}
}

void picture_terminal_draw(const struct sheet *s, unsigned width, FILE *out)
{
	char *title = printable(s->title, 0);
	char *figures = sheet_figures(s);
	size_t label_width = width > s->ncolumns + 2 ? width - s->ncolumns - 2 : 0;
	size_t longest;
	char **label;		/* by row, short */
	uint32_t step;
	int cell_width;		/* in characters: 1 or 2 */
	int column = 0;		/* characters of the axis so far */

	/* If space is short, labels are cut; if there is enough, cells are two wide. */
	if (label_width < LABEL_SHORT)
		label_width = LABEL_SHORT;
	label = sheet_labels(s, label_width, &longest);
	cell_width = longest + 2 + 2 * s->ncolumns <= width ? 2 : 1;
	fprintf(out, "%s\n%s\n%*s  ", title, figures, (int) longest,
		strlen("port") <= longest ? "port" : "");
	/* Numbers above the columns: 1, and every 5th or 10th that fits. */
	step = cell_width == 2 ? 5 : 10;
	for (uint32_t p = 1; p <= s->ncolumns; p = p == 1 ? step : p + step)
		column += fprintf(out, "%*s%" PRIu32, (int) (p - 1) * cell_width - column, "", p);
	fputc('\n', out);
	for (uint32_t r = 0; r < s->nrows; r++) {
		uint32_t end = s->ncolumns;

		/* Columns up to the last that has a port; no trailing blanks. */
		while (end > 0 && sheet_cell(s, r, end - 1).state == HEAT_NONE)
			end--;
		fprintf(out, "%-*s  ", (int) longest, label[r]);
		for (uint32_t c = 0; c < end; c++) {
			struct heat_cell cell = sheet_cell(s, r, c);

			fprintf(out, "%-*c", c + 1 < end ? cell_width : 1, sign_of_cell(s, &cell));
		}
		fputc('\n', out);
	}
	print_legend(s, (int) longest, out);
	labels_free(label, s->nrows);
	free(title);
	free(figures);
}
