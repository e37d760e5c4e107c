/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * palette.h - colors for quantities, perceptually uniform, on light and dark
 *
 * Amounts: lightness changes in equal steps, away from the ground: on light ground
 * from light yellow over green and blue to dark violet, on dark ground the other
 * way.  So what matters most stands out on both.  Equal differences look equal,
 * also in gray and to readers who confuse red and green.  No amount is red: red
 * is more than a port carries.  Computed in Oklab (B. Ottosson, "A perceptual color
 * space for image processing", 2020); viridis and cividis follow the same idea.
 */
#ifndef SFAB_PLOT_PALETTE_H
#define SFAB_PLOT_PALETTE_H

#include <stdint.h>

struct color {
	uint8_t red, green, blue;
};

/* What is drawn with: the first three have steps. */
enum ink {
	INK_AMOUNT,	/* 0 to INK_STEPS - 1 */
	INK_OVER,	/* 0 to 2: more than a port carries, ever more */
	INK_GROUP,	/* 0 to INK_GROUPS - 1: jobs; the last is all others */
	INK_UNUSED, INK_DOWN, INK_FRAME, INK_TEXT, INK_GROUND,
};
#define INK_STEPS 33
#define INK_GROUPS 8

enum ground { ON_LIGHT, ON_DARK };

/* O(1); the color of a @step of that ink. */
struct color color_of_ink(enum ground on, enum ink ink, unsigned step);

/* The step of INK_AMOUNT for @t: 0 to 1; values beyond are clipped. */
unsigned ink_step(double t);

/* Black or white, what can be read better on that color. */
struct color color_on_color(struct color c);

/*
 * Contrast of two colors as WCAG 2 defines it: 1 to 21.  Text needs 4.5.
 */
double color_contrast(struct color a, struct color b);

#endif
