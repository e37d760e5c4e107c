/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture.c - the layout of a picture; see picture.h
 *
 *     title
 *     figures
 *              port
 *     spine    1    5        10
 *     S001     [][][][][][]
 *     S002     [][][][][][]
 *     [======scale======]  [] more than it carries
 *     0       mean   max unit
 *     [] unused [] down
 */

#include "tools/plot/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/plot/labels.h"
#include "tools/ui/number.h"
#include "tools/ui/printable.h"
#include "tools/ui/xalloc.h"

#define MARGIN PICTURE_MARGIN
#define TITLE PICTURE_TITLE
#define SMALL PICTURE_SMALL
#define LINE PICTURE_LINE
#define LEGEND_WIDTH 256.0
#define JOB_WIDTH 300.0		/* of a job in the legend */
#define OVERLOAD_WIDTH 330.0	/* of what is beside a scale that ends at 100 % */
#define LEGEND_BOX 12.0
#define LABEL_MAX 24		/* characters, if names can be shortened */
#define HEAD (TITLE + 4 * LINE)	/* above the cells */
#define LABELED_CELL 30.0	/* cells from this width on have their value inside */
#define STRIPES 3		/* jobs of a cell that are seen */

/* Estimate the width for all fonts: SVG is drawn with whatever font the reader has. */
double picture_text_width(const char *text, double size)
{
	return (double) labels_length(text) * size * CANVAS_CHARACTER;
}

void picture_init(struct picture *p, const struct sheet *s)
{
	uint32_t jobs = s->by_job ? sheet_jobs_drawn(s) : 0;
	double text_width, legend_width;
	size_t longest;

	*p = (struct picture) {
		.s = s, .title = printable(s->title, 0), .figures = sheet_figures(s),
	};
	p->label = sheet_labels(s, LABEL_MAX, &longest);
	p->cells_x = MARGIN + 8 +
		  fmax((double) longest * SMALL * CANVAS_CHARACTER,
		       picture_text_width(s->row_title, SMALL));
	picture_lay_cells(p);
	legend_width = s->by_job ? 2 * JOB_WIDTH : LEGEND_WIDTH + 10 +
		 (sheet_fills(s) ? OVERLOAD_WIDTH :
				   picture_text_width(link_value_unit(s->unit), SMALL));
	/* Titles may be wider than the cells. */
	text_width = fmax(picture_text_width(p->title, TITLE),
			  picture_text_width(p->figures, SMALL));
	p->width = ceil(fmax(p->cells_x + p->cells_width, MARGIN + fmax(text_width, legend_width)) +
			MARGIN);
	/* To the end of the legend. */
	p->height = ceil(2 * MARGIN + HEAD + p->cells_height +
			 ((jobs < INK_JOB_STEPS ? jobs : INK_JOB_STEPS) / 2 + 3.8) * LINE);
}

void picture_free(struct picture *p)
{
	labels_free(p->label, p->s->nrows);
	free(p->title);
	free(p->figures);
	free(p->x);
	free(p->y);
	free(p->row_x);
	memset(p, 0, sizeof(*p));
}

/* -- cells ------------------------------------------------------------------ */

/* Choose the color of a job: the first jobs have their own, all others share the last. */
static unsigned step_of_job(uint32_t rank)
{
	return rank < INK_JOB_STEPS - 1 ? rank : INK_JOB_STEPS - 1;
}

/*
 * Draw the jobs of a port side by side, with a dot where they overload it.  Stripes have one
 * width, whatever the loads: cells are a few pixels wide.
 */
static void draw_stripes(const struct sheet *s, const struct heat_cell *cell, struct box b,
			 struct canvas *c)
{
	uint32_t n = cell->njobs < STRIPES ? cell->njobs : STRIPES;
	double side = b.height / 2;

	b.ink = INK_JOB;
	b.is_cell = n == 1;	/* stripes are no squares */
	b.width /= n;
	for (uint32_t k = 0; k < n; k++, b.x += b.width) {
		b.step = step_of_job(s->rank_of[cell->job[k].job]);
		canvas_box(c, &b);
	}
	if (!sheet_overload(cell))
		return;
	/*
	 * b.x is at the right edge now; the dot goes to the middle of the cell.  It is red on a
	 * square of the background's color, or it would vanish on a stripe.
	 */
	b.x += (-b.width * n - side) / 2;
	b.y += side / 2;
	b.width = b.height = side;
	b.is_cell = 0;
	b.ink = INK_BACKGROUND;
	canvas_box(c, &b);
	b.x += side / 5;
	b.y += side / 5;
	b.width = b.height = side * 3 / 5;
	b.ink = INK_OVER;
	b.step = 1;
	canvas_box(c, &b);
}

