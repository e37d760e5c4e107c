/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_tables.c - past jobs as tables; see past_tables.h
 *
 * Columns, then the functions that fill them.  Text and JSON show these tables; past_kinds has
 * their keys, titles and order.
 */

#include "tools/log/past_tables.h"

#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/moment.h"
#include "tools/ui/xalloc.h"

/* What a table says in node hours, after its first columns. */
#define LOSS_COLUMNS \
	{ "slurm", "node hours lost on Slurm's own nodes", COLUMN_NUMBER, 2, SHOWN }, \
	{ "sfabric", "the same on sfabric's nodes", COLUMN_NUMBER, 2, SHOWN }, \
	{ "saved", "the difference", COLUMN_NUMBER, 2, SHOWN }

static const struct column cause_columns[] = {
	{ "cause", "of what is lost", COLUMN_TEXT, 0, SHOWN },
	LOSS_COLUMNS,
	{ "why", "the cause in words", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

/* Groups of jobs, which differ in the name of their first column, and in the last ones. */
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

static const struct column outcome_columns[] = {
	{ "reason", "of the decision log", COLUMN_TEXT, 0, SHOWN },
	{ "jobs", "that began", COLUMN_COUNT, 0, SHOWN },
	{ "share", "of all jobs", COLUMN_NUMBER, 3, SHOWN },
	{ "node_hours", "of those that ended", COLUMN_NUMBER, 2, SHOWN },
	{ "why", "the reason in words", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

static const struct column ranked_columns[] = {
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

const struct past_kind past_kinds[PAST_PARTS] = {
	[PART_CAUSE] = { "causes", "What node hours are lost to", cause_columns, 1, PAST_ALL },
	[PART_SOURCE] = { "sources", "By the source of what jobs are assumed to send",
			  source_columns, 1, PAST_BY_SOURCE },
	[PART_DAY] = { "days", "By day (UTC)", day_columns, 2, PAST_BY_DAY },
	[PART_PARTITION] = { "partitions", "By partition", partition_columns, 2,
			     PAST_BY_PARTITION },
	[PART_PROGRAM] = { "programs", "Programs that lose most where they run",
			   program_columns, 1, PAST_BY_PROGRAM },
	[PART_LOSERS] = { "losers", "Jobs that lost most where they ran", ranked_columns, 1,
			  PAST_ALL },
	[PART_WORSE] = { "worse", "Jobs that lose more on sfabric's nodes", ranked_columns, 1,
			 PAST_ALL },
	[PART_OUTCOME] = { "outcome", "Who chose the nodes, and why", outcome_columns, 1,
			   PAST_BY_REASON },
};

static void set_losses(struct table *t, double slurm, double sfabric)
{
	table_number(t, "slurm", slurm);
	table_number(t, "sfabric", sfabric);
	table_number(t, "saved", slurm - sfabric);
}

/* Set a cell, unless @text is "", which means not known: the column may stay empty. */
static void set_cell_text(struct table *t, const char *field, const char *text)
{
	if (*text)
		table_text(t, field, text);
}

/* Set the user's name, as the machine knows it today, else the number. */
static void set_cell_user(struct table *t, const char *number)
{
	const struct passwd *user = *number ? getpwuid((uid_t) strtoul(number, NULL, 10)) : NULL;

	set_cell_text(t, "user", user ? user->pw_name : number);
}

#define DAY_S 86400.0

/* -- groups ----------------------------------------------------------------- */

const char *past_cause_name(enum past_cause cause)
{
	static const char *const name[PAST_CAUSES] = { "shape", "jobs", "servers" };

	return name[cause];
}

/*
 * Add the row of a group.  Without any compared job the rest stays empty, as 0 would look like
 * a result.
 */
static void add_sum(struct table *t, const struct past *p, const struct past_kind *kind,
		    const struct past_sum *s)
{
	enum past_group group = kind->group;
	const char *name = group == PAST_BY_PROGRAM ? s->first->name : s->key;

	table_row(t);
	table_text(t, kind->columns[0].field, *name ? name : "-");
	if (group == PAST_BY_PROGRAM)
		set_cell_user(t, s->first->user);
	table_count(t, "jobs", s->jobs);
	table_number(t, "node_hours", s->node_hours);
	if (s->compared) {
		table_count(t, "moved", s->moved);
		set_losses(t, past_sum_lost(s->slurm), past_sum_lost(s->sfabric));
	}
	if (group == PAST_BY_SOURCE && s->compared) {
		table_number(t, "saved_assumed", s->assumed_saved);
		table_count(t, "found", s->nfound);
	}
	if (group == PAST_BY_SOURCE && s->compared && s->nfound) {
		table_number(t, "assumed", s->assumed / s->nfound);
		table_number(t, "measured", s->measured / s->nfound);
		table_count(t, "other_class", s->other_class);
	}
	if (group == PAST_BY_DAY) {
		double from_s = floor(s->first->begun_s / DAY_S) * DAY_S;
		double hours = past_full_hours(p, from_s, from_s + DAY_S);

		if (hours >= 0)
			table_number(t, "full_hours", hours);
	}
}

/* Add a row like "placed 812 0.640 10240.5 ..." and why in words. */
static void add_outcome(struct table *t, const struct past *p, const struct past_sum *s)
{
	int reason = s->first->reason;

	table_row(t);
	table_text(t, "reason", s->key);
	table_count(t, "jobs", s->jobs);
	table_number(t, "share", (double) s->jobs / p->n);
	table_number(t, "node_hours", s->node_hours);
	table_text(t, "why", reason < 0 ? "a word that this version does "
		   "not know" : sfab_reason_text((enum sfab_reason) reason));
}

static int compare_lost_sums(const struct past_sum *x, const struct past_sum *y)
{
	return x->lost < y->lost ? 1 : x->lost > y->lost ? -1 : strcmp(x->key, y->key);
}

/*
 * Add a row for each group.  Sources count only jobs for which nodes were searched; of programs
 * only the @top ones that lose most have a row.
 */
static void add_groups(struct table *t, const struct past *p, const struct past_kind *kind,
		       uint32_t top)
{
	enum past_group group = kind->group;
	struct past_sum *sums = past_sums(p, group);

	if (group == PAST_BY_PROGRAM)
		HASH_SORT(sums, compare_lost_sums);
	for (const struct past_sum *s = sums; s; s = s->hh.next) {
		if (group == PAST_BY_SOURCE && !s->compared)
			continue;
		if (group == PAST_BY_PROGRAM && (!(s->lost > 0) || table_rows(t) == top))
			continue;
		if (group == PAST_BY_REASON)
			add_outcome(t, p, s);
		else
			add_sum(t, p, kind, s);
	}
	past_sums_free(sums);
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
 * Add the @top jobs that ended and lost most node hours where they really ran; with @is_ours,
 * most on our nodes beyond what Slurm's lose.  Losses too small to matter are left out.
 * Moments are UTC, as in the log, so that the line can be found there.
 */
static void add_ranked(struct table *t, const struct past *p, uint32_t top, int is_ours)
{
	struct ranked_job *ranked = xcalloc(p->n, sizeof(*ranked));
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		const struct past_job *job = p->job[i];
		double nodes = is_ours ? -past_saved(job) : past_lost(past_here(job));
		double hours = nodes * past_ideal_hours(job);

		if (job->is_compared && job->ran_s > 0 && nodes > PAST_EQUAL * job->nodes &&
		    hours >= SHOWN_HOURS)
			ranked[n++] = (struct ranked_job) { job, hours };
	}
	qsort(ranked, n, sizeof(*ranked), compare_ranked);
	for (uint32_t i = 0; i < n && i < top; i++) {
		const struct past_job *job = ranked[i].job;
		const struct past_loss *loss = past_here(job);
		double hours = past_ideal_hours(job);
		char begun[MOMENT_TEXT];

		table_row(t);
		table_count(t, "job", job->id);
		table_text(t, "begun", moment_text(job->begun_s, begun));
		set_cell_user(t, job->user);
		set_cell_text(t, "partition", job->partition);
		set_cell_text(t, "name", job->name);
		table_count(t, "nodes", job->nodes);
		table_number(t, "hours", job->ran_s / 3600);
		if (job->class >= 0)
			table_text(t, "class", sfab_class_name((enum sfab_class) job->class));
		table_text(t, "cause", past_cause_name(2 * loss->shape >= past_lost(loss) ?
						       PAST_SHAPE : PAST_JOBS));
		set_losses(t, hours * past_lost(&job->slurms), hours * past_lost(&job->ours));
		if (job->reason >= 0)
			table_text(t, "reason",
				   sfab_reason_word((enum sfab_reason) job->reason));
	}
	free(ranked);
}

void past_tables(const struct past_summary *s, uint32_t top, struct table *part[PAST_PARTS])
{
	static const char *const why[PAST_CAUSES] = {
		"the traffic of a job meets itself", "jobs slow each other",
		"IO servers are full, wherever the job runs",
	};

	for (int i = 0; i < PAST_PARTS; i++) {
		part[i] = table_create(past_kinds[i].columns);
		if (past_kinds[i].group != PAST_ALL)
			add_groups(part[i], s->p, &past_kinds[i], top);
	}
	for (int c = 0; s->all.compared && c < PAST_CAUSES; c++) {
		struct table *t = part[PART_CAUSE];

		table_row(t);
		table_text(t, "cause", past_cause_name((enum past_cause) c));
		set_losses(t, s->all.slurm[c], s->all.sfabric[c]);
		table_text(t, "why", why[c]);
	}
	add_ranked(part[PART_LOSERS], s->p, top, 0);
	add_ranked(part[PART_WORSE], s->p, top, 1);
}
