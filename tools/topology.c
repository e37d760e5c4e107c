/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology.c - `sfabric topology`: Slurm's topology.conf, made or compared
 *
 * Touches neither Slurm's files nor its daemon.
 */

#include "topology.h"

#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "command.h"
#include "say.h"
#include "set.h"
#include "site.h"

struct topology {
	struct options options;
	const char *nodes;
	const char *what;	/* "generate", "lint" */
	const char *file;	/* of lint */
};

static const struct argp_option option_rows[] = {
	{ "nodes", 'w', "SET", 0, "hosts that Slurm has as nodes (compute)", 1 },
	{ 0 }
};

static const struct argp_child children[] = { OPTIONS_CHILDREN_TABLE, { 0 } };

static int is_lint(const struct topology *t)
{
	return strcmp(t->what, "lint") == 0;
}

static void parse_word(struct argp_state *state, struct topology *t, char *arg)
{
	if (t->file || (t->what && !is_lint(t)))
		argp_error(state, "%s: one word too many", arg);
	else if (t->what)
		t->file = arg;
	else if (strcmp(arg, "generate") != 0 && strcmp(arg, "lint") != 0)
		argp_error(state, "%s: expected generate or lint FILE", arg);
	else
		t->what = arg;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct topology *t = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_init(state, children, &t->options);
		return 0;
	case 'w':
		t->nodes = arg;
		return 0;
	case ARGP_KEY_ARG:
		parse_word(state, t, arg);
		return 0;
	case ARGP_KEY_END:
		if (!t->options.helpformat && !t->what)
			argp_error(state, "generate or lint?");
		else if (!t->options.helpformat && is_lint(t) && !t->file)
			argp_error(state, "lint: which file?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	option_rows, parse_option, "generate\nlint FILE",
	"Make Slurm's topology.conf, or compare one with the cabling.",
	children, NULL, NULL,
};

/* The SET's hosts as flags by host; NULL with *err. */
static uint8_t *nodes_of(const struct site *site, const char *set,
			 struct sfab_err *err)
{
	const struct sfab_fabric *f = site->f;
	uint8_t *port = set_ports(site, set, err), *node;

	if (!port)
		return NULL;
	node = need(f->nhosts, sizeof(*node));
	for (uint32_t p = 0; p < f->nports; p++)
		if (port[p])
			node[f->ports[p].host] = 1;
	free(port);
	return node;
}

/* Lines of the file, unless a table was asked for. */
static int generate(const struct topology *t, const struct sfab_fabric *f,
		    const uint8_t *node, struct answer *a, struct sfab_err *err)
{
	const struct options *o = &t->options;
	int table = o->json || o->view.format || o->view.style != TABLE_TEXT;
	struct table *made = topology_make(f, node,
					   table ? NULL : a->out.file);

	if (!made)
		return sfab_fail(err, SFAB_ENOMEM, "out of memory");
	if (table)
		return answer_table(a, "switches", made, err);
	table_destroy(made);
	return STATUS_FINE;
}

static int lint(const struct topology *t, const struct sfab_fabric *f,
		const uint8_t *node, struct answer *a, struct sfab_err *err)
{
	struct topology_conf conf;
	struct table *found;
	uint32_t n = 0;
	int rc = -1;

	if (topology_conf_read(&conf, t->file, err) != 0)
		return -1;
	found = topology_lint(&conf, f, node, &n, err);
	if (found && !n && !t->options.json) {
		table_destroy(found);
		rc = STATUS_FINE;
	} else if (found) {
		rc = answer_table(a, "findings", found, err);
	}
	topology_conf_free(&conf);
	return rc == STATUS_FINE && n ? STATUS_FOUND : rc;
}

static int topology(void *ctx, struct answer *answer, struct sfab_err *err)
{
	const struct topology *t = ctx;
	struct site site;
	uint8_t *node;
	int rc = -1;

	if (site_open(&site, &t->options, &answer->report, err) != 0)
		return -1;
	node = nodes_of(&site, t->nodes, err);
	if (node)
		rc = is_lint(t) ? lint(t, site.f, node, answer, err) :
				  generate(t, site.f, node, answer, err);
	free(node);
	site_close(&site);
	return rc;
}

int cmd_topology(int argc, char **argv)
{
	struct topology t = { .nodes = "compute" };

	argp_parse(&argp, argc, argv, 0, NULL, &t);
	options_columns(&t.options, t.what && is_lint(&t) ?
			topology_finding_columns : topology_switch_columns,
			NULL);
	return answer_run("topology", &t.options, topology, &t);
}
