/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif.c - `sfabric whatif`: try a change with the real OpenSM, before the
 * cabling
 *
 * The unchanged fabric is routed too: what is compared differs by the change
 * only, and how far its tables are those of the snapshot says how far the
 * simulation is to be believed.
 */

#include <stdlib.h>
#include <string.h>

#include "../io/reader.h"
#include "answer.h"
#include "command.h"
#include "say.h"
#include "site.h"
#include "whatif/compare.h"
#include "whatif/reroute.h"

#define JOB 64			/* nodes of a job unless told */
#define HEAD 4096		/* bytes that tell a format */

enum {
	KEY_MOVE = 0x300, KEY_DOWN, KEY_ENGINE, KEY_OPTION, KEY_BASE_OPTION,
	KEY_IO_GUIDS, KEY_LFTS, KEY_JOB, KEY_OUTPUT, KEY_JSON,
};

struct list {
	uint32_t n;
	const char **text;
};

struct whatif {
	struct options options;
	struct list move, down, option, base_option;
	const char *engine, *lfts;
	const char *snapshot;		/* to write, NULL: none */
	int io_guids;
	uint32_t job;
};

static const struct argp_option rows[] = {
	{ "move", KEY_MOVE, "HOST=SWITCH:PORT", 0,
	  "Plug a host in elsewhere; several moves may swap hosts", 1 },
	{ "down", KEY_DOWN, "SWITCH[:PORT]", 0,
	  "A switch, or the cable at this port, does not work", 1 },
	{ "engine", KEY_ENGINE, "NAME[,...]", 0, "Another routing engine", 1 },
	{ "opensm-option", KEY_OPTION, "KEY=VALUE", 0,
	  "A line of opensm.conf, such as port_shifting=TRUE", 1 },
	{ "io-guid-file", KEY_IO_GUIDS, "auto", 0,
	  "Tell OpenSM the ports of the IO sets", 1 },
	{ "lfts", KEY_LFTS, "FILE", 0,
	  "These tables (opensm-lfts.dump), by OpenSM's engine file", 1 },
	{ "base-option", KEY_BASE_OPTION, "KEY=VALUE", 0,
	  "A line of the opensm.conf that is in use: for both routings", 2 },
	{ "job", KEY_JOB, "N", 0, "Nodes of the job to predict IO for (64)",
	  2 },
	{ "output", KEY_OUTPUT, "SNAP", 0,
	  "Write the changed fabric as a snapshot", 2 },
	{ "json", KEY_JSON, NULL, 0, "Answer in JSON", 2 },
	{ 0 }
};

static const struct argp_child children[] = {
	{ &options_table, 0, "Table:", 3 },
	{ &options_source, 0, "Fabric:", 4 },
	{ &options_common, 0, NULL, 5 }, { 0 }
};

static void add(struct list *l, const char *text)
{
	l->text = need_more(l->text, l->n, sizeof(*l->text));
	l->text[l->n++] = text;
}

static void add_option(struct list *l, const char *text,
		       struct argp_state *state)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text || !equals[1] ||
	    strpbrk(text, "\n\r\t #") != NULL)
		argp_error(state, "'%s' (expected KEY=VALUE of opensm.conf)",
			   text);
	add(l, text);
}