/*
 * Draw a port, or nothing where there is none: a cell would look like a port that could be
 * used.  A port that is too full is red, whatever the scale would say.  Few large cells have
 * their value inside.  Where jobs have the color, a number would not say whose it is.
 */
static void draw_cell(const struct picture *p,
		      uint32_t row, uint32_t column, double y, struct canvas *c)
{
	const struct heat_cell cell = sheet_cell(p->s, row, column);
	struct box b = {
		.x = p->cells_x + p->row_x[row] + p->x[column], .y = y,
		.width = p->cell - p->gap, .height = p->cell - p->gap,
		.is_cell = 1,
	};
	unsigned over = sheet_overload(&cell);
	char text[NUMBER_SHORT_SIZE], *tip = NULL;

	if (cell.state == HEAT_NONE)
		return;
	/* A tooltip costs some 150 bytes. */
	if (c->use == SVG_FILE || (c->use == SVG_FULL_CELLS && cell.value >= cell.full / 2))
		b.tip = tip = sheet_cell_text(p->s, row, column, &cell);
	if (cell.state != HEAT_USED) {
		b.ink = cell.state == HEAT_DOWN ? INK_DOWN : INK_UNUSED;
	} else if (over) {
		b.ink = INK_OVER;
		b.step = over - 1;
	} else {
		b.ink = INK_AMOUNT;
		b.step = (unsigned) lround(sheet_scale_position(p->s, cell.value) *
					   (INK_STEPS - 1));
	}
	if (p->s->by_job && cell.njobs) {
		draw_stripes(p->s, &cell, b, c);
	} else {
		canvas_box(c, &b);
		number_short(cell.value, text);
		if (p->cell >= LABELED_CELL && cell.state == HEAT_USED && !p->s->by_job &&
		    picture_text_width(text, SMALL) < b.width - 2)
			canvas_label(c, &b, SMALL, text);
	}
	free(tip);
}

/* -- legend ----------------------------------------------------------------- */

/* Draw a box of the legend and its text.  Return where the next one may begin. */
static double draw_sample(double x, double y, enum ink ink, unsigned step,
			  const char *name, struct canvas *c)
{
	struct box b = {
		.x = x, .y = y - LEGEND_BOX + 2, .width = LEGEND_BOX,
		.height = LEGEND_BOX, .ink = ink, .step = step,
	};

	canvas_box(c, &b);
	canvas_text(c, x + LEGEND_BOX + 5, y, SMALL, ANCHOR_START, name);
	return x + LEGEND_BOX + 5 + picture_text_width(name, SMALL) + 20;
}

/*
 * Mark the mean on the scale where its name has room.  From 0.25 to 0.62 of the scale its name
 * meets neither of those at the ends.
 */
static void draw_mean(const struct picture *p, double y, struct canvas *c)
{
	char number[NUMBER_SHORT_SIZE], *name;
	struct heat_stats stats;
	double position;

	sheet_stats(p->s, &stats);
	position = sheet_scale_position(p->s, stats.mean);
	name = xstrfmt("mean %s", number_short(stats.mean, number));
	if (position > 0.25 && position < 0.62) {
		double x = MARGIN + position * LEGEND_WIDTH;

		canvas_box(c, &(struct box) {
			.x = x - 0.75, .y = y - LEGEND_BOX, .width = 1.5,
			.height = LEGEND_BOX + 4, .ink = INK_TEXT });
		canvas_text(c, x, y + LINE - 3, SMALL, ANCHOR_MIDDLE, name);
	}
	free(name);
}

/*
 * Draw the steps of the scale side by side; the picture has no more colors than these.  Below
 * it stand its ends, beside it the unit, and where a port can be full the steps of red.
 */
static void draw_scale_legend(const struct picture *p, double y, struct canvas *c)
{
	static const char *const name[HEAT_OVER_MAX] = { "to 2 x", "to 4 x", "above" };
	static const char heading[] = "overloaded:";
	double width = LEGEND_WIDTH / INK_STEPS, x = MARGIN + LEGEND_WIDTH + 10;
	char number[NUMBER_SHORT_SIZE], *text;

	for (unsigned i = 0; i < INK_STEPS; i++)
		canvas_box(c, &(struct box) {
			.x = MARGIN + i * width, .y = y - LEGEND_BOX + 2,
			/* Half a pixel of overlap: no line of the background shows. */
			.width = width + (i + 1 < INK_STEPS ? 0.5 : 0),
			.height = LEGEND_BOX, .ink = INK_AMOUNT, .step = i });
	canvas_text(c, MARGIN, y + LINE - 3, SMALL, ANCHOR_START, "0");
	canvas_text(c, MARGIN + LEGEND_WIDTH, y + LINE - 3, SMALL, ANCHOR_END,
		    number_short(p->s->max, number));
	text = xstrfmt("%s%s", link_value_unit(p->s->unit), sheet_fills(p->s) ?
		       ", the end: what a port carries" : "");
	canvas_text(c, x, y, SMALL, ANCHOR_START, text);
	free(text);
	draw_mean(p, y, c);
	if (!sheet_fills(p->s))
		return;
	y += LINE - 3;
	canvas_text(c, x, y, SMALL, ANCHOR_START, heading);
	x += picture_text_width(heading, SMALL) + 8;
	for (unsigned i = 0; i < HEAT_OVER_MAX; i++)
		x = draw_sample(x, y, INK_OVER, i, name[i], c) - 8;
}

