/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chart.h - small SVG pictures inside an HTML page
 *
 * Colors come from the page's style: a class for each line and bar, "axis" for the
 * rest, so that a page has a light and a dark mode.
 */
#ifndef SFAB_CHART_H
#define SFAB_CHART_H

#include <stdint.h>
#include <stdio.h>

struct chart_line {
	const char *style;	/* class of the page's style */
	uint32_t n;
	const double *x, *y;	/* [n] x ascending */
};

/* Lines from x0 to x1; y begins at 1, as slowdowns do. */
struct chart_lines {
	const char *title, *x_label;
	const char *x_first, *x_last;	/* what stands at both ends of the axis */
	double x0, x1;
	uint32_t n;
	struct chart_line line[2];
};
void chart_lines(const struct chart_lines *c, FILE *out);

struct chart_bar {
	const char *name;
	double value[2];	/* >= 0 */
};

/* Horizontal bars, one or two for each name. */
struct chart_bars {
	const char *title, *label;
	const char *style[2];	/* [1] NULL: one bar */
	unsigned decimals;
	uint32_t n;
	const struct chart_bar *bar;
};
void chart_bars(const struct chart_bars *c, FILE *out);

/* @text with what HTML would take for its own replaced; printable. */
void chart_text(const char *text, FILE *out);

#endif
