/* SPDX-License-Identifier: GPL-2.0-or-later */
/* palette.c - colors for quantities, perceptually uniform; see palette.h */

#include "tools/plot/palette.h"

#include <math.h>

/* Ends of the scale: Oklab lightness, and hue in degrees. */
#define DARK 0.28
#define LIGHT 0.93
#define HUE_DARK 300.0
#define HUE_LIGHT 105.0
#define CHROMA 0.14		/* the screen may allow less */
/*
 * Changes: lightness of no change and of the largest; hues of less and of more.
 */
#define SAME 0.97
#define FAR 0.45
#define HUE_LESS 250.0
#define HUE_MORE 50.0
#define DEGREE (acos(-1) / 180)

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

static int on_screen(struct linear c)
{
	return c.red >= 0 && c.red <= 1 && c.green >= 0 && c.green <= 1 &&
	       c.blue >= 0 && c.blue <= 1;
}

/* The transfer function of sRGB (IEC 61966-2-1). */
static uint8_t encode_channel(double x)
{
	double v;

	x = fmin(fmax(x, 0.0), 1.0);
	v = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
	return (uint8_t) lround(255 * v);
}

/* The wanted chroma, or as much as sRGB has at this lightness and hue. */
static struct linear most_chroma(double lightness, double hue, double wanted)
{
	double low = 0, high = wanted;

	/* Ten halvings: finer than the 8 bits of a channel. */
	for (int i = 0; i < 10; i++) {
		double c = (low + high) / 2;

		if (on_screen(from_oklab(lightness, c * cos(hue), c * sin(hue))))
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

static struct color color_of_amount(double t)
{
	double degrees = HUE_DARK + t * (HUE_LIGHT - HUE_DARK);

	return to_screen(most_chroma(DARK + t * (LIGHT - DARK),
				     degrees * DEGREE, CHROMA));
}

struct color color_of(enum heat_kind kind, double t)
{
	double steps = COLOR_STEPS - 1;
	double hue;
	double far;

	t = round(fmin(fmax(t, -1.0), 1.0) * steps) / steps;
	if (kind == HEAT_AMOUNT)
		return color_of_amount(fmax(t, 0.0));
	hue = t < 0 ? HUE_LESS : HUE_MORE;
	far = fabs(t);
	return to_screen(most_chroma(SAME + far * (FAR - SAME), hue * DEGREE,
				     far * CHROMA));
}

unsigned color_256(enum heat_kind kind, double t)
{
	/* of the 6 x 6 x 6 cube, each lighter than the last */
	static const uint8_t amounts[] = {
		53, 55, 25, 31, 36, 42, 149, 191,
	};
	/* lighter up to the middle, then darker */
	static const uint8_t changes[] = {
		25, 68, 110, 153, 255, 223, 215, 172, 130,
	};
	const uint8_t *step = kind == HEAT_AMOUNT ? amounts : changes;
	int n = kind == HEAT_AMOUNT ? sizeof(amounts) : sizeof(changes);

	if (kind == HEAT_CHANGE)
		t = (t + 1) / 2;
	return step[(int) fmin(fmax(t, 0.0) * n, n - 1)];
}
