/* SPDX-License-Identifier: GPL-2.0-or-later */
/* learn_tables.c - found traffic and history as tables; see learn_tables.h */

#include "tools/learn/learn_tables.h"

#include <stdio.h>
#include <stdlib.h>

enum { F_JOB, F_TRAFFIC, F_MEAN, F_SAMPLES, F_RESIDUAL, F_CONFIDENCE, F_FITS, F_FEW,
       F_COUNTS };

const struct column found_columns[] = {
	[F_JOB] = { "job", "job id", COLUMN_COUNT, 0, SHOWN },
	[F_TRAFFIC] = { "traffic", "what it sends now", COLUMN_TEXT, 0, SHOWN },
	[F_MEAN] = { "mean", "mean of its samples", COLUMN_TEXT, 0, SHOWN_IF_ASKED },
	[F_SAMPLES] = { "samples", "counters that it was found from", COLUMN_COUNT, 0,
			SHOWN },
	[F_RESIDUAL] = { "residual", "part of its traffic that is none of the classes",
			 COLUMN_NUMBER, 2, SHOWN },
	[F_CONFIDENCE] = { "confidence", "0 to 1", COLUMN_NUMBER, 2, SHOWN },
	[F_FITS] = { "fits", "no: no mix of the classes explains its counters",
		     COLUMN_YES, 0, SHOWN },
	[F_FEW] = { "few_servers", "its IO goes to a few servers of the set", COLUMN_YES,
		    0, SHOWN },
	[F_COUNTS] = { "counts", "it replaces what the job's hint says", COLUMN_YES, 0,
		       SHOWN },
	{ 0 }
};

/* Shares with three digits, for people and JSON alike. */
static const char *traffic_text(struct sfab_traffic t, char *buf, size_t size)
{
	for (uint32_t i = 0; i < t.nparts; i++)
		t.part[i].share = (double) (long) (t.part[i].share * 1000 + 0.5) / 1000;
	return t.nparts ? sfab_traffic_text(&t, buf, size) : "nothing";
}

/* A job without samples has only its id: nothing is known yet. */
struct table *found_table(const struct sfab_found *f, uint64_t now_s)
{
	struct table *t = table_create(found_columns);
	char buf[1000];

	for (uint32_t i = 0; i < f->n; i++) {
		const struct sfab_found_job *j = &f->job[i];

		table_row(t);
		table_count(t, F_JOB, j->id);
		table_count(t, F_SAMPLES, j->samples);
		table_yes(t, F_COUNTS, sfab_found_counts(f, j, now_s));
		if (!j->samples)
			continue;
		table_text(t, F_TRAFFIC, traffic_text(j->now, buf, sizeof(buf)));
		table_text(t, F_MEAN, traffic_text(j->mean, buf, sizeof(buf)));
		table_number(t, F_RESIDUAL, j->residual);
		table_number(t, F_CONFIDENCE, j->confidence);
		table_yes(t, F_FITS, !(j->flags & SFAB_FOUND_MISFIT));
		table_yes(t, F_FEW, (j->flags & SFAB_FOUND_FEW) != 0);
	}
	return t;
}

enum { K_KEY, K_USER, K_NAME, K_NODES, K_ACCOUNT, K_PARTITION, K_TRAFFIC, K_RUNS,
       K_USUAL, K_USERS, K_NAMES, K_WEIGHT, K_SPREAD, K_AGE, K_TRUSTED };

const struct column history_columns[] = {
	[K_KEY] = { "key", "what its runs have in common", COLUMN_TEXT, 0, SHOWN },
	[K_USER] = { "user", "user id", COLUMN_COUNT, 0, SHOWN_IF_ANY },
	[K_NAME] = { "name", "job name without numbers", COLUMN_TEXT, 0,
		     SHOWN_IF_ANY },
	[K_NODES] = { "nodes", "nodes of the job", COLUMN_COUNT, 0, SHOWN_IF_ANY },
	[K_ACCOUNT] = { "account", "account", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	[K_PARTITION] = { "partition", "partition", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	[K_TRAFFIC] = { "traffic", "what its runs usually send, mean", COLUMN_TEXT, 0, SHOWN },
	[K_RUNS] = { "runs", "how many sent that", COLUMN_COUNT, 0, SHOWN },
	[K_USUAL] = { "usual", "their part of all runs of late, by weight", COLUMN_NUMBER, 2,
		      SHOWN },
	[K_USERS] = { "users", "users of its last 12 runs", COLUMN_COUNT, 0,
		      SHOWN_IF_ASKED },
	[K_NAMES] = { "names", "job names of its last 12 runs", COLUMN_COUNT, 0,
		      SHOWN_IF_ASKED },
	[K_WEIGHT] = { "weight", "what is left of them by age", COLUMN_NUMBER, 1, SHOWN },
	[K_SPREAD] = { "spread", "standard deviation of the shares", COLUMN_NUMBER, 2,
		       SHOWN },
	[K_AGE] = { "age_days", "days since the last run", COLUMN_NUMBER, 1, SHOWN },
	[K_TRUSTED] = { "trusted", "a new job with this key is expected to send that",
			COLUMN_YES, 0, SHOWN },
	{ 0 }
};

/* What sfab_history_each() hands to each row. */
struct history_rows {
	struct table *t;
	uint64_t now_s;
};

/* A last run in the future, after a clock was set back, has the age 0. */
static void add_history_row(void *ctx, const struct sfab_history_row *row)
{
	struct history_rows *rows = ctx;
	const struct sfab_learned *l = &row->learned;
	uint64_t age_s = rows->now_s > l->last_s ? rows->now_s - l->last_s : 0;
	char buf[1000];

	table_row(rows->t);
	table_text(rows->t, K_KEY, sfab_history_kind_name(l->kind));
	/* A hashed key says its kind only. */
	if (!row->hashed) {
		if (l->kind <= SFAB_BY_USER_ACCOUNT)
			table_count(rows->t, K_USER, row->key.user);
		if (row->key.nodes)
			table_count(rows->t, K_NODES, row->key.nodes);
		table_text(rows->t, K_NAME, row->key.name);
		table_text(rows->t, K_ACCOUNT, row->key.account);
		table_text(rows->t, K_PARTITION, row->key.partition);
	}
	table_text(rows->t, K_TRAFFIC, traffic_text(l->traffic, buf, sizeof(buf)));
	table_count(rows->t, K_RUNS, l->runs);
	table_number(rows->t, K_USUAL, l->usual);
	table_count(rows->t, K_USERS, row->users);
	table_count(rows->t, K_NAMES, row->names);
	table_number(rows->t, K_WEIGHT, l->weight);
	table_number(rows->t, K_SPREAD, l->spread);
	table_number(rows->t, K_AGE, (double) age_s / 86400);
	table_yes(rows->t, K_TRUSTED, row->trusted);
}

struct table *history_table(const struct sfab_history *h, uint64_t now_s)
{
	struct history_rows rows = { table_create(history_columns), now_s };

	sfab_history_each(h, now_s, add_history_row, &rows);
	return rows.t;
}
