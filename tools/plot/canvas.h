/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas.h - what a picture is drawn on
 *
 * Coordinates are pixels from the top left.  picture_svg.c writes the elements; picture.c and
 * job_picture.c alone decide the layout.
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

/* A line from one point to another.  @bend moves its middle to the right, seen in its direction. */
struct stroke {
	double x1, y1, x2, y2, bend, width;
	enum ink ink;
	unsigned step;
	int has_arrow;		/* with a head in the middle */
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
	int has_path;		/* private: a path is open (not with SVG_FILE) */
	double run_x;		/* private: where the run of cells in that path began */
	struct box last;	/* private: the last cell of that run */
};

/* Draw a filled rectangle; its tooltip is a <title> in it. */
void canvas_box(struct canvas *c, const struct box *b);

/* Write @text, printable UTF-8.  @size: height of a line. */
void canvas_text(struct canvas *c, double x, double y, double size,
		 enum anchor anchor, const char *text);

/* Write @text in the middle of @b, in black or white, whichever has more contrast. */
void canvas_label(struct canvas *c, const struct box *b, double size, const char *text);
void canvas_line(struct canvas *c, const struct stroke *k);

/* Width of a character as a fraction of the size: all texts are monospaced. */
#define CANVAS_CHARACTER 0.61

#endif
