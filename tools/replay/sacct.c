/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacct.c - `sacct -P` or `sacct -P -n`: fields between bars, one job a line
 *
 * Steps (JobID with a dot) are left out, array tasks and parts of het jobs are
 * jobs.  A job name may hold bars; then it must be the last column.
 */

#include "trace.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "../../io/scan.h"

enum column {
	JOBID, SUBMIT, START, ELAPSED, ELAPSED_RAW, NNODES, TIMELIMIT,
	TIMELIMIT_RAW, STATE, NCOLUMNS
};

static const struct {
	const char *name;
	enum column column;
} names[] = {
	{ "JobID", JOBID },	      { "Submit", SUBMIT },
	{ "Start", START },	      { "Elapsed", ELAPSED },
	{ "ElapsedRaw", ELAPSED_RAW }, { "NNodes", NNODES },
	{ "AllocNodes", NNODES },     { "Timelimit", TIMELIMIT },
	{ "TimelimitRaw", TIMELIMIT_RAW }, { "State", STATE },
};

#define FIELDS_MAX 250

struct layout {
	unsigned nfields;
	int at[NCOLUMNS];	/* index of the field, or -1 */
	int name_last;		/* the last column is JobName */
};

struct field {
	const char *text;
	size_t size;
};

static int field_is(const struct field *f, const char *word)
{
	return f->size == strlen(word) &&
	       strncasecmp(f->text, word, f->size) == 0;
}

static int begins(const struct field *f, const char *word)
{
	size_t n = strlen(word);

	return f->size >= n && strncasecmp(f->text, word, n) == 0;
}

/* Split @text; the last of @max fields takes all the rest. */
static unsigned split(const char *text, const char *end, char bar,
		      struct field *field, unsigned max)
{
	unsigned n = 0;

	for (;;) {
		const char *next = n + 1 < max
			? memchr(text, bar, (size_t) (end - text)) : NULL;

		field[n].text = text;
		field[n++].size = (size_t) ((next ? next : end) - text);
		if (!next)
			return n;
		text = next + 1;
	}
}

