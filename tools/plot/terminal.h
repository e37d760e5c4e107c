/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.h - a heat map drawn with characters
 */
#ifndef SFAB_PLOT_TERMINAL_H
#define SFAB_PLOT_TERMINAL_H

#include <stdio.h>

#include "tools/plot/sheet.h"

enum palette {
	PALETTE_PLAIN,		/* digits: tenths of the largest value */
	PALETTE_256,
	PALETTE_FULL,		/* 24-bit color */
};

/*
 * What @out can show.  PALETTE_PLAIN if it is not a terminal, for TERM=dumb,
 * and if NO_COLOR is set (no-color.org).
 */
enum palette terminal_palette(FILE *out);

/* Characters in a line of @out; 80 if it is not a terminal. */
unsigned terminal_width(FILE *out);

/*
 * Title, figures, rows and legend.  For a change without colors, digits mean
 * more and letters less; "=" is a port that is used as much as before.
 */
void terminal_draw(const struct sheet *s, const struct heatmap *m,
		   enum palette palette, unsigned width, FILE *out);

#endif
