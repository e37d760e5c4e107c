/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csv.c - fields by the names of their columns; see csv.h */

#include "io/readers/csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SECTION_NAME 64	/* bytes */

/*
 * Take field @i, the next of the line: 1, or 0 if there are no more.  A separator within quotes
 * belongs to the field, and so does everything in the open column, the last.
 */
static int next_field(const struct sfab_csv *c, struct sfab_scan *s, int i,
		      int *more, struct sfab_csv_field *f)
{
	size_t n = strlen(c->separator);
	int quoted = 0;

	if (!*more)
		return 0;
	f->begin = s->pos;
	while (s->pos < s->end &&
	       (quoted || i == c->open_column || (size_t) (s->end - s->pos) < n ||
		memcmp(s->pos, c->separator, n) != 0))
		quoted ^= *s->pos++ == '"' && !c->is_bare;
	f->end = s->pos;
	*more = s->pos < s->end;
	s->pos += *more ? n : 0;
	while (f->begin < f->end && (*f->begin == ' ' || *f->begin == '\t'))
		f->begin++;
	while (f->begin < f->end && (f->end[-1] == ' ' || f->end[-1] == '\t'))
		f->end--;
	if (!c->is_bare && f->end - f->begin >= 2 && *f->begin == '"' &&
	    f->end[-1] == '"') {
		f->begin++;
		f->end--;
	}
	return 1;
}

/*
 * Has the heading this name?  Tables without quotes come from tools that differ in the case of
 * their headings.
 */
static int is_field_named(const struct sfab_csv *c,
			  const struct sfab_csv_field *f, const char *name)
{
	size_t len = (size_t) (f->end - f->begin);

	if (strlen(name) != len)
		return 0;
	return c->is_bare ? strncasecmp(f->begin, name, len) == 0
			  : memcmp(f->begin, name, len) == 0;
}

/*
 * Find the columns, and return the number of fields in the line; the last one is left in @last.
 * The first of two columns with one name counts.
 */
static int find_columns(struct sfab_csv *c, struct sfab_scan *s,
			struct sfab_csv_field *last)
{
	int more = 1, i;

	for (unsigned k = 0; k < c->n; k++)
		c->index[k] = -1;
	c->open_column = -1;
	for (i = 0; next_field(c, s, i, &more, last); i++)
		for (unsigned k = 0; k < c->n; k++)
			if (c->index[k] < 0 && c->column[k].name &&
			    is_field_named(c, last, c->column[k].name)) {
				c->index[k] = i;
				c->nfields = i + 1;
			}
	return i;
}

int sfab_csv_heading(struct sfab_csv *c, struct sfab_scan *s,
		     const char *separator, const struct sfab_csv_column *column,
		     unsigned n, const char *open_column, struct sfab_err *err)
{
	struct sfab_csv_field last;
	int fields;

	*c = (struct sfab_csv) { .n = n, .column = column, .is_bare = open_column != NULL };
	snprintf(c->separator, sizeof(c->separator), "%s", separator);
	fields = find_columns(c, s, &last);
	if (open_column) {
		c->nfields = fields;
		c->open_column = is_field_named(c, &last, open_column) ? fields - 1 : -1;
	}
	for (unsigned k = 0; k < n; k++)
		if (c->index[k] < 0 && column[k].name && column[k].need != SFAB_CSV_OPTIONAL)
			return sfab_scan_fail(s, err, "no column %s (expected a line that "
					      "names the columns)", column[k].name);
	return 0;
}

/*
 * Split a row into fields; those that it does not have are empty.  Without quotes the number of
 * fields must be right, because a separator in a text shifts all that follow it.
 */
static int split_row(struct sfab_csv *c, struct sfab_scan s, struct sfab_err *err)
{
	struct sfab_csv_field f;
	int more = 1, i;

	for (unsigned k = 0; k < c->n; k++)
		c->field[k].begin = c->field[k].end = s.end;
	for (i = 0; (c->is_bare || i < c->nfields) && next_field(c, &s, i, &more, &f); i++)
		for (unsigned k = 0; k < c->n; k++)
			if (c->index[k] == i)
				c->field[k] = f;
	if (i == c->nfields)
		return 0;
	if (c->is_bare)
		return sfab_scan_fail(&s, err, "%d fields (expected %d)", i,
				      c->nfields);
	return sfab_scan_fail(&s, err, "line with too few columns (expected as "
			      "many as the heading has)");
}

int sfab_csv_row(struct sfab_csv *c, const struct sfab_scan *s, struct sfab_err *err)
{
	c->row = *s;
	if (split_row(c, *s, err) < 0)
		return -1;
	for (unsigned k = 0; k < c->n; k++) {
		const struct sfab_csv_column *column = &c->column[k];

		c->number[k] = column->fallback;
		if (column->max &&
		    !sfab_csv_field_number(&c->field[k], column->max, &c->number[k]) &&
		    column->need == SFAB_CSV_NEEDED)
			return sfab_csv_number(c, k, column->max, &c->number[k], err);
	}
	return 0;
}

