/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_metrics.c - `sfabric metrics`: fabric and decisions as text for Prometheus, through
 * node_exporter's textfile collector
 *
 * A metric is a row of a table below.  Labels are fabric, guid, port, and switch or host, never
 * a job: jobs are Slurm's business.
 */

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "io/snapshot/alive.h"
#include "tools/cmd/cmd.h"
#include "tools/metrics/tally.h"
#include "tools/site/site_counters.h"
#include "tools/ui/answer.h"
#include "tools/ui/xalloc.h"

struct metrics {
	struct options options;
	const char *counters;
	const char *decisions;		/* NULL: the conf's DecisionLog */
	const char *state;		/* NULL: no totals of decisions */
};

static const struct option_row rows[] = {
	{ "counters", "FILE", 1, "counters.snap (default: Counters of sfabric.conf)", KEEP_TEXT,
	  .offset = offsetof(struct metrics, counters) },
	{ "state", "FILE", 1, "Add totals of the decision log; FILE keeps them between runs",
	  KEEP_TEXT, .offset = offsetof(struct metrics, state) },
	{ "decisions", "FILE", 1, "The decision log (default: DecisionLog of sfabric.conf)",
	  KEEP_TEXT, .offset = offsetof(struct metrics, decisions) },
	{ "output", "FILE", 1, "Replace FILE as a whole; '-' is standard output", KEEP_TEXT,
	  .offset = offsetof(struct metrics, options.output) },
	{ 0 }
};

static const struct option_group groups[] = {
	{ options_source, "Fabric:", .order = 2 }, { options_common, .order = 3 },
	{ 0 }
};

static error_t parse_metrics_option(int key, char *arg, struct argp_state *state)
{
	const struct metrics *m = state->input;

	if (key == ARGP_KEY_END && m->decisions && !m->state)
		argp_error(state, "--decisions needs --state FILE, which keeps the "
			   "totals between runs");
	return ARGP_ERR_UNKNOWN;
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct metrics, options),
	.parse = parse_metrics_option, .args = "",
	.doc = "Print snapshot, counters and decisions as metrics for Prometheus.",
};

/* -- ports ---------------------------------------------------------------------- */

enum {
	P_SENT, P_RECEIVED, P_WAIT, P_DISCARDS, P_ERRORS, P_RATE, P_CAPACITY, P_WAIT_SHARE,
	P_STUCK, P_HOST_FULL, P_FABRIC_FULL, NPORT_METRICS,
};

static const struct {
	const char *name, *type, *help;
} port_metrics[NPORT_METRICS] = {
	[P_SENT] = { "sfabric_port_transmit_bytes_total", "counter",
		     "Bytes of data sent (PortXmitData)." },
	[P_RECEIVED] = { "sfabric_port_receive_bytes_total", "counter",
			 "Bytes of data received (PortRcvData)." },
	[P_WAIT] = { "sfabric_port_transmit_wait_total", "counter",
		     "Ticks in which data had to wait (PortXmitWait)." },
	[P_DISCARDS] = { "sfabric_port_transmit_discards_total", "counter",
			 "Packets discarded (PortXmitDiscards)." },
	[P_ERRORS] = { "sfabric_port_errors_total", "counter",
		       "All other error counters, added up." },
	[P_RATE] = { "sfabric_port_transmit_bytes_per_second", "gauge",
		     "Bytes of data sent each second, smoothed." },
	[P_CAPACITY] = { "sfabric_port_capacity_bytes_per_second", "gauge",
			 "What the link can carry." },
	[P_WAIT_SHARE] = { "sfabric_port_wait_share", "gauge",
			   "Share of the words that had to wait, smoothed." },
	[P_STUCK] = { "sfabric_port_wait_stuck", "gauge",
		      "1: PortXmitWait is at its maximum, so the wait is unknown." },
	[P_HOST_FULL] = { "sfabric_port_host_bottleneck", "gauge",
			  "1: an end port is full, the fabric is not." },
	[P_FABRIC_FULL] = { "sfabric_port_fabric_bottleneck", "gauge",
			    "1: a link between switches is full." },
};

struct port_view {
	double value[NPORT_METRICS];	/* below 0: unknown */
	char *labels;			/* text within the braces */
};

/*
 * Return a port's labels: fabric="ib0",guid="0x0002c903...",port="19",switch="leaf-1".  Names
 * alone are not unique, and GUIDs alone say nothing to people.  Caller frees.
 */
