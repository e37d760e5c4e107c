/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_top.c - `sfabric top`: the hottest links and their jobs, refreshed
 *
 * Two ways: one view after the other for pipes (one_view), or a screen that is
 * drawn again (screen.h).  hot.c finds what both show.  Each view reads
 * everything anew: snapshot, counters and jobs may have changed.
 */

#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/top/hot.h"
#include "tools/top/screen.h"
#include "tools/ui/answer.h"
#include "tools/ui/kind.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"

#define DELAY_S 5.0
#define LINKS 20		/* in batch mode */
#define LINKS_SCREEN 300	/* more than the lines of any screen */
#define HEAD_LINES 3		/* above the table */

struct top {
	struct hot_wish wish;		/* first: options_init() fills it */
	int batch;
	unsigned long count;		/* 0: forever */
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
	{ "top", KEY_TOP, "N", 0, "Print N links (default 20; on a terminal as many "
				  "as fit)", 1 },
	{ 0 }
};

static const struct argp_child children[] = { OPTIONS_CHILDREN_TABLE, { 0 } };

/* Options that are only kept, and where. */
static const struct option_field kept_top_options[] = {
	{ 'b', KEEP_YES, offsetof(struct top, batch) },
	{ KEY_MEASURED, KEEP_YES, offsetof(struct top, wish.measured) },
	{ KEY_COUNTERS, KEEP_TEXT, offsetof(struct top, wish.o.counters) },
	{ 0 }
};

static error_t parse_top_option(int key, char *arg, struct argp_state *state)
{
	struct top *t = state->input;
	struct hot_wish *w = &t->wish;

	switch (key) {
	case ARGP_KEY_INIT:
		options_init(state, children, &w->o.options);
		return 0;
	case 'n':
		t->count = options_count(state, "iterations", arg, 1, 1000000000);
		return 0;
	case 'd':
		t->delay_s = options_number(state, "delay", arg, 0.1, 86400);
		return 0;
	case KEY_JOBS:
		w->o.options.jobs = arg;
		w->o.slurm = 0;
		return 0;
	case KEY_KIND:
		w->kind = kind_parse(state, arg);
		return 0;
	case KEY_SORT:
		w->by = (enum hot_by) options_choice(state, "sort", arg,
						     HOT_BY_CHOICES,
						     HOT_BY_CHOICES);
		return 0;
	case KEY_TOP:
		w->most = (uint32_t) options_count(state, "top", arg, 1, 1000000);
		return 0;
	case ARGP_KEY_END:
		if (w->measured && w->o.options.jobs)
			argp_error(state, "--measured asks for no jobs: not with "
				   "--jobs");
		return 0;
	default:
		return options_keep(kept_top_options, t, key, arg);
	}
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

/*
 * Writes HEAD_LINES lines; @remark is "" or one line.  "sfabric top - 12:00:01,
 * 41 jobs on 512 of 648 hosts, counters 3 s old"
 */
static void print_head(const struct hot_links *h, time_t now,
		       const char *remark, FILE *out)
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
	fprintf(out, "\n%s\n", remark);
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

/* -- one after the other -------------------------------------------------- */

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
	if (a->options->json)
		fill_top_report(&h, now, &a->report);
	else if (view->style == TABLE_TEXT && !view->noheader)
		print_head(&h, now, "", a->out.file);
	rc = answer_table(a, "links", hot_table(&h, t->wish.most), err);
	hot_free(&h);
	return rc;
}

/* -- on a terminal -------------------------------------------------------- */

/* What is on the screen: the last view, and its remark. */
struct shown_rows {
	struct hot_links h; /* none yet: p.site.f is NULL */
	time_t time;
	char *remark;
};

/*
 * After a failure the last view stays.  Warnings would scroll the screen away,
 * so the last of them is a remark in the head.  The first failure leaves @s
 * without a view.
 */
static void refresh_view(struct shown_rows *s, const struct hot_wish *w)
{
	struct report r;
	struct sfab_err err = { 0 };
	struct hot_links h;
	uint32_t n;

	report_init(&r, "top");
	r.is_quiet = 1;
	free(s->remark);
	s->remark = NULL;
	if (hot_find(&h, w, &r, &err) != 0) {
		s->remark = printable(err.text, 0);
	} else {
		hot_free(&s->h);
		s->h = h;
		s->time = time(NULL);
		n = (uint32_t) json_object_array_length(r.warnings);
		if (n)
			s->remark = need_copy(json_object_get_string(
				json_object_array_get_idx(r.warnings, n - 1)));
	}
	report_free(&r);
}

