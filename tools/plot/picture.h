/* SPDX-License-Identifier: GPL-2.0-or-later */
/* picture.h - heat maps as a picture: title, figures, rows, legend */
#ifndef SFAB_PLOT_PICTURE_H
#define SFAB_PLOT_PICTURE_H

#include <stdint.h>
#include <stdio.h>

#include "tools/plot/canvas.h"
#include "tools/plot/sheet.h"

/*
 * A picture of a sheet; or of something else that @draw draws, and then only title and size are
 * used.
 */
struct picture {
	const struct sheet *s;	/* NULL: no heat map */
	char **label;		/* by row, shortened */
	double cell;		/* size of a square cell */
	double gap;		/* between cells */
	double cells_x;		/* origin of the cells */
	/*
	 * Many rows are drawn in bands side by side, so that the picture is not much higher
	 * than wide.
	 */
	uint32_t band_rows;	/* rows of each band */
	double *row_x;		/* by row: of its band, from the origin */
	double *x;		/* by column, from row_x; < 0: no row has it */
	double *y;		/* by row, from the origin */
	/* Of all bands. */
	double cells_width, cells_height;
	double width, height;	/* size of the whole picture */
	char *title;		/* printable; borrowed if @draw is set */
	char *figures;		/* printable; NULL if @draw is set */
	void (*draw)(const struct picture *p, struct canvas *c);
	const void *subject;	/* of @draw */
};

/* Lay out @s, which is borrowed. */
void picture_init(struct picture *p, const struct sheet *s);
void picture_free(struct picture *p);

/* Find where the cells are, from @s and @cells_x.  Part of picture_init(). */
void picture_lay_cells(struct picture *p);

/* Draw all elements; picture_svg() calls it. */
void picture_draw(const struct picture *p, struct canvas *c);

/*
 * Write the picture as SVG: a file of its own, or an element of an HTML page.  It has colors
 * for a light and a dark background; the reader's settings choose.
 */
void picture_svg(const struct picture *p, enum svg_use use, FILE *out);

/* Write an HTML page that contains the SVG and loads nothing. */
void picture_html(const struct picture *p, FILE *out);

/* Write @text for XML or HTML: <, >, & and quotes are escaped. */
void picture_xml_text(const char *text, FILE *out);

/* Write a text from outside for XML or HTML: made printable, then escaped. */
void picture_text(const char *text, FILE *out);

/* Sizes in pixels that all pictures share. */
#define PICTURE_MARGIN 16.0	/* around the picture */
#define PICTURE_TITLE 15.0	/* height of the title's text */
#define PICTURE_SMALL 11.0	/* height of all other text */
#define PICTURE_LINE 18.0	/* from one line of text to the next */
double picture_text_width(const char *text, double size);

#endif