/*
 * Draw what the colors mean, then the two states that have no value.  The largest jobs stand by
 * name, two in a line.  The last color is for all the rest: "31 other jobs".
 */
static void draw_legend(const struct picture *p, double y, struct canvas *c)
{
	const struct sheet *s = p->s;
	uint32_t n = s->by_job ? sheet_jobs_drawn(s) : 0;
	double x = MARGIN;

	for (uint32_t g = 0; g < n && g < INK_JOB_STEPS; g++) {
		int last = g == INK_JOB_STEPS - 1;
		char *name = last ? xstrfmt("%" PRIu32 " other jobs", n - g) :
			     sheet_job_title(s, g);

		draw_sample(MARGIN + (g % 2) * JOB_WIDTH, y + 1.5 * LINE + g / 2 * LINE,
			    INK_JOB, step_of_job(g), name, c);
		free(name);
	}
	if (s->by_job) {
		x = draw_sample(x, y, INK_OVER, 1,
				"dot: overloaded; stripes: jobs that share a port", c);
	} else {
		draw_scale_legend(p, y, c);
		y += 2 * LINE - 2;
	}
	x = draw_sample(x, y, INK_UNUSED, 0, "unused", c);
	draw_sample(x, y, INK_DOWN, 0, "down", c);
}

/* -- the whole -------------------------------------------------------------- */

/*
 * Write above the cells of each band what rows and columns are, and numbers of columns: the
 * first, round ones, and each after a break.
 */
static void draw_heads(const struct picture *p, double y, struct canvas *c)
{
	uint32_t step = p->cell >= LABELED_CELL ? 1 : p->cell >= SMALL ? 5 :
			p->cell > 2 ? 10 : 50;

	for (uint32_t r = 0; r < p->s->nrows; r += p->band_rows) {
		double x = p->cells_x + p->row_x[r];
		double free_x = -SMALL;	/* no number overlaps the one before it */
		int had_column = 0;

		canvas_text(c, x, y - LINE + 3, SMALL, ANCHOR_START, "port");
		canvas_text(c, x - 8, y, SMALL, ANCHOR_END, p->s->row_title);
		for (uint32_t k = 0; k < p->s->ncolumns; k++) {
			double middle = p->x[k] + p->cell / 2, half;
			int has_column = p->x[k] >= 0;
			char text[16];

			snprintf(text, sizeof(text), "%" PRIu32, k + 1);
			half = picture_text_width(text, SMALL) / 2;
			if (has_column && (!had_column || (k + 1) % step == 0) &&
			    middle - half >= free_x) {
				canvas_text(c, x + middle, y, SMALL, ANCHOR_MIDDLE, text);
				free_x = middle + half + 2;
			}
			had_column = has_column;
		}
	}
}

void picture_draw(const struct picture *p, struct canvas *c)
{
	double cells = MARGIN + HEAD;
	uint32_t step;

	if (p->draw) {
		p->draw(p, c);
		return;
	}
	canvas_text(c, MARGIN, MARGIN + TITLE, TITLE, ANCHOR_START, p->title);
	canvas_text(c, MARGIN, MARGIN + TITLE + LINE, SMALL, ANCHOR_START, p->figures);
	draw_heads(p, cells - 6, c);
	/*
	 * Where rows are narrower than text, only some have their name.  Each band begins with
	 * a name.
	 */
	step = p->cell >= SMALL ? 1 : (uint32_t) (SMALL / p->cell) + 1;
	for (uint32_t r = 0; r < p->s->nrows; r++) {
		double top = cells + p->y[r];

		if (r % p->band_rows % step == 0)
			canvas_text(c, p->cells_x + p->row_x[r] - 8,
				    top + (p->cell + SMALL) / 2 - 2, SMALL, ANCHOR_END,
				    p->label[r]);
		for (uint32_t i = 0; i < p->s->ncolumns; i++)
			draw_cell(p, r, i, top, c);
	}
	draw_legend(p, cells + p->cells_height + 1.5 * LINE, c);
}
