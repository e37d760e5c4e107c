/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_options.c - sbatch's options on our command line; see job_options.h
 *
 * argp gets its rows from the table of sbatch's options, so that a command and a
 * #SBATCH line accept the same.
 */

#include "tools/slurm/job_options.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/say.h"

#define KEY_SBATCH 0x1000	/* keys of options without a letter */

void job_options_init(struct job_options *o)
{
	memset(o, 0, sizeof(*o));
	sbatch_init(&o->checked);
}

void job_options_free(struct job_options *o)
{
	free(o->given);
	batch_script_free(&o->script);
	memset(o, 0, sizeof(*o));
}

/* Letters are below 256, so the two ranges do not meet. */
static int key_of_option(size_t i)
{
	int letter = sbatch_options[i].letter;

	return letter ? letter : KEY_SBATCH + (int) i;
}

/* Options without a text are accepted, but --help does not list them. */
static struct argp_option make_row(size_t i)
{
	const struct sbatch_option *from = &sbatch_options[i];
	struct argp_option row = {
	    .name = from->name,
	    .key = key_of_option(i),
	    .doc = from->doc,
	    .group = 1,
	};

	if (!(from->flags & SBATCH_NO_VALUE))
		row.arg = from->value;
	if (from->flags & SBATCH_MAY_HAVE_VALUE)
		row.flags |= OPTION_ARG_OPTIONAL;
	if (!from->doc)
		row.flags |= OPTION_HIDDEN;
	return row;
}

/*
 * A command's own rows come first, and so do its options in --help.  The table
 * ends with a row of zeros, which need() made.
 */
struct argp_option *job_options_rows(const struct argp_option *own, size_t n)
{
	struct argp_option *rows;
	size_t k = n, all = 0;

	while (sbatch_options[all].name)
		all++;
	rows = need(n + all + 1, sizeof(*rows));
	memcpy(rows, own, n * sizeof(*rows));
	for (size_t i = 0; i < all; i++)
		if (!(sbatch_options[i].flags & SBATCH_SCRIPT_ONLY))
			rows[k++] = make_row(i);
	return rows;
}

/* NULL: not an option of sbatch, or one for scripts only. */
static const struct sbatch_option *find_argp_option(int key)
{
	for (size_t i = 0; sbatch_options[i].name; i++)
		if (!(sbatch_options[i].flags & SBATCH_SCRIPT_ONLY) &&
		    key_of_option(i) == key)
			return &sbatch_options[i];
	return NULL;
}

int job_options_component(struct job_options *o, int argc, char **argv)
{
	int n = 1;

	while (n < argc && strcmp(argv[n], ":") != 0)
		n++;
	if (n >= argc)
		return argc;
	o->het = 1;
	argv[n] = NULL;
	return n;
}

/*
 * Values are checked at once, so that the message names the option, and stored
 * for later: what the script says has to be set before them.
 */
error_t job_options_parse(struct job_options *o, int key, char *arg,
			  struct argp_state *state)
{
	const struct sbatch_option *option = find_argp_option(key);
	struct sfab_err err = { 0 };

	if (key == ARGP_KEY_ARG) {
		if (!o->path)	/* the rest belongs to the script */
			o->path = arg;
		return 0;
	}
	if (!option)
		return ARGP_ERR_UNKNOWN;
	if (sbatch_set(&o->checked, option, arg, &err) != 0)
		argp_error(state, "%s", err.text);
	o->given = need_more(o->given, o->ngiven, sizeof(*o->given));
	o->given[o->ngiven++] = (struct given){ option, arg };
	return 0;
}

/* A "64" that is no file was meant as a number of nodes. */
static int read_script(struct job_options *o, struct sfab_err *err)
{
	struct sfab_err wrong;

	if (batch_script_read(&o->script, o->path, err) == 0)
		return 0;
	wrong = *err;
	if (!o->path[strspn(o->path, "0123456789")])
		return sfab_fail(err, wrong.code, "%s (expected a batch script; "
				 "-N %s asks for %s nodes)", wrong.text, o->path,
				 o->path);
	return -1;
}

int job_options_read(struct job_options *o, enum job_env env,
		     struct sbatch *job, struct report *r, struct sfab_err *err)
{
	const char *slash;

	sbatch_init(job);
	job->flags |= o->het ? SBATCH_HET : 0;
	if (o->path && (read_script(o, err) != 0 ||
			sbatch_set_script(job, &o->script, err) != 0))
		return -1;
	if (o->script.other)
		report_warning(r, "%s: #PBS and #BSUB lines are not read",
			       o->path);
	if (env == JOB_WITH_ENV && sbatch_set_env(job, err) != 0)
		return -1;
	/* The command line comes last, and so overrides both. */
	for (uint32_t i = 0; i < o->ngiven; i++)
		if (sbatch_set(job, o->given[i].option, o->given[i].value,
			       err) != 0)
			return -1;
	/* sbatch names a job after its script. */
	slash = o->path ? strrchr(o->path, '/') : NULL;
	if (!job->name)
		job->name = slash ? slash + 1 : o->path;
	return 0;
}

/* Options that would change what sbatch itself does. */
static int is_kept(const char *name)
{
	static const char *const kept[] = {
		"wrap", "test-only", "parsable", "quiet",
	};

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (strcmp(name, kept[i]) == 0)
			return 1;
	return 0;
}

/*
 * Long names with "=", whatever was typed: -N4 becomes --nodes=4.  That is one
 * word for each option, also where a value is optional.
 */
char **job_options_words(const struct job_options *o, uint32_t *n)
{
	char **word = NULL;

	*n = 0;
	for (uint32_t i = 0; i < o->ngiven; i++) {
		const char *name = o->given[i].option->name;
		const char *value = o->given[i].value;

		if (is_kept(name))
			continue;
		word = need_more(word, *n, sizeof(*word));
		word[(*n)++] = need_text("--%s%s%s", name, value ? "=" : "",
					 value ? value : "");
	}
	return word;
}
