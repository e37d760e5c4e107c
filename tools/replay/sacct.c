/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacct.c - `sacct -P`: fields between bars, one job a line
 *
 * Steps (JobID with a dot) are left out; array tasks and parts of heterogeneous
 * jobs count as jobs.  A job name may contain bars if it is the last column.
 */

#include "tools/replay/trace.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "io/readers/sacct_text.h"

#define WHOLE_MAX 999999999	/* nodes, seconds or minutes in a column */

enum {
	JOBID, SUBMIT, START, ELAPSED, ELAPSED_RAW, NNODES, ALLOC_NODES,
	TIMELIMIT, TIMELIMIT_RAW, STATE, NCOLUMNS
};

static const struct sfab_column columns[NCOLUMNS] = {
	{ "JobID", 1 }, { "Submit", 1 }, { "Start", 1 }, { "Elapsed", 1 },
	{ "ElapsedRaw", 1 }, { "NNodes", 1 }, { "AllocNodes", 1 },
	{ "Timelimit", 1 }, { "TimelimitRaw", 1 }, { "State", 1 },
};

/* Whichever of two columns the log has, the first if both; -1: neither. */
static int first_column_found(const struct sfab_columns *c, int a, int b)
{
	return c->at[a] >= 0 ? a : c->at[b] >= 0 ? b : -1;
}

/* What is missing, or NULL. */
static const char *missing_column(const struct sfab_columns *c)
{
	if (c->at[SUBMIT] < 0)
		return "Submit";
	if (first_column_found(c, ELAPSED_RAW, ELAPSED) < 0)
		return "Elapsed";
	return first_column_found(c, NNODES, ALLOC_NODES) < 0 ? "NNodes" : NULL;
}

static int field_is(const struct sfab_column_field *f, const char *word)
{
	size_t size = (size_t) (f->to - f->from);

	return size == strlen(word) && strncasecmp(f->from, word, size) == 0;
}

/* As if it were UTC: only differences count. */
static int parse_sacct_time(const struct sfab_column_field *f, double *value)
{
	struct tm tm;

	if (sfab_sacct_time(f, &tm) < 0)
		return -1;
	*value = (double) timegm(&tm);
	return 0;
}

static int parse_duration(const struct sfab_column_field *f, double *value)
{
	return sfab_sacct_duration(f, TRACE_TIME_MAX, value);
}

static int parse_whole(const struct sfab_column_field *f, double *value)
{
	uint64_t number;

	if (!sfab_field_number(f, WHOLE_MAX, &number))
		return -1;
	*value = (double) number;
	return 0;
}

static int fail_sacct_field(const struct sfab_scan *s, int column,
		      const struct sfab_column_field *field,
		      const char *expected, struct sfab_err *err)
{
	char found[60];

	sfab_scan_copy(found, sizeof(found), field[column].from,
		       field[column].to);
	return sfab_scan_fail(s, err, "%s '%s' (expected %s)",
			      columns[column].name, found, expected);
}

static int read_run(const struct sfab_columns *c, const struct sfab_scan *s,
		    const struct sfab_column_field *field, double *run,
		    struct sfab_err *err)
{
	if (c->at[ELAPSED_RAW] >= 0)
		return parse_whole(&field[ELAPSED_RAW], run) == 0 ? 0 :
			fail_sacct_field(s, ELAPSED_RAW, field, "seconds", err);
	return parse_duration(&field[ELAPSED], run) == 0 ? 0 :
		fail_sacct_field(s, ELAPSED, field, "[D-]HH:MM:SS", err);
}

/* UNLIMITED, Partition_Limit and an empty field: not known. */
static int read_limit(const struct sfab_columns *c, const struct sfab_scan *s,
		      const struct sfab_column_field *field, double *limit,
		      struct sfab_err *err)
{
	int at = first_column_found(c, TIMELIMIT, TIMELIMIT_RAW);
	const struct sfab_column_field *f = at < 0 ? NULL : &field[at];

	*limit = 0;
	if (!f || field_is(f, "") || field_is(f, "UNLIMITED") ||
	    field_is(f, "Partition_Limit"))
		return 0;
	if (at == TIMELIMIT)
		return parse_duration(f, limit) == 0 ? 0 :
			fail_sacct_field(s, at, field, "[D-]HH:MM:SS", err);
	if (parse_whole(f, limit) < 0)
		return fail_sacct_field(s, at, field, "minutes", err);
	*limit *= 60;
	return 0;
}

static int still_runs(const struct sfab_column_field *field)
{
	static const char *const state[] = { "RUNNING", "PENDING", "SUSPENDED",
					     "REQUEUED", "RESIZING" };
	size_t size = (size_t) (field[STATE].to - field[STATE].from);

	for (unsigned i = 0; i < sizeof(state) / sizeof(state[0]); i++)
		if (size >= strlen(state[i]) &&
		    strncasecmp(field[STATE].from, state[i], strlen(state[i])) == 0)
			return 1;
	return 0;
}

static int read_job(struct trace *t, const struct sfab_columns *c,
		    const struct sfab_scan *s,
		    const struct sfab_column_field *field, struct sfab_err *err)
{
	struct trace_job j = { .start = -1 };
	int nodes = first_column_found(c, NNODES, ALLOC_NODES);
	double n;

	if (parse_sacct_time(&field[SUBMIT], &j.submit) < 0)
		return fail_sacct_field(s, SUBMIT, field, "YYYY-MM-DDTHH:MM:SS", err);
	if (parse_whole(&field[nodes], &n) < 0 || n > TRACE_NODES_MAX)
		return fail_sacct_field(s, nodes, field, "a number of nodes", err);
	if (read_run(c, s, field, &j.run, err) < 0 ||
	    read_limit(c, s, field, &j.limit, err) < 0)
		return -1;
	if (parse_sacct_time(&field[START], &j.start) < 0)
		j.start = -1;	/* "Unknown", "None": it never started */
	if (n < 1 || j.run <= 0 || still_runs(field)) {
		t->skipped++;
		return 0;
	}
	j.nodes = (uint32_t) n;
	return trace_add(t, &j, err);
}

int trace_parse_sacct(struct trace *t, const char *name, const char *text, size_t size,
		      struct sfab_err *err)
{
	struct sfab_column_field field[NCOLUMNS];
	struct sfab_err why = { 0 };
	struct sfab_columns c;
	struct sfab_scan s;

	sfab_scan_init(&s, name, text, size);
	if (!sfab_scan_line(&s))
		return sfab_scan_fail(&s, err, "empty");
	if (sfab_sacct_heading(&c, &s, columns, NCOLUMNS, err) < 0)
		return -1;
	if (missing_column(&c))
		return sfab_scan_fail(&s, err, "no column %s (expected the header of sacct -P)",
				      missing_column(&c));
	while (sfab_scan_line(&s))
		if ((sfab_columns_row(&c, &s, field, &why) < 0 ||
		     (!sfab_sacct_step(&field[JOBID]) &&
		      read_job(t, &c, &s, field, &why) < 0)) &&
		    sfab_sacct_leave_out(&t->bad, &why) < 0)
			return sfab_fail(err, why.code, "%s", why.text);
	return 0;
}