static void check(const struct whatif *w, struct argp_state *state)
{
	if (!w->move.n && !w->down.n && !w->option.n && !w->engine &&
	    !w->lfts && !w->io_guids && !w->options.helpformat)
		argp_error(state, "nothing is to change (--move, --down, "
			   "--engine, --opensm-option, --io-guid-file, --lfts)");
	if (w->lfts && w->engine)
		argp_error(state, "--engine and --lfts: which of them?");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct whatif *w = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_init(state, children, &w->options);
		return 0;
	case KEY_MOVE:
		add(&w->move, arg);
		return 0;
	case KEY_DOWN:
		add(&w->down, arg);
		return 0;
	case KEY_ENGINE:
		if (!*arg || strpbrk(arg, "\n\r\t #"))
			argp_error(state, "engine '%s' (expected names)", arg);
		w->engine = arg;
		return 0;
	case KEY_OPTION:
		add_option(&w->option, arg, state);
		return 0;
	case KEY_BASE_OPTION:
		add_option(&w->base_option, arg, state);
		return 0;
	case KEY_IO_GUIDS:
		if (strcmp(arg, "auto") != 0)
			argp_error(state, "io-guid-file '%s' (expected auto)",
				   arg);
		w->io_guids = 1;
		return 0;
	case KEY_LFTS:
		w->lfts = arg;
		return 0;
	case KEY_JOB:
		w->job = (uint32_t) options_count(state, "job", arg, 1, 1000000);
		return 0;
	case KEY_OUTPUT:
		w->snapshot = arg;
		return 0;
	case KEY_JSON:
		w->options.json = 1;
		return 0;
	case ARGP_KEY_END:
		check(w, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	rows, parse_option, "",
	"Try a change of cables or routing with the real OpenSM on a simulated "
	"fabric.", children, NULL, NULL,
};

/* What is routed, as it is and as it would be. */
struct trial {
	struct site site;
	struct plan plan;
	struct sfab_fabric *now, *then;
	struct agreement agreement;
	char *lfts, *engine;
	uint64_t *guid;
	struct list options;		/* base options, then the new ones */
};

static void close_trial(struct trial *t)
{
	sfab_fabric_destroy(t->now);
	sfab_fabric_destroy(t->then);
	plan_free(&t->plan);
	free(t->lfts);
	free(t->engine);
	free(t->guid);
	free(t->options.text);
	site_close(&t->site);
}

static int change_cables(struct trial *t, const struct whatif *w,
			 struct sfab_err *err)
{
	for (uint32_t i = 0; i < w->move.n; i++)
		if (plan_move(&t->plan, w->move.text[i], err) != 0)
			return sfab_fail_prefix(err, "--move");
	if (plan_check(&t->plan, err) != 0)
		return sfab_fail_prefix(err, "--move");
	for (uint32_t i = 0; i < w->down.n; i++)
		if (plan_down(&t->plan, w->down.text[i], err) != 0)
			return sfab_fail_prefix(err, "--down");
	return 0;
}

/* Ports of all IO sets. */
static int list_guids(struct trial *t, struct routing *how, struct sfab_err *err)
{
	const struct sfab_iosets *io = t->site.io;

	if (!io->nioports)
		return sfab_fail(err, SFAB_EINVAL, "--io-guid-file auto: no IO "
				 "set is known (IoSet of sfabric.conf)");
	how->guid = t->guid = need(io->nioports, sizeof(*t->guid));
	for (uint32_t i = 0; i < io->nioports; i++)
		t->guid[i] = t->site.f->ports[io->ioport[i]].guid;
	how->nguids = io->nioports;
	return 0;
}

/* OpenSM routes by its default if it cannot read them: look first. */
static int find_lfts(struct trial *t, const char *path, struct routing *how,
		     struct sfab_err *err)
{
	const struct sfab_reader *reader;
	size_t size;
	char *text;

	if (sfab_text_read(path, 0, &text, &size, err) != 0)
		return -1;
	reader = sfab_reader_detect(text, size < HEAD ? size : HEAD);
	free(text);
	if (!reader || strcmp(reader->name, "opensm-lfts") != 0)
		return sfab_fail(err, SFAB_EFORMAT, "%s: no dump of tables "
				 "(expected opensm-lfts.dump)", path);
	how->lfts = t->lfts = realpath(path, NULL);
	return t->lfts ? 0 : sfab_fail(err, SFAB_ENOENT, "%s: no such file",
				       path);
}

static int change_routing(struct trial *t, const struct whatif *w,
			  struct routing *how, struct sfab_err *err)
{
	for (uint32_t i = 0; i < w->base_option.n; i++)
		add(&t->options, w->base_option.text[i]);
	if (w->engine || w->lfts) {
		t->engine = need_text("routing_engine=%s", w->lfts ? "file" :
				      w->engine);
		add(&t->options, t->engine);
	}
	for (uint32_t i = 0; i < w->option.n; i++)
		add(&t->options, w->option.text[i]);
	how->option = t->options.text;
	how->noptions = t->options.n;
	if (w->lfts && find_lfts(t, w->lfts, how, err) != 0)
		return -1;
	return w->io_guids ? list_guids(t, how, err) : 0;
}

static int route_both(struct trial *t, const struct whatif *w,
		      struct report *r, struct sfab_err *err)
{
	struct plan unchanged;
	struct routing base = {
		.noptions = w->base_option.n, .option = w->base_option.text,
	};
	struct routing how = { 0 };
	int rc;

	if (plan_init(&t->plan, t->site.f, err) != 0 ||
	    change_cables(t, w, err) != 0 || change_routing(t, w, &how, err) != 0)
		return -1;
	for (uint32_t i = 0; i < t->site.f->nplanes; i++)
		if (!*t->site.f->planes[i].engine)
			report_warning(r, "the snapshot does not say which "
				       "engine made its tables: OpenSM's "
				       "default is taken for the fabric as it "
				       "is");
	rc = plan_init(&unchanged, t->site.f, err);
	t->now = rc == 0 ? reroute(&unchanged, &base, err) : NULL;
	plan_free(&unchanged);
	if (!t->now)
		return -1;
	reroute_compare(t->site.f, t->now, &t->agreement);
	t->then = reroute(&t->plan, &how, err);
	return t->then ? 0 : -1;
}

static int save(const struct whatif *w, struct trial *t, struct sfab_err *err)
{
	struct sfab_iosets *io = sfab_iosets_copy(t->then, t->site.io, err);
	struct sfab_snapshot *s;
	int rc;

	if (!io)
		return -1;
	s = sfab_snapshot_take(t->then, io, err);
	t->then = NULL;
	if (!s)
		return -1;
	rc = sfab_snapshot_save(s, w->snapshot, 0644, err);
	sfab_snapshot_destroy(s);
	return rc;
}

/* Hosts that have routes now and would have none. */
static uint32_t cut_off(const struct trial *t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->now->nports; i++)
		n += t->now->ports[i].lid && !t->then->ports[i].lid;
	return n;
}

