/* SPDX-License-Identifier: GPL-2.0-or-later */
/* picture.h - heat maps as a picture: title, figures, rows, legend */
#ifndef SFAB_PLOT_PICTURE_H
#define SFAB_PLOT_PICTURE_H

#include <stdint.h>
#include <stdio.h>

#include "tools/plot/palette.h"
#include "tools/plot/sheet.h"

/*
 * What a picture is drawn on.  Coordinates are pixels from the top left.  picture_svg.c writes
 * the elements; picture.c and job_picture.c alone decide the layout.
 */
struct box {
	double x, y, width, height;
	enum ink ink;
	unsigned step;
	const char *tip;	/* printable, or NULL */
	int is_cell;		/* of a heat map: may become part of a path */
};

/* From one point to another; @bend pushes its middle to the right of its way. */
struct stroke {
	double x1, y1, x2, y2, bend, width;
	enum ink ink;
	unsigned step;
	int arrow;		/* with a head in the middle */
	const char *tip;	/* printable, or NULL */
};

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

enum svg_use {
	SVG_FILE,		/* each cell has a tooltip */
	SVG_SMALL,		/* without tooltips, smaller */
	SVG_FULL_CELLS,		/* small, but cells that are half full and more have one */
};

struct canvas {
	FILE *out;
	enum svg_use use;
	double gap;		/* between cells */
	int path;		/* not SVG_FILE: a path is open, with a run of */
	double run;		/* cells from here to the last one */
	struct box last;	/* cell of that path, the one to continue */
};

void canvas_box(struct canvas *c, const struct box *b);

/* @size: height of a line; @text is printable UTF-8. */
void canvas_text(struct canvas *c, double x, double y, double size,
		 enum anchor anchor, const char *text);

/* In the middle of @b, black or white, as can be read on its color. */
void canvas_label(struct canvas *c, const struct box *b, double size,
		  const char *text);
void canvas_line(struct canvas *c, const struct stroke *k);

/* Width of a character as a fraction of the size: all texts are monospaced. */
#define CANVAS_CHARACTER 0.61

/* -- a picture ------------------------------------------------------------------ */

/*
 * A sheet.  Or something else that @draw draws: then only the
 * title and the size count.
 */
struct picture {
	const struct sheet *s;	/* NULL: no heat map */
	char **label;		/* by row, shortened */
	double cell, gap;	/* width and height of a cell, and what is between cells */
	double left;		/* origin of the cells */
	/*
	 * Many rows are drawn in bands side by side, @band rows each, so that the
	 * picture is not much higher than wide.
	 */
	uint32_t band;
	double *row_x;		/* by row: of its band, from the origin */
	double *x, *y;		/* by column and row, from there; columns that no row
				   has are < 0 */
	double cells_width, cells_height;	/* of all bands */
	double width, height;	/* size of the whole picture */
	char *title, *figures;	/* printable; of another drawing: borrowed, and none */
	void (*draw)(const struct picture *p, struct canvas *c);
	const void *subject;	/* of @draw */
};

void picture_init(struct picture *p, const struct sheet *s);
void picture_free(struct picture *p);

/* Where the cells are: @s and @left are set.  Part of picture_init(). */
void picture_lay_cells(struct picture *p);

void picture_draw(const struct picture *p, struct canvas *c);

/*
 * An element of HTML, or of a file that begins with an XML declaration.  With colors for
 * light and dark ground; the reader's settings choose.
 */
void picture_svg(const struct picture *p, enum svg_use use, FILE *out);

/* As a page, which has the SVG in it and loads nothing. */
void picture_html(const struct picture *p, FILE *out);

/* Write @text for XML or HTML: <, >, & and quotes are escaped. */
void picture_xml_text(const char *text, FILE *out);

/* The same for a text from outside: made printable first. */
void picture_text(const char *text, FILE *out);

/* What other pictures share with these; sizes of texts, pixels. */
#define PICTURE_MARGIN 16.0
#define PICTURE_TITLE 15.0
#define PICTURE_SMALL 11.0
#define PICTURE_LINE 18.0
double picture_text_width(const char *text, double size);

#endif
