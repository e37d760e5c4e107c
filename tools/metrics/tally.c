/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally.c - what lines of the decision log add to the totals; see tally.h
 *
 * Totals only grow, as Prometheus expects of counters, and labels come from fixed sets
 * or are bounded: whoever can name a partition must not be able to fill its database.
 */

#include "tools/metrics/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/explain/declog.h"
#include "tools/report/past.h"
#include "tools/ui/say.h"

/* From a tenth of a millisecond to beyond any MaxSearchTime that makes sense. */
const struct tally_bounds tally_search_bounds = {
	12, { 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, .01, .025, .05, .1, .25, 1 },
};
/* 1 is not slowed at all. */
const struct tally_bounds tally_slowdown_bounds = {
	9, { 1, 1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10 },
};

void tally_free(struct decision_tally *t)
{
	for (uint32_t i = 0; i < t->npartitions; i++)
		free(t->partition[i].name);
	free(t->partition);
	memset(t, 0, sizeof(*t));
}

static void count_value(struct tally_histogram *h, const struct tally_bounds *b,
			double value)
{
	uint32_t i = 0;

	while (i < b->n && value > b->le[i])
		i++;
	h->count[i]++;
	h->sum += fmin(value, 1e6);	/* a line may say anything */
}

/*
 * The partition's row; a new one for a new name.  All beyond the most share the
 * last.  At most TALLY_PARTITIONS_MAX, so that a log with any names cannot make
 * the database grow.
 */
static struct tally_partition *partition_row(struct decision_tally *t, const char *name)
{
	struct tally_partition *p;

	for (uint32_t i = 0; i < t->npartitions; i++)
		if (strcmp(t->partition[i].name, name) == 0)
			return &t->partition[i];
	if (t->npartitions == TALLY_PARTITIONS_MAX)
		return &t->partition[TALLY_PARTITIONS_MAX - 1];
	t->partition = need_more(t->partition, t->npartitions, sizeof(*t->partition));
	p = &t->partition[t->npartitions++];
	*p = (struct tally_partition){ 0 };
	p->name = need_copy(t->npartitions == TALLY_PARTITIONS_MAX ? "(others)" : name);
	return p;
}

static void take_start(struct decision_tally *t, struct json_object *line)
{
	const char *partition = declog_text(line, "partition");
	const char *fingerprint = declog_text(line, "fingerprint");
	double at_s = past_time(declog_text(line, "time"));
	const char *policy = declog_text(line, "policy");
	struct tally_partition *p = partition_row(t, partition ? partition : "");
	struct past_job job;
	uint64_t used, us;

	past_job_of_line(&job, line);
	t->starts[job.reason < 0 ? SFAB_NREASONS : job.reason]++;
	p->starts[job.reason == SFAB_PLACED	     ? TALLY_PLACED :
		  job.reason == SFAB_STOCK_OBSERVE ? TALLY_OBSERVED : TALLY_LEFT]++;
	p->trip = sfab_trip_find(declog_text(line, "governor"));
	t->hint_errors += declog_text(line, "hint_error") != NULL;
	t->policy_failures += policy && strcmp(policy, "failed") == 0;
	us = declog_count(line, "took_us");
	if (us)
		count_value(&t->search, &tally_search_bounds, (double) us / 1e6);
	/* Only where both predictions are known, so that they can be compared. */
	if (job.compared && job.class >= 0) {
		count_value(&t->slowdown[job.class][TALLY_OURS],
			    &tally_slowdown_bounds, job.ours.slowdown);
		count_value(&t->slowdown[job.class][TALLY_SLURMS],
			    &tally_slowdown_bounds, job.slurms.slowdown);
	}
	used = fingerprint ? strtoull(fingerprint, NULL, 16) : 0;
	if (!used || !(at_s > 0))	/* mode off, or no snapshot */
		return;
	t->decided_s = (uint64_t) at_s;
	t->fingerprint = used;
}

void tally_take(struct decision_tally *t, struct json_object *line)
{
	const char *event = declog_text(line, "event");
	struct json_object *waits;

	if (strcmp(event, "start") == 0)
		take_start(t, line);
	else if (strcmp(event, "end") == 0 &&
		 json_object_object_get_ex(line, "waits", &waits))
		t->requeued += json_object_get_boolean(waits) != 0;
	t->running = declog_count(line, "running");
}
