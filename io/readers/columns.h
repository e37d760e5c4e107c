/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns.h - tables of text whose first line names the columns
 *
 * Programs add and move columns from version to version; a reader asks for
 * those it needs by name.  Fields may stand in double quotes; the separator
 * then may be inside.  Everything is borrowed from the text.
 */
#ifndef SFAB_COLUMNS_H
#define SFAB_COLUMNS_H

#include <stdint.h>

#include "core/err.h"
#include "io/scan.h"

#define SFAB_COLUMNS_MAX 24

/* A column that is asked for.  OPTIONAL ones may be missing. */
struct sfab_column {
	const char *name;
	int is_optional;
};

struct sfab_columns {
	char separator;
	unsigned n;
	const struct sfab_column *column;
	int at[SFAB_COLUMNS_MAX];	/* place in the line, -1: missing */
	int is_bare;
	int width;			/* fields that a line must have */
	int open;			/* takes the rest of the line, -1: none */
};

/* Text of a field, without quotes and blanks around it. */
struct sfab_field {
	const char *from, *to;		/* the same: empty, or no such column */
};

/*
 * Take the current line as the heading; @column has @n <= SFAB_COLUMNS_MAX
 * rows.  SFAB_EFORMAT names the column that is missing.
 */
int sfab_columns_heading(struct sfab_columns *c, struct sfab_scan *s,
			 char separator, const struct sfab_column *column,
			 unsigned n, struct sfab_err *err);

/*
 * The same for bare tables such as that of `sacct -P`: nothing is quoted, names
 * may be in any case, and each line has as many fields as the heading.  If the
 * last column is called @open, its text may contain the separator.
 */
int sfab_columns_bare_heading(struct sfab_columns *c, struct sfab_scan *s,
			      char separator, const struct sfab_column *column,
			      unsigned n, const char *open,
			      struct sfab_err *err);

/*
 * The current line: field[k] is what stands below column[k].  SFAB_EFORMAT if
 * the line is too short, or in a bare table too long.
 */
int sfab_columns_row(const struct sfab_columns *c, struct sfab_scan *s,
		     struct sfab_field *field, struct sfab_err *err);

/*
 * Decimal, or hexadecimal after "0x": 1, or 0 for anything else ("N/A", "-1",
 * nothing) and for more than @max.
 */
int sfab_field_number(const struct sfab_field *f, uint64_t max,
		      uint64_t *value);

/* The same, but anything else is "bad NAME (found ..., expected ...)". */
int sfab_columns_number(const struct sfab_columns *c, const struct sfab_scan *s,
			const struct sfab_field *field, unsigned k,
			uint64_t max, uint64_t *value, struct sfab_err *err);

#endif
