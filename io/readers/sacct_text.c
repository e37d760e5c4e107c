/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct_text.c - see sacct_text.h */

#include "io/readers/sacct_text.h"

#include <stdio.h>
#include <string.h>

#define DURATION_DIGITS 9	/* more is no number of days or seconds */

int sfab_sacct_heading(struct sfab_columns *c, struct sfab_scan *s,
		       const struct sfab_column *column, unsigned n,
		       struct sfab_err *err)
{
	size_t size = (size_t) (s->end - s->at);
	const char *from = memchr(s->at, '@', size), *to = NULL;
	char separator[SFAB_SEPARATOR_MAX] = "|";

	if (from)
		to = memchr(from + 1, '@', (size_t) (s->end - from - 1));
	if (to && to - from < SFAB_SEPARATOR_MAX - 1)
		snprintf(separator, sizeof(separator), "%.*s", (int) (to - from + 1), from);
	return sfab_columns_heading(c, s, separator, column, n, "JobName", err);
}

int sfab_sacct_may_lie(const struct sfab_columns *c)
{
	return strcmp(c->separator, "|") == 0;
}

int sfab_sacct_leave_out(struct sfab_sacct_bad *bad, const struct sfab_err *err)
{
	if (err->code != SFAB_EFORMAT)
		return -1;
	if (!bad->n++)
		bad->first = *err;
	return 0;
}

const char *sfab_sacct_step(const struct sfab_column_field *id)
{
	const char *dot = memchr(id->from, '.', (size_t) (id->to - id->from));

	return dot ? dot + 1 : NULL;
}

/* @n digits at *@at, @min to @max: 0, or -1. */
static int parse_date_digits(const char **at, const char *end, int n, int min, int max,
			     int *value)
{
	for (*value = 0; n > 0; n--, (*at)++) {
		if (*at == end || **at < '0' || **at > '9')
			return -1;
		*value = *value * 10 + (**at - '0');
	}
	return *value >= min && *value <= max ? 0 : -1;
}

int sfab_sacct_time(const struct sfab_column_field *f, struct tm *tm)
{
	/* Digits, range and what follows; a second of 60 is a leap second. */
	static const struct {
		int digits, min, max;
		char after;
	} part[] = {
		{ 4, 1970, 9999, '-' }, { 2, 1, 12, '-' }, { 2, 1, 31, 'T' },
		{ 2, 0, 23, ':' }, { 2, 0, 59, ':' }, { 2, 0, 60, '\0' },
	};
	const char *at = f->from;
	int x[6];

	for (int i = 0; i < 6; i++) {
		if (parse_date_digits(&at, f->to, part[i].digits, part[i].min,
				      part[i].max, &x[i]) < 0)
			return -1;
		if (part[i].after && (at == f->to || *at++ != part[i].after))
			return -1;
	}
	if (at != f->to)
		return -1;
	*tm = (struct tm){ .tm_year = x[0] - 1900, .tm_mon = x[1] - 1, .tm_mday = x[2],
			   .tm_hour = x[3], .tm_min = x[4], .tm_sec = x[5],
			   .tm_isdst = -1 };
	return 0;
}

/* A whole number; moves *@at past it. */
static int parse_duration_part(const char **at, const char *end, double *value)
{
	const char *from = *at;

	for (*value = 0; *at < end && **at >= '0' && **at <= '9'; (*at)++)
		*value = *value * 10 + (**at - '0');
	return *at > from && *at - from <= DURATION_DIGITS ? 0 : -1;
}

int sfab_sacct_duration(const struct sfab_column_field *f, double max, double *seconds)
{
	const char *at = f->from, *end = f->to;
	const char *dot = memchr(f->from, '.', (size_t) (f->to - f->from));
	double days = 0, part;

	if (dot)
		end = dot;
	if (parse_duration_part(&at, end, seconds) < 0)
		return -1;
	if (at < end && *at == '-') {
		at++;
		days = *seconds;
		if (parse_duration_part(&at, end, seconds) < 0)
			return -1;
	}
	while (at < end) {
		if (*at++ != ':' || parse_duration_part(&at, end, &part) < 0 ||
		    part >= 60)
			return -1;
		*seconds = *seconds * 60 + part;
	}
	*seconds += days * 86400;
	return *seconds <= max ? 0 : -1;
}
