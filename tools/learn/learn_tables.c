/* SPDX-License-Identifier: GPL-2.0-or-later */
/* learn_tables.c - found traffic and history as tables; see learn_tables.h */

#include "tools/learn/learn_tables.h"

const struct column found_columns[] = {
	{ "job", "job id", COLUMN_COUNT, 0, SHOWN },
	{ "traffic", "what it sends now", COLUMN_TEXT, 0, SHOWN },
	{ "mean", "mean of its samples", COLUMN_TEXT, 0, SHOWN_IF_ASKED },
	{ "samples", "counters that it was found from", COLUMN_COUNT, 0, SHOWN },
	{ "residual", "part of its traffic that is none of the classes", COLUMN_NUMBER, 2,
	  SHOWN },
	{ "confidence", "0 to 1", COLUMN_NUMBER, 2, SHOWN },
	{ "fits", "no: no mix of the classes explains its counters", COLUMN_YES, 0, SHOWN },
	{ "few_servers", "its IO goes to a few servers of the set", COLUMN_YES, 0, SHOWN },
	{ "counts", "it replaces what the job's hint says", COLUMN_YES, 0, SHOWN },
	{ 0 }
};

/* Write the shares with three digits, for people and JSON alike. */
static const char *traffic_text(struct sfab_traffic t, char *buf, size_t size)
{
	for (uint32_t i = 0; i < t.nparts; i++)
		t.part[i].share = (double) (long) (t.part[i].share * 1000 + 0.5) / 1000;
	return t.nparts ? sfab_traffic_text(&t, buf, size) : "nothing";
}

struct table *learn_found_table(const struct sfab_found *f, uint64_t now_s)
{
	struct table *t = table_create(found_columns);
	char buf[1000];

	for (uint32_t i = 0; i < f->n; i++) {
		const struct sfab_found_job *j = &f->job[i];

		table_row(t);
		table_count(t, "job", j->id);
		table_count(t, "samples", j->samples);
		table_yes(t, "counts", sfab_found_is_usable(f, j, now_s));
		/* Nothing is known of it yet. */
		if (!j->samples)
			continue;
		table_text(t, "traffic", traffic_text(j->latest, buf, sizeof(buf)));
		table_text(t, "mean", traffic_text(j->mean, buf, sizeof(buf)));
		table_number(t, "residual", j->residual);
		table_number(t, "confidence", j->confidence);
		table_yes(t, "fits", !(j->flags & SFAB_FOUND_MISFIT));
		table_yes(t, "few_servers", (j->flags & SFAB_FOUND_FEW) != 0);
	}
	return t;
}

const struct column history_columns[] = {
	{ "key", "what its runs have in common", COLUMN_TEXT, 0, SHOWN },
	{ "user", "user id", COLUMN_COUNT, 0, SHOWN_IF_ANY },
	{ "name", "job name without numbers", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "nodes", "nodes of the job", COLUMN_COUNT, 0, SHOWN_IF_ANY },
	{ "account", "account", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "partition", "partition", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "traffic", "what its runs usually send, mean", COLUMN_TEXT, 0, SHOWN },
	{ "runs", "how many sent that", COLUMN_COUNT, 0, SHOWN },
	{ "usual", "their part of all runs of late, by weight", COLUMN_NUMBER, 2, SHOWN },
	{ "users", "users of its last 12 runs", COLUMN_COUNT, 0, SHOWN_IF_ASKED },
	{ "names", "job names of its last 12 runs", COLUMN_COUNT, 0, SHOWN_IF_ASKED },
	{ "weight", "what is left of them by age", COLUMN_NUMBER, 1, SHOWN },
	{ "spread", "standard deviation of the shares", COLUMN_NUMBER, 2, SHOWN },
	{ "age_days", "days since the last run", COLUMN_NUMBER, 1, SHOWN },
	{ "trusted", "a new job with this key is expected to send that", COLUMN_YES, 0,
	  SHOWN },
	{ 0 }
};

struct table *learn_history_table(const struct sfab_history *h, uint64_t now_s)
{
	struct table *t = table_create(history_columns);
	char buf[1000];

	for (uint32_t i = 0; i < sfab_history_count(h); i++) {
		struct sfab_history_row row = sfab_history_row(h, i, now_s);
		const struct sfab_learned *l = &row.learned;
		/* A last run in the future, after a clock was set back, has the age 0. */
		uint64_t age_s = now_s > l->last_s ? now_s - l->last_s : 0;

		table_row(t);
		table_text(t, "key", sfab_history_kind_name(l->kind));
		/* A hashed key says its kind only. */
		if (!row.hashed) {
			if (l->kind <= SFAB_BY_USER_ACCOUNT)
				table_count(t, "user", row.key.user);
			if (row.key.nodes)
				table_count(t, "nodes", row.key.nodes);
			table_text(t, "name", row.key.name);
			table_text(t, "account", row.key.account);
			table_text(t, "partition", row.key.partition);
		}
		table_text(t, "traffic", traffic_text(l->traffic, buf, sizeof(buf)));
		table_count(t, "runs", l->runs);
		table_number(t, "usual", l->usual);
		table_count(t, "users", row.users);
		table_count(t, "names", row.names);
		table_number(t, "weight", l->weight);
		table_number(t, "spread", l->spread);
		table_number(t, "age_days", (double) age_s / 86400);
		table_yes(t, "trusted", row.trusted);
	}
	return t;
}
