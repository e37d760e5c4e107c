/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct_text.c - see sacct_text.h */

#include "io/readers/sacct_text.h"

#include <stdio.h>
#include <string.h>

#define DURATION_PART 999999999u	/* more is no number of days or seconds */

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

/*
 * What is written again gives the same text only if no digit was missing.  A second of 60
 * is a leap second.
 */
int sfab_sacct_time(const struct sfab_column_field *f, struct tm *tm)
{
	static const char form[] = "%Y-%m-%dT%H:%M:%S";
	char text[24], again[24];

	*tm = (struct tm) { .tm_isdst = -1 };
	sfab_scan_copy(text, sizeof(text), f->from, f->to);
	if (!strptime(text, form, tm) || tm->tm_year < 70 || tm->tm_sec > 60)
		return -1;
	strftime(again, sizeof(again), form, tm);
	return strcmp(text, again) == 0 ? 0 : -1;
}

int sfab_sacct_duration(const struct sfab_column_field *f, double max, double *seconds)
{
	struct sfab_scan s = { .at = f->from, .end = f->to };
	uint32_t days = 0, part;

	if (!sfab_scan_dec(&s, DURATION_PART, &part))
		return -1;
	if (sfab_scan_take(&s, "-")) {
		days = part;
		if (!sfab_scan_dec(&s, DURATION_PART, &part))
			return -1;
	}
	for (*seconds = part; sfab_scan_take(&s, ":"); *seconds = *seconds * 60 + part)
		if (!sfab_scan_dec(&s, 59, &part))
			return -1;
	*seconds += days * 86400.0;
	return (s.at == s.end || *s.at == '.') && *seconds <= max ? 0 : -1;
}
