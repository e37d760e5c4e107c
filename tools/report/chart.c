/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chart.c - small SVG pictures inside an HTML page; see chart.h
 *
 * Only the forms that reports need: lines over time or over a part of the jobs,
 * and bars.  Colors and fonts are those of the page's style, by class.  The
 * page has no script, so nothing moves.
 */

#include "tools/report/chart.h"

#include <math.h>
#include <stdlib.h>

#include "tools/plot/picture.h"
#include "tools/ui/printable.h"

/*
 * In pixels: a chart with lines is WIDTH x HEIGHT, with the axes LEFT, RIGHT,
 * TOP and BOTTOM from its edges.  Bars begin BAR_LEFT from the left, where
 * their names end, and have BAR_RIGHT for the figures behind them.
 */
enum {
	WIDTH = 420, HEIGHT = 240, LEFT = 46, RIGHT = 12, TOP = 30, BOTTOM = 40,
	BAR = 14, BAR_GAP = 10, BAR_LEFT = 130, BAR_RIGHT = 60,
};

/* The only way of a text into a page: printable, and escaped for HTML. */
void chart_text(const char *text, FILE *out)
{
	char *safe = printable(text, 0);

	picture_xml_text(safe, out);
	free(safe);
}

static void put_text(double x, double y, const char *anchor, const char *text,
		     FILE *out)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	chart_text(text, out);
	fputs("</text>\n", out);
}

/*
 * The title is there twice: as <title> for readers of the page that see
 * nothing.
 */
static void begin_chart(const char *title, double height, FILE *out)
{
	fprintf(out, "<figure><svg viewBox=\"0 0 %d %.0f\" width=\"%d\" "
		"height=\"%.0f\" role=\"img\">\n<title>", WIDTH, height, WIDTH,
		height);
	chart_text(title, out);
	fputs("</title>\n<g class=\"axis\">\n", out);
	put_text(LEFT, 16, "start", title, out);
}

static void end_chart(FILE *out)
{
	fputs("</svg></figure>\n", out);
}

/* The smallest of 1, 2, 5 times a power of ten with at most five of them in @span. */
static double tick_of(double span)
{
	double tick = pow(10, floor(log10(span / 5)));

	if (span / tick > 10)
		return span / tick > 25 ? 10 * tick : 5 * tick;
	return span / tick > 5 ? 2 * tick : tick;
}

/* Slowdowns begin at 1, so the axis does too. */
static double y_at(double value, double high)
{
	return HEIGHT - BOTTOM -
	       (value - 1) / (high - 1) * (HEIGHT - TOP - BOTTOM);
}

/* Lines at round values from 1 on, with the value at the left: 1, 1.2, 1.4. */
static void put_grid(const struct chart_lines *c, double high, FILE *out)
{
	double tick = tick_of(high - 1);
	char text[32];

	for (int k = 0; 1 + k * tick <= high + 1e-9; k++) {
		double y = y_at(1 + k * tick, high);

		fprintf(out, "<path d=\"M%d %.1fH%d\"/>\n", LEFT, y, WIDTH - RIGHT);
		snprintf(text, sizeof(text), "%g", 1 + k * tick);
		put_text(LEFT - 6, y + 4, "end", text, out);
	}
	put_text(LEFT, HEIGHT - BOTTOM + 16, "start", c->x_first, out);
	put_text(WIDTH - RIGHT, HEIGHT - BOTTOM + 16, "end", c->x_last, out);
	put_text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, "middle", c->x_label,
		 out);
}

/* A line with one point is drawn as a short one. */
static void put_line(const struct chart_lines *c, const struct chart_line *line,
		     double high, FILE *out)
{
	double span = c->x1 > c->x0 ? c->x1 - c->x0 : 1;
	double pixel = (WIDTH - LEFT - RIGHT) / span;

	fprintf(out, "<path class=\"%s\" d=\"", line->style);
	for (uint32_t i = 0; i < line->n; i++)
		fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M',
			LEFT + (line->x[i] - c->x0) * pixel, y_at(line->y[i], high));
	/* 8 pixels to the right; a path of one point shows nothing. */
	fputs(line->n == 1 ? "h8\"/>\n" : "\"/>\n", out);
}

void chart_lines(const struct chart_lines *c, FILE *out)
{
	double high = 1.1;	/* a flat line at 1 has some air above it */

	for (uint32_t k = 0; k < c->n; k++)
		for (uint32_t i = 0; i < c->line[k].n; i++)
			high = fmax(high, c->line[k].y[i]);
	begin_chart(c->title, HEIGHT, out);
	put_grid(c, high, out);
	fputs("</g>\n<g class=\"line\">\n", out);
	for (uint32_t k = 0; k < c->n; k++)
		put_line(c, &c->line[k], high, out);
	fputs("</g>\n", out);
	end_chart(out);
}

/* Never 0, as bars are drawn in parts of it. */
static double highest_of_bars(const struct chart_bars *c)
{
	double high = 0;

	for (uint32_t i = 0; i < c->n; i++)
		high = fmax(high, c->style[1] ? fmax(c->bar[i].value[0],
						     c->bar[i].value[1]) :
						c->bar[i].value[0]);
	return high > 0 ? high : 1;
}

/*
 * Two bars for each name if there are two styles: "assumed (upper) and found".
 */
void chart_bars(const struct chart_bars *c, FILE *out)
{
	int many = c->style[1] ? 2 : 1;
	double high = highest_of_bars(c), y = TOP;
	char text[40];

	begin_chart(c->title, TOP + c->n * (many * BAR + BAR_GAP) + 20.0, out);
	for (uint32_t i = 0; i < c->n; i++, y += many * BAR + BAR_GAP) {
		put_text(BAR_LEFT - 6, y + many * BAR / 2.0 + 4, "end",
			 c->bar[i].name, out);
		for (int k = 0; k < many; k++) {
			double width = c->bar[i].value[k] / high *
				       (WIDTH - BAR_LEFT - BAR_RIGHT);

			fprintf(out, "<rect class=\"%s\" x=\"%d\" y=\"%.1f\" "
				"width=\"%.1f\" height=\"%d\"/>\n", c->style[k],
				BAR_LEFT, y + k * BAR, width, BAR - 2);
			snprintf(text, sizeof(text), "%.*f", (int) c->decimals,
				 c->bar[i].value[k]);
			put_text(BAR_LEFT + width + 4, y + k * BAR + 10, "start",
				 text, out);
		}
	}
	put_text(BAR_LEFT, y + 10, "start", c->label, out);
	fputs("</g>\n", out);
	end_chart(out);
}
