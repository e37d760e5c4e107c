/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_show.c - `sfabric show THING`: tables of the contents of a snapshot
 *
 * Each table has its columns and a function that fills it.  Names, sorting and cutting are done
 * here for all of them in the same way.
 */

#include "tools/show/show.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "io/hostlist.h"
#include "io/spelling.h"
#include "tools/cmd/cmd.h"
#include "tools/site/warnings.h"
#include "tools/slurm/cluster.h"
#include "tools/ui/answer.h"
#include "tools/ui/xalloc.h"

static const struct show_table *const choices[] = {
	&show_fabric, &show_switches, &show_hosts, &show_links, &show_io, &show_jobs,
	&show_counters, &show_classes, &show_packing, &show_config, NULL
};

struct show {
	struct preview_options preview;
	const struct show_table *choice;
	const char *sort, *nodes;
	char *names;			/* hostlist of rows to keep; NULL: all */
	uint32_t top;			/* 0: all */
};

static const struct option_row rows[] = {
	{ "sort", "[-]FIELD,...", 1, "Sort by these fields; '-' puts the largest first",
	  KEEP_TEXT, .offset = offsetof(struct show, sort) },
	{ "top", "N", 1, "Print only the first N rows", KEEP_COUNT,
	  .offset = offsetof(struct show, top), 1, UINT32_MAX },
	{ "jobs", "FILE", 1, "Running jobs, lines of ID HOSTLIST [TRAFFIC]", KEEP_TEXT,
	  .offset = offsetof(struct show, preview.options.jobs) },
	{ "slurm", NULL, 1, "Running jobs, or nodes of 'fabric', as Slurm has them", KEEP_YES,
	  .offset = offsetof(struct show, preview.slurm) },
	{ "counters", "FILE", 1, "What 'counters' shows (default: Counters of sfabric.conf)",
	  KEEP_TEXT, .offset = offsetof(struct show, preview.counters) },
	{ "nodes", "HOSTLIST", 1, "Slurm's nodes: 'fabric' warns about nodes that are not on "
	  "it, and about hosts that are neither node nor IO (--slurm: ask Slurm for them)",
	  KEEP_TEXT, .offset = offsetof(struct show, nodes) },
	{ "keep", NULL, 1, "Keep what 'packing' finds beside the snapshot, so that others need "
	  "not play", KEEP_YES, .offset = offsetof(struct show, preview.keeps_packing) },
	{ 0 }
};

static const struct option_group groups[] = { OPTIONS_OF_TABLE, { 0 } };

/*
 * Take the THING first, then names.  Names are joined to one hostlist, so "n[1-4] n9" may be
 * two words or one.
 */
static void take_word(struct show *s, const char *word, struct argp_state *state)
{
	struct sfab_spelling spelling = sfab_spelling_start(word);

	if (s->choice) {
		xjoin(&s->names, ",", "%s", word);
		return;
	}
	for (int i = 0; choices[i]; i++) {
		if (strcmp(choices[i]->name, word) == 0) {
			s->choice = choices[i];
			return;
		}
		sfab_spelling_offer(&spelling, choices[i]->name);
	}
	argp_error(state, "%s: nothing of that name to show%s (expected fabric, "
		   "switches, hosts, links, io, jobs, counters, classes, packing or config)",
		   word, sfab_spelling_question(&spelling));
}

static error_t parse_show_option(int key, char *arg, struct argp_state *state)
{
	struct show *s = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		take_word(s, arg, state);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "nothing to show (expected fabric, switches, "
			   "hosts, links, io, jobs, counters, classes, packing or config)");
		return 0;
	case ARGP_KEY_END:
		/* --jobs FILE or --slurm: one of them, and not both. */
		if (s->choice == &show_jobs &&
		    !s->preview.options.jobs == !s->preview.slurm)
			argp_error(state, "no jobs (expected --slurm or --jobs FILE)");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct show, preview.options),
	.parse = parse_show_option,
	.args = "fabric|switches|hosts|links|io|jobs|counters|classes|packing|config [NAME...]",
	.doc = "Show what a snapshot holds. With NAMEs (hosts, switches, IO sets or job ids, as "
	       "a hostlist), only their rows.",
};

/*
 * Warn about nodes without a port and hosts that are no nodes.  The nodes are the names that
 * were given, else Slurm's if Slurm is to be asked.  -1: Slurm does not answer.
 */
static int warnings_of_named_nodes(const struct show *s, const struct site *site,
				   struct reply *r, struct sfab_err *err)
{
	char *list = NULL;
	int rc;

	if (s->nodes)
		return warnings_of_nodes(r, site->f, site->io, s->nodes, err);
	if (!s->preview.slurm)
		return 0;
	list = cluster_hostlist(err);
	rc = list ? warnings_of_nodes(r, site->f, site->io, list, err) : -1;
	free(list);
	return rc;
}

/* Fill the table of the thing.  Only `fabric` warns of what is odd about the fabric. */
static int fill_table(const struct show *s, struct reply *r,
		      struct table *t, struct sfab_err *err)
{
	const struct show_table *choice = s->choice;
	struct site site = { 0 };
	const struct show_request ask = { &s->preview, &site, r };
	int rc = 0;

	/* A configuration can be looked at before there is any snapshot; jobs open their own. */
	if (choice == &show_config) {
		site.conf = site_conf(&s->preview.options, err);
		rc = site.conf ? 0 : -1;
	} else if (choice != &show_jobs) {
		rc = site_open(&site, &s->preview.options, r, err);
	}
	if (rc != 0)
		return -1;
	if (choice->fill)
		choice->fill(&site, t);
	else
		rc = choice->fill_from(&ask, t, err);
	if (choice == &show_fabric) {
		warnings_of_fabric(r, site.f);
		warnings_of_iosets(r, site.f, site.io);
		warnings_of_source(r, site.f, site.conf, site.path);
		rc = warnings_of_named_nodes(s, &site, r, err);
	}
	site_close(&site);
	return rc;
}

/*
 * Print the table.  Rows are selected by name, then sorted, then cut, as "--sort -down --top 3
 * leaf-[1-9]" asks for.  Names are a host list; one that no row has is an error.
 */
static int run_show(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct show *s = ctx;
	struct table *t = table_create(s->choice->columns);
	struct sfab_names names = { 0 };
	int rc = fill_table(s, &a->reply, t, err);

	if (rc == 0 && s->names)
		rc = sfab_hostlist_expand(s->names, &names, err);
	if (rc == 0 && s->names)
		rc = table_keep(t, (const char *const *) names.name, names.n, err);
	sfab_names_free(&names);
	if (rc == 0 && s->sort)
		rc = table_sort(t, s->sort, err);
	if (rc == 0 && s->top)
		table_top(t, s->top);
	if (rc == 0)
		return answer_table(a, s->choice->key, t, err);
	table_destroy(t);
	return rc;
}

int cmd_show(int argc, char **argv)
{
	struct show s = { 0 };
	struct table_view *view = &s.preview.options.view;
	int status;

	options_parse(&usage, argc, argv, &s);
	options_columns(&s.preview.options, s.choice->columns, s.sort);
	/* A wide table of one row reads better as a list. */
	if (view->style == TABLE_TEXT && !view->format && s.choice == &show_fabric)
		view->style = TABLE_LIST;
	status = answer_run("show", &s.preview.options, run_show, &s);
	free(s.names);
	return status;
}
