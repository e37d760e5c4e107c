/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option.h - tables of Key=Value options
 *
 * One row a key: its kind, its field in a struct, its default.  Parser, printer
 * and documents follow the table.  A table ends with a row whose key is NULL.
 */
#ifndef SFAB_OPTION_H
#define SFAB_OPTION_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/err.h"

struct sfab_option;

/* A kind of value.  @base: the struct that has the option's field. */
struct sfab_value_kind {
	int many;		/* 1: may be given again, adding to the first */
	int record;		/* 1: the value is the rest of the line */
	/* -1 with *err: "KEY: what (found, expected)" */
	int (*parse)(const struct sfab_option *o, void *base,
		     const char *value, struct sfab_err *err);
	/* Write the value so that parse() would read it again. */
	void (*print)(const struct sfab_option *o, const void *base, FILE *out);
};

struct sfab_option {
	const char *key;
	const struct sfab_value_kind *kind;
	size_t offset;			/* of the field in its struct */
	const char *initial;		/* default as text; NULL: made in code */
	const char *expected;		/* choices "a|b|c", or what to expect */
	double min, max;		/* of numbers and times, in stored units */
	double unit_us;			/* times: microseconds in a stored unit */
	const char *doc;		/* one line; of the row that ends the
					   table: the page that describes it */
};

extern const struct sfab_value_kind
	sfab_kind_choice,	/* unsigned: place in expected "a|b|c" */
	sfab_kind_word,		/* char *: one of expected "a|b|c" */
	sfab_kind_text,		/* char *: not empty */
	sfab_kind_path,		/* char *: absolute, or "" where that is initial */
	sfab_kind_count,	/* uint32_t */
	sfab_kind_number,	/* double */
	sfab_kind_gbs,		/* double: 0, or GB/s that a server can do */
	sfab_kind_time;		/* uint32_t, in units of unit_us: "20ms" */

/* Option with this key in any case, or NULL. */
const struct sfab_option *sfab_option_find(const struct sfab_option *table,
					   const char *key);

/* Give the fields of @base their default texts.  -1: memory. */
int sfab_option_defaults(const struct sfab_option *table, void *base);

/*
 * Take "Key=Value" off the beginning of *@line, which is changed: blanks around
 * '=' and double quotes around the value are fine.  1 with key and value, 0 at
 * the end of the line, -1 with *err.  Of a record the value is all the rest.
 */
int sfab_option_next(const struct sfab_option *table, char **line,
		     const struct sfab_option **option, char **value,
		     struct sfab_err *err);

/*
 * All of @line, which is changed, into the fields of @base; a key twice is
 * SFAB_EFORMAT.  At most 32 rows.
 */
int sfab_option_line(const struct sfab_option *table, void *base, char *line,
		     struct sfab_err *err);

/* Write @text in quotes if it needs them to be read again. */
void sfab_option_print_text(const char *text, FILE *out);

#endif
