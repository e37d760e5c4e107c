/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacct_text.h - the tables of `sacct -P`: heading, ids, times and durations
 *
 * The replay reads what ran and when from them, the history what jobs sent.
 */
#ifndef SFAB_SACCT_TEXT_H
#define SFAB_SACCT_TEXT_H

#include <time.h>

#include "io/readers/columns.h"

/*
 * The current line of @s as heading; a job name may hold the separator if it is last.
 * The separator is "|", or what begins and ends with "@" in this line: one of random
 * letters (sacct --delimiter) cannot be in a job's name.
 */
int sfab_sacct_heading(struct sfab_columns *c, struct sfab_scan *s,
		       const struct sfab_column *column, unsigned n,
		       struct sfab_err *err);

/* Users may forge rows of a table with these columns: a bar can be in their texts. */
int sfab_sacct_may_lie(const struct sfab_columns *c);

/*
 * Rows that cannot be right.  A job's name may have newlines, so they are left out and
 * do not end the reading.
 */
struct sfab_sacct_bad {
	unsigned n;
	struct sfab_err first;		/* why, with file and line */
};

/* Count the row that @err is about: 0, or -1 if @err is no fault of a row. */
int sfab_sacct_leave_out(struct sfab_sacct_bad *bad, const struct sfab_err *err);

/* "extern" of a JobID "7.extern", to the end of the field; NULL: a job, no step. */
const char *sfab_sacct_step(const struct sfab_column_field *id);

/*
 * 2026-11-23T07:15:12, for timegm() or mktime(): sacct names no zone, its times are
 * local where it ran.  -1: anything else ("Unknown", "None", a month 13).
 */
int sfab_sacct_time(const struct sfab_column_field *f, struct tm *tm);

/* [D-]HH:MM:SS or MM:SS, a fraction is left out: seconds, at most @max.  -1: not one. */
int sfab_sacct_duration(const struct sfab_column_field *f, double max, double *seconds);

#endif
