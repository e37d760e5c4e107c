/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - the options of a command, and those that commands share
 *
 * A command lists its own options and the groups that it uses; a row is all that there is to
 * say of an option.  argp itself adds --help, --usage and -V; -h means "no header", as in
 * sinfo.  A wrong command line ends the program with STATUS_USAGE.
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

/* An option: what --help says of it, and where its value goes. */
struct option_row {
	const char *name;	/* also in usage errors */
	const char *arg;	/* NULL: takes none */
	int part;		/* of --help: where it is in its group */
	const char *doc;
	enum {
		KEEP_TEXT,	/* const char *, which lives as long as argv */
		KEEP_YES,	/* int, set to 1 */
		KEEP_INT,	/* int, set to @min */
		KEEP_COUNT,	/* uint32_t */
		KEEP_NUMBER,	/* double */
		KEEP_CHOICE,	/* int: which word of @data, "a|b|c", counted from @min */
		KEEP_CALL,	/* @call does it */
	} kind;
	size_t offset;		/* of the value, in the struct that the group fills */
	double min, max;	/* of a number */
	const void *data;	/* of KEEP_CHOICE the words; else for @call */
	/* Keeps @arg in @value, which is at @offset. */
	void (*call)(struct argp_state *state, const struct option_row *o, void *value, char *arg);
	int letter;		/* 0: none */
	int flags;		/* argp's, OPTION_ARG_OPTIONAL or OPTION_HIDDEN */
};

struct option_group {
	const struct option_row *rows;	/* ended by one without a name */
	const char *header;		/* in --help */
	int order;			/* of the group in --help */
	int fills_command;		/* 1: the command's struct; 0: its struct options */
};

extern const struct option_row options_source[];	/* --snapshot, --conf, --compute */
extern const struct option_row options_output[];	/* --json, --output */
extern const struct option_row options_table[];		/* -o, -h, -P, --helpformat */
extern const struct option_row options_jobs[];		/* --jobs, for SETs */
extern const struct option_row options_common[];	/* -v */

/* Group for commands that take SETs (hostset.h). */
#define OPTIONS_OF_SETS { options_jobs, .order = 1 }

/* Groups for commands that print tables of a fabric. */
#define OPTIONS_OF_TABLE \
	{ options_table, "Table:", .order = 2 }, { options_output, .order = 2 }, \
	{ options_source, "Fabric:", .order = 3 }, { options_common, .order = 4 }

/* Groups for commands that print something else about a fabric. */
#define OPTIONS_OF_REPORT \
	{ options_output, "Output:", .order = 2 }, \
	{ options_source, "Fabric:", .order = 3 }, { options_common, .order = 4 }

/* The command line of a command, as argp needs it. */
struct command_line {
	const struct option_row *options;	/* the command's own; NULL: none */
	const struct option_group *groups;	/* ended by one without rows */
	size_t common;				/* where its struct options is */
	const char *args, *doc;			/* as argp has them */
	/*
	 * Parses words that are not options; state->input is the command's struct.  NULL: there
	 * are none.
	 */
	error_t (*parse)(int key, char *arg, struct argp_state *state);
	unsigned flags;				/* ARGP_IN_ORDER */
};

/* Parse the command line into @command, the command's struct. */
void options_parse(const struct command_line *line, int argc, char **argv, void *command);

/*
 * Call after parsing.  --helpformat prints the columns and ends the program.  An unknown field
 * in --format or @sort (NULL: none) is a usage error.
 */
void options_columns(const struct options *o, const struct column *columns, const char *sort);

/* The index of @word in @list, "a|b|c"; -1: it is not in it. */
int options_word(const char *word, const char *list);

/*
 * The text " (did you mean 'NEAREST'?)" with the word of @list that is nearest to @word, or "";
 * caller frees.
 */
char *options_meant(const char *word, const char *list);

/*
 * Read a number.  If @text is not a number from @min to @max, the program ends with a usage
 * error that names @what.
 */
unsigned long options_count(struct argp_state *state, const char *what, const char *text,
			    unsigned long min, unsigned long max);

/*
 * The call of a row: keep a list of routing engines, "a,b", in the const char * at @value.  A
 * name that is nearly one of OpenSM's or UFM's is refused with that one.  Others pass: an SM
 * may have engines of its own.
 */
void options_keep_engines(struct argp_state *state, const struct option_row *o, void *value,
			  char *arg);

#endif
