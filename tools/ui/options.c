/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c - options that commands share; see options.h
 *
 * All options share one parser, as an option means the same wherever it is.  argp gets its
 * tables, with keys, from the rows of the command.  Here the text of a value is only kept, or
 * checked for its form; what it means is the command's affair.
 */

#include "tools/ui/options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/fabric.h"
#include "io/spelling.h"
#include "tools/ui/number.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"
#include "tools/ui/status.h"
#include "tools/ui/xalloc.h"

#define OFFSET(member) .offset = offsetof(struct options, member)

/* Which fabric, and under which rules: what site_open() takes. */
const struct option_row options_source[] = {
	{ "snapshot", "FILE", 0,
	  "Fabric to use (default: $SFABRIC_SNAPSHOT, then Snapshot of sfabric.conf)",
	  KEEP_TEXT, OFFSET(snapshot) },
	{ "conf", "FILE", 0, "Use this sfabric.conf (default: the one beside slurm.conf)",
	  KEEP_TEXT, OFFSET(conf) },
	{ "compute", "HOSTLIST", 0,
	  "Only these hosts are compute nodes (default: Role of sfabric.conf)",
	  KEEP_TEXT, OFFSET(compute) },
	{ 0 }
};

const struct option_row options_output[] = {
	{ "json", NULL, 0, "Print JSON", KEEP_YES, OFFSET(json) },
	{ "output", "FILE", 0, "Write to FILE, '-' is standard output", KEEP_TEXT, OFFSET(output) },
	{ 0 }
};

/* Only for commands with sets of hosts, where "job:4711" is a set. */
const struct option_row options_jobs[] = {
	{ "jobs", "FILE", 0, "File in which job:ID is looked up, lines of ID HOSTLIST [TRAFFIC] "
	  "(default: ask Slurm)", KEEP_TEXT, OFFSET(jobs) },
	{ 0 }
};

/*
 * Letters and meanings are those of sinfo and sacct.  -h takes the place that --help has
 * elsewhere.
 */
const struct option_row options_table[] = {
	{ "format", "FIELD,...", 0, "Fields to print",
	  KEEP_TEXT, OFFSET(view.format), .letter = 'o' },
	{ "noheader", NULL, 0, "Print no header line",
	  KEEP_YES, OFFSET(view.noheader), .letter = 'h' },
	{ "parsable2", NULL, 0, "Separate fields by '|'",
	  KEEP_INT, OFFSET(view.style), TABLE_PARSABLE, .letter = 'P' },
	{ "helpformat", NULL, 0, "List the fields and what they mean",
	  KEEP_YES, OFFSET(helpformat) },
	{ 0 }
};

const struct option_row options_common[] = {
	{ "verbose", NULL, 0, "Print more on standard error", KEEP_YES, OFFSET(verbose),
	  .letter = 'v' },
	{ 0 }
};

int options_word(const char *word, const char *list)
{
	int i = 0;

	for (const char *p = list; *p; p += *p == '|', i++) {
		size_t n = strcspn(p, "|");

		if (strlen(word) == n && strncmp(p, word, n) == 0)
			return i;
		p += n;
	}
	return -1;
}

char *options_meant(const char *word, const char *list)
{
	struct sfab_spelling spelling = sfab_spelling_start(word);
	char *words = xstrdup(list), *rest = words, *one, *question;

	while ((one = strsep(&rest, "|")))
		sfab_spelling_offer(&spelling, one);
	question = xstrdup(sfab_spelling_question(&spelling));
	free(words);
	return question;
}

/* Keep the value of an option as its row says.  A wrong one ends the program (argp_error()). */
static void keep_option(const struct option_row *o, struct argp_state *state, void *value,
			char *arg)
{
	double number;
	char *end;
	int word;

	switch (o->kind) {
	case KEEP_TEXT:
		*(const char **) value = arg;
		break;
	case KEEP_YES:
		*(int *) value = 1;
		break;
	case KEEP_INT:
		*(int *) value = (int) o->min;
		break;
	case KEEP_COUNT:
		*(uint32_t *) value = (uint32_t) options_count(state, o->name, arg,
			(unsigned long) o->min, (unsigned long) o->max);
		break;
	case KEEP_NUMBER:
		number = strtod(arg, &end);
		/*
		 * The range is asked in this form so that "nan", which strtod() takes, is
		 * refused.
		 */
		if (end == arg || *end || !(number >= o->min && number <= o->max))
			argp_error(state, "%s '%s' (expected a number, %g to %g)",
				   o->name, arg, o->min, o->max);
		*(double *) value = number;
		break;
	case KEEP_CHOICE:
		word = options_word(arg, o->data);
		if (word < 0)
			argp_error(state, "%s '%s'%s (expected %s)", o->name, arg,
				   options_meant(arg, o->data), (const char *) o->data);
		*(int *) value = (int) o->min + word;
		break;
	case KEEP_CALL:
		o->call(state, o, value, arg);
	}
}

#define GROUPS_MAX 7	/* of a command, its own options included */

/* The input of all parsers. */
struct parsing {
	error_t (*parse)(int key, char *arg, struct argp_state *state);
	char *command;
	size_t common;
	struct option_group group[GROUPS_MAX + 1];	/* the first: its own */
};