static char *port_labels(const struct sfab_fabric *f, uint32_t i)
{
	const struct sfab_link *l = &f->links[i];
	int is_host = l->kind == SFAB_LINK_INJECT;
	char *fabric = tally_label(f->planes[sfab_link_plane(f, i)].name);
	char *name = tally_label(sfab_link_from_name(f, i));
	char *text = xstrfmt("fabric=\"%s\",guid=\"0x%016" PRIx64 "\","
			     "port=\"%u\",%s=\"%s\"", fabric,
			     sfab_link_from_guid(f, i), l->from_port,
			     is_host ? "host" : "switch", name);

	free(fabric);
	free(name);
	return text;
}

/*
 * List the links whose port has counters; return how many.  The caller frees the labels.
 * Counters are as the ports had them: they grow, and begin again at 0 after a reset, which
 * Prometheus knows of.  Rates are smoothed by collect.
 */
static uint32_t list_counted_ports(const struct site *site,
				   const struct site_counters *counters, struct port_view *v)
{
	const struct sfab_measured *ms = counters->ms;
	uint32_t n = 0;

	for (uint32_t i = 0; counters->c && i < site->f->nlinks; i++) {
		const struct sfab_counter *c = sfab_counters_find(
			counters->c, sfab_link_from_guid(site->f, i),
			site->f->links[i].from_port);
		double *value = v[n].value;

		if (!c)
			continue;
		value[P_SENT] = (double) c->xmit_words * SFAB_WORD;
		value[P_RECEIVED] = (double) c->rcv_words * SFAB_WORD;
		value[P_WAIT] = (double) c->wait_ticks;
		value[P_DISCARDS] = (double) c->discards;
		value[P_ERRORS] = (double) c->errors;
		value[P_RATE] = ms->rate[i];
		value[P_CAPACITY] = ms->f->links[i].capacity;
		value[P_WAIT_SHARE] = ms->wait[i];
		value[P_STUCK] = (c->flags & SFAB_COUNTER_STUCK) != 0;
		value[P_HOST_FULL] = sfab_measured_bottleneck(ms, i) == SFAB_BOTTLENECK_HOST;
		value[P_FABRIC_FULL] = sfab_measured_bottleneck(ms, i) == SFAB_BOTTLENECK_FABRIC;
		v[n++].labels = port_labels(site->f, i);
	}
	return n;
}

/*
 * Print the metrics of ports.  Prometheus wants all values of a metric together, so ports are
 * the inner loop.  Numbers have 17 digits: counters are large, and rates are their differences.
 */
static void print_ports(FILE *out, const struct site *site, const struct site_counters *counters)
{
	struct port_view *v = xcalloc(site->f->nlinks, sizeof(*v));
	uint32_t n = list_counted_ports(site, counters, v);

	for (size_t m = 0; n && m < NPORT_METRICS; m++) {
		tally_begin_metric(out, port_metrics[m].name, port_metrics[m].type,
				   port_metrics[m].help);
		for (uint32_t i = 0; i < n; i++)
			if (v[i].value[m] >= 0)
				fprintf(out, "%s{%s} %.17g\n", port_metrics[m].name,
					v[i].labels, v[i].value[m]);
	}
	for (uint32_t i = 0; i < n; i++)
		free(v[i].labels);
	free(v);
}

/* -- the fabric as a whole ------------------------------------------------------ */

/* Print texts as labels of a metric that is always 1, as is usual in Prometheus. */
static void print_info(FILE *out, const struct site *site)
{
	const struct sfab_fabric *f = site->f;

	tally_begin_metric(out, "sfabric_fabric_info", "gauge",
			   "1; engine, subnet manager and fingerprint of the snapshot.");
	for (uint32_t i = 0; i < f->nplanes; i++) {
		char *name = tally_label(f->planes[i].name);
		char *engine = tally_label(f->planes[i].engine);

		fprintf(out, "sfabric_fabric_info{fabric=\"%s\",engine=\"%s\","
			"sm=\"0x%016" PRIx64 "\",fingerprint=\"0x%016" PRIx64
			"\"} 1\n", name, engine, f->planes[i].sm_guid,
			site->snapshot->fingerprint);
		free(name);
		free(engine);
	}
}

/* Count the links that are down, each direction by itself. */
static uint64_t count_links_down(const struct sfab_fabric *f)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < f->nlinks; i++)
		n += !f->links[i].up;
	return n;
}

/*
 * Return when the source last confirmed the snapshot; 0: it confirms another one.  NAN: there
 * is no source, as for an imported snapshot, so it cannot be too old.
 */
static double confirmation_time(const struct site *site)
{
	struct sfab_err err = { 0 };
	struct sfab_alive alive;
	char path[4096];

	sfab_alive_path(site->conf->alive, site->path ? site->path :
			site->conf->snapshot, path, sizeof(path));
	if (sfab_alive_load(path, NULL, &alive, &err) != 0)
		return err.code != SFAB_ENOENT ? 0 : NAN;
	return alive.fingerprint == site->snapshot->fingerprint ? (double) alive.time : 0;
}

