/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_make.c - the tree that Slurm should see of a fabric; see topology.h
 *
 * A leaf has the name of its switch if that is a plain name and unique, else
 * its GUID.  A group of leaves is "levelH-N".  A group with only one member of
 * the level below is left out: the member stands for it.
 */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/tree.h"
#include "io/hostlist.h"
#include "tools/site/hosts.h"
#include "tools/topology/topology.h"
#include "tools/ui/say.h"

/*
 * While the tree is built from the leaves up, name[] is what the next level has
 * to list.
 */
struct make {
	const struct sfab_fabric *f;
	const struct sfab_tree *tree;
	struct topology_conf *t;
	char **name;		/* by leaf: of its group so far; NULL: no nodes */
};

/* Brackets and commas would make a hostlist of it. */
int topology_is_plain(const char *name)
{
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char) *p) && !strchr("._-", *p))
			return 0;
	return *name != '\0';
}

/*
 * Names that begin with "level" are ours.  Caller frees.  Quadratic in leaves,
 * of which there are hundreds.
 */
static char *conf_name_of_leaf(const struct sfab_fabric *f, uint32_t leaf)
{
	const struct sfab_switch *sw = &f->switches[f->leaves[leaf].sw];
	int own = topology_is_plain(sw->name) &&
		  strncmp(sw->name, "level", 5) != 0;

	for (uint32_t l = 0; l < f->nleaves && own; l++)
		own = l == leaf || strcmp(sw->name,
				f->switches[f->leaves[l].sw].name) != 0;
	return own ? need_copy(sw->name) :
		     need_text("S-%016llx", (unsigned long long) sw->guid);
}

/* @below is taken over. */
static void add_conf_switch(struct make *m, uint32_t level, const char *name,
			    char *below)
{
	struct topology_switch *sw;

	m->t->sw = need_more(m->t->sw, m->t->n, sizeof(*m->t->sw));
	sw = &m->t->sw[m->t->n++];
	*sw = (struct topology_switch) {
		.name = need_copy(name), .level = level,
	};
	*(level ? &sw->switches : &sw->nodes) = below;
}

/* Leaves without a node of Slurm are left out. */
static void add_leaves(struct make *m, const uint8_t *node)
{
	uint32_t *leaf = need(m->f->nhosts, sizeof(*leaf));
	uint32_t *host = need(m->f->nhosts, sizeof(*host));

	for (uint32_t h = 0; h < m->f->nhosts; h++)
		leaf[h] = node[h] ? sfab_host_leaf(m->f, h) : SFAB_NONE;
	for (uint32_t l = 0; l < m->f->nleaves; l++) {
		uint32_t n = hosts_of_key(m->f, leaf, l, host);

		if (!n)
			continue;
		m->name[l] = conf_name_of_leaf(m->f, l);
		add_conf_switch(m, 0, m->name[l], hosts_fold(m->f, host, n));
	}
	free(host);
	free(leaf);
}

/*
 * Its members lose their own name to that of the group, which the next level
 * refers to.  A group of one is left out, and its member keeps its own name for
 * the next level.  @below is scratch, large enough for all leaves.
 */
static void add_group(struct make *m, uint32_t level, uint32_t group,
		      uint32_t *number, const char **below)
{
	char *name, *list;
	uint32_t n = 0;

	/* Leaves of one group have the same name already, and so count once. */
	for (uint32_t l = 0; l < m->f->nleaves; l++) {
		uint32_t k = 0;

		if (!m->name[l] || sfab_tree_group(m->tree, level, l) != group)
			continue;
		while (k < n && strcmp(below[k], m->name[l]) != 0)
			k++;
		if (k == n)
			below[n++] = m->name[l];
	}
	if (n < 2)
		return;
	name = need_text("level%u-%u", level, ++*number);
	list = sfab_hostlist_fold(below, n);
	add_conf_switch(m, level, name, list ? list : need_copy(""));
	for (uint32_t l = 0; l < m->f->nleaves; l++) {
		if (!m->name[l] || sfab_tree_group(m->tree, level, l) != group)
			continue;
		free(m->name[l]);
		m->name[l] = need_copy(name);
	}
	free(name);
}

/* Level 0 is the leaves themselves. */
int topology_make(struct topology_conf *t, const struct sfab_fabric *f,
		  const uint8_t *node, struct sfab_err *err)
{
	struct sfab_tree *tree = sfab_tree_create(f);
	struct make m = { .f = f, .tree = tree, .t = t };

	*t = (struct topology_conf) { .name = need_copy("fabric") };
	if (!tree) {
		topology_conf_free(t);
		return sfab_no_memory(err);
	}
	m.name = need(f->nleaves, sizeof(*m.name));
	add_leaves(&m, node);
	for (uint32_t h = 1; h < tree->nlevels; h++) {
		const char **below = need(m.f->nleaves, sizeof(*below));
		uint32_t number = 0;

		for (uint32_t g = 0; g < m.tree->ngroups[h]; g++)
			add_group(&m, h, g, &number, below);
		free(below);
	}
	for (uint32_t l = 0; l < f->nleaves; l++)
		free(m.name[l]);
	free(m.name);
	sfab_tree_destroy(tree);
	if (t->n)
		return topology_conf_finish(t, err);
	topology_conf_free(t);
	return sfab_fail(err, SFAB_ENOENT, "none of the nodes is on a switch");
}
