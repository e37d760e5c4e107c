/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.c - groups of leaves, level by level; see tree.h
 *
 * Each switch gets its distance from the nearest leaf.  Then, for h = 1, 2, ..., switches at
 * most h away are joined along the links between them (union-find; the lowest id is the
 * representative, so the numbering does not depend on the order of links).
 */

#include "core/fabric/tree.h"

#include <stdlib.h>

#include "core/disjoint.h"

struct tree_growth {
	const struct sfab_fabric *f;
	uint32_t *distance;	/* of the tree being built */
	uint32_t *parent;	/* by switch: union-find parent, a lower id */
	uint32_t *number;	/* by representative: number of its group */
	uint32_t depth;		/* greatest distance */
};

/* Does @leaf have compute or IO hosts?  SHARP nodes and the SM's host do not make a leaf count. */
static int has_nodes(const struct sfab_fabric *f, uint32_t leaf)
{
	const struct sfab_leaf *l = &f->leaves[leaf];

	for (uint32_t i = 0; i < l->nports; i++) {
		enum sfab_host_role role =
			f->hosts[f->ports[l->port[i]].host].role;

		if (role == SFAB_HOST_COMPUTE || role == SFAB_HOST_IO)
			return 1;
	}
	return 0;
}

static int is_joining_link(const struct sfab_link *l)
{
	return l->kind == SFAB_LINK_ISL && l->up;
}

/* Run one more round of breadth-first search, from switches at @distance.  1: it reached one. */
static int reach_neighbors(struct tree_growth *g, uint32_t distance)
{
	int more = 0;

	for (uint32_t e = 0; e < g->f->nlinks; e++) {
		const struct sfab_link *l = &g->f->links[e];

		if (is_joining_link(l) && g->distance[l->from] == distance &&
		    g->distance[l->to] == SFAB_NONE) {
			g->distance[l->to] = distance + 1;
			more = 1;
		}
	}
	return more;
}

/* Number the components that have leaves.  Return how many there are. */
static uint32_t number_parts(struct tree_growth *g, uint32_t *group)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < g->f->nswitches; s++)
		g->number[s] = SFAB_NONE;
	for (uint32_t l = 0; l < g->f->nleaves; l++) {
		uint32_t p = sfab_disjoint_root(g->parent, g->f->leaves[l].sw);

		if (g->number[p] == SFAB_NONE)
			g->number[p] = n++;
		group[l] = g->number[p];
	}
	return n;
}

/*
 * Find the levels, and the groups of leaves on each.  A level that joins nothing is written
 * over by the next.
 */
static int make_tree(struct tree_growth *g, struct sfab_tree *t)
{
	size_t levels;

	for (uint32_t s = 0; s < g->f->nswitches; s++) {
		uint32_t leaf = g->f->switches[s].leaf;

		g->parent[s] = s;
		g->distance[s] = leaf != SFAB_NONE && has_nodes(g->f, leaf)
				 ? 0 : SFAB_NONE;
	}
	while (reach_neighbors(g, g->depth))
		g->depth++;
	/*
	 * Level 0, one for each h from 1 to depth + 1, and a spare one that a level joining
	 * nothing is written to.
	 */
	levels = g->depth + 3u;
	t->nleaves = g->f->nleaves;
	t->ngroups = sfab_arena_take(&t->arena, levels, sizeof(*t->ngroups));
	t->height = sfab_arena_take(&t->arena, levels, sizeof(*t->height));
	t->group = sfab_arena_take(&t->arena, levels * t->nleaves, sizeof(*t->group));
	if (!t->ngroups || !t->height || !t->group)
		return -1;
	t->nlevels = 1;
	t->ngroups[0] = number_parts(g, t->group);
	for (uint32_t h = 1; h <= g->depth + 1; h++) {
		/* Links of all lower levels are joined again, which changes nothing. */
		for (uint32_t e = 0; e < g->f->nlinks; e++) {
			const struct sfab_link *l = &g->f->links[e];

			if (is_joining_link(l) && g->distance[l->from] <= h &&
			    g->distance[l->to] <= h)
				sfab_disjoint_join(g->parent, l->from, l->to);
		}
		t->ngroups[t->nlevels] = number_parts(
		    g, t->group + (size_t) t->nlevels * t->nleaves);
		if (t->ngroups[t->nlevels] < t->ngroups[t->nlevels - 1])
			t->height[t->nlevels++] = h;
	}
	return 0;
}

struct sfab_tree *sfab_tree_create(const struct sfab_fabric *f)
{
	struct sfab_arena scratch = { 0 };
	struct tree_growth g = { .f = f };
	struct sfab_tree *t = calloc(1, sizeof(*t));
	size_t n = f->nswitches;

	if (!t)
		return NULL;
	g.distance = t->distance = sfab_arena_take(&t->arena, n, sizeof(*t->distance));
	g.parent = sfab_arena_take(&scratch, n, sizeof(*g.parent));
	g.number = sfab_arena_take(&scratch, n, sizeof(*g.number));
	if (t->arena.failed || scratch.failed || make_tree(&g, t) < 0) {
		sfab_tree_destroy(t);
		t = NULL;
	}
	sfab_arena_free(&scratch);
	return t;
}

void sfab_tree_destroy(struct sfab_tree *t)
{
	if (!t)
		return;
	sfab_arena_free(&t->arena);
	free(t);
}

uint32_t sfab_tree_meet(const struct sfab_tree *t, uint32_t a, uint32_t b)
{
	for (uint32_t h = 0; h < t->nlevels; h++)
		if (sfab_tree_group(t, h, a) == sfab_tree_group(t, h, b))
			return h;
	return SFAB_NONE;
}
