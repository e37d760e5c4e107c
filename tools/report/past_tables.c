/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_tables.c - past jobs as tables; see past_tables.h
 *
 * Columns, then the functions that fill them.  Text and JSON show
 * these tables; `parts` gives them their keys, titles and order.
 */

#include "tools/report/past_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/learn/found.h"
#include "tools/site/site.h"
#include "tools/ui/moment.h"
#include "tools/ui/say.h"

/* What a table says in node hours, after its first columns. */
#define LOSS_COLUMNS \
	{ "slurm", "node hours lost on Slurm's own nodes", COLUMN_NUMBER, 2, SHOWN }, \
	{ "sfabric", "the same on sfabric's nodes", COLUMN_NUMBER, 2, SHOWN }, \
	{ "saved", "the difference", COLUMN_NUMBER, 2, SHOWN }
enum { LOSS_SLURM, LOSS_SFABRIC, LOSS_SAVED };

/* C: causes.  Each table has its columns by index, in the order of the rows below it. */
enum { C_CAUSE, C_LOSS, C_WHY = C_LOSS + 3 };

static const struct column cause_columns[] = {
	{ "cause", "of what is lost", COLUMN_TEXT, 0, SHOWN },
	LOSS_COLUMNS,
	{ "why", "the cause in words", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

/* G: groups of jobs, which differ in the name of their first column, and in the last ones. */
enum {
	G_NAME, G_USER, G_JOBS, G_MOVED, G_NODE_HOURS, G_LOSS, G_FULL = G_LOSS + 3,
	G_ASSUMED_SAVED = G_FULL, G_FOUND, G_ASSUMED, G_MEASURED, G_OTHER_CLASS,
};

#define GROUP_COLUMNS(field, user) \
	{ field, "whose jobs", COLUMN_TEXT, 0, SHOWN }, \
	{ "user", "who started them", COLUMN_TEXT, 0, user }, \
	{ "jobs", "that began", COLUMN_COUNT, 0, SHOWN }, \
	{ "moved", "of these, sfabric has other nodes, and it matters", COLUMN_COUNT, 0, SHOWN }, \
	{ "node_hours", "of those that ended", COLUMN_NUMBER, 2, SHOWN }, \
	LOSS_COLUMNS

static const struct column source_columns[] = {
	GROUP_COLUMNS("source", SHOWN_IF_ANY),
	{ "saved_assumed", "saved if the assumptions are right", COLUMN_NUMBER, 2, SHOWN },
	{ "found", "jobs whose traffic counters found", COLUMN_COUNT, 0, SHOWN },
	{ "assumed", "of these, part of their time, mean", COLUMN_NUMBER, 3, SHOWN_IF_ANY },
	{ "measured", "the same by counters", COLUMN_NUMBER, 3, SHOWN_IF_ANY },
	{ "other_class", "of these, most is of another class", COLUMN_COUNT, 0, SHOWN_IF_ANY },
	{ 0 }
};
static const struct column day_columns[] = {
	GROUP_COLUMNS("day", SHOWN_IF_ANY),
	{ "full_hours", "of full links, by counters", COLUMN_NUMBER, 1, SHOWN_IF_ANY },
	{ 0 }
};
static const struct column partition_columns[] = {
	GROUP_COLUMNS("partition", SHOWN_IF_ANY), { 0 }
};
static const struct column program_columns[] = {
	GROUP_COLUMNS("program", SHOWN), { 0 }
};

/* O: outcomes. */
enum { O_REASON, O_JOBS, O_SHARE, O_NODE_HOURS, O_WHY };

static const struct column outcome_columns[] = {
	{ "reason", "of the decision log", COLUMN_TEXT, 0, SHOWN },
	{ "jobs", "that began", COLUMN_COUNT, 0, SHOWN },
	{ "share", "of all jobs", COLUMN_NUMBER, 3, SHOWN },
	{ "node_hours", "of those that ended", COLUMN_NUMBER, 2, SHOWN },
	{ "why", "the reason in words", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

/* J: jobs. */
enum {
	J_JOB, J_BEGUN, J_USER, J_PARTITION, J_NAME, J_NODES, J_HOURS, J_CLASS, J_CAUSE,
	J_LOSS, J_REASON = J_LOSS + 3,
};

static const struct column job_columns[] = {
	{ "job", "Slurm's id", COLUMN_COUNT, 0, SHOWN },
	{ "begun", "when it began", COLUMN_TEXT, 0, SHOWN },
	{ "user", "who started it", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "partition", "where it ran", COLUMN_TEXT, 0, SHOWN_IF_ASKED },
	{ "name", "of the job", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "nodes", "how many", COLUMN_COUNT, 0, SHOWN },
	{ "hours", "that it ran", COLUMN_NUMBER, 2, SHOWN },
	{ "class", "of most of its traffic", COLUMN_TEXT, 0, SHOWN },
	{ "cause", "of most that it lost where it ran", COLUMN_TEXT, 0, SHOWN },
	LOSS_COLUMNS,
	{ "reason", "of the decision log", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

/* By enum past_part; the key is that of JSON. */
static const struct {
	const char *key, *title;
	const struct column *columns;
	int least;		/* rows, for text to show it */
	enum past_group by;
} parts[PAST_PARTS] = {
	[PART_CAUSE] = { "causes", "What node hours are lost to", cause_columns, 1, PAST_ALL },
	[PART_SOURCE] = { "sources", "By the source of what jobs are assumed to send",
			  source_columns, 1, PAST_BY_SOURCE },
	[PART_DAY] = { "days", "By day (UTC)", day_columns, 2, PAST_BY_DAY },
	[PART_PARTITION] = { "partitions", "By partition", partition_columns, 2,
			     PAST_BY_PARTITION },
	[PART_PROGRAM] = { "programs", "Programs that lose most where they run",
			   program_columns, 1, PAST_BY_PROGRAM },
	[PART_LOSERS] = { "losers", "Jobs that lost most where they ran", job_columns, 1, 0 },
	[PART_WORSE] = { "worse", "Jobs that lose more on sfabric's nodes", job_columns, 1, 0 },
	[PART_OUTCOME] = { "outcome", "Who chose the nodes, and why", outcome_columns, 1, 0 },
};

static void set_losses(struct table *t, unsigned col, double slurm, double sfabric)
{
	table_number(t, col + LOSS_SLURM, slurm);
	table_number(t, col + LOSS_SFABRIC, sfabric);
	table_number(t, col + LOSS_SAVED, slurm - sfabric);
}

/* "" is not known: the cell stays empty, and so may the whole column. */
static void set_cell_text(struct table *t, unsigned col, const char *text)
{
	if (*text)
		table_text(t, col, text);
}

static void set_user(struct table *t, unsigned col, const char *number)
{
	char *user = past_user(number);

	set_cell_text(t, col, user);
	free(user);
}

/* -- groups ----------------------------------------------------------------- */

const char *past_cause_name(enum past_cause cause)
{
	static const char *const name[PAST_CAUSES] = { "shape", "jobs", "servers" };

	return name[cause];
}

/* Returns the number of rows, as do all add_...() here. */
static uint32_t add_causes(struct table *t, const struct past *p)
{
	static const char *const why[PAST_CAUSES] = {
		"the traffic of a job meets itself", "jobs slow each other",
		"IO servers are full, wherever the job runs",
	};
	uint32_t n, all;
	struct past_sum *sum = past_sums(p, PAST_ALL, &n);

	all = n ? sum[0].compared : 0;
	for (int c = 0; all && c < PAST_CAUSES; c++) {
		table_row(t);
		table_text(t, C_CAUSE, past_cause_name((enum past_cause) c));
		set_losses(t, C_LOSS, sum[0].slurm[c], sum[0].sfabric[c]);
		table_text(t, C_WHY, why[c]);
	}
	past_sums_free(sum, n);
	return all ? PAST_CAUSES : 0;
}

/*
 * Without any compared job the rest stays empty, as 0 would look like a result.
 */
static void add_sum(struct table *t, const struct past *p, enum past_group by,
		    const struct past_sum *s)
{
	table_row(t);
	table_text(t, G_NAME, *s->name ? s->name : "-");
	if (by == PAST_BY_PROGRAM)
		set_user(t, G_USER, s->user);
	table_count(t, G_JOBS, s->jobs);
	table_number(t, G_NODE_HOURS, s->node_hours);
	if (s->compared) {
		table_count(t, G_MOVED, s->moved);
		set_losses(t, G_LOSS, past_sum_lost(s->slurm), past_sum_lost(s->sfabric));
	}
	if (by == PAST_BY_SOURCE && s->compared) {
		table_number(t, G_ASSUMED_SAVED, s->assumed_saved);
		table_count(t, G_FOUND, s->found);
	}
	if (by == PAST_BY_SOURCE && s->compared && s->found) {
		table_number(t, G_ASSUMED, s->assumed / s->found);
		table_number(t, G_MEASURED, s->measured / s->found);
		table_count(t, G_OTHER_CLASS, s->other_class);
	}
	if (by == PAST_BY_DAY) {
		char midnight[40];
		double from_s, hours;

		snprintf(midnight, sizeof(midnight), "%.12sT00:00:00", s->name);
		from_s = past_time(midnight);
		hours = past_full_hours(p, from_s, from_s + 86400);
		if (hours >= 0)
			table_number(t, G_FULL, hours);
	}
}

static int compare_lost_sums(const void *a, const void *b)
{
	const struct past_sum *x = a, *y = b;

	return x->lost < y->lost ? 1 : x->lost > y->lost ? -1 : strcmp(x->name, y->name);
}

/* Sources only of jobs for which nodes were searched; of programs the @top that lose. */
static uint32_t add_groups(struct table *t, const struct past *p, enum past_group by,
			   uint32_t top)
{
	uint32_t n, rows = 0;
	struct past_sum *sum = past_sums(p, by, &n);

	if (n && by == PAST_BY_PROGRAM)
		qsort(sum, n, sizeof(*sum), compare_lost_sums);
	for (uint32_t i = 0; i < n; i++) {
		if (by == PAST_BY_SOURCE && !sum[i].compared)
			continue;
		if (by == PAST_BY_PROGRAM && (!(sum[i].lost > 0) || rows == top))
			continue;
		add_sum(t, p, by, &sum[i]);
		rows++;
	}
	past_sums_free(sum, n);
	return rows;
}

/* A row like "placed 812 0.640 10240.5 ..." and why in words. */
static uint32_t add_outcome(struct table *t, const struct past *p)
{
	uint32_t n;
	struct past_sum *sum = past_sums(p, PAST_BY_REASON, &n);
	int reason;

	for (uint32_t i = 0; i < n; i++) {
		table_row(t);
		table_text(t, O_REASON, sum[i].name);
		table_count(t, O_JOBS, sum[i].jobs);
		table_number(t, O_SHARE, (double) sum[i].jobs / p->n);
		table_number(t, O_NODE_HOURS, sum[i].node_hours);
		/* past_sums() calls those that it does not know "unknown". */
		reason = past_reason(sum[i].name);
		table_text(t, O_WHY, reason < 0 ? "a word that this version does "
			   "not know" : sfab_reason_text((enum sfab_reason) reason));
	}
	past_sums_free(sum, n);
	return n;
}

/* -- single jobs ------------------------------------------------------------ */

#define SHOWN_HOURS 0.005	/* less is a row of zeros */

struct ranked_job {
	const struct past_job *job;
	double hours;		/* node hours, the largest first */
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked_job *x = a, *y = b;

	if (x->hours < y->hours || x->hours > y->hours)
		return x->hours > y->hours ? -1 : 1;
	return x->job->id < y->job->id ? -1 : x->job->id > y->job->id;
}

/*
 * The @top jobs that ended with most node hours, where that matters: lost where they really
 * ran, or with @by_us those that our nodes lose more.  Moments are UTC, as in the log, so that
 * the line can be found there.
 */
static uint32_t add_ranked(struct table *t, const struct past *p, uint32_t top, int by_us)
{
	struct ranked_job *ranked = need(p->n, sizeof(*ranked));
	uint32_t n = 0, rows = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		const struct past_job *job = &p->job[i];
		double nodes = by_us ? -past_saved(job) : past_lost(past_here(job));
		double hours = nodes * past_ideal_hours(job);

		if (job->compared && job->ran_s > 0 && nodes > PAST_EQUAL * job->nodes &&
		    hours >= SHOWN_HOURS)
			ranked[n++] = (struct ranked_job) { job, hours };
	}
	qsort(ranked, n, sizeof(*ranked), compare_ranked);
	for (; rows < n && rows < top; rows++) {
		const struct past_job *job = ranked[rows].job;
		const struct past_loss *here = past_here(job);
		double hours = past_ideal_hours(job);
		char begun[MOMENT_TEXT];

		table_row(t);
		table_count(t, J_JOB, job->id);
		table_text(t, J_BEGUN, moment_text(job->begun_s, begun));
		set_user(t, J_USER, job->user);
		set_cell_text(t, J_PARTITION, job->partition);
		set_cell_text(t, J_NAME, job->name);
		table_count(t, J_NODES, job->nodes);
		table_number(t, J_HOURS, job->ran_s / 3600);
		if (job->class >= 0)
			table_text(t, J_CLASS, sfab_class_name((enum sfab_class) job->class));
		table_text(t, J_CAUSE, past_cause_name(2 * here->shape >= past_lost(here) ?
						       PAST_SHAPE : PAST_JOBS));
		set_losses(t, J_LOSS, hours * past_lost(&job->slurms),
			   hours * past_lost(&job->ours));
		if (job->reason >= 0)
			table_text(t, J_REASON,
				   sfab_reason_word((enum sfab_reason) job->reason));
	}
	free(ranked);
	return rows;
}

/* Makes all parts, also those without rows; past_tables_free() frees them. */
void past_tables(const struct past *p, uint32_t top,
		 struct past_table part[PAST_PARTS])
{
	for (int i = 0; i < PAST_PARTS; i++) {
		part[i].key = parts[i].key;
		part[i].title = parts[i].title;
		part[i].least = (uint32_t) parts[i].least;
		part[i].t = table_create(parts[i].columns);
		if (i >= PART_SOURCE && i <= PART_PROGRAM)
			part[i].rows = add_groups(part[i].t, p, parts[i].by, top);
	}
	part[PART_CAUSE].rows = add_causes(part[PART_CAUSE].t, p);
	part[PART_OUTCOME].rows = add_outcome(part[PART_OUTCOME].t, p);
	part[PART_LOSERS].rows = add_ranked(part[PART_LOSERS].t, p, top, 0);
	part[PART_WORSE].rows = add_ranked(part[PART_WORSE].t, p, top, 1);
}

void past_tables_free(struct past_table part[PAST_PARTS])
{
	for (int i = 0; i < PAST_PARTS; i++) {
		table_destroy(part[i].t);
		part[i].t = NULL;
	}
}

double past_followed(const struct past *p, const struct options *o)
{
	struct sfab_err ignore = { 0 };
	struct sfab_conf *conf = site_conf(o, &ignore);
	struct sfab_found *found = conf ? sfab_found_load(conf->found_traffic, NULL, &ignore) :
					  NULL;
	double followed = found && found->fingerprint == p->fingerprint ? found->followed : -1;

	sfab_found_destroy(found);
	sfab_conf_destroy(conf);
	return followed;
}
