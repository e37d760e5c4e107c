/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas.h - what a picture is drawn on
 *
 * Coordinates are pixels from the top left.  picture_svg.c writes the elements; picture.c
 * and job_picture.c alone decide the layout.
 */
#ifndef SFAB_CANVAS_H
#define SFAB_CANVAS_H

#include <stdio.h>

#include "tools/plot/palette.h"

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

/* A filled rectangle. */
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

#endif
