/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - options that commands share, as argp child parsers
 *
 * A command's struct argp lists the groups it uses as its children, and its first
 * struct option_field names them, so that all groups fill one struct.
 * argp itself adds --help, --usage and -V; -h means "no header", as in sinfo.
 * A wrong command line ends the program with STATUS_USAGE.
 */
#ifndef SFAB_OPTIONS_H
#define SFAB_OPTIONS_H

#include <argp.h>

#include "tools/ui/table.h"

struct options {
	/* options_source */
	const char *snapshot;		/* NULL: not given */
	const char *conf;		/* NULL: not given */
	const char *compute;		/* hostlist; NULL: not given */
	/* options_output */
	const char *output;		/* NULL: standard output */
	int json;
	/* options_jobs */
	const char *jobs;		/* NULL: not given */
	/* options_table */
	struct table_view view;
	int helpformat;
	/* options_common */
	int verbose;
};

extern const struct argp options_source;	/* --snapshot, --conf, --compute */
extern const struct argp options_output;	/* --json, --output */
extern const struct argp options_table;		/* -o, -h, -P, --helpformat */
extern const struct argp options_jobs;		/* --jobs, for SETs */
extern const struct argp options_common;	/* -v */

/* Child row for commands that take SETs (set.h). */
#define OPTIONS_CHILDREN_SETS \
	{ &options_jobs, 0, NULL, 1 }

/* Child rows for commands that print tables of a fabric. */
#define OPTIONS_CHILDREN_TABLE \
	{ &options_table, 0, "Table:", 2 }, \
	{ &options_output, 0, NULL, 2 }, \
	{ &options_source, 0, "Fabric:", 3 }, \
	{ &options_common, 0, NULL, 4 }

/* The same for commands that print something else. */
#define OPTIONS_CHILDREN_REPORT \
	{ &options_output, 0, "Output:", 2 }, \
	{ &options_source, 0, "Fabric:", 3 }, \
	{ &options_common, 0, NULL, 4 }

/*
 * Where the value of an option goes.  Most options are such rows; the others have a case
 * in the command's parser.
 */
struct option_field {
	int key;
	enum {
		KEEP_CHILDREN,	/* struct options, which the groups in @of fill; the key is
				   ARGP_KEY_INIT.  (argp gives a parser neither its own
				   struct argp nor the number of its children.) */
		KEEP_TEXT,	/* const char *, which lives as long as argv */
		KEEP_YES,	/* int, set to 1 */
		KEEP_INT,	/* int, set to @least */
		KEEP_COUNT,	/* uint32_t */
		KEEP_NUMBER,	/* double */
		KEEP_CHOICE,	/* int: which word of @of, "a|b|c", counted from @least */
	} kind;
	size_t at;		/* offset in the command's struct */
	const char *what;	/* in usage errors */
	double least, most;	/* of a number */
	const void *of;
};

/*
 * Keeps @arg in state->input, the command's struct, if @fields (ended by key 0) has @key.
 * Returns what an argp parser does: 0, or ARGP_ERR_UNKNOWN.
 */
error_t options_keep(const struct option_field *fields, struct argp_state *state, int key,
		     char *arg);

/*
 * Call after parsing.  --helpformat prints the columns and ends the program.
 * An unknown field in --format or @sort (NULL: none) is a usage error.
 */
void options_columns(const struct options *o, const struct column *columns,
		     const char *sort);

/*
 * Numbers in options.  If @text is not a number from @least to @most, the
 * program ends with a usage error that names @what.
 */
unsigned long options_count(struct argp_state *state, const char *what,
			    const char *text, unsigned long least,
			    unsigned long most);
double options_number(struct argp_state *state, const char *what,
		      const char *text, double least, double most);

/*
 * Names of routing engines with commas, else a usage error that names @what.  A name that
 * is nearly one of OpenSM's or UFM's is refused with that one.  Others pass: an SM may
 * have engines of its own.
 */
void options_engines(struct argp_state *state, const char *what, const char *text);

#endif
