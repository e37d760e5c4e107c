/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture.c - the layout of a picture; see picture.h
 *
 *     title
 *     figures
 *              1    5        10
 *     S001     [][][][][][]
 *     S002     [][][][][][]
 *     0 [======scale======] max unit  [] unused [] down
 */

#include "tools/plot/picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/fabric.h"
#include "tools/plot/labels.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"

#define MARGIN 16.0
#define TITLE 15.0		/* sizes of texts */
#define SMALL 11.0
#define LINE 20.0
#define LEGEND_WIDTH 256.0
#define LEGEND_STEPS 64
#define LEGEND_BOX 12.0
#define LABEL_MOST 24		/* characters, if names can be shortened */
#define GAP 28.0		/* between maps */

static double map_height(const struct picture *p)
{
	return 4 * LINE + p->s->nrows * p->cell + LINE;
}

static double text_width(const char *text, double size)
{
	return (double) strlen(text) * size * CANVAS_CHARACTER;
}

/* Titles may be wider than the cells. */
static double widest_title(const struct picture *p)
{
	double widest = LEGEND_WIDTH + 420;

	for (uint32_t i = 0; i < p->nmaps; i++) {
		char *title = printable(p->s->map[i].title, 0);
		char *figures = sheet_figures(p->s, &p->s->map[i]);
		double a = text_width(title, TITLE);
		double b = text_width(figures, SMALL);

		widest = a > widest ? a : widest;
		widest = b > widest ? b : widest;
		free(title);
		free(figures);
	}
	return widest;
}

void picture_init(struct picture *p, const struct sheet *s, uint32_t nmaps)
{
	double cells, title;
	size_t longest;
	uint32_t n = s->nrows > s->ncolumns ? s->nrows : s->ncolumns;

	*p = (struct picture) { .s = s, .nmaps = nmaps };
	/*
	 * With many rows the cells shrink, so that the picture stays viewable.
	 */
	p->cell = n <= 80 ? 14 : n <= 200 ? 8 : n <= 500 ? 4 : 2;
	p->label = labels_make(s->row, s->nrows, LABEL_MOST, &longest);
	p->left = MARGIN + (double) longest * SMALL * CANVAS_CHARACTER + 8;
	cells = p->left + s->ncolumns * p->cell;
	title = MARGIN + widest_title(p);
	p->width = (cells > title ? cells : title) + MARGIN;
	p->height = 2 * MARGIN + nmaps * map_height(p) + (nmaps - 1) * GAP;
}

void picture_free(struct picture *p)
{
	labels_free(p->label, p->s->nrows);
	memset(p, 0, sizeof(*p));
}

/* The step between rows or columns with a name, so that no names overlap. */
static uint32_t label_step(double cell)
{
	return cell >= SMALL ? 1 : (uint32_t) (SMALL / cell) + 1;
}

double picture_gap(const struct picture *p)
{
	return p->cell > 4 ? 1 : 0;
}

/* Nothing is drawn where there is no port. */
static void draw_cell(const struct picture *p, const struct heatmap *m,
		      uint32_t row, uint32_t column, double y, struct canvas *c)
{
	size_t i = sheet_cell(p->s, row, column);
	const struct heat_cell *cell = &m->cell[i];
	double gap = picture_gap(p);
	struct box b = {
		.x = p->left + column * p->cell, .y = y,
		.width = p->cell - gap, .height = p->cell - gap,
		.cell = (uint32_t) i,
	};
	char *place, *value, *tip;

	if (cell->state == HEAT_NONE)
		return;
	place = sheet_place_name(p->s, row, column);
	value = sheet_value_text(p->s, m, cell);
	tip = need_text("%s: %s", place, value);
	b.tip = tip;
	b.fill = cell->state == HEAT_DOWN     ? FILL_DOWN
		 : cell->state == HEAT_UNUSED ? FILL_UNUSED
					      : FILL_COLOR;
	b.color = color_of(m->kind, sheet_place(p->s, m, cell->value));
	c->box(c, &b);
	free(place);
	free(value);
	free(tip);
}

