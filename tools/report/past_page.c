/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_page.c - the report as one HTML file; see past_page.h
 *
 * The text report's summary, pictures that only the page has, and the same
 * tables as the text.  One file without script that can be mailed; its policy
 * forbids to load anything.
 */

#include "tools/report/past_page.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "tools/plot/picture.h"
#include "tools/report/chart.h"
#include "tools/report/past_style.inc"	/* made of report.css */
#include "tools/ui/say.h"

#define POINTS 101		/* of a line: one for each per cent of the jobs */
#define BARS_MOST 12		/* reasons in a picture */

/* -- pictures --------------------------------------------------------------- */

/*
 * What each part of the jobs stays below.  Both lines are sorted by themselves:
 * the point at 90 % is what 90 % of the jobs stay below, not one job on both.
 * @class -1: of all traffic.
 */
static void put_distribution(const struct past *p, int class, FILE *out)
{
	double x[POINTS], y[2][POINTS], *slowdown[2];
	uint32_t n = past_slowdowns(p, class, &slowdown[0], &slowdown[1]);
	struct chart_lines c = {
		.x_label = "part of the jobs, by predicted slowdown", .x_first = "0 %",
		.x_last = "100 %", .x0 = 0, .x1 = POINTS - 1, .n = 2,
		.line = { { "slurm", POINTS, x, y[1] }, { "sfabric", POINTS, x, y[0] } },
	};
	char *title = need_text("%s: %u jobs", class < 0 ? "all" :
				sfab_class_name((enum sfab_class) class), n);

	c.title = title;
	for (uint32_t i = 0; n && i < POINTS; i++) {
		/*
		 * As many points as the picture can show, evenly over the
		 * sorted jobs.
		 */
		uint32_t at = (uint32_t) ((uint64_t) (n - 1) * i / (POINTS - 1));

		x[i] = i;
		y[0][i] = slowdown[0][at];
		y[1][i] = slowdown[1][at];
	}
	if (n)
		chart_lines(&c, out);
	free(title);
	free(slowdown[0]);
	free(slowdown[1]);
}

/*
 * Means by day, of the days with compared jobs.  One day is no course, so it
 * has no picture.
 */
static void put_days(const struct past *p, FILE *out)
{
	uint32_t n, days = 0;
	struct past_sum *sum = past_sums(p, PAST_BY_DAY, &n);
	double *x = need(n, sizeof(*x)), *ours = need(n, sizeof(*ours));
	double *slurms = need(n, sizeof(*slurms));
	struct chart_lines c = {
		.title = "mean of each day", .x_label = "day", .n = 2,
		.line = { { "slurm", 0, x, slurms }, { "sfabric", 0, x, ours } },
	};

	for (uint32_t i = 0; i < n; i++) {
		if (!sum[i].compared)
			continue;
		c.x_first = days ? c.x_first : sum[i].name;
		c.x_last = sum[i].name;
		x[days] = days;
		ours[days] = sum[i].ours.slowdown;
		slurms[days++] = sum[i].slurms.slowdown;
	}
	c.line[0].n = c.line[1].n = days;
	c.x1 = days;
	if (days > 1) {
		c.x1 = days - 1;
		chart_lines(&c, out);
	}
	past_sums_free(sum, n);
	free(x);
	free(ours);
	free(slurms);
}

/* The most frequent reasons, as past_sums() has them first. */
static void put_reasons(const struct past *p, FILE *out)
{
	uint32_t n;
	struct past_sum *sum = past_sums(p, PAST_BY_REASON, &n);
	struct chart_bar bar[BARS_MOST];
	struct chart_bars c = {
		.title = "jobs by reason", .label = "jobs", .style = { "sfabric" },
		.n = n < BARS_MOST ? n : BARS_MOST, .bar = bar,
	};

	for (uint32_t i = 0; i < c.n; i++)
		bar[i] = (struct chart_bar) { sum[i].name, { sum[i].jobs } };
	if (n)
		chart_bars(&c, out);
	past_sums_free(sum, n);
}

/*
 * Is what the site assumes of jobs true?  For each class two bars, 0 to 1 of the
 * rate of a port.
 */
static void put_found_table(const struct past *p, FILE *out)
{
	struct past_told told[SFAB_NCLASSES];
	struct chart_bar bar[SFAB_NCLASSES];
	struct chart_bars c = {
		.title = "traffic: assumed (upper) and found by counters",
		.label = "mean share of the port's rate", .decimals = 3,
		.style = { "told", "found" }, .bar = bar,
	};
	uint32_t wrong;

	past_told(p, told, &wrong);
	for (int k = 0; k < SFAB_NCLASSES; k++)
		if (told[k].jobs)
			bar[c.n++] = (struct chart_bar) {
				sfab_class_name((enum sfab_class) k),
				{ told[k].told, told[k].found } };
	if (c.n)
		chart_bars(&c, out);
}

