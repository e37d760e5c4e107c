/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_tables.c - past jobs as tables; see past_tables.h
 *
 * Columns, then the functions that fill them.  Text and JSON show
 * these tables; `parts` gives them their keys, titles and order.
 */

#include "tools/report/past_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/moment.h"
#include "tools/ui/say.h"

/*
 * G: groups of jobs.  Each table has its columns by index, in the order of the
 * rows below it.
 */
enum {
	G_NAME, G_JOBS, G_NODE_HOURS, G_COMPARED, G_ELSEWHERE, G_SLURM, G_SFABRIC,
	G_SLURM_P95, G_SFABRIC_P95, G_BETTER, G_WORSE, G_SLURM_OTHERS,
	G_SFABRIC_OTHERS,
};

/* Groups differ in the name of their first column only. */
#define GROUP_COLUMNS(field) { \
	{ field, "whose jobs", COLUMN_TEXT, 0, SHOWN }, \
	{ "jobs", "that began", COLUMN_COUNT, 0, SHOWN }, \
	{ "node_hours", "of those that ended", COLUMN_NUMBER, 1, SHOWN }, \
	{ "compared", "both predictions are known", COLUMN_COUNT, 0, SHOWN }, \
	{ "elsewhere", "of these, sfabric's nodes are not Slurm's", COLUMN_COUNT, \
	  0, SHOWN }, \
	{ "slurm", "slowdown predicted on Slurm's nodes, mean", COLUMN_NUMBER, 3, \
	  SHOWN }, \
	{ "sfabric", "the same on sfabric's nodes", COLUMN_NUMBER, 3, SHOWN }, \
	{ "slurm_p95", "what 95 % of the jobs stay below on Slurm's nodes", \
	  COLUMN_NUMBER, 3, SHOWN }, \
	{ "sfabric_p95", "the same on sfabric's nodes", COLUMN_NUMBER, 3, SHOWN }, \
	{ "better", "jobs that sfabric's nodes make faster", COLUMN_COUNT, 0, \
	  SHOWN }, \
	{ "worse", "jobs that sfabric's nodes make slower", COLUMN_COUNT, 0, \
	  SHOWN }, \
	{ "slurm_others", "nodes that other jobs lose, sum, on Slurm's nodes", \
	  COLUMN_NUMBER, 2, SHOWN_IF_ASKED }, \
	{ "sfabric_others", "the same on sfabric's nodes", COLUMN_NUMBER, 2, \
	  SHOWN_IF_ASKED }, \
	{ 0 } \
}

static const struct column class_columns[] = GROUP_COLUMNS("class");
static const struct column partition_columns[] = GROUP_COLUMNS("partition");
static const struct column account_columns[] = GROUP_COLUMNS("account");
static const struct column user_columns[] = GROUP_COLUMNS("user");
static const struct column day_columns[] = GROUP_COLUMNS("day");

/* O: outcomes. */
enum { O_REASON, O_JOBS, O_SHARE, O_NODE_HOURS, O_WHY };

