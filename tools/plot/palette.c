/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * palette.c - colors for quantities, perceptually uniform; see palette.h
 *
 * Oklab (Björn Ottosson, "A perceptual color space for image processing", 2020)
 * is a space in which equal steps look equally far apart.  So a port at 60 %
 * looks between one at 50 % and one at 70 %, and the order of lightness
 * survives in gray.  Chroma is cut where a screen cannot show it, hue and
 * lightness never.
 */

#include "tools/plot/palette.h"

#include <math.h>

/* Ends of the scale: hue in degrees. */
#define HUE_DARK 300.0
#define HUE_LIGHT 105.0
#define CHROMA 0.14		/* the screen may allow less */
#define DEGREE (acos(-1) / 180)
#define RED 25.0		/* hue of what is overloaded */

/* Linear light, as it adds up; the values in files are encoded. */
struct linear {
	double red, green, blue;
};

/* Oklab -> linear sRGB; a channel outside 0..1 cannot be shown on a screen. */
static struct linear from_oklab(double lightness, double a, double b)
{
	double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
	double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
	double s = lightness - 0.0894841775 * a - 1.2914855480 * b;

	l = l * l * l;
	m = m * m * m;
	s = s * s * s;
	return (struct linear) {
		4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
		-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
		-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
	};
}

/* The transfer function of sRGB (IEC 61966-2-1). */
static uint8_t encode_channel(double x)
{
	double v;

	x = fmin(fmax(x, 0.0), 1.0);
	v = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
	return (uint8_t) lround(255 * v);
}

/*
 * The wanted chroma, or as much as sRGB has at this lightness and hue.  A
 * search by halves: on the way to gray a color stays on the screen.
 */
static struct linear most_chroma(double lightness, double hue, double wanted)
{
	double low = 0, high = wanted;

	/* Ten halvings: finer than the 8 bits of a channel. */
	for (int i = 0; i < 10; i++) {
		double c = (low + high) / 2;

		struct linear x = from_oklab(lightness, c * cos(hue),
					     c * sin(hue));

		if (fmin(x.red, fmin(x.green, x.blue)) >= 0 &&
		    fmax(x.red, fmax(x.green, x.blue)) <= 1)
			low = c;
		else
			high = c;
	}
	return from_oklab(lightness, low * cos(hue), low * sin(hue));
}

static struct color to_screen(struct linear c)
{
	return (struct color){
	    encode_channel(c.red),
	    encode_channel(c.green),
	    encode_channel(c.blue),
	};
}

/*
 * Lightness at the ends of a scale, by ground.  On a light ground more is
 * darker, on a dark one lighter: the largest value is always what stands out.
 */
struct ends {
	double from, to;
};
/* By enum ground: light, dark. */
static const struct ends amount_ends[] = { { 0.94, 0.30 }, { 0.34, 0.94 } };
static const struct ends over_ends[] = { { 0.64, 0.42 }, { 0.60, 0.82 } };

static struct color color_in_oklab(double lightness, double hue, double chroma)
{
	return to_screen(most_chroma(lightness, hue * DEGREE, chroma));
}

static double color_between(const struct ends *e, double t)
{
	return e->from + t * (e->to - e->from);
}

/*
 * Hues of jobs: far from each other in any order, and none is red.  Neighbors
 * in the list differ in lightness, too, for who cannot tell the hues.  The last
 * step is gray: all the jobs without a color of their own.
 */
static struct color color_of_group(enum ground on, unsigned step)
{
	static const double hue[INK_GROUPS - 1] = {
		255, 65, 150, 330, 200, 105, 295,
	};
	double lightness = (on == ON_LIGHT ? 0.58 : 0.66) + (step % 2 ? 0.12 : 0);

	if (step >= INK_GROUPS - 1)
		return color_in_oklab(on == ON_LIGHT ? 0.72 : 0.50, 0, 0);
	return color_in_oklab(lightness, hue[step], 0.14);
}

/* Those without steps.  By ink, then by ground. */
static struct color plain_color(enum ground on, enum ink ink)
{
	static const struct color color[][2] = {
		[INK_UNUSED] = { { 0xec, 0xec, 0xec }, { 0x26, 0x2b, 0x32 } },
		[INK_DOWN] = { { 0x60, 0x60, 0x60 }, { 0xa8, 0xa8, 0xa8 } },
		[INK_FRAME] = { { 0xb8, 0xb8, 0xb8 }, { 0x4a, 0x52, 0x5c } },
		[INK_TEXT] = { { 0x20, 0x20, 0x20 }, { 0xe3, 0xe7, 0xec } },
		[INK_GROUND] = { { 0xff, 0xff, 0xff }, { 0x15, 0x19, 0x1e } },
	};

	return color[ink][on];
}

/*
 * Three overload steps, hence 2.0.  A dark ground turns the scale around: its
 * first step is the one near the ground.
 */
struct color color_of_ink(enum ground on, enum ink ink, unsigned step)
{
	double t = step / (INK_STEPS - 1.0), hue, far;

	switch (ink) {
	case INK_AMOUNT:
		far = on == ON_LIGHT ? t : 1 - t;
		hue = HUE_LIGHT + far * (HUE_DARK - HUE_LIGHT);
		return color_in_oklab(color_between(&amount_ends[on], t), hue, CHROMA);
	case INK_OVER:
		return color_in_oklab(color_between(&over_ends[on], step / 2.0), RED,
				      0.22);
	case INK_GROUP:
		return color_of_group(on, step);
	default:
		return plain_color(on, ink);
	}
}

unsigned ink_step(double t)
{
	return (unsigned) lround(fmin(fmax(t, 0.0), 1.0) * (INK_STEPS - 1));
}

static double decode_channel(uint8_t value)
{
	double v = value / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/*
 * Relative luminance and contrast as the accessibility guidelines define them
 * (WCAG 2, 1.4.3).  From 4.5 on text can be read.
 */
static double luminance_of(struct color c)
{
	return 0.2126 * decode_channel(c.red) + 0.7152 * decode_channel(c.green) +
	       0.0722 * decode_channel(c.blue);
}

double color_contrast(struct color a, struct color b)
{
	double x = luminance_of(a) + 0.05, y = luminance_of(b) + 0.05;

	return x > y ? x / y : y / x;
}

/* For the value inside of a cell. */
struct color color_on_color(struct color c)
{
	const struct color black = { 0, 0, 0 }, white = { 0xff, 0xff, 0xff };

	return color_contrast(c, black) > color_contrast(c, white) ? black : white;
}
