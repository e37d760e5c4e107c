/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally_print.c - totals of the decision log in Prometheus' format; see tally.h
 *
 * The names and labels are in sfabric-metrics(1).  Prometheus wants all values
 * of one name together, with its help before them, so each name has a function
 * or a row.
 */

#include "tools/metrics/tally.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/metrics/exposition.h"

/*
 * Every reason has a value from the first run on, so that its first job is a
 * rise.  Lines like sfabric_job_starts_total{reason="placed"} 812.
 */
static void print_starts(const struct decision_tally *t, FILE *out)
{
	static const char name[] = "sfabric_job_starts_total";

	exposition_begin(out, name, "counter", "Jobs that began, by what the plugin did: "
			 "placed, or the reason why Slurm placed it.");
	for (uint32_t i = 0; i <= SFAB_NREASONS; i++) {
		if (i == SFAB_STOCK_TEST_ONLY || i == SFAB_STOCK_RESERVATION ||
		    i == SFAB_STOCK_NO_ID)	/* no job begins by these */
			continue;
		fprintf(out, "%s{reason=\"%s\"} %" PRIu64 "\n", name,
			i == SFAB_NREASONS ? "unknown" :
					     sfab_reason_word((enum sfab_reason) i),
			t->starts[i]);
	}
}

/*
 * Nothing without partitions: a heading without values is not allowed
 * everywhere.
 */
static void print_partition_starts(const struct decision_tally *t, FILE *out)
{
	static const char *const word[] = {
		[TALLY_PLACED] = "placed", [TALLY_OBSERVED] = "observed",
		[TALLY_LEFT] = "slurm",
	};
	static const char name[] = "sfabric_partition_job_starts_total";

	if (t->npartitions)
		exposition_begin(out, name, "counter", "Jobs that began, by partition: "
				 "placed, only observed, or left to Slurm.");
	for (uint32_t i = 0; i < t->npartitions; i++) {
		char *partition = exposition_label(t->partition[i].name);

		for (int k = 0; k < TALLY_NRESULTS; k++)
			fprintf(out, "%s{partition=\"%s\",result=\"%s\"} %" PRIu64 "\n",
				name, partition, word[k], t->partition[i].starts[k]);
		free(partition);
	}
}

/* With a reason, which an alert says, where it is 1. */
static void print_governed(const struct decision_tally *t, FILE *out)
{
	static const char name[] = "sfabric_governor_tripped";

	if (t->npartitions)
		exposition_begin(out, name, "gauge", "1: the governor stopped the placement "
				 "of jobs of the partition, or would have with Governor=on.");
	for (uint32_t i = 0; i < t->npartitions; i++) {
		const struct tally_partition *p = &t->partition[i];
		char *partition = exposition_label(p->name);

		fprintf(out, p->trip ? "%s{partition=\"%s\",reason=\"%s\"} 1\n" :
				       "%s{partition=\"%s\"} 0\n", name, partition,
			sfab_trip_word(p->trip));
		free(partition);
	}
}

/*
 * @labels: "" or some that end with a comma.  Counts add up from bucket to
 * bucket, as the format wants it.  Lines like
 * NAME_bucket{class="mpi",nodes="slurm",le="1.1"} 41; a sum with all 17 digits,
 * as rates are differences of it.
 */
static void print_histogram(const struct tally_histogram *h,
			    const struct tally_bounds *b, const char *name,
			    const char *labels, FILE *out)
{
	int bare = !*labels;
	size_t n = bare ? 0 : strlen(labels) - 1;
	uint64_t all = 0;

	for (uint32_t i = 0; i <= b->n; i++) {
		all += h->count[i];
		fprintf(out, "%s_bucket{%sle=\"", name, labels);
		if (i < b->n)
			fprintf(out, "%g\"} %" PRIu64 "\n", b->le[i], all);
		else
			fprintf(out, "+Inf\"} %" PRIu64 "\n", all);
	}
	fprintf(out, "%s_sum%s%.*s%s %.17g\n", name, bare ? "" : "{", (int) n, labels,
		bare ? "" : "}", h->sum);
	fprintf(out, "%s_count%s%.*s%s %" PRIu64 "\n", name, bare ? "" : "{", (int) n,
		labels, bare ? "" : "}", all);
}

/* Two histograms for each class of traffic, told apart by the label "nodes". */
static void print_slowdowns(const struct decision_tally *t, FILE *out)
{
	static const char name[] = "sfabric_predicted_slowdown_ratio";
	static const char *const side[] = {
		[TALLY_OURS] = "sfabric", [TALLY_SLURMS] = "slurm",
	};
	char labels[80];

	exposition_begin(out, name, "histogram", "What was predicted for a job as it "
			 "began, on sfabric's nodes and on Slurm's own; 1 is not slowed.");
	for (int c = 0; c < SFAB_NCLASSES; c++)
		for (int k = TALLY_OURS; k <= TALLY_SLURMS; k++) {
			snprintf(labels, sizeof(labels), "class=\"%s\",nodes=\"%s\",",
				 sfab_class_name((enum sfab_class) c), side[k]);
			print_histogram(&t->slowdown[c][k], &tally_slowdown_bounds, name,
					labels, out);
		}
}

/* A value that is not known yet has no line: 0 would be a wrong answer. */
static void print_single(const struct decision_tally *t, uint64_t fingerprint, FILE *out)
{
	const struct {
		const char *name, *type, *help;
		int known;
		uint64_t value;
	} row[] = {
		{ "sfabric_requeues_total", "counter",
		  "Runs that were taken back: the job waits again.", 1, t->requeued },
		{ "sfabric_hint_errors_total", "counter",
		  "Jobs that began with a hint that is wrong.", 1, t->hint_errors },
		{ "sfabric_policy_failures_total", "counter",
		  "Jobs that began without an answer of sfabric.lua.", 1,
		  t->policy_failures },
		{ "sfabric_decision_log_lines_total", "counter",
		  "Lines of the decision log that were read.", 1, t->lines },
		{ "sfabric_decision_log_bad_lines_total", "counter",
		  "Lines of it that could not be read.", 1, t->bad },
		{ "sfabric_decision_log_unread_bytes", "gauge",
		  "What is left of it for the next run.", 1, t->behind },
		{ "sfabric_jobs_running", "gauge",
		  "Jobs that ran after the last event of the log.", t->lines > 0,
		  t->running },
		{ "sfabric_last_decision_timestamp_seconds", "gauge",
		  "When the last job began while a snapshot was in use.",
		  t->fingerprint != 0, t->decided_s },
		{ "sfabric_snapshot_in_use", "gauge",
		  "1: that was the snapshot that is there now.", t->fingerprint != 0,
		  t->fingerprint == fingerprint },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		if (row[i].known) {
			exposition_begin(out, row[i].name, row[i].type, row[i].help);
			fprintf(out, "%s %" PRIu64 "\n", row[i].name, row[i].value);
		}
}

void tally_print(const struct decision_tally *t, uint64_t fingerprint, FILE *out)
{
	print_starts(t, out);
	print_partition_starts(t, out);
	print_governed(t, out);
	exposition_begin(out, "sfabric_search_seconds", "histogram",
			 "What the search for the nodes of a job that began took, by the "
			 "clock.");
	print_histogram(&t->search, &tally_search_bounds, "sfabric_search_seconds", "",
			out);
	print_slowdowns(t, out);
	print_single(t, fingerprint, out);
}
