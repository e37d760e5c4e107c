/* SPDX-License-Identifier: GPL-2.0-or-later */
/* db_csv.c - walk over the sections of ibdiagnet2.db_csv; see db_csv.h */

#include "io/readers/db_csv.h"

#include <string.h>

#define NAME_SIZE 64

static int is_section_end(const struct sfab_scan *s, const char *name)
{
	struct sfab_scan at = *s;

	return sfab_scan_take(&at, "END_") && sfab_scan_take(&at, name) &&
	       at.at == at.end;
}

/* A file that was cut must not pass for a smaller fabric. */
static int ends_early(const struct sfab_scan *s, const char *name,
		      struct sfab_err *err)
{
	return sfab_scan_fail(s, err, "section %s ends early (expected END_%s)",
			      name, name);
}

/*
 * Column names in the current line, then rows: in a section (@is_part) until END_NAME.
 * Newer versions add columns: only names count.
 */
static int read_rows(struct sfab_scan *s, char separator, const struct sfab_db_section *of,
		     int is_part, void *to, struct sfab_err *err)
{
	struct sfab_column_field field[SFAB_COLUMNS_MAX];
	struct sfab_columns c;

	if (sfab_columns_heading(&c, s, separator, of->column, of->ncolumns, err))
		return -1;
	while (sfab_scan_line(s)) {
		struct sfab_scan row = *s;

		if (is_part && is_section_end(s, of->name))
			return 0;
		if (!is_part && s->at == s->end)
			continue;
		if (sfab_columns_row(&c, &row, field, err) ||
		    of->take(to, &c, s, field, err))
			return -1;
	}
	return is_part ? ends_early(s, of->name, err) : sfab_scan_finish(s, err);
}

int sfab_table_read(struct sfab_scan *s, char separator, const struct sfab_db_section *of,
		    void *to, struct sfab_err *err)
{
	sfab_scan_line(s);
	return read_rows(s, separator, of, 0, to, err);
}

int sfab_db_csv_sections(struct sfab_scan *s,
			 const struct sfab_db_section *table, void *to,
			 struct sfab_err *err)
{
	const struct sfab_db_section *of;
	unsigned seen = 0;
	char name[NAME_SIZE];

	while (sfab_scan_line(s)) {
		/* The NAME of START_NAME: 1, or 0 for any other line. */
		if (!sfab_scan_take(s, "START_") ||
		    !sfab_scan_word(s, name, NAME_SIZE))
			continue;
		for (of = table; of->name && strcmp(of->name, name) != 0; of++)
			;
		if (!sfab_scan_line(s))
			return ends_early(s, name, err);
		if (of->name) {
			if (read_rows(s, ',', of, 1, to, err))
				return -1;
			seen |= 1u << (of - table);
			continue;
		}
		while (!is_section_end(s, name))
			if (!sfab_scan_line(s))
				return ends_early(s, name, err);
	}
	for (of = table; of->name; of++)
		if (!of->is_optional && !(seen & 1u << (of - table)))
			return sfab_scan_fail(s, err, "no section %s (found "
					      "the end of the file, expected "
					      "START_%s)", of->name, of->name);
	return sfab_scan_finish(s, err);
}
