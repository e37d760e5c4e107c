/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_make.c - the tree that Slurm should see of a fabric; see topology.h
 *
 * A leaf has the name of its switch if that is a plain name and unique, else its GUID.  A group
 * of leaves is "levelH-N".  A group with only one member of the level below is left out: the
 * member stands for it.
 */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/tree.h"
#include "io/hostlist.h"
#include "tools/site/hosts.h"
#include "tools/topology/topology.h"
#include "tools/ui/reply.h"
#include "tools/ui/xalloc.h"

struct tree_maker {
	const struct sfab_fabric *f;
	const struct sfab_tree *tree;
	struct topology_conf *t;
	uint32_t *top;		/* by leaf: the highest switch so far; SFAB_NONE: no nodes */
	uint32_t nplain;	/* nodes with plain names */
	uint32_t nodd;		/* nodes with other names */
	uint32_t odd_host;	/* the first of these */
};

/*
 * Is it a name that Slurm does not read as a list?  With a blank, a bracket or a comma it would
 * be another host in the file.
 */
static int is_plain_name(const char *name)
{
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char) *p) && !strchr("._-", *p))
			return 0;
	return *name != '\0';
}

/*
 * Return a leaf's own name if no other leaf has it, else one of its GUID.  Names that begin
 * with "level" are ours.  Caller frees.  Quadratic in leaves, of which there are hundreds.
 */
static char *conf_name_of_leaf(const struct sfab_fabric *f, uint32_t leaf)
{
	const struct sfab_switch *sw = &f->switches[f->leaves[leaf].sw];
	int is_usable = is_plain_name(sw->name) &&
		  strncmp(sw->name, "level", 5) != 0;

	for (uint32_t l = 0; l < f->nleaves && is_usable; l++)
		is_usable = l == leaf || strcmp(sw->name,
						f->switches[f->leaves[l].sw].name) != 0;
	return is_usable ? xstrdup(sw->name) :
		     xstrfmt("S-%016llx", (unsigned long long) sw->guid);
}

/* Add a switch and return its index.  Both texts are taken over. */
static uint32_t add_conf_switch(struct tree_maker *m, uint32_t level, char *name, char *below)
{
	struct topology_switch *sw = topology_conf_add(m->t, 0);

	sw->name = name;
	sw->level = level;
	*(level ? &sw->switches : &sw->nodes) = below;
	return m->t->n - 1;
}

/* Add leaves with nodes of Slurm.  Leave out nodes whose names are not plain. */
static void add_leaves(struct tree_maker *m, const uint8_t *node)
{
	uint32_t *leaf = xcalloc(m->f->nhosts, sizeof(*leaf));
	uint32_t *host = xcalloc(m->f->nhosts, sizeof(*host));

	for (uint32_t h = 0; h < m->f->nhosts; h++) {
		int is_plain = node[h] && is_plain_name(m->f->hosts[h].name);

		leaf[h] = is_plain ? sfab_host_leaf(m->f, h) : SFAB_NONE;
		m->nplain += (uint32_t) is_plain;
		if (node[h] && !is_plain)
			m->odd_host = m->nodd++ ? m->odd_host : h;
	}
	for (uint32_t l = 0; l < m->f->nleaves; l++) {
		uint32_t n = hosts_of_key(m->f, leaf, l, host);

		m->top[l] = !n ? SFAB_NONE :
			    add_conf_switch(m, 0, conf_name_of_leaf(m->f, l),
					    hosts_fold(m->f, host, n));
	}
	free(host);
	free(leaf);
}

/*
 * Add a group of leaves.  A group of one is left out, and its member stands for it in the next
 * level.  @below and @name are scratch, large enough for all leaves.
 */
static void add_leaf_group(struct tree_maker *m, uint32_t level, uint32_t group,
			   uint32_t *number, uint32_t *below, const char **name)
{
	uint32_t n = 0, new;

	/* Leaves of one group have the same switch already, and so count once. */
	for (uint32_t l = 0; l < m->f->nleaves; l++) {
		uint32_t k = 0;

		if (m->top[l] == SFAB_NONE || sfab_tree_group(m->tree, level, l) != group)
			continue;
		while (k < n && below[k] != m->top[l])
			k++;
		below[k] = m->top[l];
		name[k] = m->t->sw[below[k]].name;
		n += k == n;
	}
	if (n < 2)
		return;
	new = add_conf_switch(m, level, xstrfmt("level%u-%u", level, ++*number),
			      xnonnull(sfab_hostlist_fold(name, n)));
	for (uint32_t k = 0; k < n; k++)
		m->t->sw[below[k]].parent = new;
	for (uint32_t l = 0; l < m->f->nleaves; l++)
		if (m->top[l] != SFAB_NONE && sfab_tree_group(m->tree, level, l) == group)
			m->top[l] = new;
}

/* Make the tree of switches level by level.  Level 0 is the leaves themselves. */
int topology_make(struct topology_conf *t, const struct sfab_fabric *f,
		  const uint8_t *node, struct reply *r, struct sfab_err *err)
{
	struct sfab_tree *tree = xnonnull(sfab_tree_create(f));
	struct tree_maker m = { .f = f, .tree = tree, .t = t };
	uint32_t *below = xcalloc(f->nleaves, sizeof(*below));
	const char **name = xcalloc(f->nleaves, sizeof(*name));

	*t = (struct topology_conf) { .name = xstrdup("fabric") };
	m.top = xcalloc(f->nleaves, sizeof(*m.top));
	add_leaves(&m, node);
	for (uint32_t h = 1; h < tree->nlevels; h++) {
		uint32_t number = 0;

		for (uint32_t g = 0; g < tree->ngroups[h]; g++)
			add_leaf_group(&m, h, g, &number, below, name);
	}
	free(m.top);
	free(below);
	free(name);
	sfab_tree_destroy(tree);
	if (m.nodd && m.nplain)
		reply_warning(r, "%u hosts are left out: their names are not valid "
			      "in Slurm, for example '%s': use sfabric import "
			      "--node-name-map", m.nodd, f->hosts[m.odd_host].name);
	if (t->n)
		return topology_conf_finish(t, err);
	topology_conf_free(t);
	if (m.nodd && !m.nplain)
		return sfab_fail(err, SFAB_ENOENT, "none of the %u hosts has a name "
				 "that is valid in Slurm, for example '%.60s': use "
				 "sfabric import --node-name-map", m.nodd,
				 f->hosts[m.odd_host].name);
	return sfab_fail(err, SFAB_ENOENT, "none of the nodes is on a switch");
}
