/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas.h - what a picture is drawn on: boxes, lines and texts
 *
 * Coordinates are pixels from the top left.  Each file format is a table of
 * these functions; picture.c and job_picture.c alone decide the layout.
 */
#ifndef SFAB_PLOT_CANVAS_H
#define SFAB_PLOT_CANVAS_H

#include <stdint.h>

#include "tools/plot/palette.h"

struct box {
	double x, y, width, height;
	enum ink ink;
	unsigned step;
	const char *tip;	/* printable, or NULL */
	uint32_t cell;		/* cell number in its sheet, or SFAB_NONE */
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

struct canvas {
	void (*box)(struct canvas *c, const struct box *b);
	/* @size: height of a line; @text is printable UTF-8. */
	void (*text)(struct canvas *c, double x, double y, double size,
		     enum anchor anchor, const char *text);
	/* In the middle of @b, black or white, as can be read on its color. */
	void (*label)(struct canvas *c, const struct box *b, double size,
		      const char *text);
	void (*line)(struct canvas *c, const struct stroke *s);
	/* Boxes until the end of the group belong together: the map @index. */
	void (*begin)(struct canvas *c, uint32_t index);
	void (*end)(struct canvas *c);
};

/* Width of a character as a fraction of the size: all texts are monospaced. */
#define CANVAS_CHARACTER 0.61

/* Point in the middle of a stroke, and its direction there (length 1). */
struct stroke_middle {
	double x, y, dx, dy;
	double cx, cy;		/* control point of the quadratic curve */
};
struct stroke_middle stroke_middle(const struct stroke *s);

#endif
