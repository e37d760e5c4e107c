/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally_take.c - what lines of the decision log add to the totals; see tally.h
 *
 * Totals only grow, as Prometheus expects of counters, and labels come from fixed sets or are
 * bounded: whoever can name a partition must not be able to fill its database.
 */

#include "tools/metrics/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "place/request/reason.h"
#include "tools/log/declog.h"
#include "tools/log/past.h"
#include "tools/ui/xalloc.h"

struct histogram {
	const char *name;
	double le[13];		/* upper bounds of the buckets, ascending; 0 ends them */
};
/* Seconds, from a tenth of a millisecond to beyond any MaxSearchTime that makes sense. */
static const struct histogram search_seconds = {
	"sfabric_search_seconds",
	{ 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, .01, .025, .05, .1, .25, 1 },
};
/* 1 is not slowed at all. */
static const struct histogram slowdown_ratio = {
	"sfabric_predicted_slowdown_ratio", { 1, 1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10 },
};

/*
 * Add @value @n times to a histogram; with @n 0 only make its series.  @labels: "" or some that
 * end with a comma.  Each bucket counts all values up to its bound, as the format wants it.
 */
static void count_values(struct tally *t, const struct histogram *h, const char *labels,
			 double value, int n)
{
	char *braced = *labels ? xstrfmt("{%.*s}", (int) strlen(labels) - 1, labels) :
			      xstrdup("");
	const double sum = n * fmin(value, 1e6);	/* a line may say anything */

	for (const double *le = h->le; *le > 0; le++)
		*tally_value(t, "%s_bucket{%sle=\"%g\"}", h->name, labels, *le) +=
			value <= *le ? n : 0;
	*tally_value(t, "%s_bucket{%sle=\"+Inf\"}", h->name, labels) += n;
	*tally_value(t, "%s_sum%s", h->name, braced) += sum;
	*tally_value(t, "%s_count%s", h->name, braced) += n;
	free(braced);
}

/* Count a predicted slowdown.  @nodes: a label that says for whose nodes it is. */
static void count_slowdown(struct tally *t, enum sfab_class class, const char *nodes,
			   double value, int n)
{
	char *labels = xstrfmt("class=\"%s\",nodes=\"%s\",", sfab_class_name(class), nodes);

	count_values(t, &slowdown_ratio, labels, value, n);
	free(labels);
}

/* Make all totals on the first run, so that Prometheus sees the first job as an increase. */
void tally_init(struct tally *t)
{
	static const char *const counters[] = {
		"sfabric_job_starts_total{reason=\"unknown\"}", "sfabric_requeues_total",
		"sfabric_hint_errors_total", "sfabric_policy_failures_total",
		"sfabric_decision_log_lines_total", "sfabric_decision_log_bad_lines_total",
		"sfabric_decision_log_unread_bytes",
	};

	memset(t, 0, sizeof(*t));
	for (int i = 0; i < SFAB_NREASONS; i++)
		if (i != SFAB_STOCK_TEST_ONLY && i != SFAB_STOCK_RESERVATION &&
		    i != SFAB_STOCK_NO_ID)	/* no job begins by these */
			tally_value(t, "sfabric_job_starts_total{reason=\"%s\"}",
				    sfab_reason_word((enum sfab_reason) i));
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		tally_value(t, "%s", counters[i]);
	count_values(t, &search_seconds, "", 0, 0);
	for (int c = 0; c < SFAB_NCLASSES; c++) {
		count_slowdown(t, (enum sfab_class) c, "sfabric", 0, 0);
		count_slowdown(t, (enum sfab_class) c, "slurm", 0, 0);
	}
}

/* -- partitions ------------------------------------------------------------- */

#define STARTS "sfabric_partition_job_starts_total{partition=\"%s\",result=\"%s\"}"

/*
 * Return the label of the partition, and make its series.  Beyond TALLY_PARTITIONS_MAX all
 * share one label, so that invented names in a log cannot make the database grow.  Caller
 * frees.
 */
