/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - rows of typed fields, printed as text, '|' lines or JSON
 *
 * A command describes its columns once.  That description gives the headings, the fields of -o
 * and --sort, the text of --helpformat, and the keys and types of --json.  Cells that were not
 * set print as "-" and are null in JSON.
 */
#ifndef SFAB_TABLE_H
#define SFAB_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "core/err.h"

struct json_object;

enum column_type {
	COLUMN_TEXT,
	COLUMN_COUNT,		/* uint64_t */
	COLUMN_NUMBER,		/* double, finite */
	COLUMN_GUID,		/* uint64_t, 0x%016x, a string in JSON */
	COLUMN_YES,		/* yes or no, true or false in JSON */
};

/* Which columns text without -o has; '|' lines and JSON have all. */
enum column_show {
	SHOWN,
	SHOWN_IF_ANY,		/* if some cell is not empty */
	SHOWN_IF_ASKED,		/* only with -o */
};

struct column {
	const char *field;	/* key in JSON; in capitals, the heading */
	const char *doc;
	enum column_type type;
	unsigned decimals;	/* COLUMN_NUMBER, in text */
	enum column_show show;
};

struct table;			/* opaque */

/* @columns ends with field NULL and must outlive the table. */
struct table *table_create(const struct column *columns);
void table_destroy(struct table *t);		/* NULL is fine */

/*
 * Begin a row; the calls that follow set its cells.  @field must be a column of the table.  A
 * text of NULL leaves the cell as it is.
 */
void table_row(struct table *t);
void table_text(struct table *t, const char *field, const char *text);
void table_count(struct table *t, const char *field, uint64_t count);
void table_number(struct table *t, const char *field, double number);
void table_gbs(struct table *t, const char *field, double bytes_per_s);	/* as GB/s */
void table_guid(struct table *t, const char *field, uint64_t guid);
void table_yes(struct table *t, const char *field, int yes);

/*
 * Sort the rows by "FIELD,..." ("-FIELD": largest first); equal rows keep their order.
 * SFAB_EINVAL: unknown field.
 */
int table_sort(struct table *t, const char *fields, struct sfab_err *err);

/*
 * Keep the rows that have one of the @n names in a text, or in the first column, or a text of
 * which it is a short name.  SFAB_ENOENT: no row has that name; *err suggests the nearest one.
 * SFAB_EINVAL: a short name of several.  O((rows + names) log names).
 */
int table_keep(struct table *t, const char *const *names, uint32_t n, struct sfab_err *err);

/* Number of rows. */
uint32_t table_rows(const struct table *t);

/* Is there a column of that name? */
int table_has(const struct table *t, const char *field);

/* Keep the first @n rows. */
void table_top(struct table *t, uint32_t n);

enum table_style {
	TABLE_TEXT,
	TABLE_PARSABLE,		/* '|' between fields, all digits */
	TABLE_LIST,		/* a line for each field, for few wide rows */
};

struct table_view {
	const char *format;	/* "FIELD,..." or NULL: see column_show */
	enum table_style style;
	int noheader;
};

/* SFAB_EINVAL: the format names an unknown field. */
int table_print(const struct table *t, const struct table_view *view,
		FILE *out, struct sfab_err *err);

/* Print the table as text, as without -o, and destroy @t. */
void table_take_print(struct table *t, FILE *out);

/* Return the rows as a JSON array of objects with all fields, which the caller owns. */
struct json_object *table_json(const struct table *t);
/* Return the same, and destroy @t. */
struct json_object *table_take_json(struct table *t);

/*
 * Check "FIELD,..." and "[-]FIELD,..." (NULL: fine) before a table exists.  SFAB_EINVAL:
 * unknown field.
 */
int table_check(const struct column *columns, const char *format,
		const char *sort, struct sfab_err *err);

/* Print what --helpformat shows: field, type and meaning. */
void table_print_help(const struct column *columns, FILE *out);

#endif
