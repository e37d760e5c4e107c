/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_check.c - `sfabric check`: would placement work here, and if not, why not
 *
 * Asks Slurm and reads files; changes nothing.
 */

#include "tools/check/check.h"

#include <stdlib.h>

#include "tools/cmd/cmd.h"
#include "tools/ui/answer.h"

static const struct option_group groups[] = { OPTIONS_OF_TABLE, { 0 } };

static const struct command_line usage = {
	.groups = groups,
	.doc = "Check whether Slurm uses sfabric here, with which fabric, and what is "
	       "wrong.\vExit status 3: something is wrong.",
};

/*
 * Make every check, each of which adds rows; none ends the command.  Slurm comes first, as the
 * others need its folders and its user.
 */
static int run_check(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct check c = {
		.options = ctx,
		.reply = &a->reply,
		.table = table_create(check_columns),
	};
	struct sfab_err why;
	int rc;

	/* Without Slurm's answer later checks know less, but still run. */
	c.has_slurm = slurmfacts_ask(&c.slurm, &why) == 0;
	c.trust = (struct sfab_trust) { .check = c.has_slurm, .uid = c.slurm.uid };
	if (c.has_slurm) {
		check_add(&c, "slurm", VERDICT_FINE,
			  "Slurm %s answers; its configuration is %s",
			  c.slurm.version, c.slurm.conf);
		check_plugin(&c);
		check_spank(&c);
	} else {
		check_add(&c, "slurm", VERDICT_WRONG, "%s", why.text);
	}
	check_site(&c);
	rc = answer_table(a, "checks", c.table, err);
	slurmfacts_free(&c.slurm);
	free(c.plugin);
	if (rc < 0)
		return rc;
	return c.nwrong ? STATUS_FOUND : STATUS_FINE;
}

int cmd_check(int argc, char **argv)
{
	struct options o = { 0 };

	options_parse(&usage, argc, argv, &o);
	options_columns(&o, check_columns, NULL);
	return answer_run("check", &o, run_check, &o);
}