static void learn(struct layout *l, const struct field *field)
{
	for (int c = 0; c < NCOLUMNS; c++)
		l->at[c] = -1;
	for (unsigned i = 0; i < l->nfields; i++)
		for (unsigned k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			if (field_is(&field[i], names[k].name))
				l->at[names[k].column] = (int) i;
	l->name_last = field_is(&field[l->nfields - 1], "JobName");
}

/* What is missing, or NULL. */
static const char *missing(const struct layout *l)
{
	if (l->at[SUBMIT] < 0)
		return "Submit";
	if (l->at[ELAPSED] < 0 && l->at[ELAPSED_RAW] < 0)
		return "Elapsed";
	return l->at[NNODES] < 0 ? "NNodes" : NULL;
}

static int read_layout(struct layout *l, struct sfab_scan *s,
		       const char *fields, struct sfab_err *err)
{
	struct field field[FIELDS_MAX];

	if (fields) {
		l->nfields = split(fields, fields + strlen(fields), ',', field,
				   FIELDS_MAX);
		learn(l, field);
		if (missing(l))
			return sfab_fail(err, SFAB_EINVAL,
					 "fields %s: no %s", fields, missing(l));
		return 0;
	}
	if (!sfab_scan_line(s))
		return sfab_scan_fail(s, err, "empty");
	l->nfields = split(s->at, s->end, '|', field, FIELDS_MAX);
	learn(l, field);
	if (missing(l))
		return sfab_scan_fail(s, err, "no column %s (expected the "
				      "header of sacct -P, or --fields)",
				      missing(l));
	return 0;
}

/* @n digits at *@at, not more than @max: 0, or -1. */
static int digits(const char **at, const char *end, int n, int max, int *value)
{
	*value = 0;
	for (int i = 0; i < n; i++, (*at)++) {
		if (*at == end || **at < '0' || **at > '9')
			return -1;
		*value = *value * 10 + (**at - '0');
	}
	return *value <= max ? 0 : -1;
}

static int take(const char **at, const char *end, char c)
{
	if (*at == end || **at != c)
		return -1;
	(*at)++;
	return 0;
}

/* 2016-12-22T07:15:12, as if it were UTC */
static int parse_time(const struct field *f, double *value)
{
	const char *at = f->text, *end = f->text + f->size;
	struct tm tm = { 0 };
	time_t seconds;

	if (digits(&at, end, 4, 9999, &tm.tm_year) || take(&at, end, '-') ||
	    digits(&at, end, 2, 12, &tm.tm_mon) || take(&at, end, '-') ||
	    digits(&at, end, 2, 31, &tm.tm_mday) || take(&at, end, 'T') ||
	    digits(&at, end, 2, 23, &tm.tm_hour) || take(&at, end, ':') ||
	    digits(&at, end, 2, 59, &tm.tm_min) || take(&at, end, ':') ||
	    digits(&at, end, 2, 60, &tm.tm_sec) || at != end ||
	    tm.tm_mon < 1 || tm.tm_mday < 1 || tm.tm_year < 1970)
		return -1;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	seconds = timegm(&tm);
	*value = (double) seconds;
	return 0;
}

/* A whole number of at most 9 digits; *@at is left behind it. */
static int parse_count(const char **at, const char *end, double *value)
{
	const char *from = *at;

	for (*value = 0; *at < end && **at >= '0' && **at <= '9'; (*at)++)
		*value = *value * 10 + (**at - '0');
	return *at > from && *at - from <= 9 ? 0 : -1;
}

/* [D-]HH:MM:SS, or MM:SS, with a fraction or without */
static int parse_duration(const struct field *f, double *value)
{
	const char *at = f->text, *end = f->text + f->size;
	const char *dot = memchr(f->text, '.', f->size);
	double days = 0, part;

	if (dot)
		end = dot;
	if (parse_count(&at, end, value))
		return -1;
	if (at < end && *at == '-') {
		at++;
		days = *value;
		if (parse_count(&at, end, value))
			return -1;
	}
	while (at < end) {
		if (take(&at, end, ':') || parse_count(&at, end, &part) ||
		    part >= 60)
			return -1;
		*value = *value * 60 + part;
	}
	*value += days * 86400;
	return *value <= TRACE_TIME_MAX ? 0 : -1;
}

static int parse_whole(const struct field *f, double *value)
{
	const char *at = f->text;

	return parse_count(&at, f->text + f->size, value) ||
	       at != f->text + f->size ? -1 : 0;
}

static int fail_field(const struct sfab_scan *s, const char *what,
		      const struct field *f, const char *expected,
		      struct sfab_err *err)
{
	char found[60];

	sfab_scan_copy(found, sizeof(found), f->text, f->text + f->size);
	return sfab_scan_fail(s, err, "%s '%s' (expected %s)", what, found,
			      expected);
}

static int read_run(const struct layout *l, const struct sfab_scan *s,
		    const struct field *field, double *run, struct sfab_err *err)
{
	const struct field *f;

	if (l->at[ELAPSED_RAW] >= 0) {
		f = &field[l->at[ELAPSED_RAW]];
		if (parse_whole(f, run) < 0)
			return fail_field(s, "ElapsedRaw", f, "seconds", err);
		return 0;
	}
	f = &field[l->at[ELAPSED]];
	if (parse_duration(f, run) < 0)
		return fail_field(s, "Elapsed", f, "[D-]HH:MM:SS", err);
	return 0;
}

/* UNLIMITED, Partition_Limit and an empty field: not known. */
static int read_limit(const struct layout *l, const struct sfab_scan *s,
		      const struct field *field, double *limit,
		      struct sfab_err *err)
{
	int raw = l->at[TIMELIMIT] < 0;
	int at = raw ? l->at[TIMELIMIT_RAW] : l->at[TIMELIMIT];
	const struct field *f = at < 0 ? NULL : &field[at];

	*limit = 0;
	if (!f || !f->size || field_is(f, "UNLIMITED") ||
	    field_is(f, "Partition_Limit"))
		return 0;
	if (raw ? parse_whole(f, limit) : parse_duration(f, limit))
		return fail_field(s, raw ? "TimelimitRaw" : "Timelimit", f,
				  raw ? "minutes" : "[D-]HH:MM:SS", err);
	if (raw)
		*limit *= 60;
	return 0;
}

static int is_step(const struct layout *l, const struct field *field)
{
	const struct field *f = l->at[JOBID] < 0 ? NULL : &field[l->at[JOBID]];

	return f && memchr(f->text, '.', f->size) != NULL;
}

static int still_runs(const struct layout *l, const struct field *field)
{
	static const char *const state[] = { "RUNNING", "PENDING", "SUSPENDED",
					     "REQUEUED", "RESIZING" };

	for (unsigned i = 0; i < sizeof(state) / sizeof(state[0]); i++)
		if (l->at[STATE] >= 0 && begins(&field[l->at[STATE]], state[i]))
			return 1;
	return 0;
}

static int read_job(struct trace *t, const struct layout *l,
		    const struct sfab_scan *s, const struct field *field,
		    struct sfab_err *err)
{
	struct trace_job j = { .start = -1 };
	const struct field *submit = &field[l->at[SUBMIT]];
	const struct field *nodes = &field[l->at[NNODES]];
	double n;

	if (parse_time(submit, &j.submit) < 0)
		return fail_field(s, "Submit", submit, "YYYY-MM-DDTHH:MM:SS",
				  err);
	if (parse_whole(nodes, &n) < 0 || n > TRACE_NODES_MAX)
		return fail_field(s, "NNodes", nodes, "a number of nodes", err);
	if (read_run(l, s, field, &j.run, err) < 0 ||
	    read_limit(l, s, field, &j.limit, err) < 0)
		return -1;
	if (l->at[START] >= 0 && parse_time(&field[l->at[START]], &j.start) < 0)
		j.start = -1;	/* "Unknown", "None": it never started */
	if (n < 1 || j.run <= 0 || still_runs(l, field)) {
		t->skipped++;
		return 0;
	}
	j.nodes = (uint32_t) n;
	return trace_add(t, &j, err);
}

int trace_parse_sacct(struct trace *t, const char *name, const char *text,
		      size_t size, const char *fields, struct sfab_err *err)
{
	struct field field[FIELDS_MAX];
	struct layout l;
	struct sfab_scan s;

	sfab_scan_init(&s, name, text, size);
	if (read_layout(&l, &s, fields, err) < 0)
		return -1;
	while (sfab_scan_line(&s)) {
		unsigned n = split(s.at, s.end, '|', field,
				   l.name_last ? l.nfields : FIELDS_MAX);

		if (n != l.nfields)
			return sfab_scan_fail(&s, err, "%u fields (expected %u)",
					      n, l.nfields);
		if (!is_step(&l, field) && read_job(t, &l, &s, field, err) < 0)
			return -1;
	}
	return 0;
}
