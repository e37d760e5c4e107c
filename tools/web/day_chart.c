/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * day_chart.c - the last day as small charts; see day.h
 *
 * A gap of more than a quarter of an hour is a gap of the line too: nobody looked then.
 */

#include <math.h>
#include <time.h>

#include "tools/web/day.h"

/* Pixels. */
enum { DAY_WIDTH = 420, DAY_HEIGHT = 150, DAY_LEFT = 48, DAY_TOP = 28, DAY_BOTTOM = 24,
       DAY_RIGHT = 12 };
#define GAP_S 900

enum day_value { DAY_BUSY, DAY_OVERFULL, DAY_FULLEST, DAY_SLOWDOWN };

static const struct {
	const char *title;
	double min;		/* origin of the axis */
	double max;		/* its end, at least */
	double mark;		/* a line of its own; 0: none */
} day_chart[] = {
	[DAY_BUSY] = { "hosts with jobs, %", 0, 100, 0 },
	[DAY_OVERFULL] = { "links asked for more than they carry", 0, 4, 0 },
	[DAY_FULLEST] = { "fullest link, % of what it carries", 0, 125, 100 },
	[DAY_SLOWDOWN] = { "mean predicted slowdown of the jobs", 1, 1.1, 0 },
};
#define DAY_CHARTS (sizeof(day_chart) / sizeof(day_chart[0]))

/* Return the value of a point in a chart; NAN: not known. */
static double day_value(const struct day_point *p, size_t chart, uint32_t nhosts)
{
	switch (chart) {
	case DAY_BUSY:
		return nhosts ? 100.0 * p->busy / nhosts : NAN;
	case DAY_OVERFULL:
		return p->overfull;
	case DAY_FULLEST:
		return 100 * p->fullest;
	default:
		return p->slowdown >= 1 ? p->slowdown : NAN;
	}
}

/* The horizontal axis always is a whole day, also when there are few points. */
struct day_axes {
	uint64_t from_s;
	double min, max;
};

static double x_of_time(const struct day_axes *a, uint64_t time_s)
{
	return DAY_LEFT + (double) (time_s - a->from_s) / DAY_SPAN_S *
				  (DAY_WIDTH - DAY_LEFT - DAY_RIGHT);
}

static double y_of_value(const struct day_axes *a, double value)
{
	return DAY_HEIGHT - DAY_BOTTOM - (value - a->min) / (a->max - a->min) *
						 (DAY_HEIGHT - DAY_TOP - DAY_BOTTOM);
}

/* Draw a horizontal line, and its value at the left. */
static void draw_level(const struct day_axes *a, double value, const char *style, FILE *out)
{
	double y = y_of_value(a, value);

	fprintf(out, "<path class=\"%s\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
		"text-anchor=\"end\">%.4g</text>\n", style, DAY_LEFT, y,
		DAY_WIDTH - DAY_RIGHT, DAY_LEFT - 5, y + 4, value);
}

/*
 * Draw a tick every six hours, at full hours of the machine's time.  Local time has no fixed
 * length of a day, so each minute is asked: 1,440 calls.
 */
static void draw_hours(const struct day_axes *a, FILE *out)
{
	for (uint64_t t = (a->from_s + 59) / 60 * 60; t <= a->from_s + DAY_SPAN_S; t += 60) {
		time_t moment = (time_t) t;
		struct tm tm;

		if (!localtime_r(&moment, &tm))
			return;
		if (tm.tm_min || tm.tm_hour % 6)
			continue;
		fprintf(out, "<path class=\"tick\" d=\"M%.1f %dv4\"/><text x=\"%.1f\" y=\"%d\" "
			"text-anchor=\"%s\">%02d:00</text>\n", x_of_time(a, t),
			DAY_HEIGHT - DAY_BOTTOM, x_of_time(a, t), DAY_HEIGHT - 6,
			x_of_time(a, t) > DAY_WIDTH - 30 ? "end" : "middle", tm.tm_hour);
	}
}

/* Draw the line; one point alone is 1 pixel wide. */
static void draw_course(const struct day *d, const struct day_axes *a, size_t chart,
			uint32_t nhosts, FILE *out)
{
	uint64_t last_s = 0;

	fputs("<path class=\"course\" d=\"", out);
	for (uint32_t i = 0; i < d->n; i++) {
		const struct day_point *p = &d->point[i];
		double value = day_value(p, chart, nhosts);

		if (p->time_s < a->from_s || !isfinite(value))
			continue;
		if (!last_s || p->time_s - last_s > GAP_S)
			fprintf(out, "M%.1f %.1fh1", x_of_time(a, p->time_s) - 1,
				y_of_value(a, value));
		fprintf(out, "L%.1f %.1f", x_of_time(a, p->time_s), y_of_value(a, value));
		last_s = p->time_s;
	}
	fputs("\"/>\n", out);
}

void day_chart_begin(const char *title, int width, int height, FILE *out)
{
	fprintf(out, "<figure><svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
		"role=\"img\" aria-label=\"%s\">\n<text class=\"title\" x=\"6\" y=\"16\">%s"
		"</text>\n", width, height, width, height, title, title);
}

void day_charts(const struct day *d, uint32_t nhosts, FILE *out)
{
	for (size_t k = 0; d->n && k < DAY_CHARTS; k++) {
		uint64_t now = d->point[d->n - 1].time_s;
		struct day_axes a = { now > DAY_SPAN_S ? now - DAY_SPAN_S : 0,
				      day_chart[k].min, day_chart[k].max };

		for (uint32_t i = 0; i < d->n; i++)
			a.max = fmax(a.max, day_value(&d->point[i], k, nhosts));
		day_chart_begin(day_chart[k].title, DAY_WIDTH, DAY_HEIGHT, out);
		draw_level(&a, a.min, "level", out);
		draw_level(&a, a.max, "level", out);
		/* Far above 100 % the mark would lie on the origin. */
		if (day_chart[k].mark > 0 && a.max < 4 * day_chart[k].mark)
			draw_level(&a, day_chart[k].mark, "mark", out);
		draw_hours(&a, out);
		draw_course(d, &a, k, nhosts, out);
		fputs("</svg></figure>\n", out);
	}
}