/*
 * Return the option's key: its letter, or a number above all letters, which are below 0x300.
 * @i: number of the option among all of the command.
 */
static int argp_key_of(const struct option_row *o, int i)
{
	return o->letter ? o->letter : 0x300 + i;
}

/* Parse an option of the groups.  It means the same in whichever it is. */
static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	const struct parsing *p = state->input;
	int i = 0;

	for (const struct option_group *g = p->group; g->rows; g++) {
		char *filled = p->command + (g->fills_command ? 0 : p->common);

		for (const struct option_row *o = g->rows; o->name; o++) {
			if (argp_key_of(o, i++) != key)
				continue;
			keep_option(o, state, filled + o->offset, arg);
			return 0;
		}
	}
	return ARGP_ERR_UNKNOWN;
}

/* Parse for the command itself, which sees words and the end as well. */
static error_t parse_command(int key, char *arg, struct argp_state *state)
{
	struct parsing *p = state->input;

	for (int i = 0; key == ARGP_KEY_INIT && p->group[i + 1].rows; i++)
		state->child_inputs[i] = p;
	if (parse_option(key, arg, state) == 0)
		return 0;
	state->input = p->command;
	return p->parse ? p->parse(key, arg, state) : ARGP_ERR_UNKNOWN;
}

/* Make argp's rows of a group.  @i: number of its first option, counted up.  Caller frees. */
static struct argp_option *argp_rows(const struct option_row *o, int *i)
{
	struct argp_option *rows = NULL;
	size_t n = 0;

	for (; o->name; o++, n++) {
		rows = xgrow(rows, (uint32_t) n, sizeof(*rows));
		rows[n] = (struct argp_option){ o->name, argp_key_of(o, (*i)++), o->arg, o->flags,
						o->doc, o->part };
	}
	rows = xgrow(rows, (uint32_t) n, sizeof(*rows));
	rows[n] = (struct argp_option){ 0 };
	return rows;
}

void options_parse(const struct command_line *line, int argc, char **argv, void *command)
{
	static const struct option_row none[] = { { 0 } };
	struct argp argp[GROUPS_MAX] = { 0 };
	struct argp_child child[GROUPS_MAX] = { 0 };
	struct parsing p = {
		.command = command, .common = line->common, .parse = line->parse,
		.group[0] = { line->options ? line->options : none, .fills_command = 1 },
	};
	struct argp_option *rows[GROUPS_MAX] = { 0 };
	int i = 0, n = 0;

	for (; n == 0 || line->groups[n - 1].rows; n++) {
		if (n)
			p.group[n] = line->groups[n - 1];
		rows[n] = argp_rows(p.group[n].rows, &i);
		argp[n] = (struct argp){ .options = rows[n], .parser = parse_option };
		if (n)
			child[n - 1] = (struct argp_child){ &argp[n], 0, p.group[n].header,
							    p.group[n].order };
	}
	argp[0] = (struct argp){ rows[0], parse_command, line->args, line->doc, child, NULL, NULL };
	argp_parse(argp, argc, argv, line->flags, NULL, &p);
	while (n > 0)
		free(rows[--n]);
}

void options_columns(const struct options *o, const struct column *columns,
		     const char *sort)
{
	struct sfab_err err;

	if (o->helpformat) {
		table_print_help(columns, stdout);
		exit(STATUS_FINE);
	}
	if (table_check(columns, o->view.format, sort, &err) != 0) {
		say("%s", err.text);
		exit(STATUS_USAGE);
	}
}

/*
 * Parse a number from @min to @max.  argp_error() does not return here, as argp exits on errors
 * unless told otherwise.  The message is like "sfabric place: nodes '0' (expected 1-4096)".
 */
unsigned long options_count(struct argp_state *state, const char *what,
			    const char *text, unsigned long min,
			    unsigned long max)
{
	uint64_t value;

	if (number_parse(text, max, &value) != 0 || value < min)
		argp_error(state, "%s '%s' (expected %lu-%lu)", what, text,
			   min, max);
	return value;
}

/* Engines of OpenSM 3.3 and of UFM's SM, and the words that OpenSM takes among them. */
#define ENGINES "minhop|updn|dnup|ftree|lash|dor|torus-2QoS|nue|dfsssp|sssp|file|" \
	"no_fallback|chain|pqft|dfp|dfp2|kdor-hc|kdor-ghc|ar_updn|ar_ftree|ar_torus|ar_dor"

/* Keep the names of engines, which become a line of opensm.conf. */
void options_keep_engines(struct argp_state *state, const struct option_row *o, void *value,
			  char *arg)
{
	char *names = xstrdup(arg), *rest = names, *name;

	if (!*arg || strpbrk(arg, " \t") || !sfab_plane_engines_are_names(arg))
		argp_error(state, "%s '%s' (expected routing engines of OpenSM: "
			   "ftree,updn)", o->name, printable(arg, 0));
	while ((name = strsep(&rest, ","))) {
		char *meant = options_word(name, ENGINES) >= 0 ? xstrdup("") :
						options_meant(name, ENGINES);

		if (*meant)
			argp_error(state, "%s '%s': no such engine%s", o->name, name, meant);
		free(meant);
	}
	free(names);
	*(const char **) value = arg;
}
