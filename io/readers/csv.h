/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv.h - text tables whose first line names the columns, with any separator
 *
 * Versions of a program add and move columns, so a reader asks for columns by name.  Fields may
 * be in double quotes and may then contain the separator.  Everything is borrowed from the
 * text.
 */
#ifndef SFAB_CSV_H
#define SFAB_CSV_H

#include <stdint.h>

#include "core/err.h"
#include "io/scan.h"

#define SFAB_CSV_COLUMNS_MAX 24
#define SFAB_SEPARATOR_MAX 40	/* bytes, with its NUL */

enum sfab_csv_need {
	SFAB_CSV_NEEDED,	/* it must be there, and have its number in each row */
	SFAB_CSV_OPTIONAL,	/* it may be missing */
	SFAB_CSV_PARTLY,	/* it must be there, and some rows have no number */
};

/* A requested column. */
struct sfab_csv_column {
	const char *name;		/* NULL: no column, its field is empty */
	enum sfab_csv_need need;
	uint64_t max;			/* of its numbers; 0: texts */
	uint64_t fallback;		/* used for a row without a number ("N/A") */
};
#define SFAB_COLUMN(name) { name, SFAB_CSV_NEEDED, 0, 0 }
#define SFAB_MAYBE(name) { name, SFAB_CSV_OPTIONAL, 0, 0 }
#define SFAB_NUMBER(name, max) { name, SFAB_CSV_NEEDED, max, 0 }

/* Text of a field, without surrounding quotes and blanks. */
struct sfab_csv_field {
	const char *begin, *end;	/* equal: empty, or no such column */
};

/* A table while it is read: what its heading said, and the current row. */
struct sfab_csv {
	char separator[SFAB_SEPARATOR_MAX];
	unsigned n;
	const struct sfab_csv_column *column;	/* [n] */
	int index[SFAB_CSV_COLUMNS_MAX];	/* by column: its place in the line, -1: missing */
	int is_bare;				/* see sfab_csv_heading() */
	int nfields;				/* that a line must have */
	int open_column;			/* the place that takes the rest, -1: none */
	struct sfab_scan row;			/* the current row */
	uint64_t number[SFAB_CSV_COLUMNS_MAX];	/* its numbers, of columns with a max */
	/* its fields, by column */
	struct sfab_csv_field field[SFAB_CSV_COLUMNS_MAX];
};

/*
 * Parse the current line as the heading; @column has @n <= SFAB_CSV_COLUMNS_MAX rows.
 * SFAB_EFORMAT names a missing column.
 *
 * @open_column is for bare tables, e.g. from `sacct -P`: nothing is quoted, names may be in any
 * case, and each line has as many fields as the heading.  If the last column is called
 * @open_column, its text may contain the separator.  NULL: the table is not bare.
 */
int sfab_csv_heading(struct sfab_csv *c, struct sfab_scan *s,
		     const char *separator, const struct sfab_csv_column *column,
		     unsigned n, const char *open_column, struct sfab_err *err);

/*
 * Parse the current line of @s as a row.  SFAB_EFORMAT if it is too short or, in a bare table,
 * too long, or if a number is missing.
 */
int sfab_csv_row(struct sfab_csv *c, const struct sfab_scan *s, struct sfab_err *err);

/*
 * 1: *@value is the field's number, decimal or hexadecimal after "0x".  0: anything else
 * ("N/A", "-1", empty), or a number above @max.
 */
int sfab_csv_field_number(const struct sfab_csv_field *f, uint64_t max, uint64_t *value);

/*
 * Set *@value to the field's number, as above.  -1 with *err, "bad WHAT (found ..., expected
 * ...)" at @s: it has none.
 */
int sfab_csv_field_expect_number(const struct sfab_csv_field *f, const struct sfab_scan *s,
				 const char *what, uint64_t max, uint64_t *value,
				 struct sfab_err *err);

/* Set *@value to the number in column @k of the row; errors call it by the column's name. */
int sfab_csv_number(const struct sfab_csv *c, unsigned k, uint64_t max,
		    uint64_t *value, struct sfab_err *err);

/* A table with a heading: all of a file, or a section of one. */
struct sfab_csv_table {
	const char *name;	/* of the section */
	const struct sfab_csv_column *column;
	unsigned ncolumns;
	int is_optional;	/* older versions do not write it */
	/* Take a row.  -1 with *err. */
	int (*take_row)(void *ctx, const struct sfab_csv *csv, struct sfab_err *err);
};

/* Pass every row of a file that is one table to its take_row(). */
int sfab_csv_read(struct sfab_scan *s, const char *separator, const struct sfab_csv_table *table,
		  void *ctx, struct sfab_err *err);

/*
 * ibdiagnet2.db_csv: START_NAME, a table, END_NAME, and so on.  Pass every row of the sections
 * in @table (ends with name NULL) to its take_row(); other sections are skipped.  SFAB_EFORMAT
 * for a section that does not end or is missing.
 */
int sfab_csv_sections(struct sfab_scan *s, const struct sfab_csv_table *table, void *ctx,
		      struct sfab_err *err);

#endif
