/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_page.c - the machine now as one HTML file without script; see live.h
 *
 * All texts from outside go through picture_text(): they are printable, and what HTML would
 * take for its own is replaced.
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/plot/picture.h"
#include "tools/plot/port_sheet.h"
#include "tools/site/hosts.h"
#include "tools/ui/duration.h"
#include "tools/ui/printable.h"
#include "tools/ui/xalloc.h"
#include "tools/web/live.h"
#include "tools/web/live_style.inc"	/* made of live.css */

#define JOB_ROWS 1000		/* the slowest; a browser should still scroll */
#define NAME_CHARS 60		/* of a job's name; a user may write 64 kB */
#define NODES_CHARS 90
#define TIPS_ALL 4096		/* cells; with more a page would be megabytes of tooltips */
#define FULL (1 + 1e-9)		/* what is exactly full is not more than full */

/* Write a cell with the first @max characters, then "..."; an empty one if @text is NULL. */
static void write_clipped_cell(const char *class, const char *text, size_t max, FILE *out)
{
	char *safe = printable(text ? text : "", 0);
	size_t n = printable_clip(safe, max);
	int is_cut = safe[n] != '\0';

	safe[n] = '\0';
	fprintf(out, "<td%s>", class);
	picture_xml_text(safe, out);	/* a backslash is escaped once */
	fputs(is_cut ? "...</td>" : "</td>", out);
	free(safe);
}

/* -- head ------------------------------------------------------------------- */

