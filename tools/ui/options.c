/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c - options that commands share; see options.h
 *
 * All groups share one parser and one struct, as an option means the same
 * wherever it is.  A command sees only the groups that it lists as children.
 * What it does with a value is its own affair; here the text is only kept, or
 * checked for its form.
 */

#include "tools/ui/options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/fabric.h"
#include "tools/command.h"
#include "tools/ui/number.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"
#include "tools/ui/spelling.h"

/*
 * Keys of options without a letter.  From 0x200 on they are no letters; those
 * of commands begin at 0x300.
 */
enum { KEY_SNAPSHOT = 0x200, KEY_CONF, KEY_JSON, KEY_OUTPUT, KEY_HELPFORMAT,
       KEY_JOBS, KEY_COMPUTE };

/* Which fabric, and under which rules: what site_open() takes. */
static const struct argp_option source_rows[] = {
	{ "snapshot", KEY_SNAPSHOT, "FILE", 0,
	  "Fabric to use (default: $SFABRIC_SNAPSHOT, then Snapshot of sfabric.conf)", 0 },
	{ "conf", KEY_CONF, "FILE", 0,
	  "Use this sfabric.conf (default: the one beside slurm.conf)", 0 },
	{ "compute", KEY_COMPUTE, "HOSTLIST", 0,
	  "Only these hosts are compute nodes (default: Role of sfabric.conf)", 0 },
	{ 0 }
};

static const struct argp_option output_rows[] = {
	{ "json", KEY_JSON, NULL, 0, "Print JSON", 0 },
	{ "output", KEY_OUTPUT, "FILE", 0,
	  "Write to FILE, '-' is standard output", 0 },
	{ 0 }
};

/* Only for commands with sets of hosts, where "job:4711" is a set. */
static const struct argp_option jobs_rows[] = {
	{ "jobs", KEY_JOBS, "FILE", 0,
	  "File in which job:ID is looked up, lines of ID HOSTLIST [TRAFFIC] "
	  "(default: ask Slurm)", 0 },
	{ 0 }
};

/*
 * Letters and meanings are those of sinfo and sacct.  -h takes the place that
 * --help has elsewhere.
 */
static const struct argp_option table_rows[] = {
	{ "format", 'o', "FIELD[:WIDTH],...", 0, "Fields to print", 0 },
	{ "noheader", 'h', NULL, 0, "Print no header line", 0 },
	{ "parsable2", 'P', NULL, 0, "Separate fields by '|'", 0 },
	{ "helpformat", KEY_HELPFORMAT, NULL, 0,
	  "List the fields and what they mean", 0 },
	{ 0 }
};

static const struct argp_option common_rows[] = {
	{ "verbose", 'v', NULL, 0, "Print more on standard error", 0 },
	{ 0 }
};

/*
 * Which of @choices, "a|b|c", @text is, from 0.  If it is none, the program ends with a
 * usage error that names @what, the nearest one and all.
 */
static unsigned option_choice(struct argp_state *state, const char *what, const char *text,
			      const char *choices)
{
	unsigned i = 0;

	for (const char *p = choices; *p; p += *p == '|', i++) {
		size_t n = strcspn(p, "|");

		if (strlen(text) == n && strncmp(p, text, n) == 0)
			return i;
		p += n;
	}
	argp_error(state, "%s '%s'%s (expected %s)", what, text,
		   spelling_among(text, choices), choices);
	return 0;
}

static error_t keep_option(const struct option_field *field, struct argp_state *state,
			   char *arg)
{
	void *at = (char *) state->input + field->at;
	const struct argp_child *children = field->of;

	switch (field->kind) {
	case KEEP_CHILDREN:
		for (unsigned i = 0; children[i].argp; i++)
			state->child_inputs[i] = at;
		break;
	case KEEP_TEXT:
		*(const char **) at = arg;
		break;
	case KEEP_YES:
		*(int *) at = 1;
		break;
	case KEEP_INT:
		*(int *) at = (int) field->least;
		break;
	case KEEP_COUNT:
		*(uint32_t *) at = (uint32_t) options_count(state, field->what, arg,
			(unsigned long) field->least, (unsigned long) field->most);
		break;
	case KEEP_NUMBER:
		*(double *) at = options_number(state, field->what, arg, field->least,
						field->most);
		break;
	case KEEP_CHOICE:
		*(int *) at = (int) field->least +
			      (int) option_choice(state, field->what, arg, field->of);
	}
	return 0;
}

