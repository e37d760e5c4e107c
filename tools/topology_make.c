/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_make.c - topology.conf of a fabric; see topology.h
 *
 * A leaf is called as its switch if that name is plain and nobody else's, else
 * by its GUID.  A group of leaves is "levelH-N".  A group that holds but one
 * of the level below is left out: that one stands for it.
 */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../core/tree.h"
#include "../io/hostlist.h"
#include "hosts.h"
#include "printable.h"
#include "say.h"
#include "topology.h"

enum { S_LEVEL, S_SWITCH, S_NODES, S_SWITCHES };

const struct column topology_switch_columns[] = {
	{ "level", "0: a leaf", COLUMN_COUNT, 0, SHOWN },
	{ "switch", "SwitchName", COLUMN_TEXT, 0, SHOWN },
	{ "nodes", "of a leaf", COLUMN_TEXT, 0, SHOWN },
	{ "switches", "below it", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

struct make {
	const struct sfab_fabric *f;
	const uint8_t *node;
	const struct sfab_tree *tree;
	struct table *t;
	FILE *conf;
	char **name;		/* by leaf: of its group so far, NULL: no nodes */
};

/* A name that Slurm takes as it is, not as a list. */
static int is_plain(const char *name)
{
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char) *p) && !strchr("._-", *p))
			return 0;
	return *name && strncmp(name, "level", 5) != 0;
}

static char *leaf_name(const struct sfab_fabric *f, uint32_t leaf)
{
	const struct sfab_switch *sw = &f->switches[f->leaves[leaf].sw];
	int own = is_plain(sw->name);

	for (uint32_t l = 0; l < f->nleaves && own; l++)
		own = l == leaf || strcmp(sw->name,
				f->switches[f->leaves[l].sw].name) != 0;
	return own ? need_copy(sw->name) :
		     need_text("S-%016llx", (unsigned long long) sw->guid);
}

static void add_line(struct make *m, uint32_t level, const char *name,
		     const char *below)
{
	table_row(m->t);
	table_count(m->t, S_LEVEL, level);
	table_text(m->t, S_SWITCH, name);
	table_text(m->t, level ? S_SWITCHES : S_NODES, below);
	if (m->conf) {
		char *safe = printable(below, '#');	/* hosts say anything */

		fprintf(m->conf, "SwitchName=%s %s=%s\n", name,
			level ? "Switches" : "Nodes", safe);
		free(safe);
	}
}

static void add_leaf(struct make *m, uint32_t leaf)
{
	uint32_t n = 0, *host = need(m->f->nhosts, sizeof(*host));
	char *nodes;

	for (uint32_t h = 0; h < m->f->nhosts; h++)
		if (m->node[h] && sfab_host_leaf(m->f, h) == leaf)
			host[n++] = h;
	if (n) {
		nodes = hosts_fold(m->f, host, n);
		m->name[leaf] = leaf_name(m->f, leaf);
		add_line(m, 0, m->name[leaf], nodes);
		free(nodes);
	}
	free(host);
}

/* Names below a group, each once; @below has room for all leaves. */
static uint32_t names_below(const struct make *m, uint32_t level,
			    uint32_t group, const char **below)
{
	uint32_t n = 0;

	for (uint32_t l = 0; l < m->f->nleaves; l++) {
		uint32_t k = 0;

		if (!m->name[l] || sfab_tree_group(m->tree, level, l) != group)
			continue;
		while (k < n && strcmp(below[k], m->name[l]) != 0)
			k++;
		if (k == n)
			below[n++] = m->name[l];
	}
	return n;
}

static void add_group(struct make *m, uint32_t level, uint32_t group,
		      uint32_t *number, const char **below)
{
	uint32_t n = names_below(m, level, group, below);
	char *name, *list;

	if (n < 2)
		return;
	name = need_text("level%u-%u", level, ++*number);
	list = sfab_hostlist_fold(below, n);
	add_line(m, level, name, list ? list : "");
	free(list);
	for (uint32_t l = 0; l < m->f->nleaves; l++) {
		if (!m->name[l] || sfab_tree_group(m->tree, level, l) != group)
			continue;
		free(m->name[l]);
		m->name[l] = need_copy(name);
	}
	free(name);
}

static void add_level(struct make *m, uint32_t level)
{
	const char **below = need(m->f->nleaves, sizeof(*below));
	uint32_t number = 0;

	for (uint32_t g = 0; g < m->tree->ngroups[level]; g++)
		add_group(m, level, g, &number, below);
	free(below);
}

struct table *topology_make(const struct sfab_fabric *f, const uint8_t *node,
			    FILE *conf)
{
	struct sfab_tree *tree = sfab_tree_create(f);
	struct make m = { .f = f, .node = node, .tree = tree, .conf = conf };

	if (!tree)
		return NULL;
	m.t = table_create(topology_switch_columns);
	m.name = need(f->nleaves, sizeof(*m.name));
	for (uint32_t l = 0; l < f->nleaves; l++)
		add_leaf(&m, l);
	for (uint32_t h = 1; h < tree->nlevels; h++)
		add_level(&m, h);
	for (uint32_t l = 0; l < f->nleaves; l++)
		free(m.name[l]);
	free(m.name);
	sfab_tree_destroy(tree);
	return m.t;
}