/*
 * The screen is made in memory first and drawn at once, so that it does not
 * flicker.  Lines of the head: bold, plain, cyan (the remark); then the
 * headings of the table in reverse.
 */
static void draw_top_view(const struct shown_rows *s, const struct top *t)
{
	const char *style[HEAD_LINES + 1 + LINKS_SCREEN] = { "1", NULL, "36",
							     "7" };
	unsigned rows, columns, first = HEAD_LINES + 1;
	struct table_view view = t->wish.o.options.view;
	struct table *table;
	char *text, *line;
	size_t size;
	FILE *out = need_made(open_memstream(&text, &size));

	screen_size(&rows, &columns);
	rows = rows > first ? rows - first : 1;
	line = need_text("by %s (s: another; q: end; space: now)%s%s",
			 hot_by_names[t->wish.by], s->remark ? " - " : "",
			 s->remark ? s->remark : "");
	print_head(&s->h, s->time, line, out);
	table = hot_table(&s->h, rows);
	view.style = TABLE_TEXT;
	view.noheader = 0;
	table_print(table, &view, out, NULL);
	table_destroy(table);
	fclose(out);
	for (uint32_t k = 0; k < s->h.n && k < LINKS_SCREEN; k++)
		style[first + k] = s->h.link[k].heat > 1   ? "1;31" :
				   s->h.link[k].heat > 0.8 ? "33" : NULL;
	screen_draw(text, style, sizeof(style) / sizeof(style[0]));
	free(line);
	free(text);
}

/*
 * Waits until the next view is due, or a key wants another one.  0: quit.  A
 * resized window is drawn again from what is known; only time and keys ask for
 * new data.
 */
static int wait_for_key(const struct shown_rows *s, struct top *t)
{
	for (;;) {
		char key = '\0';

		switch (screen_wait((unsigned) (1000 * t->delay_s), &key)) {
		case SCREEN_AGAIN:
			draw_top_view(s, t);
			break;
		case SCREEN_KEY:
			if (key == 's')
				t->wish.by = (t->wish.by + 1) % HOT_BY_NUMBER;
			return key != 'q' && key != 'Q';
		default:
			return 1;
		}
	}
}

/*
 * If the first view fails, the terminal is left as it is.  -n COUNT ends it by
 * itself; q ends it without leaving anything on the screen.
 */
static int on_terminal(struct top *t)
{
	struct shown_rows s = {.time = time(NULL)};
	unsigned long i;
	struct sfab_err err = { 0 };

	t->wish.o.options.verbose = 0;
	refresh_view(&s, &t->wish);
	if (!s.h.p.site.f)
		return say_fail("%s", s.remark);
	if (screen_open(&err) != 0)
		return say_error(&err);
	draw_top_view(&s, t);
	for (i = 1; i != t->count && wait_for_key(&s, t); i++) {
		refresh_view(&s, &t->wish);
		draw_top_view(&s, t);
	}
	screen_close();
	if (i == t->count) {
		const struct hot_wish *w = &t->wish;
		struct table_view view = w->o.options.view;
		struct table *table =
		    hot_table(&s.h, w->most < LINKS_SCREEN ? w->most : LINKS);

		/*
		 * The last view stays on the normal screen, below what was
		 * there before.
		 */
		view.style = TABLE_TEXT;
		print_head(&s.h, s.time, s.remark ? s.remark : "", stdout);
		table_print(table, &view, stdout, NULL);
		table_destroy(table);
	}
	hot_free(&s.h);
	free(s.remark);
	return STATUS_FINE;
}

int cmd_top(int argc, char **argv)
{
	struct top t = {
		.wish = { .kind = -1, .o.slurm = 1 }, .delay_s = DELAY_S,
	};
	struct hot_wish *w = &t.wish;
	const struct options *o = &w->o.options;

	argp_parse(&argp, argc, argv, 0, NULL, &t);
	options_columns(o, hot_columns, NULL);
	w->o.slurm = w->o.slurm && !w->measured;
	if (!t.batch && (t.count == 1 || o->json || o->output ||
			 !isatty(STDOUT_FILENO))) {
		t.batch = 1;
		t.count = t.count ? t.count : 1;
	}
	if (!w->most)
		w->most = t.batch ? LINKS : LINKS_SCREEN;
	if (!t.batch)
		return on_terminal(&t);
	o = &t.wish.o.options;
	for (unsigned long i = 1;; i++) {
		int status = answer_run("top", o, one_view, &t);

		if (status != STATUS_FINE || i == t.count)
			return status;
		/* A sleep in milliseconds, which signals end. */
		poll(NULL, 0, (int) (1000 * t.delay_s));
		if (!o->json && !o->output)
			putchar('\n');
	}
}