/* Where rows are narrower than text, only some have their name. */
static void draw_rows(const struct picture *p, const struct heatmap *m,
		      double y, struct canvas *c)
{
	uint32_t step = label_step(p->cell);

	for (uint32_t r = 0; r < p->s->nrows; r++) {
		double top = y + r * p->cell;

		if (r % step == 0)
			c->text(c, p->left - 8, top + (p->cell + SMALL) / 2 - 2,
				SMALL, ANCHOR_END, p->label[r]);
		for (uint32_t i = 0; i < p->s->ncolumns; i++)
			draw_cell(p, m, r, i, top, c);
	}
}

static void draw_sample(double x, double y, enum fill fill, const char *name,
			struct canvas *c)
{
	struct box b = {
		.x = x, .y = y - LEGEND_BOX + 2, .width = LEGEND_BOX,
		.height = LEGEND_BOX, .fill = fill, .cell = SFAB_NONE,
	};

	c->box(c, &b);
	c->text(c, x + LEGEND_BOX + 5, y, SMALL, ANCHOR_START, name);
}

/* From 0 for amounts, from -1 for changes, to 1. */
static void draw_scale(enum heat_kind kind, double x, double y,
		       struct canvas *c)
{
	double least = kind == HEAT_AMOUNT ? 0 : -1;

	for (int i = 0; i < LEGEND_STEPS; i++) {
		double t = least + (1 - least) * i / (LEGEND_STEPS - 1.0);
		struct box b = {
			.x = x + i * LEGEND_WIDTH / LEGEND_STEPS,
			.y = y - LEGEND_BOX + 2,
			/* no white lines between the steps */
			.width = LEGEND_WIDTH / LEGEND_STEPS + 0.5,
			.height = LEGEND_BOX, .color = color_of(kind, t),
			.cell = SFAB_NONE,
		};

		c->box(c, &b);
	}
}

static void draw_legend(const struct picture *p, const struct heatmap *m,
			double y, struct canvas *c)
{
	double max = m->kind == HEAT_AMOUNT ? p->s->max : p->s->max_change;
	double least = m->kind == HEAT_AMOUNT ? 0 : -max;
	double x = MARGIN;
	char *text = need_text("%.6g", least);

	c->text(c, x, y, SMALL, ANCHOR_START, text);
	x += text_width(text, SMALL) + 6;
	free(text);
	draw_scale(m->kind, x, y, c);
	x += LEGEND_WIDTH + 6;
	text = need_text("%.6g %s", max, p->s->unit);
	c->text(c, x, y, SMALL, ANCHOR_START, text);
	x += text_width(text, SMALL) + 24;
	free(text);
	draw_sample(x, y, FILL_UNUSED, "unused", c);
	draw_sample(x + 80, y, FILL_DOWN, "down", c);
}

void picture_draw(const struct picture *p, struct canvas *c)
{
	for (uint32_t i = 0; i < p->nmaps; i++) {
		double y;
		char *title;
		char *figures;
		uint32_t step = p->cell >= SMALL ? 5 : p->cell > 2 ? 10 : 50;
		char text[16];

		c->begin(c, i);
		y = MARGIN + i * (map_height(p) + GAP);
		title = printable(p->s->map[i].title, 0);
		figures = sheet_figures(p->s, &p->s->map[i]);
		c->text(c, MARGIN, y + TITLE, TITLE, ANCHOR_START, title);
		c->text(c, MARGIN, y + TITLE + LINE, SMALL, ANCHOR_START,
			figures);
		for (uint32_t k = 1; k <= p->s->ncolumns;
		     k = k == 1 ? step : k + step) {
			snprintf(text, sizeof(text), "%" PRIu32, k);
			c->text(c, p->left + (k - 0.5) * p->cell,
				y + TITLE + 2.2 * LINE, SMALL, ANCHOR_MIDDLE,
				text);
		}
		draw_rows(p, &p->s->map[i], y + 3 * LINE + 4, c);
		draw_legend(p, &p->s->map[i], y + map_height(p) - 4, c);
		free(title);
		free(figures);
		c->end(c);
	}
}
