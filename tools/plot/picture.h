/* SPDX-License-Identifier: GPL-2.0-or-later */
/* picture.h - heat maps as a picture: title, figures, rows, legend */
#ifndef SFAB_PLOT_PICTURE_H
#define SFAB_PLOT_PICTURE_H

#include <stdint.h>
#include <stdio.h>

#include "tools/plot/canvas.h"
#include "tools/plot/sheet.h"

/* A sheet.  Or something else that @draw draws: then only the title and the size count. */
struct picture {
	const struct sheet *s;	/* NULL: no heat map */
	char **label;		/* by row, shortened */
	double cell, gap;	/* width and height of a cell, and what is between cells */
	double left;		/* origin of the cells */
	/*
	 * Many rows are drawn in bands side by side, @band rows each, so that the picture is
	 * not much higher than wide.
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

/* Lay out @s, which is borrowed. */
void picture_init(struct picture *p, const struct sheet *s);
void picture_free(struct picture *p);

/* Where the cells are: @s and @left are set.  Part of picture_init(). */
void picture_lay_cells(struct picture *p);

/* All elements, in their order; picture_svg() calls it. */
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