static char *partition_label(struct tally *t, const char *name)
{
	static const char *const results[] = { "placed", "observed", "slurm" };
	static const char begin[] = "sfabric_governor_tripped{";
	char *label = tally_label(name), *known = xstrfmt(STARTS, label, results[0]);
	uint32_t n = 0;

	if (!tally_find(t, known)) {
		for (const struct tally_series *s = t->series; s; s = s->hh.next)
			n += strncmp(s->name, begin, sizeof(begin) - 1) == 0;
		if (n >= TALLY_PARTITIONS_MAX - 1) {
			free(label);
			label = xstrdup("(others)");
		}
		for (int i = 0; i < 3; i++)
			tally_value(t, STARTS, label, results[i]);
	}
	free(known);
	return label;
}

/*
 * Set whether the governor stopped the partition.  The reason is a label, for alerts; the
 * series with another reason is dropped.
 */
static void set_governed(struct tally *t, const char *partition, enum sfab_trip trip)
{
	static const char name[] = "sfabric_governor_tripped";

	for (int i = SFAB_TRIP_NONE; i < SFAB_NTRIPS; i++) {
		char *series = i == SFAB_TRIP_NONE ?
			xstrfmt("%s{partition=\"%s\"}", name, partition) :
			xstrfmt("%s{partition=\"%s\",reason=\"%s\"}", name, partition,
				sfab_trip_word((enum sfab_trip) i));

		if (i == (int) trip)
			*tally_value(t, "%s", series) = trip != SFAB_TRIP_NONE;
		else
			tally_drop(t, series);
		free(series);
	}
}

/* -- lines ------------------------------------------------------------------ */

static void take_start(struct tally *t, struct json_object *line)
{
	const char *partition = declog_text(line, "partition");
	const char *policy = declog_text(line, "policy");
	uint64_t fingerprint = declog_fingerprint(line), took_us = declog_count(line, "took_us");
	double time_s = declog_time(line);
	struct past_job job;
	char *label;

	past_job_of_line(&job, line);
	*tally_value(t, "sfabric_job_starts_total{reason=\"%s\"}", job.reason < 0 ? "unknown" :
		     sfab_reason_word((enum sfab_reason) job.reason)) += 1;
	label = partition_label(t, partition ? partition : "");
	*tally_value(t, STARTS, label, job.reason == SFAB_PLACED ? "placed" :
		     job.reason == SFAB_STOCK_OBSERVE ? "observed" : "slurm") += 1;
	set_governed(t, label, sfab_trip_find(declog_text(line, "governor")));
	free(label);
	*tally_value(t, "sfabric_hint_errors_total") += declog_text(line, "hint_error") != NULL;
	*tally_value(t, "sfabric_policy_failures_total") +=
		policy && strcmp(policy, "failed") == 0;
	if (took_us)
		count_values(t, &search_seconds, "", (double) took_us / 1e6, 1);
	/* Only where both predictions are known, so that they can be compared. */
	if (job.is_compared && job.class >= 0) {
		count_slowdown(t, (enum sfab_class) job.class, "sfabric", job.ours.slowdown, 1);
		count_slowdown(t, (enum sfab_class) job.class, "slurm", job.slurms.slowdown, 1);
	}
	if (!fingerprint || !(time_s > 0))	/* mode off, or no snapshot */
		return;
	*tally_value(t, "sfabric_last_decision_timestamp_seconds") = floor(time_s);
	t->fingerprint = fingerprint;
}

void tally_take(struct tally *t, struct json_object *line)
{
	if (declog_is(line, "start"))
		take_start(t, line);
	else if (declog_is(line, "end"))
		*tally_value(t, "sfabric_requeues_total") += declog_flag(line, "waits");
	*tally_value(t, "sfabric_jobs_running") = (double) declog_count(line, "running");
}
