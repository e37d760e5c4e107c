/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past_tables.h - past jobs as tables, the same for text and JSON */
#ifndef SFAB_PAST_TABLES_H
#define SFAB_PAST_TABLES_H

#include "tools/report/past_sums.h"
#include "tools/ui/options.h"
#include "tools/ui/table.h"

enum past_part {
	PART_CAUSE, PART_SOURCE, PART_DAY, PART_PARTITION, PART_PROGRAM, PART_LOSERS,
	PART_WORSE, PART_OUTCOME,
};
#define PAST_PARTS 8

struct past_table {
	const char *key;	/* in JSON */
	const char *title;	/* for people */
	uint32_t rows;
	uint32_t least;		/* with fewer rows there is nothing to show */
	struct table *t;
};

/*
 * By FoundTraffic of sfabric.conf, if that is of the snapshot that was used last; < 0: not
 * known.  Without a conf nothing is.
 */
double past_followed(const struct past *p, const struct options *o);

const char *past_cause_name(enum past_cause cause);

/*
 * Make all tables.  @top: rows of the lists of jobs and programs.  Free with
 * past_tables_free().
 */
void past_tables(const struct past *p, uint32_t top,
		 struct past_table part[PAST_PARTS]);
void past_tables_free(struct past_table part[PAST_PARTS]);	/* twice is fine */

#endif
