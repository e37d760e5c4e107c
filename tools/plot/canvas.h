/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas.h - what a picture is drawn on: boxes and texts
 *
 * Coordinates are pixels from the top left.  Each file format is a table of
 * these functions; picture.c alone decides the layout.
 */
#ifndef SFAB_PLOT_CANVAS_H
#define SFAB_PLOT_CANVAS_H

#include <stdint.h>

#include "tools/plot/palette.h"

enum fill {
	FILL_COLOR,
	FILL_UNUSED, /* light grey with a frame */
	FILL_DOWN,   /* hatched */
};

struct box {
	double x, y, width, height;
	enum fill fill;
	struct color color;
	const char *tip;	/* printable, or NULL */
	uint32_t cell;		/* cell number in its sheet, or SFAB_NONE */
};

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct canvas {
	void (*box)(struct canvas *c, const struct box *b);
	/* @size: height of a line; @text is printable UTF-8. */
	void (*text)(struct canvas *c, double x, double y, double size,
		     enum anchor anchor, const char *text);
	/* Boxes until the end of the group belong together: the map @index. */
	void (*begin)(struct canvas *c, uint32_t index);
	void (*end)(struct canvas *c);
};

/* Width of a character as a fraction of the size: all texts are monospaced. */
#define CANVAS_CHARACTER 0.61

#endif
