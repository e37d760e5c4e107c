/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * db_csv.h - the sections of ibdiagnet2.db_csv
 *
 * START_NAME, a line that names the columns, rows, END_NAME.
 */
#ifndef SFAB_DB_CSV_H
#define SFAB_DB_CSV_H

#include "io/readers/columns.h"
#include "io/scan.h"

struct sfab_db_section {
	const char *name;
	const struct sfab_column *column;
	unsigned ncolumns;
	int is_optional;	/* older versions do not write it */
	/* A row: its fields in the order of @column.  -1 with *@err. */
	int (*take)(void *to, const struct sfab_columns *c,
		    const struct sfab_scan *s,
		    const struct sfab_column_field *field,
		    struct sfab_err *err);
};

/* Pass every row of a file that is one table, heading first, to take() of @of. */
int sfab_table_read(struct sfab_scan *s, char separator, const struct sfab_db_section *of,
		    void *to, struct sfab_err *err);

/*
 * Pass every row of the sections in @table (ends with name NULL) to its take();
 * other sections are skipped.  SFAB_EFORMAT for a section that does not end or is
 * missing.
 */
int sfab_db_csv_sections(struct sfab_scan *s,
			 const struct sfab_db_section *table, void *to,
			 struct sfab_err *err);

#endif