int sfab_csv_field_number(const struct sfab_csv_field *f, uint64_t max, uint64_t *value)
{
	struct sfab_scan s = { .pos = f->begin, .end = f->end };
	uint64_t sum = 0;

	if (sfab_scan_take(&s, "0x"))
		return sfab_scan_hex(&s, max, value) && s.pos == s.end;
	for (; s.pos < s.end && sfab_is_digit(*s.pos); s.pos++) {
		if (sum > (UINT64_MAX - 9) / 10)
			return 0;
		sum = sum * 10 + (uint64_t) (*s.pos - '0');
	}
	if (f->begin == f->end || s.pos != s.end || sum > max)
		return 0;
	*value = sum;
	return 1;
}

int sfab_csv_field_expect_number(const struct sfab_csv_field *f, const struct sfab_scan *s,
				 const char *what, uint64_t max, uint64_t *value,
				 struct sfab_err *err)
{
	char found[40], expected[40];

	if (sfab_csv_field_number(f, max, value))
		return 0;
	sfab_scan_copy(found, sizeof(found), f->begin, f->end);
	snprintf(expected, sizeof(expected), "0-%" PRIu64, max);
	return sfab_scan_fail(s, err, "bad %s (found \"%s\", expected %s)", what, found,
			      max == UINT64_MAX ? "a number" : expected);
}

int sfab_csv_number(const struct sfab_csv *c, unsigned k, uint64_t max,
		    uint64_t *value, struct sfab_err *err)
{
	return sfab_csv_field_expect_number(&c->field[k], &c->row, c->column[k].name, max, value,
					    err);
}

/* -- whole tables ----------------------------------------------------------- */

static int is_section_end(const struct sfab_scan *s, const char *name)
{
	struct sfab_scan rest = *s;

	return sfab_scan_take(&rest, "END_") && sfab_scan_take(&rest, name) &&
	       rest.pos == rest.end;
}

/* Set an error for a file that was cut, which must not pass for a smaller fabric. */
static int ends_early(const struct sfab_scan *s, const char *name,
		      struct sfab_err *err)
{
	return sfab_scan_fail(s, err, "section %s ends early (expected END_%s)",
			      name, name);
}

/*
 * Read the column names in the current line, then rows: in a section (@is_part) until END_NAME.
 * Newer versions add columns: only names count.
 */
static int take_rows(struct sfab_scan *s, const char *separator, const struct sfab_csv_table *table,
		     int is_part, void *ctx, struct sfab_err *err)
{
	struct sfab_csv c;

	if (sfab_csv_heading(&c, s, separator, table->column, table->ncolumns, NULL, err))
		return -1;
	while (sfab_scan_line(s)) {
		if (is_part && is_section_end(s, table->name))
			return 0;
		if (!is_part && s->pos == s->end)
			continue;
		if (sfab_csv_row(&c, s, err) || table->take_row(ctx, &c, err))
			return -1;
	}
	return is_part ? ends_early(s, table->name, err) : sfab_scan_finish(s, err);
}

int sfab_csv_read(struct sfab_scan *s, const char *separator, const struct sfab_csv_table *table,
		  void *ctx, struct sfab_err *err)
{
	sfab_scan_line(s);
	return take_rows(s, separator, table, 0, ctx, err);
}

int sfab_csv_sections(struct sfab_scan *s, const struct sfab_csv_table *table, void *ctx,
		      struct sfab_err *err)
{
	const struct sfab_csv_table *section;
	unsigned seen = 0;
	char name[SECTION_NAME];

	while (sfab_scan_line(s)) {
		/* The NAME of START_NAME: 1, or 0 for any other line. */
		if (!sfab_scan_take(s, "START_") || !sfab_scan_word(s, name, SECTION_NAME))
			continue;
		for (section = table; section->name && strcmp(section->name, name) != 0; section++)
			;
		if (!sfab_scan_line(s))
			return ends_early(s, name, err);
		if (section->name) {
			if (take_rows(s, ",", section, 1, ctx, err))
				return -1;
			seen |= 1u << (section - table);
			continue;
		}
		while (!is_section_end(s, name))
			if (!sfab_scan_line(s))
				return ends_early(s, name, err);
	}
	for (section = table; section->name; section++)
		if (!section->is_optional && !(seen & 1u << (section - table)))
			return sfab_scan_fail(s, err, "no section %s (found "
					      "the end of the file, expected "
					      "START_%s)", section->name, section->name);
	return sfab_scan_finish(s, err);
}
