/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.c - the jobs of `sacct -P`: fields between bars, one job a line; see trace.h
 *
 * Steps (JobID with a dot) are left out; array tasks and parts of heterogeneous jobs count as
 * jobs.  A job name may contain bars if it is the last column.
 *
 * Jobs that arrive at the same time are sorted by what else is known of them: a replay must not
 * depend on the order of a log's lines.
 */

#include "tools/replay/trace.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "io/readers/reader.h"
#include "tools/ui/xalloc.h"

#define TEXT_MAX ((size_t) 1 << 30)
#define SECONDS_MAX 999999999	/* in ElapsedRaw */

void trace_free(struct trace *t)
{
	free(t->job);
	memset(t, 0, sizeof(*t));
}

void trace_add(struct trace *t, const struct trace_job *job)
{
	t->job = xgrow(t->job, t->n, sizeof(*job));
	t->job[t->n++] = *job;
}

/* -- a line -------------------------------------------------------------------- */

enum { JOBID, SUBMIT, ELAPSED, ELAPSED_RAW, NNODES, TIMELIMIT, STATE, NCOLUMNS };

static const struct sfab_csv_column columns[NCOLUMNS] = {
	SFAB_MAYBE("JobID"), SFAB_COLUMN("Submit"), SFAB_MAYBE("Elapsed"), SFAB_MAYBE("ElapsedRaw"),
	SFAB_COLUMN("NNodes"), SFAB_MAYBE("Timelimit"), SFAB_MAYBE("State"),
};

/* Is the field one of @word, which ends with NULL, ignoring case? */
static int is_any_of(const struct sfab_csv_field *f, const char *const *word)
{
	size_t size = (size_t) (f->end - f->begin);

	while (*word && (size != strlen(*word) || strncasecmp(f->begin, *word, size) != 0))
		word++;
	return *word != NULL;
}

static int fail_sacct_field(const struct sfab_csv *c, int column, const char *expected,
			    struct sfab_err *err)
{
	char found[60];

	sfab_scan_copy(found, sizeof(found), c->field[column].begin, c->field[column].end);
	return sfab_scan_fail(&c->row, err, "%s '%s' (expected %s)",
			      columns[column].name, found, expected);
}

static int read_duration(const struct sfab_csv *c, int column, double *seconds,
			 struct sfab_err *err)
{
	return sfab_sacct_duration(&c->field[column], TRACE_TIME_MAX, seconds) == 0 ? 0 :
		fail_sacct_field(c, column, "[D-]HH:MM:SS", err);
}

static int read_run(const struct sfab_csv *c, double *run, struct sfab_err *err)
{
	uint64_t seconds;

	if (c->index[ELAPSED_RAW] < 0)
		return read_duration(c, ELAPSED, run, err);
	if (!sfab_csv_field_number(&c->field[ELAPSED_RAW], SECONDS_MAX, &seconds))
		return fail_sacct_field(c, ELAPSED_RAW, "seconds", err);
	*run = (double) seconds;
	return 0;
}

/* Read the job of a line.  One that did not run, or runs still, counts as skipped. */
static int read_job(struct trace *t, const struct sfab_csv *c, struct sfab_err *err)
{
	static const char *const unlimited[] = { "", "UNLIMITED", "Partition_Limit", NULL };
	static const char *const running[] = { "RUNNING", "PENDING", "SUSPENDED", "REQUEUED",
					       "RESIZING", NULL };
	const struct sfab_csv_field *field = c->field;
	struct trace_job j = { .limit = 0 };
	uint64_t nodes;
	struct tm tm;

	if (sfab_sacct_time(&field[SUBMIT], &tm) < 0)
		return fail_sacct_field(c, SUBMIT, "YYYY-MM-DDTHH:MM:SS", err);
	if (!sfab_csv_field_number(&field[NNODES], TRACE_NODES_MAX, &nodes))
		return fail_sacct_field(c, NNODES, "a number of nodes", err);
	if (read_run(c, &j.run, err) < 0)
		return -1;
	if (!is_any_of(&field[TIMELIMIT], unlimited) &&
	    read_duration(c, TIMELIMIT, &j.limit, err) < 0)
		return -1;
	if (nodes < 1 || j.run <= 0 || is_any_of(&field[STATE], running)) {
		t->skipped++;
		return 0;
	}
	/* As if it were UTC: only differences count. */
	j.submit = (double) timegm(&tm);
	j.nodes = (uint32_t) nodes;
	trace_add(t, &j);
	return 0;
}

/* Read the heading and the lines.  Rows that cannot be right are left out and counted. */
static int read_lines(struct trace *t, const char *name, const char *text, size_t size,
		      struct sfab_err *err)
{
	struct sfab_err why = { 0 };
	struct sfab_csv c;
	struct sfab_scan s;

	sfab_scan_init(&s, name, text, size);
	if (!sfab_scan_line(&s))
		return sfab_scan_fail(&s, err, "empty");
	if (sfab_sacct_heading(&c, &s, columns, NCOLUMNS, err) < 0)
		return -1;
	if (c.index[ELAPSED] < 0 && c.index[ELAPSED_RAW] < 0)
		return sfab_scan_fail(&s, err, "no column Elapsed (expected the header of "
				      "sacct -P)");
	while (sfab_scan_line(&s))
		if ((sfab_csv_row(&c, &s, &why) < 0 ||
		     (!sfab_sacct_step(&c.field[JOBID]) && read_job(t, &c, &why) < 0)) &&
		    sfab_sacct_leave_out(&t->bad, &why) < 0)
			return sfab_fail(err, why.code, "%s", why.text);
	return 0;
}

/* -- the log ------------------------------------------------------------------- */

static int compare_submit(const void *a, const void *b)
{
	const struct trace_job *x = a, *y = b;

	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	return (x->nodes > y->nodes) - (x->nodes < y->nodes);
}

int trace_parse(struct trace *t, const char *name, const char *text, size_t size,
		struct sfab_err *err)
{
	int rc;

	memset(t, 0, sizeof(*t));
	rc = read_lines(t, name, text, size, err);
	if (rc == 0 && !t->n && t->bad.n)
		rc = sfab_fail(err, t->bad.first.code, "%s", t->bad.first.text);
	if (rc == 0 && !t->n)
		rc = sfab_fail(err, SFAB_EFORMAT,
			       "%s: no job that ran (%u others)", name,
			       t->skipped);
	if (rc < 0)
		trace_free(t);
	else
		qsort(t->job, t->n, sizeof(*t->job), compare_submit);
	return rc;
}

int trace_read(struct trace *t, const char *path, struct sfab_err *err)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
	char *text;
	size_t size;
	int rc;

	memset(t, 0, sizeof(*t));
	if (sfab_reader_read_text(path, TEXT_MAX, &text, &size, err) < 0)
		return -1;
	rc = trace_parse(t, name, text, size, err);
	free(text);
	return rc;
}