static const struct column outcome_columns[] = {
	{ "reason", "of the decision log", COLUMN_TEXT, 0, SHOWN },
	{ "jobs", "that began", COLUMN_COUNT, 0, SHOWN },
	{ "share", "of all jobs", COLUMN_NUMBER, 3, SHOWN },
	{ "node_hours", "of those that ended", COLUMN_NUMBER, 1, SHOWN },
	{ "why", "the reason in words", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

enum {
	J_JOB, J_BEGUN, J_USER, J_ACCOUNT, J_PARTITION, J_NAME, J_NODES, J_CLASS,
	J_SLURM, J_SFABRIC, J_REASON,
};

static const struct column job_columns[] = {
	{ "job", "Slurm's id", COLUMN_COUNT, 0, SHOWN },
	{ "begun", "when it began", COLUMN_TEXT, 0, SHOWN },
	{ "user", "who started it", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "account", "what it is charged to", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "partition", "where it ran", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "name", "of the job", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "nodes", "how many", COLUMN_COUNT, 0, SHOWN },
	{ "class", "of most of its traffic", COLUMN_TEXT, 0, SHOWN },
	{ "slurm", "slowdown predicted on Slurm's nodes", COLUMN_NUMBER, 3, SHOWN },
	{ "sfabric", "the same on sfabric's nodes", COLUMN_NUMBER, 3, SHOWN },
	{ "reason", "of the decision log", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

/* T: traffic. */
enum { T_CLASS, T_JOBS, T_TOLD, T_FOUND, T_ERROR };

static const struct column traffic_columns[] = {
	{ "class", "of traffic", COLUMN_TEXT, 0, SHOWN },
	{ "jobs", "that have it, assumed or found", COLUMN_COUNT, 0, SHOWN },
	{ "assumed", "share at the start, mean", COLUMN_NUMBER, 3, SHOWN },
	{ "found", "share that counters showed, mean", COLUMN_NUMBER, 3, SHOWN },
	{ "error", "difference of a job, mean", COLUMN_NUMBER, 3, SHOWN },
	{ 0 }
};

/* R: run times. */
enum { R_RANGE, R_RUNS, R_PREDICTED, R_MEASURED };

static const struct column run_columns[] = {
	{ "range", "of the slowdown predicted where the job ran", COLUMN_TEXT, 0,
	  SHOWN },
	{ "runs", "of jobs that ran several times", COLUMN_COUNT, 0, SHOWN },
	{ "predicted", "slowdown, mean", COLUMN_NUMBER, 3, SHOWN },
	{ "measured", "run time / mean run time of the same user, name and number of "
	  "nodes in the first range, mean", COLUMN_NUMBER, 3, SHOWN },
	{ 0 }
};

/* By enum past_part; the key is that of JSON. */
static const struct {
	const char *key, *title;
	const struct column *columns;
} parts[PAST_PARTS] = {
	[PART_OUTCOME] = { "outcome", "Who chose the nodes, and why",
			   outcome_columns },
	[PART_CLASS] = { "classes", "Predicted slowdown by class of traffic",
			 class_columns },
	[PART_PARTITION] = { "partitions", "By partition", partition_columns },
	[PART_ACCOUNT] = { "accounts", "By account", account_columns },
	[PART_USER] = { "users", "By user", user_columns },
	[PART_DAY] = { "days", "By day (UTC)", day_columns },
	[PART_LOSERS] = { "losers", "Jobs that sfabric's nodes make slower, worst "
			  "first", job_columns },
	[PART_SLOWEST] = { "slowest", "Slowest jobs, by prediction, where they ran",
			   job_columns },
	[PART_TRAFFIC] = { "traffic", "Traffic assumed at the start, and found by "
			   "counters", traffic_columns },
	[PART_RUN_TIMES] = { "run_times", "Predicted slowdown and measured run time "
			     "of jobs that ran several times", run_columns },
};

/* -- groups ----------------------------------------------------------------- */

/*
 * Without any compared job the rest stays empty, as 0 would look like a result.
 */
static void add_sum(struct table *t, const struct past_sum *s)
{
	table_row(t);
	table_text(t, G_NAME, *s->name ? s->name : "-");
	table_count(t, G_JOBS, s->jobs);
	table_number(t, G_NODE_HOURS, s->node_hours);
	table_count(t, G_COMPARED, s->compared);
	if (!s->compared)
		return;
	table_count(t, G_ELSEWHERE, s->elsewhere);
	table_number(t, G_SLURM, s->slurms.slowdown);
	table_number(t, G_SFABRIC, s->ours.slowdown);
	table_number(t, G_SLURM_P95, s->slurms.p95);
	table_number(t, G_SFABRIC_P95, s->ours.p95);
	table_count(t, G_BETTER, s->better);
	table_count(t, G_WORSE, s->worse);
	table_number(t, G_SLURM_OTHERS, s->slurms.others);
	table_number(t, G_SFABRIC_OTHERS, s->ours.others);
}

/*
 * Returns the number of rows, as do all add_...() here; a part without rows is
 * not shown.
 */
static uint32_t add_groups(struct table *t, const struct past *p,
			   enum past_group by)
{
	uint32_t n;
	struct past_sum *sum = past_sums(p, by, &n);

	for (uint32_t i = 0; i < n; i++)
		add_sum(t, &sum[i]);
	past_sums_free(sum, n);
	return n;
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

/* 0.1: ten per cent slower on our nodes than on Slurm's, by prediction. */
static double lost_by_us(const struct past_job *job)
{
	return job->ours.slowdown / job->slurms.slowdown - 1;
}

/* How much slower than alone, where it really ran. */
static double slow_here(const struct past_job *job)
{
	return past_here(job)->slowdown - 1;
}

/* A function, in a struct because qsort_r() passes a pointer to data. */
struct past_rank {
	double (*value)(const struct past_job *job);
};

static int compare_ranked(const void *a, const void *b, void *rank)
{
	const struct past_job *x = *(const struct past_job *const *) a;
	const struct past_job *y = *(const struct past_job *const *) b;
	double p = ((struct past_rank *) rank)->value(x);
	double q = ((struct past_rank *) rank)->value(y);

	if (p < q || p > q)
		return p > q ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* "" is not known: the cell stays empty, and so may the whole column. */
static void set_cell_text(struct table *t, unsigned col, const char *text)
{
	if (*text)
		table_text(t, col, text);
}

/* UTC, as in the log, so that the line can be found there. */
static void add_past_job_row(struct table *t, const struct past_job *job)
{
	char begun[MOMENT_TEXT];

	table_row(t);
	table_count(t, J_JOB, job->id);
	table_text(t, J_BEGUN, moment_text(job->begun_s, begun));
	if (*job->user) {
		char *user = past_user(job->user);

		table_text(t, J_USER, user);
		free(user);
	}
	set_cell_text(t, J_ACCOUNT, job->account);
	set_cell_text(t, J_PARTITION, job->partition);
	set_cell_text(t, J_NAME, job->name);
	table_count(t, J_NODES, job->nodes);
	if (job->class >= 0)
		table_text(t, J_CLASS, sfab_class_name((enum sfab_class) job->class));
	table_number(t, J_SLURM, job->slurms.slowdown);
	table_number(t, J_SFABRIC, job->ours.slowdown);
	if (job->reason >= 0)
		table_text(t, J_REASON,
			   sfab_reason_word((enum sfab_reason) job->reason));
}

/* The @top compared jobs of the largest value, if it is above PAST_EQUAL. */
static uint32_t add_ranked(struct table *t, const struct past *p, uint32_t top,
			   struct past_rank rank)
{
	const struct past_job **ref = need(p->n, sizeof(*ref));
	uint32_t n = 0, rows = 0;

	for (uint32_t i = 0; i < p->n; i++)
		if (p->job[i].compared && rank.value(&p->job[i]) > PAST_EQUAL)
			ref[n++] = &p->job[i];
	if (n)
		qsort_r(ref, n, sizeof(*ref), compare_ranked, &rank);
	for (; rows < n && rows < top; rows++)
		add_past_job_row(t, ref[rows]);
	free(ref);
	return rows;
}

/* -- predicted and measured ------------------------------------------------- */

static uint32_t add_traffic(struct table *t, const struct past *p)
{
	struct past_told told[SFAB_NCLASSES];
	uint32_t wrong, rows = 0;

	past_told(p, told, &wrong);
	for (int c = 0; c < SFAB_NCLASSES; c++) {
		if (!told[c].jobs)
			continue;
		table_row(t);
		table_text(t, T_CLASS, sfab_class_name((enum sfab_class) c));
		table_count(t, T_JOBS, told[c].jobs);
		table_number(t, T_TOLD, told[c].told);
		table_number(t, T_FOUND, told[c].found);
		table_number(t, T_ERROR, told[c].error);
		rows++;
	}
	return rows;
}

/* Ranges like "1.05 to 1.25"; the last is "above 2". */
static uint32_t add_run_ranges(struct table *t, const struct past *p)
{
	struct past_runs runs[PAST_STEPS];
	uint32_t rows = 0;
	char range[40];

	past_run_times(p, runs);
	for (int k = 0; k < PAST_STEPS; k++) {
		if (!runs[k].runs)
			continue;
		if (k + 1 < PAST_STEPS)
			snprintf(range, sizeof(range), "%g to %g",
				 k ? past_step[k - 1] : 1, past_step[k]);
		else
			snprintf(range, sizeof(range), "above %g", past_step[k - 1]);
		table_row(t);
		table_text(t, R_RANGE, range);
		table_count(t, R_RUNS, runs[k].runs);
		table_number(t, R_PREDICTED, runs[k].predicted);
		table_number(t, R_MEASURED, runs[k].ran);
		rows++;
	}
	return rows;
}

/* Makes all parts, also those without rows; past_tables_free() frees them. */
void past_tables(const struct past *p, uint32_t top,
		 struct past_table part[PAST_PARTS])
{
	static const enum past_group by[] = {
		[PART_CLASS] = PAST_BY_CLASS, [PART_PARTITION] = PAST_BY_PARTITION,
		[PART_ACCOUNT] = PAST_BY_ACCOUNT, [PART_USER] = PAST_BY_USER,
		[PART_DAY] = PAST_BY_DAY,
	};

	for (int i = 0; i < PAST_PARTS; i++) {
		part[i].key = parts[i].key;
		part[i].title = parts[i].title;
		part[i].t = table_create(parts[i].columns);
		if (i >= PART_CLASS && i <= PART_DAY)
			part[i].rows = add_groups(part[i].t, p, by[i]);
	}
	part[PART_OUTCOME].rows = add_outcome(part[PART_OUTCOME].t, p);
	part[PART_LOSERS].rows = add_ranked(part[PART_LOSERS].t, p, top,
					    (struct past_rank) { lost_by_us });
	part[PART_SLOWEST].rows = add_ranked(part[PART_SLOWEST].t, p, top,
					     (struct past_rank) { slow_here });
	part[PART_TRAFFIC].rows = add_traffic(part[PART_TRAFFIC].t, p);
	part[PART_RUN_TIMES].rows = add_run_ranges(part[PART_RUN_TIMES].t, p);
}

void past_tables_free(struct past_table part[PAST_PARTS])
{
	for (int i = 0; i < PAST_PARTS; i++) {
		table_destroy(part[i].t);
		part[i].t = NULL;
	}
}
