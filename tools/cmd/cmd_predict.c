/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_predict.c - `sfabric predict --nodes LIST`: what a given set of nodes gets
 *
 * Compared with what sfabric and the baseline policies would choose from the free hosts and the
 * given ones.
 */

#include <stddef.h>
#include <stdlib.h>

#include "tools/cmd/cmd.h"
#include "tools/preview/preview.h"
#include "tools/site/hosts.h"
#include "tools/ui/answer.h"

struct predict_command {
	struct preview_options preview;	/* first: preview_options_rows fill it */
	const char *nodes;
	uint32_t cores;			/* 0: not given */
};

static const struct option_row rows[] = {
	{ "nodes", "HOSTLIST", 1, "The job's nodes", KEEP_TEXT,
	  .offset = offsetof(struct predict_command, nodes) },
	{ "ntasks-per-node", "N", 1, "Tasks that share the ports of a node", KEEP_COUNT,
	  .offset = offsetof(struct predict_command, cores), 1, UINT32_MAX },
	{ "exclude", "HOSTLIST", 1, "Hosts that others may not use", KEEP_TEXT,
	  .offset = offsetof(struct predict_command, preview.exclude), .letter = 'x' },
	{ 0 }
};

static const struct option_group groups[] = {
	{ preview_options_rows, "Job and machine:", .order = 2, .fills_command = 1 },
	OPTIONS_OF_REPORT, { 0 }
};

static error_t parse_predict_option(int key, char *arg, struct argp_state *state)
{
	const struct predict_command *pr = state->input;

	if (key != ARGP_KEY_END)
		return ARGP_ERR_UNKNOWN;
	preview_options_check(&pr->preview, state);
	if (!pr->nodes)
		argp_error(state, "--nodes HOSTLIST is missing");
	return 0;
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .parse = parse_predict_option,
	.common = offsetof(struct predict_command, preview.options),
	.doc = "Predict what a job gets on the given nodes.",
};

/* Answer with a row for the given nodes, and one for each policy that could have chosen. */
static int answer_for_nodes(struct preview_context *p, struct answer *a,
			    const uint32_t *host, uint32_t n, struct sfab_err *err)
{
	struct preview given;
	int rc;

	/* The given nodes count as free: the other policies may choose them too. */
	for (uint32_t i = 0; i < n; i++) {
		p->navail += !p->avail[host[i]];
		p->avail[host[i]] = 1;
	}
	p->request.n = n;
	if (preview_given(p, host, n, &given, err) != 0)
		return -1;
	rc = preview_steps(p, &given, err);
	if (rc == 0)
		rc = preview_answer(p, &given, SFAB_POLICY_SFABRIC, a, err);
	preview_clear(&given);
	return rc;
}

/*
 * Predict what the given nodes get.  Packing is needed, as all nodes are scored, and other
 * policies choose.
 */
static int run_predict(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct predict_command *pr = ctx;
	struct preview_context p;
	uint8_t *nodes;
	uint32_t n;
	int rc = -1;

	pr->preview.needs_packing = 1;
	if (preview_context_open(&p, &pr->preview, &a->reply, err) != 0)
		return -1;
	p.cores = pr->cores;
	nodes = hosts_flags(p.site.f, pr->nodes, &n, err);
	if (nodes) {
		uint32_t *host = hosts_ids(p.site.f, nodes, n);

		rc = answer_for_nodes(&p, a, host, n, err);
		free(host);
	}
	free(nodes);
	preview_context_close(&p);
	return rc;
}

int cmd_predict(int argc, char **argv)
{
	struct predict_command pr = {0};

	options_parse(&usage, argc, argv, &pr);
	return answer_run("predict", &pr.preview.options, run_predict, &pr);
}
