/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * palette.h - colours for quantities, even to the eye
 *
 * Amounts: lightness rises in equal steps from dark violet over blue and green
 * to light yellow, so that equal differences look equal, also in grey and to
 * eyes that confuse red and green.  Changes: nearly white is none, darker is
 * more, blue fell and orange rose: hues that no common colour blindness takes
 * for one.  Computed in Oklab (B. Ottosson, "A perceptual color space for image
 * processing", 2020); viridis and cividis follow the same idea.
 */
#ifndef SFAB_PLOT_PALETTE_H
#define SFAB_PLOT_PALETTE_H

#include <stdint.h>

#include "tools/plot/sheet.h"

struct colour {
	uint8_t red, green, blue;
};

#define COLOUR_STEPS 256	/* from 0 to 1: the script of a page has a table */

/* @t from 0 to 1, of a change from -1 to 1; beyond is clipped. */
struct colour colour_of(enum heat_kind kind, double t);

/* The same as a number for 256-colour terminals: eight or nine steps of it. */
unsigned colour_256(enum heat_kind kind, double t);

#endif
