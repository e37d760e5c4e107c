/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns.h - text tables whose first line names the columns
 *
 * Versions of a program add and move columns, so a reader asks for columns by
 * name.  Fields may be in double quotes and may then contain the separator.
 * Everything is borrowed from the text.
 */
#ifndef SFAB_COLUMNS_H
#define SFAB_COLUMNS_H

#include <stdint.h>

#include "core/err.h"
#include "io/scan.h"

#define SFAB_COLUMNS_MAX 24
#define SFAB_SEPARATOR_MAX 40	/* bytes, with its NUL */

/* A requested column.  Optional ones may be missing. */
struct sfab_column {
	const char *name;		/* NULL: no column, its field is empty */
	int is_optional;
};

struct sfab_columns {
	char separator[SFAB_SEPARATOR_MAX];
	unsigned n;
	const struct sfab_column *column;
	int at[SFAB_COLUMNS_MAX];	/* index in the line, -1: missing */
	int is_bare;
	int width;			/* fields that a line must have */
	int open;			/* column that takes the rest, -1: none */
};

/* Text of a field, without surrounding quotes and blanks. */
struct sfab_column_field {
	const char *from, *to;		/* equal: empty, or no such column */
};

/*
 * Parse the current line as the heading; @column has @n <= SFAB_COLUMNS_MAX rows.
 * SFAB_EFORMAT names a missing column.
 */
int sfab_columns_heading(struct sfab_columns *c, struct sfab_scan *s,
			 char separator, const struct sfab_column *column,
			 unsigned n, struct sfab_err *err);

/*
 * The same for bare tables, e.g. from `sacct -P`: nothing is quoted, names may be
 * in any case, and each line has as many fields as the heading.  The separator may
 * have several characters.  If the last column is called @open, its text may contain
 * the separator.
 */
int sfab_columns_bare_heading(struct sfab_columns *c, struct sfab_scan *s,
			      const char *separator,
			      const struct sfab_column *column, unsigned n,
			      const char *open, struct sfab_err *err);

/*
 * Parse the current line: field[k] belongs to column[k].  SFAB_EFORMAT if the line
 * is too short or, in a bare table, too long.
 */
int sfab_columns_row(const struct sfab_columns *c, struct sfab_scan *s,
		     struct sfab_column_field *field, struct sfab_err *err);

/*
 * Decimal, or hexadecimal after "0x": 1.  0 for anything else ("N/A", "-1", empty)
 * and for values above @max.
 */
int sfab_field_number(const struct sfab_column_field *f, uint64_t max,
		      uint64_t *value);

/* The same, but anything else is "bad WHAT (found ..., expected ...)" at @s. */
int sfab_field_expect_number(const struct sfab_column_field *f, const struct sfab_scan *s,
			     const char *what, uint64_t max, uint64_t *value,
			     struct sfab_err *err);

/* The same for a column: WHAT is its name. */
int sfab_columns_number(const struct sfab_columns *c, const struct sfab_scan *s,
			const struct sfab_column_field *field, unsigned k,
			uint64_t max, uint64_t *value, struct sfab_err *err);

#endif
