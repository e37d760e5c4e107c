/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_topology.c - `sfabric topology`: Slurm's topology.conf or topology.yaml, generated or
 * compared
 *
 * Touches neither Slurm's files nor its daemon.
 *
 * Slurm knows the switches of a cluster only by this file, and topology/tree places by it.
 * generate makes it from the cabling; diff looks for what is wrong or different in a file.
 * Output is for the administrator to look at and install.
 */

#include "tools/topology/topology.h"

#include <stddef.h>
#include <stdlib.h>

#include "tools/cmd/cmd.h"
#include "tools/site/hostset.h"
#include "tools/site/site.h"
#include "tools/ui/answer.h"

#define VERBS "generate|diff"
enum verb { VERB_NONE = -1, GENERATE, DIFF };

struct topology {
	struct options options;
	const char *nodes;
	enum verb verb;
	const char *file;		/* of diff */
	int is_yaml;
};

static const struct option_row option_rows[] = {
	{ "nodes", "SET", 1, "Hosts that Slurm has as nodes (compute)", KEEP_TEXT,
	  .offset = offsetof(struct topology, nodes), .letter = 'w' },
	{ "yaml", NULL, 1, "generate: topology.yaml, of Slurm 25.05 and later", KEEP_YES,
	  .offset = offsetof(struct topology, is_yaml) },
	{ 0 }
};

static const struct option_group groups[] = { OPTIONS_OF_SETS, OPTIONS_OF_TABLE, { 0 } };

/* Is a table or JSON asked for?  Otherwise generate prints the file itself. */
static int wants_table(const struct options *o)
{
	return o->json || o->view.format || o->view.style != TABLE_TEXT;
}

/* Take a word: the first is the subcommand, the second the file of diff. */
static void parse_topology_word(struct argp_state *state, struct topology *t,
				char *arg)
{
	if (t->verb == VERB_NONE) {
		t->verb = (enum verb) options_word(arg, VERBS);
		if (t->verb == VERB_NONE)
			argp_error(state, "%s: no such subcommand%s (expected generate "
				   "or diff FILE)", arg, options_meant(arg, VERBS));
	} else if (t->verb == DIFF && !t->file) {
		t->file = arg;
	} else {
		argp_error(state, "%s: unexpected argument", arg);
	}
}

static error_t parse_topology_option(int key, char *arg,
				     struct argp_state *state)
{
	struct topology *t = state->input;

	if (key == ARGP_KEY_ARG) {
		parse_topology_word(state, t, arg);
		return 0;
	}
	if (key != ARGP_KEY_END)
		return ARGP_ERR_UNKNOWN;
	if (t->options.helpformat)	/* works without a subcommand */
		return 0;
	if (t->verb == VERB_NONE)
		argp_error(state, "no subcommand (expected generate or diff)");
	if (t->verb == DIFF && !t->file)
		argp_error(state, "diff: no FILE");
	if (t->is_yaml && (t->verb == DIFF || wants_table(&t->options)))
		argp_error(state, "--yaml is for generate, and no table");
	return 0;
}

static const struct command_line usage = {
	.options = option_rows, .groups = groups, .common = offsetof(struct topology, options),
	.parse = parse_topology_option, .args = "generate\ndiff FILE",
	.doc = "Make Slurm's topology.conf or topology.yaml, or compare one with the cabling.",
};

/*
 * Print the lines of the file, like "SwitchName=leaf-1 Nodes=n[1-18]", unless a table was
 * requested.
 */
static int run_generate(const struct topology *t, const struct sfab_fabric *f,
			const uint8_t *node, struct answer *a,
			struct sfab_err *err)
{
	struct topology_conf generated;
	int status = topology_make(&generated, f, node, &a->reply, err);

	if (status != 0)
		return status;
	if (wants_table(&t->options))
		status = answer_table(a, "switches", topology_table(&generated), err);
	else if (t->is_yaml)
		topology_print_yaml(&generated, a->out.file);
	else
		topology_print_conf(&generated, a->out.file);
	topology_conf_free(&generated);
	return status;
}

/*
 * Compare the file with what generate would write.  A switch is known by its nodes; that its
 * name differs is a finding, too.  Prints nothing if nothing was found.
 */
static int run_diff(const struct topology *t, const struct sfab_fabric *f,
		    const uint8_t *node, struct answer *a, struct sfab_err *err)
{
	struct topology_conf conf, generated;
	struct table *findings = NULL;
	int status = STATUS_FINE;
	uint32_t n;

	if (topology_conf_read(&conf, t->file, err) != 0)
		return -1;
	if (topology_make(&generated, f, node, &a->reply, err) == 0) {
		findings = topology_diff(&conf, &generated, f, node, &a->reply, err);
		topology_conf_free(&generated);
	}
	topology_conf_free(&conf);
	if (!findings)
		return -1;
	n = table_rows(findings);
	if (n || a->options->json)
		status = answer_table(a, "findings", findings, err);
	else
		table_destroy(findings);
	return status == STATUS_FINE && n ? STATUS_FOUND : status;
}

static int run_topology(void *ctx, struct answer *answer, struct sfab_err *err)
{
	const struct topology *t = ctx;
	struct site site;
	uint8_t *node;
	int status = -1;

	if (site_open(&site, &t->options, &answer->reply, err) != 0)
		return -1;
	node = hostset_hosts(&site, t->nodes, err);
	if (node)
		status = (t->verb == DIFF ? run_diff : run_generate)(t, site.f, node, answer, err);
	free(node);
	site_close(&site);
	return status;
}

int cmd_topology(int argc, char **argv)
{
	struct topology t = { .nodes = "compute", .verb = VERB_NONE };

	options_parse(&usage, argc, argv, &t);
	options_columns(&t.options, t.verb == DIFF ? topology_finding_columns :
			topology_switch_columns, NULL);
	return answer_run("topology", &t.options, run_topology, &t);
}
