/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.c - `sfabric place`: where a job would go, why, and what it gains
 *
 * Options with sbatch's letters mean what they mean in sbatch.
 */

#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "command.h"
#include "planner.h"
#include "preview.h"
#include "set.h"

struct place {
	struct planner_options o;
	uint32_t least, most;		/* --nodes, 0: not given */
	uint32_t ntasks, per_node;	/* 0: not given */
	const char *nodelist;
};

enum { KEY_PER_NODE = 0x300 };

static const struct argp_option rows[] = {
	{ "nodes", 'N', "MIN[-MAX]", 0, "Nodes wanted", 1 },
	{ "ntasks", 'n', "N", 0, "Tasks; needs --ntasks-per-node or -N", 1 },
	{ "ntasks-per-node", KEY_PER_NODE, "N", 0, "Tasks on a node", 1 },
	{ "nodelist", 'w', "HOSTLIST", 0,
	  "Nodes that must be in (alone: just these)", 1 },
	{ 0 }
};

static const struct argp_child children[] = {
	{ &planner_argp, 0, "Job and machine:", 2 },
	OPTIONS_CHILDREN_REPORT, { 0 }
};

static void parse_nodes(struct place *pl, char *text, struct argp_state *state)
{
	char *dash = strchr(text, '-');
	const char *most = text;

	if (dash) {
		*dash = '\0';
		most = dash + 1;
	}
	pl->least = (uint32_t) options_count(state, "nodes", text, 1,
					     UINT32_MAX);
	pl->most = (uint32_t) options_count(state, "nodes", most, pl->least,
					    UINT32_MAX);
}

static void check(struct place *pl, struct argp_state *state)
{
	if (!pl->least && pl->ntasks && pl->per_node)
		pl->least = pl->most = (pl->ntasks - 1) / pl->per_node + 1;
	if (!pl->least && pl->ntasks)
		argp_error(state, "-n without -N needs --ntasks-per-node");
	if (!pl->least && !pl->nodelist)
		argp_error(state, "how many nodes? (-N, or -n with "
			   "--ntasks-per-node)");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct place *pl = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_init(state, children, &pl->o.options);
		return 0;
	case 'N':
		parse_nodes(pl, arg, state);
		return 0;
	case 'n':
		pl->ntasks = (uint32_t) options_count(state, "ntasks", arg, 1,
						      UINT32_MAX);
		return 0;
	case KEY_PER_NODE:
		pl->per_node = (uint32_t) options_count(
			state, "ntasks-per-node", arg, 1, UINT32_MAX);
		return 0;
	case 'w':
		pl->nodelist = arg;
		return 0;
	case ARGP_KEY_END:
		check(pl, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	rows, parse_option, NULL,
	"Show where a job would go, why, and what it gains. Nothing is "
	"submitted.", children, NULL, NULL,
};

/* The request's size: as many as allowed and free, never fewer than MIN. */
static int fill_request(const struct place *pl, struct planner *p,
			uint8_t **required, struct sfab_err *err)
{
	struct sfab_request *rq = &p->request;
	uint32_t nrequired = 0;

	if (pl->nodelist) {
		*required = set_hosts(p->site.f, pl->nodelist, &nrequired, err);
		if (!*required)
			return -1;
		rq->required = *required;
	}
	rq->n = pl->most ? pl->most : nrequired;
	if (rq->n > p->navail)
		rq->n = p->navail > pl->least ? p->navail : pl->least;
	return 0;
}

static int compare(struct planner *p, struct answer *a,
		   const struct preview *best, struct sfab_err *err)
{
	static const enum sfab_policy plain[] = {
		SFAB_POLICY_CONTIGUOUS, SFAB_POLICY_TREE, SFAB_POLICY_SPREAD,
		SFAB_POLICY_RANDOM,
	};
	enum { N = sizeof(plain) / sizeof(plain[0]) };
	struct preview other[N] = { 0 };
	int rc = 0;

	for (int i = 0; i < N && rc == 0; i++)
		rc = preview_policy(p, &p->request, plain[i], &other[i], err);
	if (rc == 0 && a->options->json)
		preview_json(p, best, other, N, a->report.data);
	else if (rc == 0)
		rc = preview_text(p, best, other, N, a->out.file, err);
	for (int i = 0; i < N; i++)
		preview_clear(&other[i]);
	return rc;
}

static int search(struct planner *p, struct answer *a, struct sfab_err *err)
{
	struct preview best;
	int rc;

	if (preview_policy(p, &p->request, SFAB_POLICY_SFABRIC, &best, err) != 0)
		return -1;
	report_search(&a->report, "default", p->request.seed,
		      best.choice.steps);
	rc = compare(p, a, &best, err);
	preview_clear(&best);
	return rc;
}

static int place(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct place *pl = ctx;
	struct planner p;
	uint8_t *required = NULL;
	int rc;

	if (planner_open(&p, &pl->o, &a->report, err) != 0)
		return -1;
	rc = fill_request(pl, &p, &required, err);
	if (rc == 0)
		rc = search(&p, a, err);
	free(required);
	planner_close(&p);
	return rc;
}

int cmd_place(int argc, char **argv)
{
	struct place pl = { 0 };

	argp_parse(&argp, argc, argv, 0, NULL, &pl);
	return answer_run("place", &pl.o.options, place, &pl);
}
