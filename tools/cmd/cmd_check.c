/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_check.c - `sfabric check`: would placement work here, and if not, why not
 *
 * Asks Slurm and reads files; changes nothing.
 */

#include "tools/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/ui/answer.h"
#include "tools/ui/say.h"

static const struct argp_child children[] = {
	OPTIONS_CHILDREN_TABLE, { &options_color, 0, NULL, 2 }, { 0 }
};

/* The input is the struct options itself. */
static const struct option_field kept_check_options[] = {
	{ ARGP_KEY_INIT, KEEP_CHILDREN, 0, .of = children }, { 0 }
};

static error_t parse_check_option(int key, char *arg, struct argp_state *state)
{
	return options_keep(kept_check_options, state, key, arg);
}

static const struct argp argp = {
    NULL,
    parse_check_option,
    NULL,
    "Check whether Slurm uses sfabric here, with which fabric, and what is "
    "wrong.\vExit status 3: something is wrong.",
    children,
    NULL,
    NULL,
};

/* Other words, as in the heading, stay plain. */
static enum color_of color_of_verdict(const char *word, size_t size)
{
	static const enum color_of of[] = {
		[VERDICT_FINE] = COLOR_FINE, [VERDICT_WRONG] = COLOR_BAD,
		[VERDICT_UNKNOWN] = COLOR_ODD,
	};

	for (int v = VERDICT_FINE; v <= VERDICT_UNKNOWN; v++)
		if (strlen(check_verdicts[v]) == size &&
		    strncmp(check_verdicts[v], word, size) == 0)
			return of[v];
	return COLOR_PLAIN;
}

/*
 * The verdict is the second word of each line.  libsmartcols aligned the table
 * already; colors are added to its text, so they cannot move columns.
 */
static void put_colored(const char *text, FILE *out)
{
	for (const char *line = text, *end; *line; line = end) {
		const char *word = line + strcspn(line, " \n");
		size_t size;
		char *verdict;

		end = line + strcspn(line, "\n");
		end += *end == '\n';
		word += strspn(word, " ");
		size = strcspn(word, " \n");
		verdict = need_text("%.*s", (int) size, word);
		fwrite(line, 1, (size_t) (word - line), out);
		color_put(out, 1, color_of_verdict(word, size), 0, verdict);
		fwrite(word + size, 1, (size_t) (end - word) - size, out);
		free(verdict);
	}
}

/* A table in the usual columns, with the verdicts in color. */
static int print_colored(const struct check *c, FILE *out, struct sfab_err *err)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);
	int rc;

	if (!memory)
		return sfab_no_memory(err);
	rc = table_print(c->table, &c->options->view, memory, err);
	fclose(memory);
	if (rc == 0)
		put_colored(text, out);
	free(text);
	table_destroy(c->table);
	return rc;
}

/*
 * Every check adds rows; none ends the command.  Slurm first, as the others
 * need its folders and its user.
 */
static int run_check(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct check c = {
		.options = ctx,
		.report = &a->report,
		.table = table_create(check_columns),
	};
	struct sfab_err why;
	int rc, plain;

	/* Without Slurm's answer later checks know less, but still run. */
	c.has_slurm = slurmfacts_ask(&c.slurm, &why) == 0;
	if (!c.has_slurm)
		check_add(&c, "slurm", VERDICT_WRONG, "%s", why.text);
	else
		check_add(&c, "slurm", VERDICT_FINE,
			  "Slurm %s answers; its configuration is %s",
			  c.slurm.version, c.slurm.conf);
	check_plugin(&c);
	check_spank(&c);
	check_fabric(&c);
	/* With -o or -P the second word may be anything. */
	plain = !c.options->json && !c.options->view.format &&
		c.options->view.style == TABLE_TEXT;
	rc = plain && color_wanted(c.options->color, a->out.file) ?
	     print_colored(&c, a->out.file, err) :
	     answer_table(a, "checks", c.table, err);
	slurmfacts_free(&c.slurm);
	free(c.plugin);
	if (rc < 0)
		return rc;
	return c.wrong ? STATUS_FOUND : STATUS_FINE;
}

int cmd_check(int argc, char **argv)
{
	struct options o = { 0 };

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	options_columns(&o, check_columns, NULL);
	return answer_run("check", &o, run_check, &o);
}
