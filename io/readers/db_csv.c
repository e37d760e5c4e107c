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

static int skip_section(struct sfab_scan *s, const char *name,
			struct sfab_err *err)
{
	while (sfab_scan_line(s))
		if (is_section_end(s, name))
			return 0;
	return ends_early(s, name, err);
}

/*
 * Column names, then rows until END_NAME.  Newer versions add columns: only names
 * count.
 */
static int read_section(struct sfab_scan *s, const struct sfab_db_section *of,
			void *to, struct sfab_err *err)
{
	struct sfab_column_field field[SFAB_COLUMNS_MAX];
	struct sfab_columns c;

	if (!sfab_scan_line(s))
		return ends_early(s, of->name, err);
	if (sfab_columns_heading(&c, s, ',', of->column, of->ncolumns, err))
		return -1;
	while (sfab_scan_line(s)) {
		struct sfab_scan row = *s;

		if (is_section_end(s, of->name))
			return 0;
		if (sfab_columns_row(&c, &row, field, err) ||
		    of->take(to, &c, s, field, err))
			return -1;
	}
	return ends_early(s, of->name, err);
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
		if (of->name ? read_section(s, of, to, err) :
			       skip_section(s, name, err))
			return -1;
		if (of->name)
			seen |= 1u << (of - table);
	}
	for (of = table; of->name; of++)
		if (!of->is_optional && !(seen & 1u << (of - table)))
			return sfab_scan_fail(s, err, "no section %s (found "
					      "the end of the file, expected "
					      "START_%s)", of->name, of->name);
	return sfab_scan_finish(s, err);
}
