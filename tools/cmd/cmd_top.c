/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_top.c - `sfabric top`: the hottest links and their jobs, refreshed
 *
 * One view after the other, on a terminal each over the last.  hot_links.c finds what it shows.
 * Each view reads everything again: snapshot, counters and jobs may have changed.
 */

#include <poll.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "tools/cmd/cmd.h"
#include "tools/top/hot_links.h"
#include "tools/ui/answer.h"
#include "tools/ui/kind.h"

#define DELAY_S 5.0
#define LINKS 20		/* with the head they fit on a terminal of 24 lines */

struct top {
	struct hot_links_request request;	/* first: hot_links_options fill it */
	int is_batch;
	uint32_t count;				/* 0: forever */
	double delay_s;
};

static const struct option_row option_rows[] = {
	{ "batch", NULL, 1, "Print one view after the other, for pipes and files", KEEP_YES,
	  .offset = offsetof(struct top, is_batch), .letter = 'b' },
	{ "iterations", "COUNT", 1, "Stop after N views (default: never; 1 if the output is not "
	  "a terminal)", KEEP_COUNT, .offset = offsetof(struct top, count), 1, 1000000000,
	  .letter = 'n' },
	{ "delay", "SEC", 1, "Time between views in seconds (default 5)", KEEP_NUMBER,
	  .offset = offsetof(struct top, delay_s), 0.1, 86400, .letter = 'd' },
	{ "kind", KIND_CHOICES, 1, "Only links of this kind",
	  KEEP_KIND(offsetof(struct top, request.kind)) },
	{ "top", "N", 1, "Print N links (default 20)", KEEP_COUNT,
	  .offset = offsetof(struct top, request.max), 1, 1000000 },
	{ 0 }
};

static const struct option_group groups[] = {
	{ hot_links_options, .fills_command = 1 }, OPTIONS_OF_TABLE, { 0 }
};

static const struct command_line usage = {
	.options = option_rows, .groups = groups, .parse = hot_links_parse_option,
	.common = offsetof(struct top, request.preview.options), .args = "",
	.doc = "Show the hottest links of the fabric and the jobs on them, and keep updating.",
};

/*
 * Print a line like "sfabric top - 12:00:01, 41 jobs on 512 of 648 hosts, counters 3 s old",
 * and one about the links that jobs use.
 */
static void print_view_head(const struct hot_links *h, time_t now, FILE *out)
{
	double age = hot_links_age(h, (uint64_t) now);
	char text[16];
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(text, sizeof(text), "%H:%M:%S", &tm);
	fprintf(out, "sfabric top - %s", text);
	if (h->has_jobs)
		fprintf(out, ", %u jobs on %u of %u hosts", h->p.list.n,
			h->busy_hosts, h->p.site.f->nhosts);
	if (age >= 0)
		fprintf(out, ", counters %.0f s old", age);
	fputc('\n', out);
	if (h->has_jobs)
		fprintf(out, "%u links in use by jobs, %u asked for more than "
			"they carry", h->nloaded, h->nfull);
	fputs("\n\n", out);
}

/*
 * Moves the cursor to the top and clears the screen.  The last table stays until there is a new
 * one, also if an update fails.
 */
#define HOME "\033[H\033[J"

/* Return a figure of jobs for JSON; null with --measured. */
static struct json_object *jobs_figure(const struct hot_links *h, uint32_t figure)
{
	return h->has_jobs ? json_object_new_uint64(figure) : NULL;
}

/* Print one table or JSON object, for answer_run(). */
static int print_view(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct top *t = ctx;
	const struct table_view *view = &a->options->view;
	struct json_object *data = a->reply.data;
	time_t now = time(NULL);
	struct hot_links h;
	int rc;

	if (hot_links_find(&h, &t->request, &a->reply, err) != 0)
		return -1;
	if (!t->is_batch)
		fputs(HOME, a->out.file);
	if (a->options->json) {
		double age = hot_links_age(&h, (uint64_t) now);

		json_add(data, "time", json_object_new_int64(now));
		json_add(data, "jobs", jobs_figure(&h, h.p.list.n));
		json_add(data, "busy_hosts", jobs_figure(&h, h.busy_hosts));
		json_add(data, "loaded_links", jobs_figure(&h, h.nloaded));
		json_add(data, "overfull_links", jobs_figure(&h, h.nfull));
		json_add(data, "counters_age_s", age >= 0 ? json_number(age) : NULL);
	} else if (view->style == TABLE_TEXT && !view->noheader) {
		print_view_head(&h, now, a->out.file);
	}
	rc = answer_table(a, "links", hot_links_table(&h), err);
	hot_links_free(&h);
	return rc;
}

int cmd_top(int argc, char **argv)
{
	struct top t = {
		.request = { .kind = -1, .max = LINKS }, .delay_s = DELAY_S,
	};
	const struct options *o = &t.request.preview.options;

	options_parse(&usage, argc, argv, &t);
	options_columns(o, hot_links_columns, NULL);
	if (!t.is_batch && (t.count == 1 || o->json || o->output ||
			    !isatty(STDOUT_FILENO))) {
		t.is_batch = 1;
		t.count = t.count ? t.count : 1;
	}
	for (uint32_t i = 1;; i++) {
		int status = answer_run("top", o, print_view, &t);

		/* On a terminal Slurm may be back at the next update. */
		if (i == t.count || (status != STATUS_FINE && (t.is_batch || i == 1)))
			return status;
		/* A sleep in milliseconds, which signals end. */
		poll(NULL, 0, (int) (1000 * t.delay_s));
		if (t.is_batch && !o->json && !o->output)
			putchar('\n');
	}
}
