/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * colour.h - colours for quantities, even to the eye
 *
 * Lightness rises in equal steps from dark violet over blue and green to light
 * yellow, so that equal differences look equal, also in grey and to eyes that
 * confuse red and green.  Computed in Oklab (Ottosson 2020).
 */
#ifndef SFAB_COLOUR_H
#define SFAB_COLOUR_H

#include <stdint.h>

struct colour {
	uint8_t red, green, blue;
};

/* @t from 0 (least) to 1 (most); beyond is clipped. */
struct colour colour_heat(double t);

/* The same as a number for 256-colour terminals: eight steps of it. */
unsigned colour_heat_256(double t);

#endif
