/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.c - fields by the names of their columns; see columns.h */

#include "columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HEADINGS_MAX 512	/* columns of a line */

static void trim(struct sfab_field *f)
{
	while (f->from < f->to && (*f->from == ' ' || *f->from == '\t'))
		f->from++;
	while (f->from < f->to && (f->to[-1] == ' ' || f->to[-1] == '\t'))
		f->to--;
	if (f->to - f->from >= 2 && *f->from == '"' && f->to[-1] == '"') {
		f->from++;
		f->to--;
	}
}

/* The next field of the line: 1, or 0 behind the last. */
static int next_field(struct sfab_scan *s, char separator, int *more,
		      struct sfab_field *f)
{
	int quoted = 0;

	if (!*more)
		return 0;
	f->from = s->at;
	while (s->at < s->end && (quoted || *s->at != separator))
		quoted ^= *s->at++ == '"';
	f->to = s->at;
	*more = s->at < s->end;
	s->at += *more;
	trim(f);
	return 1;
}

static int is_named(const struct sfab_field *f, const char *name)
{
	size_t len = (size_t) (f->to - f->from);

	return strlen(name) == len && memcmp(f->from, name, len) == 0;
}

int sfab_columns_heading(struct sfab_columns *c, struct sfab_scan *s,
			 char separator, const struct sfab_column *column,
			 unsigned n, struct sfab_err *err)
{
	struct sfab_field f;
	int more = 1;
	unsigned k;

	c->separator = separator;
	c->column = column;
	c->n = n;
	for (k = 0; k < n; k++)
		c->at[k] = -1;
	for (int i = 0; i < HEADINGS_MAX &&
			next_field(s, separator, &more, &f); i++)
		for (k = 0; k < n; k++)
			if (c->at[k] < 0 && is_named(&f, column[k].name))
				c->at[k] = i;
	for (k = 0; k < n; k++)
		if (c->at[k] < 0 && !column[k].is_optional)
			return sfab_scan_fail(s, err, "no column %s (expected "
					      "a line that names the columns)",
					      column[k].name);
	return 0;
}

int sfab_columns_row(const struct sfab_columns *c, struct sfab_scan *s,
		     struct sfab_field *field, struct sfab_err *err)
{
	struct sfab_field f;
	unsigned k, found = 0;
	int more = 1;

	for (k = 0; k < c->n; k++) {
		field[k].from = field[k].to = s->end;
		found += c->at[k] < 0;
	}
	for (int i = 0; found < c->n && next_field(s, c->separator, &more, &f);
	     i++)
		for (k = 0; k < c->n; k++)
			if (c->at[k] == i) {
				field[k] = f;
				found++;
			}
	if (found == c->n)
		return 0;
	return sfab_scan_fail(s, err, "line with too few columns (expected as "
			      "many as the heading has)");
}

int sfab_field_number(const struct sfab_field *f, uint64_t max,
		      uint64_t *value)
{
	struct sfab_scan s = { .at = f->from, .end = f->to };
	uint64_t sum = 0;

	if (sfab_scan_take(&s, "0x"))
		return sfab_scan_hex(&s, max, value) && s.at == s.end;
	for (; s.at < s.end && *s.at >= '0' && *s.at <= '9'; s.at++) {
		if (sum > (UINT64_MAX - 9) / 10)
			return 0;
		sum = sum * 10 + (uint64_t) (*s.at - '0');
	}
	if (f->from == f->to || s.at != s.end || sum > max)
		return 0;
	*value = sum;
	return 1;
}

int sfab_columns_number(const struct sfab_columns *c, const struct sfab_scan *s,
			const struct sfab_field *field, unsigned k,
			uint64_t max, uint64_t *value, struct sfab_err *err)
{
	char found[40], expected[40];

	if (sfab_field_number(&field[k], max, value))
		return 0;
	sfab_scan_copy(found, sizeof(found), field[k].from, field[k].to);
	snprintf(expected, sizeof(expected), "0-%" PRIu64, max);
	return sfab_scan_fail(s, err, "bad %s (found \"%s\", expected %s)",
			      c->column[k].name, found,
			      max == UINT64_MAX ? "a number" : expected);
}
