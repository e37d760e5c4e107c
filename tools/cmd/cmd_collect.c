/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_collect.c - `sfabric collect`: what the subnets answer now, once or periodically, into
 * fabric.snap, counters.snap and fabric.alive
 *
 * Options, the loop and messages; collector.c sweeps.  As a service it must survive everything
 * that can happen to a fabric, so an error ends a sweep and not the program.
 */

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/clock.h"
#include "io/log_once.h"
#include "tools/cmd/cmd.h"
#include "tools/collect/collector.h"
#include "tools/site/site.h"
#include "tools/site/warnings.h"
#include "tools/ui/answer.h"
#include "tools/ui/say.h"
#include "tools/ui/xalloc.h"

#define TIMEOUT_MS 1000	/* for one answer; switches answer within milliseconds */
/* Packets a second.  A switch's management processor is slow and also serves the subnet manager. */
#define MAD_RATE 10000
#define SECOND_NS INT64_C(1000000000)

struct collect {
	struct options options;
	struct collect_options sweep;
	uint32_t interval_s;		/* 0: once */
	int is_once;
	uint32_t timeout_ms, rate;
	double tick_ns;			/* 0: unknown */
	char *ca[COLLECT_PLANES];	/* copies, cut at the colon */
};

/*
 * Add a subnet: --ca NAME[:PORT], named after the adapter.  The text is split at its last
 * colon, because an adapter's name might contain one.
 */
static void add_ca(struct argp_state *state, const struct option_row *o, void *command, char *text)
{
	struct collect *c = command;
	uint32_t i = c->sweep.nplanes;
	char *colon;

	if (i == COLLECT_PLANES)
		argp_error(state, "more than %d adapters", COLLECT_PLANES);
	c->ca[i] = xstrdup(text);
	colon = strrchr(c->ca[i], ':');
	if (colon) {
		*colon = '\0';
		c->sweep.wire[i].port = (int) options_count(state, "ca port",
							    colon + 1, 1, 254);
	}
	c->sweep.wire[i].ca = c->ca[i];
	c->sweep.nplanes++;
}

static const struct option_row rows[] = {
	{ "once", NULL, 1, "One sweep; this is the default", KEEP_YES,
	  .offset = offsetof(struct collect, is_once) },
	{ "interval", "SEC", 1, "A sweep every SEC seconds until SIGTERM", KEEP_COUNT,
	  .offset = offsetof(struct collect, interval_s), 1, 86400 },
	{ "output", "FOLDER", 1, "Write the three files to this folder (default: Snapshot, "
	  "Counters and Alive of sfabric.conf)", KEEP_TEXT,
	  .offset = offsetof(struct collect, sweep.folder) },
	{ "ca", "NAME[:PORT]", 2, "Local adapter to use; may be repeated, once for each subnet "
	  "(default: the first port that is up)", KEEP_CALL, .call = add_ca },
	{ "timeout", "MS", 2, "Give up on a node that does not answer after MS milliseconds "
	  "(default 1000)", KEEP_COUNT,
	  .offset = offsetof(struct collect, timeout_ms), 10, 60000 },
	{ "mad-rate", "N", 2, "Send at most N management packets a second, 0 for no limit "
	  "(default 10000)", KEEP_COUNT,
	  .offset = offsetof(struct collect, rate), 0, 1000000000 },
	{ "m-key", "FILE", 2, "Send the M_Key in this file, which only its owner can read",
	  KEEP_TEXT, .offset = offsetof(struct collect, sweep.m_key_file) },
	{ "partial", NULL, 3, "Write a snapshot even if some switches did not send their table",
	  KEEP_YES, .offset = offsetof(struct collect, sweep.partial) },
	{ "reset-wait", NULL, 3, "Reset a PortXmitWait that has reached its maximum", KEEP_YES,
	  .offset = offsetof(struct collect, sweep.clear_wait) },
	{ "wait-tick", "NS", 3, "Length of a tick of PortXmitWait in nanoseconds (default: "
	  "unknown)", KEEP_NUMBER,
	  .offset = offsetof(struct collect, tick_ns), 0.001, 1e6 },
	{ "half-life", "SEC", 3, "Half-life of rates and wait shares in seconds (default 60)",
	  KEEP_COUNT,
	  .offset = offsetof(struct collect, sweep.half_life_s), 1, SFAB_HALF_LIFE_MAX_S },
	{ "node-name-map", "FILE", 3, "Node-name map of infiniband-diags (default: NodeNameMap "
	  "of sfabric.conf)", KEEP_TEXT, .offset = offsetof(struct collect, sweep.name_map) },
	{ "engine", "NAME", 3, "Record this routing engine; it cannot be read from the fabric",
	  KEEP_TEXT, .offset = offsetof(struct collect, sweep.engine) },
	{ "conf", "FILE", 3, "Use this sfabric.conf (default: the one beside slurm.conf)",
	  KEEP_TEXT, .offset = offsetof(struct collect, options.conf) },
	{ "json", NULL, 4, "Print what was found in JSON", KEEP_YES,
	  .offset = offsetof(struct collect, options.json) },
	{ 0 }
};