static void summary(const struct trial *t, struct answer *a)
{
	const struct agreement *g = &t->agreement;
	struct json_object *data = a->report.data;
	const struct sfab_plane *now = t->now->planes, *then = t->then->planes;

	json_add(data, "entries", json_object_new_uint64(g->entries));
	json_add(data, "entries_equal", json_object_new_uint64(g->equal));
	json_add(data, "engine_now", json_name(now->engine));
	json_add(data, "engine_then", json_name(then->engine));
	if (!a->options->json)
		fprintf(a->out.file, "as it is: OpenSM routes it with %s, %llu "
			"of %llu table entries as in the snapshot\nchanged: "
			"OpenSM routes it with %s\n\n", now->engine,
			(unsigned long long) g->equal,
			(unsigned long long) g->entries, then->engine);
	if (g->equal < g->entries)
		report_warning(&a->report, "%llu of %llu table entries are not "
			       "those of the snapshot: its OpenSM has other "
			       "options (--base-option) or another version",
			       (unsigned long long) (g->entries - g->equal),
			       (unsigned long long) g->entries);
	if (cut_off(t))
		report_warning(&a->report, "%u end ports are cut off by the "
			       "change", cut_off(t));
	for (uint32_t i = 0; i < t->then->nplanes; i++)
		if (sfab_plane_fell_back(&then[i]))
			report_warning(&a->report, "OpenSM fell back to %s on "
				       "the changed fabric (asked for %s)",
				       then[i].engine, then[i].asked);
}

static int whatif(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct whatif *w = ctx;
	struct trial t = { .now = NULL };
	struct table *table = NULL;
	int rc;

	if (site_open(&t.site, &w->options, &a->report, err) != 0)
		return -1;
	rc = route_both(&t, w, &a->report, err);
	if (rc == 0) {
		summary(&t, a);
		table = compare(t.now, t.then, t.site.io, w->job, err);
		rc = table ? 0 : -1;
	}
	if (rc == 0 && w->snapshot)
		rc = save(w, &t, err);
	if (rc == 0)
		rc = answer_table(a, "compared", table, err);
	else
		table_destroy(table);
	close_trial(&t);
	return rc;
}

int cmd_whatif(int argc, char **argv)
{
	struct whatif w = { .job = JOB };
	int status;

	argp_parse(&argp, argc, argv, 0, NULL, &w);
	options_columns(&w.options, compare_columns, NULL);
	status = answer_run("whatif", &w.options, whatif, &w);
	free(w.move.text);
	free(w.down.text);
	free(w.option.text);
	free(w.base_option.text);
	return status;
}
