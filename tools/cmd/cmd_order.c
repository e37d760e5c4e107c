/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_order.c - `sfabric order`: in which order the nodes of a job take its ranks
 *
 * A job must get a list also if its nodes are not in the snapshot: the answer is then the order
 * of names, one line says why, and the status is that of a finding.
 */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/search/order.h"
#include "io/hostlist.h"
#include "tools/cmd/cmd.h"
#include "tools/site/hostset.h"
#include "tools/site/site.h"
#include "tools/ui/answer.h"
#include "tools/ui/printable.h"
#include "tools/ui/xalloc.h"

static const struct column columns[] = {
	{ "order", "name: by name; leaf: leaf by leaf, by port; found: by routes",
	  COLUMN_TEXT, 0, SHOWN },
	{ "slowdown", "time of the patterns on an idle fabric / on one without limits "
	  "between switches", COLUMN_NUMBER, 3, SHOWN },
	{ "alltoall", "the same of this pattern", COLUMN_NUMBER, 3, SHOWN_IF_ANY },
	{ "allreduce", "likewise, recursive halving", COLUMN_NUMBER, 3, SHOWN_IF_ANY },
	{ "ring", "likewise", COLUMN_NUMBER, 3, SHOWN_IF_ANY },
	{ "uniform", "likewise: any order is alike", COLUMN_NUMBER, 3, SHOWN_IF_ANY },
	{ "conflicts", "steps in which flows share a link", COLUMN_COUNT, 0, SHOWN },
	{ "nodes", "by rank", COLUMN_TEXT, 0, SHOWN_IF_ASKED },
	{ 0 }
};

/*
 * Formats are those of the launchers' manuals: Open MPI's mpirun(1) and its rankfile, MPICH's
 * Hydra, srun(1) with SLURM_HOSTFILE.
 */
#define LAUNCH_WORDS "hostfile|rankfile|mpich|nccl|slurm"

enum launch_format {
	LAUNCH_HOSTFILE,	/* Open MPI, mpirun --hostfile */
	LAUNCH_RANKFILE,	/* Open MPI, mpirun --rankfile */
	LAUNCH_MPICH,		/* MPICH and Intel MPI, mpiexec -f */
	LAUNCH_NCCL,		/* "RANK NODE": node ranks, for torchrun */
	LAUNCH_SLURM,		/* SLURM_HOSTFILE, srun --distribution=arbitrary */
	LAUNCH_NONE,
};

struct order_command {
	struct options options;
	char *job;			/* NULL: --nodes */
	const char *nodes;
	int pattern;			/* -1: the site's mix */
	enum launch_format format;	/* LAUNCH_NONE: a table */
	uint32_t tasks;
};

/*
 * Take a pattern's word; -1: the site's mix.  "halving" is what allreduce is here; texts use
 * both words.  uniform is not offered, as it knows no ranks.
 */
static void take_pattern(struct argp_state *state, const struct option_row *o, void *pattern,
			 char *word)
{
	static const int kinds[] = { SFAB_ALLTOALL, SFAB_ALLREDUCE, SFAB_ALLREDUCE, SFAB_RING, -1 };
	int i = options_word(word, "alltoall|allreduce|halving|ring|mix");

	if (i < 0)
		argp_error(state, "--pattern=%s (expected alltoall, allreduce, ring or mix)",
			   word);
	*(int *) pattern = kinds[i];
}

static const struct option_row option_rows[] = {
	{ "nodes", "HOSTLIST", 1, "Order these nodes", KEEP_TEXT,
	  .offset = offsetof(struct order_command, nodes) },
	{ "pattern", "PATTERN", 1, "What the ranks send: alltoall, allreduce, ring, or mix (the "
	  "site's MpiMix, default)", KEEP_CALL,
	  .offset = offsetof(struct order_command, pattern), .call = take_pattern },
	{ "ntasks-per-node", "N", 1, "Ranks on each node, for a launcher (1)", KEEP_COUNT,
	  .offset = offsetof(struct order_command, tasks), 1, 100000 },
	{ 0 }
};

static const struct option_group groups[] = { OPTIONS_OF_SETS, OPTIONS_OF_TABLE, { 0 } };

