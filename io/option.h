/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option.h - tables of Key=Value options
 *
 * One row per key: its kind, its field in a struct, its default.  Parser, printer and
 * documentation follow the table.  A row whose key is NULL ends a table.
 */
#ifndef SFAB_OPTION_H
#define SFAB_OPTION_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/err.h"

struct sfab_option;

#define SFAB_OPTION_BLANKS " \t\r\n\f\v"
/* A value with one of these bytes must be in quotes. */
#define SFAB_OPTION_QUOTED " \t\r\f\v#\\"

/* A kind of value.  @base: the struct that contains the option's field. */
struct sfab_value_kind {
	int may_repeat;		/* 1: the key may be repeated, and each value is added */
	int is_record;		/* 1: the value is the rest of the line */
	int is_text;		/* 1: the field is a char * that the struct owns */
	const char *pair_form;	/* of a list of pairs: what one looks like, "NAME:VALUE" */
	const char *separator;	/* of a list of pairs: "," */
	/* Take a pair of such a list; both strings may be modified. */
	int (*take_pair)(const struct sfab_option *o, void *base, char *name, char *value,
			 struct sfab_err *err);
	/* Parse @value.  -1 with *err: "KEY: what (found, expected)" */
	int (*parse)(const struct sfab_option *o, void *base,
		     const char *value, struct sfab_err *err);
	/* Write the value so that parse() can read it again. */
	void (*print)(const struct sfab_option *o, const void *base, FILE *out);
};

struct sfab_option {
	const char *key;
	const struct sfab_value_kind *kind;
	size_t offset;			/* of the field in its struct */
	const char *initial;		/* default as text; NULL: set in code */
	const char *expected;		/* choices "a|b|c", or what to expect */
	double min, max;		/* of numbers and times, in stored units */
	double unit_us;			/* times: microseconds per stored unit */
	const char *doc;		/* one line; in the row that ends the
					   table: the page that documents it */
};

extern const struct sfab_value_kind
	sfab_kind_choice,	/* unsigned: index into expected "a|b|c" */
	sfab_kind_text,		/* char *: not empty */
	sfab_kind_path,		/* char *: absolute, or "" if that is the default */
	sfab_kind_count,	/* uint32_t */
	sfab_kind_number,	/* double */
	sfab_kind_gbs,		/* double: 0, or GB/s within a server's reach */
	sfab_kind_time;		/* uint32_t, in units of unit_us: "20ms" */

/* Set the fields of @base to their default texts.  -1: no memory. */
int sfab_option_defaults(const struct sfab_option *table, void *base);

/* Free the texts of @base. */
void sfab_option_free(const struct sfab_option *table, void *base);

/* A text that is read line by line, with lines joined that end with a backslash. */
struct sfab_option_text {
	char *rest, *end;	/* what is still to be read; *end is NUL */
	unsigned nlines;	/* read so far */
};

/*
 * Return the next line, cut out in place and without its comment, and set *@number to the
 * number of the first of the lines that were joined.  NULL: the end.
 */
char *sfab_option_text_line(struct sfab_option_text *t, unsigned *number);

/*
 * Take "Key=Value" from the beginning of *@line, which is modified; blanks around '=' and
 * double quotes around the value are allowed.  1 with key and value, 0 at the end of the line,
 * -1 with *err.  The value of a record is the whole rest.
 */
int sfab_option_next(const struct sfab_option *table, char **line,
		     const struct sfab_option **option, char **value,
		     struct sfab_err *err);

/*
 * Parse all of @line, which is modified, into the fields of @base; a repeated key is
 * SFAB_EFORMAT.  At most 32 rows.
 */
int sfab_option_line(const struct sfab_option *table, void *base, char *line,
		     struct sfab_err *err);

/* Write @text, in quotes if it could not be read again without them. */
void sfab_option_print_text(const char *text, FILE *out);

#endif