/*
 * Print the metrics of the fabric.  Values that are not known have no line, so no alert is made
 * of a 0.
 */
static void print_fabric(FILE *out, const struct site *site, const struct site_counters *counters)
{
	const struct sfab_fabric *f = site->f;
	const struct sfab_counters *c = counters->c;
	const double confirmed_s = confirmation_time(site), read_s = (double) f->time;
	const uint32_t max_age_s = site->conf->max_snapshot_age_s;
	const struct {
		const char *name, *help;
		double value;	/* NAN: not known */
	} row[] = {
		{ "sfabric_fabric_switches", "Switches of the snapshot.", f->nswitches },
		{ "sfabric_fabric_hosts", "Hosts of the snapshot.", f->nhosts },
		{ "sfabric_fabric_links_down",
		  "Links that are cabled and down, each direction.", (double) count_links_down(f) },
		{ "sfabric_snapshot_timestamp_seconds",
		  "When the snapshot was read.", f->time ? read_s : NAN },
		{ "sfabric_confirmed_timestamp_seconds",
		  "When its source last confirmed the snapshot; 0: it has another.", confirmed_s },
		/* As in the plugin, the age counts from the reading or the confirmation. */
		{ "sfabric_snapshot_expires_timestamp_seconds",
		  "When MaxSnapshotAge ends its use, unless it is confirmed before.",
		  max_age_s ? fmax(read_s, confirmed_s) + max_age_s : NAN },
		{ "sfabric_counters_timestamp_seconds",
		  "When the ports were counted.", c ? (double) (c->time_ms / 1000) : NAN },
		{ "sfabric_counters_ports_missed",
		  "Ports that did not answer in the last sweep.", c ? c->missed : NAN },
	};

	print_info(out, site);
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		if (!isnan(row[i].value)) {
			tally_begin_metric(out, row[i].name, "gauge", row[i].help);
			fprintf(out, "%s %.17g\n", row[i].name, row[i].value);
		}
}

/*
 * Print totals of the decision log.  The other metrics do not depend on the log: whatever is
 * wrong with it or with the state is a warning.  The state is written before totals are
 * printed: a total that is published never falls.
 */
static void print_decisions(FILE *out, const struct metrics *m,
			    const struct site *site, struct reply *r)
{
	const char *log = m->decisions ? m->decisions : site->conf->decision_log;
	struct sfab_err err = { 0 };
	struct tally t = { 0 };
	char *text = NULL;

	if (!m->state)
		return;
	if (!*log) {
		reply_warning(r, "no DecisionLog in sfabric.conf: nothing is known of "
			      "decisions");
	} else if (tally_load(&t, m->state, &err) != 0 || tally_follow(&t, log, &err) != 0) {
		reply_warning(r, "%s", err.text);
	} else {
		if (t.fingerprint)
			*tally_value(&t, "sfabric_snapshot_in_use") =
				t.fingerprint == site->snapshot->fingerprint;
		text = tally_text(&t);
		if (tally_save(&t, text, m->state, &err) == 0)
			fputs(text, out);
		else
			reply_warning(r, "%s", err.text);
	}
	free(text);
	tally_free(&t);
}

/*
 * Print fabric, ports and decisions.  It fails without a snapshot or with damaged counters.
 * Trouble with the decision log is only a warning.
 */
static int run_metrics(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct metrics *m = ctx;
	struct site_counters counters;
	struct site site;
	double followed;
	int rc;

	if (site_open(&site, &m->options, &a->reply, err) != 0)
		return -1;
	/* Counters may be missing: a site may only import its fabric. */
	rc = site_counters_open(&counters, &site, m->counters, SITE_COUNTERS_IF_THERE, &a->reply,
				err);
	if (rc == 0) {
		print_fabric(a->out.file, &site, &counters);
		/* If `sfabric learn` found it out of these tables. */
		followed = site_followed(site.conf, site.snapshot->fingerprint);
		if (followed >= 0) {
			tally_begin_metric(a->out.file, "sfabric_followed_ratio", "gauge",
					   "Part of the measured bytes that is where the tables "
					   "say.");
			fprintf(a->out.file, "sfabric_followed_ratio %.4f\n", followed);
		}
		print_ports(a->out.file, &site, &counters);
		print_decisions(a->out.file, m, &site, &a->reply);
	}
	site_counters_close(&counters);
	site_close(&site);
	return rc;
}

int cmd_metrics(int argc, char **argv)
{
	struct metrics m = { 0 };

	options_parse(&usage, argc, argv, &m);
	return answer_run("metrics", &m.options, run_metrics, &m);
}
