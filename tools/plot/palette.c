/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * palette.c - the colors of pictures; see palette.h
 *
 * Amounts go evenly through Oklab (Björn Ottosson, "A perceptual color space for image
 * processing", 2020), in which equal steps look equally far apart: lightness from 0.94 to 0.30
 * on light background, 0.34 to 0.94 on dark, hue from 105 to 300 degrees, chroma 0.14 or as
 * much as a screen has there.  So a port at 60 % looks between one at 50 % and one at 70 %, and
 * the order of lightness survives in gray.  Red has hue 25 and chroma 0.22.  Hues of jobs are
 * far from each other in any order, and none is red; neighbors in the list differ in lightness,
 * too, for readers who cannot tell the hues.
 */

#include "tools/plot/palette.h"

#include <math.h>

/* 0xRRGGBB by ink, then by step. */
static const uint32_t light_colors[][INK_STEPS] = {
	[INK_AMOUNT] = {
		0xf9f07b, 0xe8ed79, 0xd7ea79, 0xc6e77b, 0xb4e37d, 0xa1df81, 0x8edb84, 0x7bd689,
		0x66d18d, 0x4fcc92, 0x34c696, 0x01c09b, 0x00b89f, 0x01b0a1, 0x01a8a2, 0x00a0a2,
		0x0198a2, 0x0191a1, 0x0089a0, 0x01819e, 0x007a9d, 0x00729c, 0x006a9c, 0x00629d,
		0x0059a0, 0x14509e, 0x224798, 0x2b3e92, 0x31358b, 0x352c83, 0x38237a, 0x3a1971,
		0x3b0f67,
	},
	[INK_OVER] = { 0xf53d41, 0xcb0020, 0x940015 },
	[INK_JOB] = { 0x3a7bcb, 0xd98a2e, 0x2a904b, 0xce7cc7, 0x008b91, 0xaca220, 0x8166c3,
			0xa4a4a4 },
	[INK_UNUSED] = { 0xececec }, [INK_DOWN] = { 0x606060 }, [INK_FRAME] = { 0xb8b8b8 },
	[INK_TEXT] = { 0x202020 }, [INK_BACKGROUND] = { 0xffffff },
};

/* A dark background turns the scale around: its first step is the one near the background. */
static const uint32_t dark_colors[][INK_STEPS] = {
	[INK_AMOUNT] = {
		0x451d74, 0x44267d, 0x412e86, 0x3e378e, 0x393f96, 0x33489d, 0x2b50a2, 0x1f59a8,
		0x0862ac, 0x006baa, 0x0073a8, 0x007aa7, 0x0182a7, 0x0189a8, 0x0090a8, 0x0098a9,
		0x019fa9, 0x01a6a9, 0x01aea8, 0x01b6a6, 0x01bda3, 0x12c59f, 0x3aca9a, 0x54d095,
		0x69d490, 0x7ed98b, 0x91dd87, 0xa3e182, 0xb5e57f, 0xc7e87c, 0xd8eb7a, 0xe9ee7a,
		0xf9f07b,
	},
	[INK_OVER] = { 0xe62b34, 0xff6b65, 0xffaba3 },
	[INK_JOB] = { 0x5294e6, 0xf4a34c, 0x47aa62, 0xe995e2, 0x01a6ad, 0xc5bc43, 0x997fde,
			0x636363 },
	[INK_UNUSED] = { 0x262b32 }, [INK_DOWN] = { 0xa8a8a8 }, [INK_FRAME] = { 0x4a525c },
	[INK_TEXT] = { 0xe3e7ec }, [INK_BACKGROUND] = { 0x15191e },
};

uint32_t palette_color(enum background background, enum ink ink, unsigned step)
{
	return (background == ON_LIGHT ? light_colors : dark_colors)[ink][step];
}

/* Decode the light of a channel from sRGB (IEC 61966-2-1). */
static double decode_channel(uint32_t value)
{
	double v = (value & 0xff) / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/*
 * Choose by contrast, which is (y + 0.05) / (x + 0.05) of the luminances (WCAG 2, 1.4.3).
 * Black and white have the same on a color of 0.1791.
 */
uint32_t palette_text_color(uint32_t color)
{
	double luminance = 0.2126 * decode_channel(color >> 16) +
			   0.7152 * decode_channel(color >> 8) + 0.0722 * decode_channel(color);

	return luminance > 0.1791 ? 0x000000 : 0xffffff;
}
