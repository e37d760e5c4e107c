/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * palette.h - colors for quantities, perceptually uniform
 *
 * Amounts: lightness rises in equal steps from dark violet over blue and green
 * to light yellow.  Equal differences look equal, also in gray and to readers
 * who confuse red and green.  Changes: nearly white is none and darker is more;
 * blue fell and orange rose, two hues that no common color blindness confuses.
 * Computed in Oklab (B. Ottosson, "A perceptual color space for image
 * processing", 2020); viridis and cividis follow the same idea.
 */
#ifndef SFAB_PLOT_PALETTE_H
#define SFAB_PLOT_PALETTE_H

#include <stdint.h>

#include "tools/plot/sheet.h"

struct color {
	uint8_t red, green, blue;
};

#define COLOR_STEPS 256	/* 0 to 1; the script of a page has a table */

/* @t is from 0 to 1, for a change from -1 to 1; values beyond are clipped. */
struct color color_of(enum heat_kind kind, double t);

/*
 * The same as a color number of 256-color terminals: eight or nine steps of it.
 */
unsigned color_256(enum heat_kind kind, double t);

#endif