error_t options_keep(const struct option_field *fields, struct argp_state *state, int key,
		     char *arg)
{
	for (; fields->key; fields++)
		if (fields->key == key)
			return keep_option(fields, state, arg);
	return ARGP_ERR_UNKNOWN;
}

/* Where the values of options go. */
static const struct option_field kept_common_options[] = {
	{ KEY_SNAPSHOT, KEEP_TEXT, .at = offsetof(struct options, snapshot) },
	{ KEY_CONF, KEEP_TEXT, .at = offsetof(struct options, conf) },
	{ KEY_COMPUTE, KEEP_TEXT, .at = offsetof(struct options, compute) },
	{ KEY_JSON, KEEP_YES, .at = offsetof(struct options, json) },
	{ KEY_OUTPUT, KEEP_TEXT, .at = offsetof(struct options, output) },
	{ KEY_JOBS, KEEP_TEXT, .at = offsetof(struct options, jobs) },
	{ 'P', KEEP_INT, .at = offsetof(struct options, view.style), NULL, TABLE_PARSABLE },
	{ 'o', KEEP_TEXT, .at = offsetof(struct options, view.format) },
	{ 'h', KEEP_YES, .at = offsetof(struct options, view.noheader) },
	{ KEY_HELPFORMAT, KEEP_YES, .at = offsetof(struct options, helpformat) },
	{ 'v', KEEP_YES, .at = offsetof(struct options, verbose) },
	{ 0 }
};

/* argp calls this for an option of any group. */
static error_t parse_common_option(int key, char *arg, struct argp_state *state)
{
	return options_keep(kept_common_options, state, key, arg);
}

const struct argp options_source = {.options = source_rows,
				    .parser = parse_common_option};
const struct argp options_output = {.options = output_rows,
				    .parser = parse_common_option};
const struct argp options_table = {.options = table_rows,
				   .parser = parse_common_option};
const struct argp options_jobs = {.options = jobs_rows,
				  .parser = parse_common_option};
const struct argp options_common = {.options = common_rows,
				    .parser = parse_common_option};

void options_columns(const struct options *o, const struct column *columns,
		     const char *sort)
{
	struct sfab_err err;

	if (o->helpformat) {
		table_help(columns, stdout);
		exit(STATUS_FINE);
	}
	if (table_check(columns, o->view.format, sort, &err) != 0) {
		say_error(&err);
		exit(STATUS_USAGE);
	}
}

/*
 * argp_error() does not return here, as argp exits on errors unless told
 * otherwise.  The message is like "sfabric place: nodes '0' (expected 1-4096)".
 */
unsigned long options_count(struct argp_state *state, const char *what,
			    const char *text, unsigned long least,
			    unsigned long most)
{
	uint64_t value;

	if (number_parse(text, most, &value) != 0 || value < least)
		argp_error(state, "%s '%s' (expected %lu-%lu)", what, text,
			   least, most);
	return value;
}

double options_number(struct argp_state *state, const char *what,
		      const char *text, double least, double most)
{
	char *end;
	double value = strtod(text, &end);

	/*
	 * The range is asked in this form so that "nan", which strtod() takes,
	 * is refused.
	 */
	if (end == text || *end || !(value >= least && value <= most))
		argp_error(state, "%s '%s' (expected a number, %g to %g)",
			   what, text, least, most);
	return value;
}

/* Engines of OpenSM 3.3 and of UFM's SM, and the words that OpenSM takes among them. */
#define ENGINES "minhop|updn|dnup|ftree|lash|dor|torus-2QoS|nue|dfsssp|sssp|file|" \
	"no_fallback|chain|pqft|dfp|dfp2|kdor-hc|kdor-ghc|ar_updn|ar_ftree|ar_torus|ar_dor"

static int is_engine(const char *name)
{
	size_t n = strlen(name);

	for (const char *p = ENGINES; *p; p += *p == '|') {
		size_t word = strcspn(p, "|");

		if (word == n && strncmp(p, name, n) == 0)
			return 1;
		p += word;
	}
	return 0;
}

/* They become a line of opensm.conf. */
void options_engines(struct argp_state *state, const char *what, const char *text)
{
	char *names = need_copy(text), *rest = names, *name;

	if (!*text || strpbrk(text, " \t") || !sfab_engines_are_names(text))
		argp_error(state, "%s '%s' (expected routing engines of OpenSM: "
			   "ftree,updn)", what, printable(text, 0));
	while ((name = strsep(&rest, ","))) {
		char *meant = is_engine(name) ? need_copy("") :
						spelling_among(name, ENGINES);

		if (*meant)
			argp_error(state, "%s '%s': no such engine%s", what, name, meant);
		free(meant);
	}
	free(names);
}
