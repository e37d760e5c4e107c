/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past_tables.h - past jobs as tables, the same for text and JSON */
#ifndef SFAB_PAST_TABLES_H
#define SFAB_PAST_TABLES_H

#include "tools/log/past_sums.h"
#include "tools/ui/table.h"

enum past_part {
	PART_CAUSE, PART_SOURCE, PART_DAY, PART_PARTITION, PART_PROGRAM, PART_LOSERS,
	PART_WORSE, PART_OUTCOME,
};
#define PAST_PARTS 8

extern const struct past_kind {
	const char *key;	/* in JSON */
	const char *title;	/* for people */
	const struct column *columns;
	uint32_t min;		/* with fewer rows there is nothing to show */
	enum past_group group;	/* a row is one of these; PAST_ALL: rows are no groups */
} past_kinds[PAST_PARTS];

/* "shape", "jobs", "servers"; constant. */
const char *past_cause_name(enum past_cause cause);

/*
 * Make all tables, also those without rows; the caller owns them.  @top: rows of the lists of
 * jobs and programs.
 */
void past_tables(const struct past_summary *s, uint32_t top, struct table *part[PAST_PARTS]);

#endif
