/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_check.c - `sfabric check`: would placement work here, and if not, why not
 *
 * Asks Slurm and reads files; changes nothing.
 */

#include "tools/check/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/command.h"
#include "tools/ui/answer.h"
#include "tools/ui/say.h"

static const struct argp_child children[] = { OPTIONS_CHILDREN_TABLE, { 0 } };

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
	int rc;

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
	options_columns(&o, check_columns, NULL);
	return answer_run("check", &o, run_check, &o);
}