/*
 * Is what we predict true?  Jobs that ran several times, grouped by how much
 * slower we said they would be.
 */
static void put_run_times(const struct past *p, FILE *out)
{
	struct past_runs runs[PAST_STEPS];
	struct chart_bar bar[PAST_STEPS];
	char name[PAST_STEPS][32];
	struct chart_bars c = {
		.title = "slowdown: predicted (upper) and by run time",
		.label = "jobs that ran several times", .decimals = 2,
		.style = { "told", "found" }, .bar = bar,
	};

	past_run_times(p, runs);
	for (int k = 0; k < PAST_STEPS; k++) {
		if (!runs[k].runs)
			continue;
		snprintf(name[c.n], sizeof(name[0]), "%u runs", runs[k].runs);
		bar[c.n] = (struct chart_bar) { name[c.n],
						{ runs[k].predicted, runs[k].ran } };
		c.n++;
	}
	if (c.n)
		chart_bars(&c, out);
}

static void put_pictures(const struct past *p, FILE *out)
{
	fputs("<p class=\"key\"><span class=\"slurm\">Slurm's nodes</span>"
	      "<span class=\"sfabric\">sfabric's nodes</span></p>\n"
	      "<div class=\"pictures\">\n", out);
	for (int class = -1; class < SFAB_NCLASSES; class++)
		put_distribution(p, class, out);
	put_days(p, out);
	put_reasons(p, out);
	put_found_table(p, out);
	put_run_times(p, out);
	fputs("</div>\n", out);
}

/* -- tables ----------------------------------------------------------------- */

/* Numbers are aligned at the right, in heading and cells. */
static int is_number(struct json_object *value)
{
	return json_object_is_type(value, json_type_int) ||
	       json_object_is_type(value, json_type_double);
}

/* Words of a key: "slurm_p95" is "slurm p95". */
static void put_page_heading(const char *key, int number, FILE *out)
{
	fputs(number ? "<th class=\"number\">" : "<th>", out);
	for (; *key; key++)
		fputc(*key == '_' ? ' ' : *key, out);
	fputs("</th>", out);
}

/*
 * The table goes through JSON, which has all columns and the types of the
 * cells.
 */
static void put_page_table(const struct past_table *part, FILE *out)
{
	struct json_object *rows = table_json(part->t);

	fputs("<h2>", out);
	chart_text(part->title, out);
	fputs("</h2>\n<div class=\"wide\"><table>\n", out);
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (i == 0) {
			fputs("<tr>", out);
			json_object_object_foreach(row, key, cell)
				put_page_heading(key, is_number(cell), out);
			fputs("</tr>\n", out);
		}
		fputs("<tr>", out);
		json_object_object_foreach(row, name, value) {
			(void) name;
			/* three digits do for slowdowns and shares */
			fputs(is_number(value) ? "<td class=\"number\">" : "<td>",
			      out);
			if (json_object_is_type(value, json_type_double))
				fprintf(out, "%.3f", json_object_get_double(value));
			else
				picture_xml_text(value ? json_object_get_string(value) :
							 "-", out);	/* printable */
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	fputs("</table></div>\n", out);
	json_object_put(rows);
}

void past_page(const struct past *p, const struct past_table part[PAST_PARTS],
	       const char *summary, FILE *out)
{
	fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		"<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\""
		"default-src 'none'; style-src 'unsafe-inline'\">\n"
		"<title>sfabric report</title>\n<style>\n%s</style>\n</head>\n<body>\n"
		"<h1>sfabric report</h1>\n<p>", report_css);
	/*
	 * A paragraph for each line.  The summary is our own text, in which the
	 * names are printable already.
	 */
	for (; *summary; summary++)
		if (*summary == '\n')
			fputs("</p>\n<p>", out);
		else if (*summary == '<')
			fputs("&lt;", out);
		else if (*summary == '&')
			fputs("&amp;", out);
		else
			fputc(*summary, out);
	fputs("</p>\n", out);
	put_pictures(p, out);
	for (int i = 0; i < PAST_PARTS; i++)
		if (part[i].rows)
			put_page_table(&part[i], out);
	fputs("</body>\n</html>\n", out);
}
