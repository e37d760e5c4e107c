/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.c - `sfabric check`: would placement work here, and if not, why not
 *
 * Asks Slurm and reads files; changes nothing.
 */

#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "answer.h"
#include "command.h"
#include "say.h"

enum { C_CHECK, C_STATE, C_FOUND };

static const struct column columns[] = {
	{ "check", "what was looked at", COLUMN_TEXT, 0, 0 },
	{ "state", "fine, wrong, or unknown (cannot be seen from here)",
	  COLUMN_TEXT, 0, 0 },
	{ "found", "what it is, and what to do about it", COLUMN_TEXT, 0, 0 },
	{ 0 }
};

static const struct argp_child children[] = { OPTIONS_CHILDREN_TABLE, { 0 } };

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	options_init(state, children, state->input);
	return 0;
}

static const struct argp argp = {
	NULL, parse_option, NULL,
	"Say in plain words whether Slurm uses sfabric here, with which fabric, "
	"and what is wrong.\vExit status 3: something is wrong.",
	children, NULL, NULL,
};

void check_add(struct check *c, const char *what, enum verdict v,
	       const char *fmt, ...)
{
	static const char *const names[] = { "fine", "wrong", "unknown" };
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	table_row(c->table);
	table_text(c->table, C_CHECK, what);
	table_text(c->table, C_STATE, names[v]);
	table_text(c->table, C_FOUND, text);
	c->wrong += v == VERDICT_WRONG;
}

static void check_slurm(struct check *c)
{
	struct sfab_err err;

	c->has_slurm = slurmfacts_ask(&c->slurm, &err) == 0;
	if (!c->has_slurm)
		check_add(c, "slurm", VERDICT_WRONG, "%s", err.text);
	else
		check_add(c, "slurm", VERDICT_FINE,
			  "Slurm %s answers; its configuration is %s",
			  c->slurm.version, c->slurm.conf);
}

static int check(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct check c = {
		.options = ctx,
		.report = &a->report,
		.table = table_create(columns),
	};
	int rc;

	check_slurm(&c);
	check_plugin(&c);
	check_fabric(&c);
	rc = answer_table(a, "checks", c.table, err);
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
	options_columns(&o, columns, NULL);
	return answer_run("check", &o, check, &o);
}
