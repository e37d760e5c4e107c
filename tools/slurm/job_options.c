/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_options.c - sbatch's options on our command line; see job_options.h
 *
 * A command gets its rows from the table of sbatch's options, so that it and a #SBATCH line
 * accept the same.
 */

#include "tools/slurm/job_options.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/xalloc.h"

void job_options_free(struct job_options *o)
{
	free(o->rows);
	free(o->given);
	batch_script_free(&o->script);
	memset(o, 0, sizeof(*o));
}

/*
 * Check a value at once, so that the message names the option, and store it for later.  What
 * the script says has to be set before it.
 */
static void take_sbatch_option(struct argp_state *state, const struct option_row *row, void *value,
			       char *arg)
{
	struct job_options *o = value;
	struct sfab_err err = { 0 };

	if (sbatch_set(&o->checked, row->data, arg, &err) != 0)
		argp_error(state, "%s", err.text);
	o->given = xgrow(o->given, o->ngiven, sizeof(*o->given));
	o->given[o->ngiven++] = (struct given_option){ row->data, arg };
}

void job_options_script(struct job_options *o, const char *path)
{
	if (!o->path)	/* the rest belongs to the script */
		o->path = path;
}

static void add_option_row(struct job_options *o, uint32_t *n, struct option_row row)
{
	o->rows = xgrow(o->rows, *n, sizeof(*o->rows));
	o->rows[(*n)++] = row;
}

const struct option_row *job_options_init(struct job_options *o, const struct option_row *rows,
					  size_t offset)
{
	uint32_t n = 0;

	memset(o, 0, sizeof(*o));
	sbatch_init(&o->checked);
	for (; rows && rows->name; rows++)
		add_option_row(o, &n, *rows);
	for (const struct sbatch_option *x = sbatch_options; x->name; x++)
		/* Options without a text are accepted, but --help does not list them. */
		if (!(x->flags & SBATCH_SCRIPT_ONLY))
			add_option_row(o, &n, (struct option_row) {
				.name = x->name, .letter = x->letter, .doc = x->doc, .part = 1,
				.arg = x->flags & SBATCH_NO_VALUE ? NULL : x->value,
				.flags = (x->flags & SBATCH_MAY_HAVE_VALUE ?
					  OPTION_ARG_OPTIONAL : 0) |
					 (x->doc ? 0 : OPTION_HIDDEN),
				.kind = KEEP_CALL, .offset = offset, .data = x,
				.call = take_sbatch_option,
			});
	add_option_row(o, &n, (struct option_row) { 0 });
	return o->rows;
}

int job_options_component(struct job_options *o, int argc, char **argv)
{
	int n = 1;

	while (n < argc && strcmp(argv[n], ":") != 0)
		n++;
	if (n >= argc)
		return argc;
	o->is_het = 1;
	argv[n] = NULL;
	return n;
}

int job_options_read(struct job_options *o, enum job_env env,
		     struct sbatch *job, struct reply *r, struct sfab_err *err)
{
	const char *slash;

	sbatch_init(job);
	job->ask.flags |= o->is_het ? SFAB_ASK_HET : 0;
	if (o->path && batch_script_read(&o->script, o->path, err) != 0) {
		struct sfab_err wrong = *err;

		/* A "64" that is no file was meant as a number of nodes. */
		if (!o->path[strspn(o->path, "0123456789")])
			sfab_fail(err, wrong.code, "%s (expected a batch script; -N %s asks "
				  "for %s nodes)", wrong.text, o->path, o->path);
		return -1;
	}
	if (o->path && sbatch_set_script(job, &o->script, err) != 0)
		return -1;
	if (o->script.has_other_lines)
		reply_warning(r, "%s: #PBS and #BSUB lines are not read",
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
	if (!job->ask.who.name)
		job->ask.who.name = slash ? slash + 1 : o->path;
	return 0;
}
