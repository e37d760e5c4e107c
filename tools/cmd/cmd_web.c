/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_web.c - `sfabric web`: the machine now, as one HTML file
 *
 * There is no server: a timer writes the file again, and any server of files can show it.
 */

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tools/cmd/cmd.h"
#include "tools/ui/answer.h"
#include "tools/web/live.h"

#define LOG_MAX (32L << 20)	/* bytes of a decision log */

struct web {
	struct hot_links_request request;	/* first: hot_links_options fill it */
	const char *history;			/* NULL: none */
	const char *log;			/* NULL: DecisionLog of the conf */
};

static const struct option_row option_rows[] = {
	{ "output", "FILE", 1, "Replace FILE as a whole; '-' is standard output", KEEP_TEXT,
	  .offset = offsetof(struct web, request.preview.options.output) },
	{ "history", "FILE", 1, "Show the last day; FILE keeps it between runs", KEEP_TEXT,
	  .offset = offsetof(struct web, history) },
	{ "log", "FILE", 1, "Show what was lost and saved, by this decision log (default: "
	  "DecisionLog of sfabric.conf)", KEEP_TEXT, .offset = offsetof(struct web, log) },
	{ 0 }
};

static const struct option_group groups[] = {
	{ hot_links_options, .fills_command = 1 },
	{ options_source, "Fabric:", .order = 2 }, { options_common, .order = 3 }, { 0 }
};

static const struct command_line usage = {
	.options = option_rows, .groups = groups, .parse = hot_links_parse_option,
	.common = offsetof(struct web, request.preview.options), .args = "",
	.doc = "Write a page with the live map, the running jobs and whom they meet, and "
	       "findings.",
};

/*
 * Read the end of the decision log.  1: it was read.  The default log may be missing; warn of
 * any other failure.
 */
static int read_past(const struct web *w, const struct live_view *v, struct past *p,
		     struct reply *r)
{
	const char *path = w->log ? w->log : v->hot.p.site.conf->decision_log;
	FILE *in = *path ? fopen(path, "r") : NULL;

	if (*path && !in && (w->log || errno != ENOENT))
		reply_warning(r, "%s: %s", path, strerror(errno));
	past_init(p, (double) v->now_s - LIVE_REPORT_DAYS * 86400.0, INFINITY);
	if (!in)
		return 0;
	/* Only the end of the log is read: the page is made each minute. */
	if (fseeko(in, 0, SEEK_END) == 0 && ftello(in) > LOG_MAX)
		fseeko(in, -LOG_MAX, SEEK_END);
	else
		rewind(in);
	past_read(p, in);
	fclose(in);
	return 1;
}

/*
 * Write the page, and the history of the day if a file keeps it.  The day is static: it is
 * large for a stack, and the command runs once.
 */
static int run_web(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct web *w = ctx;
	static struct day day;	/* 70 kB */
	struct past_summary summary;
	struct sfab_err ignored;
	struct day_point point;
	struct past past;
	struct live_view v;
	int has_day, has_past;

	if (live_open(&v, &w->request, &a->reply, err) != 0)
		return -1;
	/* Whatever is wrong with the history is a warning: the page does not need it. */
	point = live_point(&v);
	has_day = w->history && day_load(&day, w->history, &ignored) == 0;
	if (has_day)
		day_add(&day, &point);
	if (w->history && (!has_day || day_save(&day, w->history, &ignored) != 0))
		reply_warning(&a->reply, "%s", ignored.text);
	has_past = read_past(w, &v, &past, &a->reply);
	if (has_past)
		summary = past_summary(&past, site_followed(v.hot.p.site.conf, past.fingerprint));
	live_page(&v, a->reply.warnings, has_day ? &day : NULL, has_past ? &summary : NULL,
		  a->out.file);
	past_free(&past);
	live_close(&v);
	return STATUS_FINE;
}

int cmd_web(int argc, char **argv)
{
	struct web w = { .request = { .kind = -1, .max = LIVE_LINKS } };

	options_parse(&usage, argc, argv, &w);
	return answer_run("web", &w.request.preview.options, run_web, &w);
}