static void write_card(FILE *out, const char *label, const char *style, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
static void write_card(FILE *out, const char *label, const char *style, const char *fmt, ...)
{
	va_list ap;

	fprintf(out, "<div><b%s>", style);
	va_start(ap, fmt);
	vfprintf(out, fmt, ap);
	va_end(ap);
	fprintf(out, "</b><span>%s</span></div>\n", label);
}

static void write_age_card(double s, const char *label, FILE *out)
{
	char *age = duration_text((uint64_t) s);

	write_card(out, label, "", "%s", age);
	free(age);
}

/*
 * Write the figures in large letters at the top: what one wants to know from across a room.
 * Old counters or routes are seen there as well.
 */
static void write_cards(const struct live_view *v, FILE *out)
{
	const struct sfab_fabric *f = v->hot.p.site.f;
	double age = hot_links_age(&v->hot, v->now_s);

	fputs("<div class=\"cards\">\n", out);
	if (v->hot.has_jobs) {
		write_card(out, "jobs run", "", "%" PRIu32, v->njobs);
		write_card(out, "hosts have jobs", "", "%" PRIu32 " of %" PRIu32, v->hot.busy_hosts,
			   f->nhosts);
		write_card(out, "links asked for more than they carry",
			   v->hot.nfull ? " class=\"bad\"" : "", "%" PRIu32, v->hot.nfull);
	}
	write_card(out, "of what it carries on the fullest link", "", "%.0f %%",
		   100 * live_point(v).fullest);
	if (age >= 0)
		write_age_card(age, "since the ports were counted", out);
	if (f->time)
		write_age_card(v->now_s > f->time ? (double) (v->now_s - f->time) : 0,
			       "since the routes were read", out);
	fputs("</div>\n", out);
}

/* Write the warnings that other commands print on standard error.  All of them are printable. */
static void write_page_warnings(struct json_object *warnings, FILE *out)
{
	size_t n = json_object_array_length(warnings);

	if (!n)
		return;
	fputs("<div class=\"warnings\">\n", out);
	for (size_t i = 0; i < n; i++) {
		fputs("<p>", out);
		picture_xml_text(json_object_get_string(
				json_object_array_get_idx(warnings, i)), out);
		fputs("</p>\n", out);
	}
	fputs("</div>\n", out);
}

/*
 * Write the head of the page.  The page reloads itself each minute, as the timer writes it.
 * The browser asks for no file but the page: style is in it, scripts are forbidden.
 */
static void write_page_head(const struct live_view *v, struct json_object *warnings, int has_day,
			    int has_past, FILE *out)
{
	const struct sfab_fabric *f = v->hot.p.site.f;
	time_t now = (time_t) v->now_s;
	char text[64] = "";
	struct tm tm;

	fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		"<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\""
		"default-src 'none'; style-src 'unsafe-inline'\">\n"
		"<meta http-equiv=\"refresh\" content=\"60\">\n"
		"<title>sfabric: the fabric now</title>\n<style>\n%s</style>\n</head>\n"
		"<body>\n<h1>The fabric now</h1>\n<p class=\"muted\">", live_css);
	/* Local time with its zone: readers of the page are at the site. */
	if (localtime_r(&now, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %Z", &tm);
	picture_text(text, out);
	fprintf(out, ", %" PRIu32 " hosts, %" PRIu32 " switches, ", f->nhosts,
		f->nswitches);
	/* "ib0 routed by ftree, ib1 routed by updn"; planes may have no names. */
	for (uint32_t i = 0; i < f->nplanes; i++) {
		const struct sfab_plane *p = &f->planes[i];

		fputs(i ? ", " : "", out);
		picture_text(p->name, out);
		fputs(*p->name ? " routed by " : "routed by ", out);
		picture_text(*p->engine ? p->engine : "an unknown engine", out);
	}
	fputs("</p>\n<nav><a href=\"#map\">Map</a>", out);
	if (v->hot.has_jobs)
		fputs("<a href=\"#jobs\">Jobs</a>", out);
	fputs("<a href=\"#links\">Links</a><a href=\"#audit\">Audit</a>", out);
	fputs(has_past ? "<a href=\"#report\">Report</a>" : "", out);
	fputs(has_day ? "<a href=\"#day\">Day</a></nav>\n" : "</nav>\n", out);
	write_page_warnings(warnings, out);
	write_cards(v, out);
}

/* Draw how full the ports of the spines are, each by the fuller of its two directions. */
static void write_map(const struct live_view *v, FILE *out)
{
	const struct sfab_fabric *f = v->hot.p.site.f;
	struct picture picture;
	struct sheet s;
	size_t ncells;

	port_sheet_shape(&s, f, PORT_SPINES);
	ncells = (size_t) s.nrows * s.ncolumns;
	s.unit = VALUE_PERCENT;
	s.is_fuller = 1;
	s.title = xstrfmt("%s at each %s", link_value_unit(s.unit), s.what);
	s.value = xcalloc(f->nlinks, sizeof(*s.value));
	for (uint32_t e = 0; e < f->nlinks; e++)
		s.value[e] = 100 * v->hot.fill[e];
	s.jobs = v->hot.jobs;		/* borrowed */
	sheet_scale(&s, 0);
	picture_init(&picture, &s);
	fputs("<div class=\"map\">\n", out);
	picture_svg(&picture, ncells > TIPS_ALL ? SVG_FULL_CELLS : SVG_FILE, out);
	fputs("</div>\n", out);
	picture_free(&picture);
	memset(&s.jobs, 0, sizeof(s.jobs));
	sheet_free(&s);
}

/* -- jobs ------------------------------------------------------------------- */

/*
 * Write two cells: how full the job's fullest link is, and whom it shares links with.  Only
 * jobs with a row have something to point at.
 */
static void write_meetings(const struct live_view *v, const struct live_job *j, FILE *out)
{
	const struct sfab_certificate *c = &j->certificate;

	if (j->has_certificate && j->fullest > 0)
		fprintf(out, "<td class=\"number\"><span%s>%.0f %%</span></td>",
			j->fullest > FULL ? " class=\"bad\"" : "", 100 * j->fullest);
	else
		fputs("<td class=\"number\">-</td>", out);
	if (!j->has_certificate) {
		fputs("<td>sends nothing</td>", out);
		return;
	}
	fputs("<td class=\"meets\">", out);
	for (uint32_t i = 0; i < c->nids; i++)
		fprintf(out, "%s<a href=\"#j%" PRIu64 "\">%" PRIu64 "</a>", i ? ", " : "",
			c->id[i], c->id[i]);
	if (c->sharing > c->nids)
		fprintf(out, " and %" PRIu32 " more", c->sharing - c->nids);
	if (!c->sharing)
		fputs(v->njobs > 1 ? "no other job" : "-", out);
	fputs("</td>", out);
}

/*
 * Write a row with the anchor "j333", to which other rows point.  It is marked from a slowdown
 * of 1.25 on.
 */
static void write_job_row(const struct live_view *v, const struct live_job *j, FILE *out)
{
	char *nodes = hosts_fold(v->hot.p.site.f, j->job->host, j->job->n);
	const struct scontrol_job *facts = j->facts;
	char traffic[1024];

	sfab_traffic_text(&j->job->traffic, traffic, sizeof(traffic));
	fprintf(out, "<tr id=\"j%" PRIu64 "\"><td class=\"number\">%" PRIu64 "</td>",
		j->job->id, j->job->id);
	/* Three cells; empty for a job that Slurm no longer knows. */
	if (v->hot.p.place) {
		write_clipped_cell("", j->job->user, NAME_CHARS, out);
		write_clipped_cell(" class=\"name\"", facts ? facts->run.who.name : NULL,
				   NAME_CHARS, out);
		write_clipped_cell("", facts ? facts->run.partition : NULL, NAME_CHARS, out);
	}
	fprintf(out, "<td class=\"number\">%" PRIu32 "</td><td class=\"number\">%" PRIu32
		"</td><td class=\"whole\">", j->job->n, j->leaves);
	picture_text(traffic, out);
	fputs(j->job->suspended ? " (suspended)</td><td class=\"number\">" :
				  "</td><td class=\"number\">", out);
	if (j->slowdown > 0)
		fprintf(out, "<span%s>%.2f</span></td>",
			j->slowdown >= 1.25 ? " class=\"bad\"" : "", j->slowdown);
	else
		fputs("-</td>", out);
	write_meetings(v, j, out);
	write_clipped_cell(" class=\"name muted\"", nodes, NODES_CHARS, out);
	fputs("</tr>\n", out);
	free(nodes);
}

/* Write the table of jobs.  Columns of Slurm's facts are there only if Slurm was asked. */
static void write_job_table(const struct live_view *v, FILE *out)
{
	uint32_t rows = v->njobs < JOB_ROWS ? v->njobs : JOB_ROWS;

	fputs("<h2 id=\"jobs\">Running jobs, the slowest first</h2>\n"
	      "<p class=\"muted\">Slowdown is predicted from routes and traffic; 1 is not "
	      "slowed. The fullest link is the fullest between switches that the job uses; "
	      "over 100 % it collides there. Shared links may have room for all.</p>\n"
	      "<div class=\"wide\"><table>\n"
	      "<tr><th class=\"number\">job</th>", out);
	if (v->hot.p.place)
		fputs("<th>user</th><th>name</th><th>partition</th>", out);
	fputs("<th class=\"number\">hosts</th><th class=\"number\">leaves</th><th>traffic</th>"
	      "<th class=\"number\">slowdown</th><th class=\"number\">fullest link</th>"
	      "<th>shares links with</th><th>nodes</th></tr>\n", out);
	for (uint32_t i = 0; i < rows; i++)
		write_job_row(v, &v->job[i], out);
	fputs("</table></div>\n", out);
	if (!rows)
		fputs("<p>No job runs.</p>\n", out);
	if (rows < v->njobs)
		fprintf(out, "<p>and %" PRIu32 " more</p>\n", v->njobs - rows);
}

/* -- what commands print ---------------------------------------------------- */

static void write_preformatted(const char *text, FILE *out)
{
	fputs("<div class=\"wide\"><pre>", out);
	picture_xml_text(text, out);
	fputs("</pre></div>\n", out);
}

void live_table(struct table *t, FILE *out)
{
	char *text;
	size_t size;
	FILE *memory = xnonnull(open_memstream(&text, &size));

	table_take_print(t, memory);
	fclose(memory);
	write_preformatted(xnonnull(text), out);
	free(text);
}

/* Write the page in the order of questions: is all well, where not, whose job, since when. */
void live_page(const struct live_view *v, struct json_object *warnings, const struct day *day,
	       const struct past_summary *past, FILE *out)
{
	write_page_head(v, warnings, day != NULL, past != NULL, out);
	fputs("<h2 id=\"map\">Ports of the spines, by the fuller of both directions</h2>\n",
	      out);
	write_map(v, out);
	if (v->hot.has_jobs)
		write_job_table(v, out);
	fputs("<h2 id=\"links\">The fullest links</h2>\n", out);
	if (v->hot.n)
		live_table(hot_links_table(&v->hot), out);	/* as sfabric top has it */
	else
		fputs("<p>Nothing is sent.</p>\n", out);
	fputs("<h2 id=\"audit\">What an audit finds</h2>\n", out);
	write_preformatted(v->audit, out);
	if (past)
		live_report(past, v->now_s, out);
	if (day) {
		fputs("<h2 id=\"day\">The last day</h2>\n<div class=\"days\">\n", out);
		day_charts(day, v->hot.p.site.f->nhosts, out);
		fputs("</div>\n", out);
	}
	fputs("</body>\n</html>\n", out);
}
