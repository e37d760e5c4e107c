/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_top.c - `sfabric top`: the hottest links and their jobs, refreshed
 *
 * One view after the other, on a terminal each over the last.  hot.c finds what it
 * shows.  Each view reads everything anew: snapshot, counters and jobs may have
 * changed.
 */

#include <poll.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/top/hot.h"
#include "tools/ui/answer.h"
#include "tools/ui/kind.h"

#define DELAY_S 5.0
#define LINKS 20		/* with the head they fit on a terminal of 24 lines */

struct top {
	struct hot_wish wish;		/* first: options_init() fills it */
	int batch;
	uint32_t count;		/* 0: forever */
	double delay_s;
};

enum { KEY_JOBS = 0x300, KEY_MEASURED, KEY_COUNTERS, KEY_KIND, KEY_SORT,
       KEY_TOP };

static const struct argp_option option_rows[] = {
	{ "batch", 'b', NULL, 0, "Print one view after the other, for pipes and "
	  "files", 1 },
	{ "iterations", 'n', "COUNT", 0, "Stop after N views (default: never; 1 if "
					 "the output is not a terminal)", 1 },
	{ "delay", 'd', "SEC", 0, "Time between views in seconds (default 5)", 1 },
	{ "jobs", KEY_JOBS, "FILE", 0, "Running jobs, lines of ID HOSTLIST [TRAFFIC] "
				       "(default: ask Slurm)", 1 },
	{ "measured", KEY_MEASURED, NULL, 0, "Show counters only, without asking for "
					     "jobs", 1 },
	{ "counters", KEY_COUNTERS, "FILE", 0, "Measured load (default: Counters of "
					       "sfabric.conf)", 1 },
	{ "kind", KEY_KIND, KIND_CHOICES, 0, "Only links of this kind", 1 },
	{ "sort", KEY_SORT, HOT_BY_CHOICES, 0, "What makes a link hot: demand over "
					       "capacity, measured load over "
					       "capacity, the larger of both "
					       "(default), or the share of words "
					       "that wait", 1 },
	{ "top", KEY_TOP, "N", 0, "Print N links (default 20)", 1 },
	{ 0 }
};

static const struct argp_child children[] = { OPTIONS_CHILDREN_TABLE, { 0 } };

/* Where the values of options go. */
static const struct option_field kept_top_options[] = {
	{ ARGP_KEY_INIT, KEEP_CHILDREN, offsetof(struct top, wish.o.options), .of = children },
	{ 'n', KEEP_COUNT, .at = offsetof(struct top, count), "iterations", 1, 1000000000 },
	{ 'd', KEEP_NUMBER, .at = offsetof(struct top, delay_s), "delay", 0.1, 86400 },
	{ KEY_TOP, KEEP_COUNT, .at = offsetof(struct top, wish.most), "top", 1, 1000000 },
	KIND_FIELD(KEY_KIND, offsetof(struct top, wish.kind)),
	{ KEY_SORT, KEEP_CHOICE, .at = offsetof(struct top, wish.by), "sort", HOT_HEAT, 0,
	  HOT_BY_CHOICES },
	{ 'b', KEEP_YES, .at = offsetof(struct top, batch) },
	{ KEY_JOBS, KEEP_TEXT, .at = offsetof(struct top, wish.o.options.jobs) },
	{ KEY_MEASURED, KEEP_YES, .at = offsetof(struct top, wish.measured) },
	{ KEY_COUNTERS, KEEP_TEXT, .at = offsetof(struct top, wish.o.counters) },
	{ 0 }
};

static error_t parse_top_option(int key, char *arg, struct argp_state *state)
{
	struct hot_wish *w = &((struct top *) state->input)->wish;

	if (key == ARGP_KEY_END && w->measured && w->o.options.jobs)
		argp_error(state, "--measured asks for no jobs: not with --jobs");
	w->o.slurm = !w->measured && !w->o.options.jobs;
	return options_keep(kept_top_options, state, key, arg);
}

static const struct argp argp = {
    option_rows,
    parse_top_option,
    "",
    "Show the hottest links of the fabric and the jobs on them, and keep updating.",
    children,
    NULL,
    NULL,
};

/* "sfabric top - 12:00:01, 41 jobs on 512 of 648 hosts, counters 3 s old" */
static void print_head(const struct hot_links *h, time_t now, FILE *out)
{
	double age = hot_age(h, (uint64_t) now);
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

/* Figures of jobs are null with --measured. */
static void fill_top_report(const struct hot_links *h, time_t now,
			    struct report *r)
{
	double age = hot_age(h, (uint64_t) now);
	const struct {
		const char *key;
		uint32_t value;
	} row[] = {
		{ "jobs", h->p.list.n }, { "busy_hosts", h->busy_hosts },
		{ "loaded_links", h->nloaded }, { "overfull_links", h->nfull },
	};

	json_add(r->data, "time", json_object_new_int64(now));
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		json_add(r->data, row[i].key, h->has_jobs ?
			 json_object_new_uint64(row[i].value) : NULL);
	json_add(r->data, "counters_age_s", age >= 0 ? json_number(age) : NULL);
}

/* Over the last table: it stays until there is a new one, or if an update fails. */
#define HOME "\033[H\033[J"

/* For answer_run(): one table or JSON object. */
static int one_view(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct top *t = ctx;
	const struct table_view *view = &a->options->view;
	time_t now = time(NULL);
	struct hot_links h;
	int rc;

	if (hot_find(&h, &t->wish, &a->report, err) != 0)
		return -1;
	if (!t->batch)
		fputs(HOME, a->out.file);
	if (a->options->json)
		fill_top_report(&h, now, &a->report);
	else if (view->style == TABLE_TEXT && !view->noheader)
		print_head(&h, now, a->out.file);
	rc = answer_table(a, "links", hot_table(&h, t->wish.most), err);
	hot_free(&h);
	return rc;
}

int cmd_top(int argc, char **argv)
{
	struct top t = {
		.wish = { .kind = -1, .most = LINKS }, .delay_s = DELAY_S,
	};
	const struct options *o = &t.wish.o.options;

	argp_parse(&argp, argc, argv, 0, NULL, &t);
	options_columns(o, hot_columns, NULL);
	if (!t.batch && (t.count == 1 || o->json || o->output ||
			 !isatty(STDOUT_FILENO))) {
		t.batch = 1;
		t.count = t.count ? t.count : 1;
	}
	for (uint32_t i = 1;; i++) {
		int status = answer_run("top", o, one_view, &t);

		/* On a terminal Slurm may be back at the next update. */
		if (i == t.count || (status != STATUS_FINE && (t.batch || i == 1)))
			return status;
		/* A sleep in milliseconds, which signals end. */
		poll(NULL, 0, (int) (1000 * t.delay_s));
		if (t.batch && !o->json && !o->output)
			putchar('\n');
	}
}