static const struct option_group groups[] = { { options_common, .order = 5 }, { 0 } };

/*
 * Check the options together, when all are known.  Without --ca there is one plane, on the
 * first port that is up.  The plane then has no name, as in a snapshot of one subnet.
 */
static error_t parse_collect_option(int key, char *arg, struct argp_state *state)
{
	struct collect *c = state->input;

	if (key != ARGP_KEY_END)
		return ARGP_ERR_UNKNOWN;
	if (c->is_once && c->interval_s)
		argp_error(state, "--once or --interval, not both");
	if (c->interval_s && c->options.json)
		argp_error(state, "--json goes with --once");
	c->sweep.tick_s = c->tick_ns / 1e9;
	if (!c->sweep.nplanes)
		c->sweep.nplanes = 1;
	for (uint32_t i = 0; i < c->sweep.nplanes; i++) {
		c->sweep.wire[i].timeout_ms = c->timeout_ms;
		c->sweep.wire[i].rate = c->rate;
	}
	return 0;
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct collect, options),
	.parse = parse_collect_option, .args = "",
	.doc = "Read topology, forwarding tables and counters of the subnet that this machine "
	       "is on, whatever manages it, and write fabric.snap, counters.snap and "
	       "fabric.alive.",
};

/* Set by SIGTERM and SIGINT; a sweep looks at it between its parts. */
static volatile sig_atomic_t stop;

static void stop_on_signal(int number)
{
	stop = 1;
}

/*
 * Print "/run/sfabric/fabric.snap: 54 switches, 648 hosts, 3888 links, 1944 ports counted; 9210
 * MADs in 1.20 s".  It is flushed, because a service's output goes to a log.
 */
static void print_collect_summary(const struct collect_result *r)
{
	const struct sfab_fabric *f = r->snap->fabric;

	printf("%s: %u switches, %u hosts, %u links, %u ports counted; %llu "
	       "MADs in %.2f s\n", r->path->snapshot, f->nswitches, f->nhosts, f->nlinks,
	       r->count.ports, (unsigned long long) r->mads, r->seconds);
	fflush(stdout);
}

/*
 * Fill in the JSON answer.  Keys of numbers that are 0 in a healthy fabric end in "missed",
 * "silent" or "stuck".
 */
static void add_collect_json(struct answer *a, const struct collect_result *r)
{
	const struct sfab_sweep *s = &r->count;
	const struct sfab_fabric *f = r->snap->fabric;
	struct json_object *data = a->reply.data;
	const struct {
		const char *key;
		uint64_t value;
	} row[] = {
		{ "planes", f->nplanes }, { "switches", f->nswitches },
		{ "hosts", f->nhosts }, { "links", f->nlinks },
		{ "ports_counted", s->ports }, { "ports_missed", s->missed },
		{ "ports_silent", s->silent }, { "wait_stuck", s->stuck },
		{ "tables_missed", s->tableless }, { "adaptive_missed", s->unclear },
		{ "hbf", s->trait_switches[SFAB_AR_HBF] },
		{ "shield", s->trait_switches[SFAB_AR_SHIELD] },
		{ "pfrn", s->trait_switches[SFAB_AR_PFRN] },
		{ "io_hosts_missed", s->io_missing }, { "mads", r->mads },
	};

	reply_snapshot(&a->reply, r->snap);
	json_add(data, "snapshot", json_name(r->path->snapshot));
	json_add(data, "counters", json_name(r->path->counters));
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		json_add(data, row[i].key, json_object_new_uint64(row[i].value));
	json_add(data, "seconds", json_number(r->seconds));
}

/* Return the sweep's warning about adaptive routing; "": none.  Caller frees. */
static char *adaptive_warning(const struct collect_result *r)
{
	const struct sfab_sweep *s = &r->count;
	const char *text = warnings_adaptive_text(r->snap->fabric);
	char traits[SFAB_AR_TRAITS_SIZE];
	const char *mark = *sfab_ar_traits_text(s->trait_switches, s->switches, traits) ? "; " : "";

	if (!*text)
		return xstrdup("");
	if (r->snap->fabric->adaptive != SFAB_ADAPTIVE_UNKNOWN || !s->unclear)
		return xstrfmt("%s%s%s", text, mark, traits);
	return xstrfmt("%s%s%s; %u of %u switches did not tell it clearly, for example %s",
		       text, mark, traits, s->unclear, s->switches, s->unclear_why);
}

