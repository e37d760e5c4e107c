/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_lint.c - topology.conf against the cabling; see topology.h
 *
 * A switch there may stand for several leaves, such as a rack; the nodes of
 * one leaf must be together.
 */

#include <stdlib.h>
#include <string.h>

#include "../io/hostlist.h"
#include "hosts.h"
#include "say.h"
#include "topology.h"

enum { F_FINDING, F_LINE, F_SWITCH, F_LEAF, F_NAMES, F_WHAT };

const struct column topology_finding_columns[] = {
	{ "finding", "what kind", COLUMN_TEXT, 0, SHOWN },
	{ "line", "of the file", COLUMN_COUNT, 0, SHOWN },
	{ "switch", "SwitchName in that line", COLUMN_TEXT, 0, SHOWN },
	{ "leaf", "switch of the fabric", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "names", "nodes or switches that it is about", COLUMN_TEXT, 0, SHOWN },
	{ "what", "what is wrong", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

struct lint {
	const struct topology_conf *t;
	const struct sfab_fabric *f;
	const uint8_t *node;
	const uint32_t *group;	/* by host: switch of the file */
	struct table *out;
	uint32_t n;		/* findings */
};

/* @sw, @leaf: SFAB_NONE if it is about none. */
static void found(struct lint *x, const char *kind, uint32_t sw, uint32_t leaf,
		  const char *names, const char *what)
{
	x->n++;
	table_row(x->out);
	table_text(x->out, F_FINDING, kind);
	if (sw != SFAB_NONE) {
		table_count(x->out, F_LINE, x->t->sw[sw].line);
		table_text(x->out, F_SWITCH, x->t->sw[sw].name);
	}
	if (leaf != SFAB_NONE)
		table_text(x->out, F_LEAF,
			   x->f->switches[x->f->leaves[leaf].sw].name);
	table_text(x->out, F_NAMES, names);
	table_text(x->out, F_WHAT, what);
}

/* Nodes of a line that the fabric does not have. */
static int lint_nodes(struct lint *x, uint32_t sw, struct sfab_err *err)
{
	struct sfab_names names = { 0 };
	const char **gone;
	uint32_t n = 0;
	char *list;

	if (!x->t->sw[sw].nodes)
		return 0;
	if (sfab_hostlist_expand(x->t->sw[sw].nodes, &names, err) != 0)
		return -1;
	gone = need(names.n, sizeof(*gone));
	for (uint32_t i = 0; i < names.n; i++)
		if (sfab_fabric_host(x->f, names.name[i]) == SFAB_NONE)
			gone[n++] = names.name[i];
	if (n) {
		list = sfab_hostlist_fold(gone, n);
		found(x, "unknown-node", sw, SFAB_NONE, list ? list : "",
		      "not in the fabric");
		free(list);
	}
	free(gone);
	sfab_names_free(&names);
	return 0;
}

static uint32_t find_switch(const struct topology_conf *t, const char *name)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (strcmp(t->sw[i].name, name) == 0)
			return i;
	return SFAB_NONE;
}

/* Slurm wants a tree: @parent is the first line above each switch. */
static int lint_switches(struct lint *x, uint32_t sw, uint32_t *parent,
			 struct sfab_err *err)
{
	struct sfab_names names = { 0 };

	if (!x->t->sw[sw].switches)
		return 0;
	if (sfab_hostlist_expand(x->t->sw[sw].switches, &names, err) != 0)
		return -1;
	for (uint32_t i = 0; i < names.n; i++) {
		uint32_t below = find_switch(x->t, names.name[i]);

		if (below == SFAB_NONE)
			found(x, "unknown-switch", sw, SFAB_NONE, names.name[i],
			      "has no line of its own");
		else if (parent[below] == SFAB_NONE)
			parent[below] = sw;
		else if (parent[below] != sw)
			found(x, "two-parents", sw, SFAB_NONE, names.name[i],
			      "is below another switch already: no tree");
	}
	sfab_names_free(&names);
	return 0;
}

/* Switch of the file that has most of a leaf's nodes, the first of equals. */
static uint32_t usual_switch(const struct lint *x, uint32_t leaf)
{
	uint32_t *count = need(x->t->n, sizeof(*count)), best = SFAB_NONE;

	for (uint32_t h = 0; h < x->f->nhosts; h++)
		if (x->group[h] != SFAB_NONE &&
		    sfab_host_leaf(x->f, h) == leaf)
			count[x->group[h]]++;
	for (uint32_t i = 0; i < x->t->n; i++)
		if (count[i] && (best == SFAB_NONE || count[i] > count[best]))
			best = i;
	free(count);
	return best;
}

/* One finding for all nodes of @leaf in @sw (SFAB_NONE: in no line). */
static void lint_leaf_switch(struct lint *x, uint32_t leaf, uint32_t sw)
{
	uint32_t n = 0, *host = need(x->f->nhosts, sizeof(*host));
	char *list;

	for (uint32_t h = 0; h < x->f->nhosts; h++)
		if (x->group[h] == sw && sfab_host_leaf(x->f, h) == leaf &&
		    (sw != SFAB_NONE || x->node[h]))
			host[n++] = h;
	if (n) {
		list = hosts_fold(x->f, host, n);
		if (sw == SFAB_NONE)
			found(x, "missing-node", sw, leaf, list,
			      "in no line of the file");
		else
			found(x, "other-leaf", sw, leaf, list,
			      "most nodes of this leaf are in another line");
		free(list);
	}
	free(host);
}

static void lint_leaf(struct lint *x, uint32_t leaf)
{
	uint32_t usual = usual_switch(x, leaf);

	for (uint32_t i = 0; i < x->t->n && usual != SFAB_NONE; i++)
		if (i != usual)
			lint_leaf_switch(x, leaf, i);
	lint_leaf_switch(x, leaf, SFAB_NONE);
}

static int lint_lines(struct lint *x, struct sfab_err *err)
{
	uint32_t *parent = need(x->t->n, sizeof(*parent));
	int rc = 0;

	for (uint32_t i = 0; i < x->t->n; i++)
		parent[i] = SFAB_NONE;
	for (uint32_t i = 0; i < x->t->n && rc == 0; i++) {
		rc = lint_nodes(x, i, err);
		if (rc == 0)
			rc = lint_switches(x, i, parent, err);
		if (rc != 0)
			sfab_fail_prefix(err, "%s:%u", x->t->name,
					 x->t->sw[i].line);
	}
	free(parent);
	return rc;
}

struct table *topology_lint(const struct topology_conf *t,
			    const struct sfab_fabric *f, const uint8_t *node,
			    uint32_t *n, struct sfab_err *err)
{
	uint32_t unknown, *group = topology_conf_groups(t, f, &unknown, err);
	struct lint x = { .t = t, .f = f, .node = node, .group = group };

	if (!group)
		return NULL;
	x.out = table_create(topology_finding_columns);
	if (lint_lines(&x, err) != 0) {
		table_destroy(x.out);
		x.out = NULL;
	}
	for (uint32_t l = 0; l < f->nleaves && x.out; l++)
		lint_leaf(&x, l);
	free(group);
	*n = x.n;
	return x.out;
}
