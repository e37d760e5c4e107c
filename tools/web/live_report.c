/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_report.c - what was lost and saved in the last days, on the page; see live.h
 *
 * The lines and tables of `sfabric report`, and two pictures.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/log/past_tables.h"
#include "tools/web/live.h"

/* Pixels. */
enum { BARS_WIDTH = 420, BARS_HEIGHT = 170, BARS_LEFT = 12, BARS_TOP = 40, BARS_BOTTOM = 24 };
#define ROWS 10			/* of a table */
#define DAY_S 86400.0

struct bars {
	const char *title;
	const char *legend[2];	/* [1] NULL: one bar in each group */
	uint32_t n;
	char label[LIVE_REPORT_DAYS + 1][16];
	double value[LIVE_REPORT_DAYS + 1][2];
};

/* Return the color of bar @k of a group, one of the map's; the last bar has the one for good. */
static const char *bar_color(const struct bars *b, int k)
{
	return k || !b->legend[1] ? "c32" : "o0";
}

/* Draw groups of one or two bars, the largest as high as the chart, with their values above. */
static void draw_bars(const struct bars *b, FILE *out)
{
	double group = (double) (BARS_WIDTH - 2 * BARS_LEFT) / b->n;
	double width = group * (b->legend[1] ? 0.35 : 0.7), max = 1e-9;

	for (uint32_t i = 0; i < b->n; i++)
		max = fmax(max, fmax(b->value[i][0], b->value[i][1]));
	day_chart_begin(b->title, BARS_WIDTH, BARS_HEIGHT, out);
	for (int k = 0; k < 2 && b->legend[k]; k++)
		fprintf(out, "<rect class=\"%s\" x=\"%d\" y=\"23\" width=\"9\" height=\"9\"/>"
			"<text x=\"%d\" y=\"32\">%s</text>\n", bar_color(b, k), 8 + 150 * k,
			21 + 150 * k, b->legend[k]);
	for (uint32_t i = 0; i < b->n; i++)
		for (int k = 0; k < 1 + (b->legend[1] != NULL); k++) {
			double x = BARS_LEFT + i * group + group * 0.15 + k * width;
			double bar_height = b->value[i][k] / max *
				      (BARS_HEIGHT - BARS_TOP - BARS_BOTTOM - 12);
			double y = BARS_HEIGHT - BARS_BOTTOM - bar_height;

			fprintf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
				"height=\"%.1f\"/><text x=\"%.1f\" y=\"%.1f\" "
				"text-anchor=\"middle\">%.*f</text>\n", bar_color(b, k), x, y,
				width, bar_height, x + width / 2, y - 3, b->value[i][k] < 100,
				b->value[i][k]);
			if (!k)
				fprintf(out, "<text x=\"%.1f\" y=\"%d\" "
					"text-anchor=\"middle\">%s</text>\n",
					BARS_LEFT + (i + 0.5) * group, BARS_HEIGHT - 8,
					b->label[i]);
		}
	fputs("</svg></figure>\n", out);
}

static void draw_causes(const struct past_sum *all, FILE *out)
{
	struct bars b = { .title = "node hours lost, by cause", .n = PAST_CAUSES,
			  .legend = { "on Slurm's nodes", "on sfabric's nodes" } };

	for (int c = 0; all->jobs && c < PAST_CAUSES; c++) {
		strcpy(b.label[c], past_cause_name((enum past_cause) c));
		b.value[c][0] = all->slurm[c];
		b.value[c][1] = all->sfabric[c];
	}
	draw_bars(&b, out);
}

/* Draw the hours of full links by day.  Days are those of UTC, as in the log. */
static void draw_full_days(const struct past *p, uint64_t now_s, FILE *out)
{
	struct bars b = { .title = "hours of full links between switches, by counters",
			  .legend = { "by day (UTC)" } };
	double first = floor((double) now_s / DAY_S) - LIVE_REPORT_DAYS;

	for (; b.n <= LIVE_REPORT_DAYS; b.n++) {
		double from_s = (first + b.n) * DAY_S;
		time_t day = (time_t) from_s;
		struct tm tm;

		if (gmtime_r(&day, &tm))
			strftime(b.label[b.n], sizeof(b.label[b.n]), "%m-%d", &tm);
		b.value[b.n][0] = fmax(past_full_hours(p, from_s, from_s + DAY_S), 0);
	}
	draw_bars(&b, out);
}

void live_report(const struct past_summary *s, uint64_t now_s, FILE *out)
{
	struct table *part[PAST_PARTS];
	char *lines = past_lines(s), *rest;

	fprintf(out, "<h2 id=\"report\">The last %d days: what the fabric costs</h2>\n",
		LIVE_REPORT_DAYS);
	for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		fprintf(out, "<p>%s</p>\n", line);
	free(lines);
	if (!s->p->n)
		fputs("<p>No job began.</p>\n", out);
	fputs("<div class=\"days\">\n", out);
	draw_causes(&s->all, out);
	if (s->full_hours >= 0)
		draw_full_days(s->p, now_s, out);
	fputs("</div>\n", out);
	past_tables(s, ROWS, part);
	for (int i = 0; i < PAST_PARTS; i++) {
		if (table_rows(part[i]) < past_kinds[i].min) {
			table_destroy(part[i]);
			continue;
		}
		fprintf(out, "<details><summary>%s</summary>\n", past_kinds[i].title);
		table_top(part[i], ROWS);
		live_table(part[i], out);
		fputs("</details>\n", out);
	}
}
