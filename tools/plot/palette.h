/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * palette.h - colors for quantities, perceptually uniform, on light and dark
 *
 * For amounts, lightness changes in equal steps away from the background: on a light one from
 * light yellow over green and blue to dark violet, on a dark one the other way.  So what
 * matters most stands out on both.  Equal differences look equal, also in gray and to readers
 * who confuse red and green.  No amount is red: red is more than a port carries.  viridis and
 * cividis follow the same idea.
 */
#ifndef SFAB_PLOT_PALETTE_H
#define SFAB_PLOT_PALETTE_H

#include <stdint.h>

/* The kinds of color.  The first three have steps. */
enum ink {
	INK_AMOUNT,	/* 0 to INK_STEPS - 1 */
	INK_OVER,	/* 0 to 2: more than a port carries, ever more */
	INK_JOB,	/* 0 to INK_JOB_STEPS - 1: jobs; the last is all others */
	INK_UNUSED, INK_DOWN, INK_FRAME, INK_TEXT, INK_BACKGROUND,
};
#define INK_STEPS 33
#define INK_JOB_STEPS 8

enum background { ON_LIGHT, ON_DARK };

/* Return the color 0xRRGGBB of a step of @ink; 0 if it has none. */
uint32_t palette_color(enum background background, enum ink ink, unsigned step);

/* Return black or white, whichever is easier to read on @color. */
uint32_t palette_text_color(uint32_t color);

#endif