/* Sweep once, and report what was found, even if the sweep was partial. */
static int collect_once(struct collect *c, const struct sfab_conf *conf,
			struct collector *collector, struct answer *a, struct sfab_err *err)
{
	struct collect_result r;
	char *lacks, *adaptive;

	if (collector_sweep(collector, &stop, &r, err) < 0)
		return -1;
	warnings_of_names(&a->reply, r.snap->fabric);
	adaptive = adaptive_warning(&r);
	if (*adaptive)
		reply_warning(&a->reply, "%s", adaptive);
	free(adaptive);
	lacks = collector_lacks(&r.count);
	if (*lacks)
		reply_warning(&a->reply, "the sweep is partial: %s", lacks);
	free(lacks);
	warnings_of_counted_io(&a->reply, conf, r.snap->fabric, r.snap->iosets,
			       r.path->counters);
	add_collect_json(a, &r);
	if (!c->options.json)
		print_collect_summary(&r);
	return STATUS_FINE;
}

/*
 * Return what a completed sweep lacks, as one text that sfab_log_once_record() can compare; "":
 * nothing.  Caller frees.
 */
static char *sweep_lacks(const struct collect_result *r)
{
	uint32_t one, n = sfab_fabric_nameless(r->snap->fabric, &one);
	char *lacks = collector_lacks(&r->count), *adaptive = adaptive_warning(r);
	char *text = xstrfmt("%s%s", *lacks ? "the sweep is partial: " : "", lacks);

	if (n)
		xjoin(&text, "; ", "%u hosts are named by their GUID, for example %s", n,
		      r->snap->fabric->hosts[one].name);
	if (*adaptive)
		xjoin(&text, "; ", "%s", adaptive);
	free(lacks);
	free(adaptive);
	return text;
}

/* Sweep at each interval until a signal.  A failure is reported once, until it changes or ends. */
static void collect_for_ever(struct collect *c, struct collector *collector)
{
	int64_t next_ns = sfab_clock_monotonic_ns();
	struct sfab_log_once last_report = { "" };

	while (!stop) {
		struct collect_result r;
		struct sfab_err err = { 0 };
		char *text;
		int rc = collector_sweep(collector, &stop, &r, &err);
		struct timespec next;

		if (stop)
			break;
		text = rc == 0 ? sweep_lacks(&r) : xstrdup(err.text);
		if (sfab_log_once_record(&last_report, text))
			say("%s", *text ? text : "the sweep is complete again");
		free(text);
		if (rc == 0 && c->options.verbose)
			print_collect_summary(&r);
		/*
		 * On the monotonic clock, so that the sweeps do not drift.  After a sweep that
		 * took longer than the interval the next one begins at once.  Those that were
		 * missed are not made up for.
		 */
		next_ns += c->interval_s * SECOND_NS;
		if (next_ns < sfab_clock_monotonic_ns())
			next_ns = sfab_clock_monotonic_ns();
		next = (struct timespec) { next_ns / SECOND_NS, next_ns % SECOND_NS };
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
}

/*
 * Sweep once, or with --interval until a signal.  Only the service catches signals: a single
 * sweep may be ended at once.
 */
static int run_collect(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct collect *c = ctx;
	struct sfab_conf *conf = site_conf(&c->options, err);
	struct collector *collector;
	int rc = 0;

	if (!conf)
		return -1;
	collector = collector_open(&c->sweep, conf, err);
	if (!collector) {
		rc = -1;
	} else if (c->interval_s) {
		struct sigaction action = {.sa_handler = stop_on_signal};

		/* The signal must interrupt a sleep, so no SA_RESTART. */
		sigaction(SIGTERM, &action, NULL);
		sigaction(SIGINT, &action, NULL);
		collect_for_ever(c, collector);
	} else {
		rc = collect_once(c, conf, collector, a, err);
	}
	collector_close(collector);
	sfab_conf_destroy(conf);
	return rc;
}

int cmd_collect(int argc, char **argv)
{
	struct collect c = {
		.timeout_ms = TIMEOUT_MS, .rate = MAD_RATE,
		.sweep = { .half_life_s = SFAB_HALF_LIFE_S, .engine = "" },
	};
	int status;

	options_parse(&usage, argc, argv, &c);
	status = answer_run("collect", &c.options, run_collect, &c);
	for (uint32_t i = 0; i < COLLECT_PLANES; i++)
		free(c.ca[i]);
	return status;
}
