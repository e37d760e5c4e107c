/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - `sfabric COMMAND`: the table of commands
 *
 * A command only sees its own words, with "sfabric NAME" in place of the program's name, so
 * that its usage and its errors name it.  Nothing is done here that needs a fabric or Slurm.
 */

#include <argp.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "io/spelling.h"
#include "tools/cmd/cmd.h"
#include "tools/config.h"
#include "tools/ui/say.h"
#include "tools/ui/status.h"
#include "tools/ui/xalloc.h"

/*
 * In the order of --help, which is that of work: get a fabric, look at it, place jobs, look
 * back.
 */
static const struct command commands[] = {
	{ "synth", cmd_synth, "make a fabric as a netlist for ibsim" },
	{ "import", cmd_import, "read files of a fabric, write a snapshot" },
#ifdef HAVE_INFINIBAND
	{ "collect", cmd_collect, "read the fabric itself, write a snapshot" },
#endif
	{ "receive", cmd_receive, "receive the files of collect on another machine" },
	{ "show", cmd_show, "what a snapshot holds" },
	{ "route", cmd_route, "the path from one host to another and back" },
	{ "load", cmd_load, "what each link carries between two sets of hosts" },
	{ "plot", cmd_plot, "heat maps of spine ports" },
	{ "audit", cmd_audit, "what is wrong with fabric and routes, and what helps" },
	{ "whatif", cmd_whatif, "try a change with the real OpenSM" },
	{ "place", cmd_place, "where a job would go, why, and what it gains" },
	{ "policy", cmd_policy, "what the site's script decides about a job" },
	{ "predict", cmd_predict, "what a job gets on given nodes" },
	{ "top", cmd_top, "the hottest links now, and the jobs on them" },
	{ "web", cmd_web, "a page with the live map, the jobs and whom they meet" },
	{ "rotate", cmd_rotate, "rate of each node when half of them send at once" },
	{ "order", cmd_order, "in which order the nodes of a job take its ranks" },
	{ "topology", cmd_topology, "make or check Slurm's topology.conf" },
	{ "explain", cmd_explain, "why a job went where it went" },
	{ "report", cmd_report, "is it worth it? --links: which jobs meet now?" },
	{ "learn", cmd_learn, "what running jobs send, found out by counters" },
	{ "replay", cmd_replay, "compare placement policies on thousands of jobs" },
	{ "metrics", cmd_metrics, "fabric, counters and decisions as text for Prometheus" },
	{ "check", cmd_check, "whether Slurm uses sfabric, and with which fabric" },
	{ 0 }
};

static void print_version(FILE *out, struct argp_state *state)
{
	fprintf(out, "sfabric %s\n", PACKAGE_VERSION);
}

static error_t refuse_no_command(int key, char *arg, struct argp_state *state)
{
	if (key != ARGP_KEY_NO_ARGS)
		return ARGP_ERR_UNKNOWN;
	argp_error(state, "no COMMAND");
	return 0;
}

/* Let argp handle --help, --version and mistakes before a command.  It ends the program. */
static void parse_options(int argc, char **argv)
{
	char *doc = xstrdup("Routes, loads and job placement on InfiniBand and Omni-Path "
			    "fabrics.\vCommands:\n");
	struct argp argp = {
		.parser = refuse_no_command, .args_doc = "COMMAND [OPTION...]",
	};

	for (const struct command *c = commands; c->name; c++)
		xjoin(&doc, "", "  %-12s%s\n", c->name, c->doc);
	argp.doc = doc;
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, NULL);
	free(doc);
}

/* Return the command of that name, or NULL with a line that says that there is none. */
static const struct command *find_command(const char *name)
{
	struct sfab_spelling spelling = sfab_spelling_start(name);

	for (const struct command *c = commands; c->name; c++) {
		if (strcmp(c->name, name) == 0)
			return c;
		sfab_spelling_offer(&spelling, c->name);
	}
	if (spelling.best)
		say("%s: no such command (did you mean '%s'? sfabric --help lists them)", name,
		    spelling.best);
	else
		say("%s: no such command (sfabric --help lists them)", name);
	return NULL;
}

int main(int argc, char **argv)
{
	static char help[] = "--help";
	const struct command *command;
	char *name;
	int status;

	/*
	 * For libsmartcols, which asks how wide a character is.  Numbers and times keep the
	 * form of C, as programs read them.
	 */
	setlocale(LC_CTYPE, "");
	argp_err_exit_status = STATUS_USAGE;
	argp_program_version_hook = print_version;
	argv[0] = "sfabric";
	/* -h is "no header" for commands; alone it can only ask for help. */
	if (argc == 2 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0))
		argv[1] = help;
	/* "sfabric help COMMAND" equals "sfabric COMMAND --help". */
	if (argc > 2 && strcmp(argv[1], "help") == 0) {
		argv[1] = argv[2];
		argv[2] = help;
		argc = 3;
	}
	if (argc < 2 || *argv[1] == '-')
		parse_options(argc, argv);
	command = argc > 1 ? find_command(argv[1]) : NULL;
	if (!command)
		return STATUS_USAGE;
	name = xstrfmt("sfabric %s", command->name);
	argv[1] = name;
	status = command->run(argc - 1, argv + 1);
	free(name);
	return status;
}