static error_t parse_order_option(int key, char *arg, struct argp_state *state)
{
	struct order_command *o = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (o->job)
			return ARGP_ERR_UNKNOWN;
		o->job = arg;
		return 0;
	case ARGP_KEY_END:
		if (!o->job == !o->nodes)
			argp_error(state, o->job ?
				   "both JOBID and --nodes were given" :
				   "JOBID or --nodes HOSTLIST is missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct command_line usage = {
	.options = option_rows, .groups = groups,
	.common = offsetof(struct order_command, options), .parse = parse_order_option,
	.args = "[JOBID]",
	.doc = "Order the nodes of a job so that its ranks meet least on the routes.\vWith "
	       "--format hostfile, rankfile (Open MPI), mpich, nccl (node ranks) or slurm "
	       "(SLURM_HOSTFILE) only the nodes are printed, as that launcher reads them.",
};

/* -- the answer ------------------------------------------------------------- */

struct order_answer {
	const char **node;		/* by rank; borrowed */
	uint32_t n;
	char *why;			/* why it is the order of names, or NULL */
	int status;
};

static int compare_node_names(const void *a, const void *b)
{
	return sfab_fabric_name_cmp(*(const char *const *) a, *(const char *const *) b);
}

/*
 * Add one of three rows, "name", "leaf" and "found", which show what the order gains.  Patterns
 * that are not in the mix stay empty.
 */
static void add_order_row(struct table *t, const struct sfab_fabric *f,
			  const struct sfab_order *o,
			  enum sfab_order_kind kind,
			  const double mix[SFAB_NPATTERNS])
{
	const struct sfab_mixed *steps = &o->steps[kind];
	uint64_t conflicts = 0;
	char *list;
	size_t size;
	FILE *nodes = xnonnull(open_memstream(&list, &size));

	table_row(t);
	table_text(t, "order", sfab_order_name(kind));
	table_number(t, "slowdown", steps->mean);
	for (int p = 0; p < SFAB_NPATTERNS; p++) {
		conflicts += steps->pattern[p].conflicts;
		if (mix[p] > 0)
			table_number(t, sfab_pattern_name((enum sfab_pattern) p),
				     steps->pattern[p].mean);
	}
	table_count(t, "conflicts", conflicts);
	for (uint32_t i = 0; i < o->n; i++)
		fprintf(nodes, "%s%s", i ? "," : "", f->hosts[o->host[kind][i]].name);
	fclose(nodes);
	table_text(t, "nodes", xnonnull(list));
	free(list);
}

/*
 * Return why the ranks are in the order of names; NULL: an order was searched for.  Caller
 * frees.
 */
static char *reason_text(const struct sfab_fabric *f, const struct sfab_order *o)
{
	switch (o->reason) {
	case SFAB_ORDER_FEW:
		return xstrfmt("%u node%s: any order is alike", o->n,
			       o->n == 1 ? "" : "s");
	case SFAB_ORDER_LOCAL:
		return xstrdup("all nodes are on one leaf: any order is alike");
	case SFAB_ORDER_UNCABLED:
		return xstrfmt("%s has no port in the fabric",
			       f->hosts[o->uncabled].name);
	default:
		return NULL;
	}
}

/*
 * Order the hosts; the table is filled unless the figures mean nothing.  A node without a port
 * has no routes, and no figures either.
 */
static int find_node_order(const struct order_command *c, const struct site *site,
			   const uint32_t *host, struct order_answer *ordered, struct table *t,
			   struct sfab_err *err)
{
	struct sfab_model *m = site_model(site);
	struct sfab_order_request rq = { .n = ordered->n, .host = host };
	struct sfab_order o;
	int rc;

	if (c->pattern < 0)
		memcpy(rq.mix, m->mix, sizeof(rq.mix));
	else
		rq.mix[c->pattern] = 1;
	rc = sfab_order_find(m, &rq, &o, err);
	if (rc == 0) {
		ordered->why = reason_text(site->f, &o);
		for (uint32_t i = 0; i < ordered->n; i++)
			ordered->node[i] = site->f->hosts[o.host[SFAB_ORDER_FOUND][i]].name;
		for (int k = 0; o.reason != SFAB_ORDER_UNCABLED && k < SFAB_NORDERS; k++)
			add_order_row(t, site->f, &o, (enum sfab_order_kind) k,
				      rq.mix);
		sfab_order_clear(&o);
	}
	sfab_model_destroy(m);
	return rc;
}

/*
 * Print lists for launchers: a line for each node ("n7 slots=4", "n7:4" or "3 n7"), or for each
 * of its ranks, which follow each other ("rank 12=n7 slot=0", or "n7").  After a table for
 * humans print a line "ranks: n3 n1 n2 n4".  Names are made printable: they may come from the
 * command line.
 */
static void print_ranks(const struct order_command *c, FILE *out,
			const struct order_answer *ordered)
{
	const struct table_view *v = &c->options.view;
	int is_plain = c->format == LAUNCH_NONE && !v->format && v->style == TABLE_TEXT &&
		       !v->noheader;

	for (uint32_t i = 0; i < ordered->n; i++) {
		char *name = printable(ordered->node[i], 0);

		if (c->format == LAUNCH_HOSTFILE)
			fprintf(out, "%s slots=%u\n", name, c->tasks);
		else if (c->format == LAUNCH_MPICH)
			fprintf(out, "%s:%u\n", name, c->tasks);
		else if (c->format == LAUNCH_NCCL)
			fprintf(out, "%u %s\n", i, name);
		for (uint32_t t = 0; t < c->tasks; t++)
			if (c->format == LAUNCH_RANKFILE)
				fprintf(out, "rank %u=%s slot=%u\n", i * c->tasks + t, name, t);
			else if (c->format == LAUNCH_SLURM)
				fprintf(out, "%s\n", name);
		if (is_plain)
			fprintf(out, "%s%s%s", i ? " " : "\nranks: ", name,
				i + 1 < ordered->n ? "" : "\n");
		free(name);
	}
}

/*
 * Print the order; the table is consumed.  With a launcher's format there is no table: its
 * program reads the output.
 */
static int print_order(const struct order_command *c, struct answer *a,
		       const struct order_answer *ordered, struct table *t,
		       struct sfab_err *err)
{
	struct json_object *list;
	int rc = 0;

	if (ordered->why)
		reply_warning(&a->reply, "order of names: %s", ordered->why);
	if (c->options.json || c->format == LAUNCH_NONE)
		rc = answer_table(a, "orders", t, err);
	else
		table_destroy(t);
	if (rc == 0 && c->options.json) {
		list = json_object_new_array();
		for (uint32_t i = 0; i < ordered->n; i++)
			json_object_array_add(list, json_name(ordered->node[i]));
		json_add(a->reply.data, "nodes", list);
	} else if (rc == 0) {
		print_ranks(c, a->out.file, ordered);
	}
	return rc == 0 ? ordered->status : rc;
}

/* Order nodes given as names, not hosts: if the fabric lacks one, all are ranked by name. */
static int answer_for_names(const struct order_command *c, const struct site *site,
			    struct answer *a, const struct sfab_names *names,
			    struct sfab_err *err)
{
	struct order_answer ordered = { .node = xcalloc(names->n, sizeof(*ordered.node)) };
	uint32_t *host = xcalloc(names->n, sizeof(*host));
	struct table *t = table_create(columns);
	int rc = 0;

	/* The names sorted, each once. */
	for (uint32_t i = 0; i < names->n; i++)
		ordered.node[i] = names->name[i];
	qsort(ordered.node, names->n, sizeof(*ordered.node), compare_node_names);
	for (uint32_t i = 0; i < names->n; i++)
		if (!i || strcmp(ordered.node[i], ordered.node[ordered.n - 1]) != 0)
			ordered.node[ordered.n++] = ordered.node[i];
	if (ordered.n == 0)
		rc = sfab_fail(err, SFAB_EINVAL, "no nodes (expected at least 1)");
	for (uint32_t i = 0; i < ordered.n && !ordered.why; i++) {
		host[i] = sfab_fabric_host(site->f, ordered.node[i]);
		if (host[i] != SFAB_NONE)
			continue;
		ordered.why = xstrfmt("%s is not in the fabric", ordered.node[i]);
		ordered.status = STATUS_FOUND;
	}
	if (rc == 0 && !ordered.why)
		rc = find_node_order(c, site, host, &ordered, t, err);
	if (rc == 0)
		rc = print_order(c, a, &ordered, t, err);
	else
		table_destroy(t);
	free(host);
	free(ordered.why);
	free(ordered.node);
	return rc;
}

static int run_order(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct order_command *c = ctx;
	struct sfab_names names = { 0 };
	struct site site;
	char *list = NULL;
	int rc = -1;

	if (site_open(&site, &c->options, &a->reply, err) != 0)
		return -1;
	list = c->job ? hostset_job_nodes(&site, c->job, err) : xstrdup(c->nodes);
	if (list && sfab_hostlist_expand(list, &names, err) == 0)
		rc = answer_for_names(c, &site, a, &names, err);
	sfab_names_free(&names);
	free(list);
	site_close(&site);
	return rc;
}

int cmd_order(int argc, char **argv)
{
	struct order_command o = { .pattern = -1, .format = LAUNCH_NONE, .tasks = 1 };
	int word = -1;

	options_parse(&usage, argc, argv, &o);
	/* -o means a launcher's format if it is the name of one, else columns. */
	if (o.options.view.format)
		word = options_word(o.options.view.format, LAUNCH_WORDS);
	if (word >= 0)
		o.format = (enum launch_format) word;
	if (o.format != LAUNCH_NONE)
		o.options.view.format = NULL;
	options_columns(&o.options, columns, NULL);
	return answer_run("order", &o.options, run_order, &o);
}
