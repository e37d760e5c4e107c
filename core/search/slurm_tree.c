/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_tree.c - the hosts that Slurm's topology/tree would choose; see pool.h
 *
 * This repeats _eval_nodes_topo of slurmctld, as of 22.05 or, where the request says so, as of
 * 24.11 to 26.05.  It stays within the last of the highest switches that have enough hosts.  It
 * fills the leaves that are in use anyway, then takes one leaf after another, each the best of
 * the rest:
 *
 *   - Of two leaves the better one has room for all missing hosts; if both have,
 *     the tighter one. If neither has, their parents are compared in the same
 *     way, up to the parent that they share. In the end more hosts are better.
 *   - Leaves are visited in order. A later one replaces the best so far only if
 *     it is nearer (summed over the leaves taken) and not worse, or equally near
 *     and better.  From 24.11 on a nearer one must have room for all missing
 *     hosts instead, on the level that was compared last.
 *
 * Counts of parents are those at the start; from 24.11 on those of now.  On a leaf, hosts are
 * taken in name order, like Slurm's node table.  If no switch joins enough hosts, Slurm lets
 * the job wait; here the whole fabric is used, so that a comparison always exists.
 */

#include "core/ascending.h"
#include "core/search/pool.h"

#include <stdlib.h>
#include <string.h>

struct tree_fit {
	struct pool *p;
	const struct sfab_tree *t;
	uint32_t *count;	/* [level * nleaves + group] number of hosts */
	uint32_t *distance;	/* by leaf of the fabric */
	uint8_t *closed;	/* by leaf: must not be chosen */
	uint32_t root;		/* top group to stay within, or SFAB_NONE */
	int is_late;		/* 24.11 or later */
};

#define LATE 2411
#define LATE_ONE 2605		/* jobs of one node: see sfab_pool_pick_tree() */

static uint32_t *count_at(const struct tree_fit *x, uint32_t level, uint32_t leaf)
{
	return &x->count[(size_t) level * x->t->nleaves +
			 sfab_tree_group(x->t, level, leaf)];
}

static void add_leaf_hosts(struct tree_fit *x, uint32_t leaf, uint32_t n)
{
	for (uint32_t h = 0; h < x->t->nlevels; h++)
		*count_at(x, h, leaf) += n;
}

static uint32_t base_leaf(const struct tree_fit *x, uint32_t i)
{
	return sfab_host_leaf(x->p->m->f, x->p->base[i]);
}

/* Choose the root: the top switch of the base, else the last one with enough hosts. */
static void choose_root(struct tree_fit *x)
{
	uint32_t top = x->t->nlevels - 1;
	uint32_t first = 0, end = x->t->ngroups[top];

	if (x->p->nbase) {
		first = sfab_tree_group(x->t, top, base_leaf(x, 0));
		end = first + 1;
	}
	x->root = SFAB_NONE;
	for (uint32_t g = first; g < end; g++)
		if (x->count[(size_t) top * x->t->nleaves + g] >= x->p->rq->n)
			x->root = g;
}

/*
 * Add to the distance of each leaf the links from it up to the group of @other at @level, and
 * down into that group.
 */
static void add_distances(struct tree_fit *x, uint32_t other, uint32_t level)
{
	for (uint32_t l = 0; l < x->p->choices->nleaves; l++) {
		uint32_t leaf = x->p->choices->leaf[l], meet = sfab_tree_meet(x->t, leaf, other);

		if (meet != SFAB_NONE)
			x->distance[leaf] += meet > level ? 2 * meet - level : level;
		else if (x->root == SFAB_NONE)
			x->distance[leaf] += 2 * x->t->nlevels;
	}
}

/* Is base host @i the first in its group at @level? */
static int first_of_group(const struct tree_fit *x, uint32_t i, uint32_t level)
{
	uint32_t group = sfab_tree_group(x->t, level, base_leaf(x, i));

	for (uint32_t k = 0; k < i; k++)
		if (sfab_tree_group(x->t, level, base_leaf(x, k)) == group)
			return 0;
	return 1;
}

/*
 * Does @leaf replace @best, the best so far?  They are compared on the first level where one
 * has room for all of @rest, or where they have the same parent above.
 */
static int is_better_leaf(const struct tree_fit *x, uint32_t leaf, uint32_t best,
			  uint32_t rest)
{
	uint32_t level = 0, n, best_n;
	int better;

	while (*count_at(x, level, leaf) < rest && *count_at(x, level, best) < rest &&
	       level + 1 < x->t->nlevels &&
	       sfab_tree_group(x->t, level + 1, leaf) !=
	       sfab_tree_group(x->t, level + 1, best))
		level++;
	n = *count_at(x, level, leaf);
	best_n = *count_at(x, level, best);
	better = sfab_packing_compare_fit(n, best_n, rest);
	if (x->distance[leaf] == x->distance[best])
		return better > 0;
	return x->distance[leaf] < x->distance[best] &&
	       (x->is_late ? n >= rest : better >= 0);
}

/* Return the index in the pool of the best leaf that is not closed, or SFAB_NONE. */
static uint32_t find_best_leaf(const struct tree_fit *x, uint32_t rest)
{
	const struct pool_leaves *open = x->p->choices;
	uint32_t best = SFAB_NONE;

	for (uint32_t l = 0; l < open->nleaves; l++) {
		uint32_t leaf = open->leaf[l];

		if (x->closed[leaf] ||
		    (x->root != SFAB_NONE &&
		     sfab_tree_group(x->t, x->t->nlevels - 1, leaf) != x->root))
			continue;
		if (best == SFAB_NONE || is_better_leaf(x, leaf, open->leaf[best], rest))
			best = l;
	}
	return best;
}

/* Take @n hosts, but not more than all, from the switches above @leaf, from 24.11 on. */
static void count_taken(struct tree_fit *x, uint32_t leaf, uint32_t n)
{
	for (uint32_t h = 0; x->is_late && h < x->t->nlevels; h++) {
		uint32_t *count = count_at(x, h, leaf);

		*count -= *count < n ? *count : n;
	}
}

/* Choose hosts of leaf @l in name order, up to the number that is missing. */
static uint32_t take_leaf_hosts(struct tree_fit *x, uint32_t l, uint32_t *pick,
				uint32_t n)
{
	struct pool *p = x->p;
	uint32_t room = sfab_pool_leaf_hosts(p, l), rest = p->need - n;

	memcpy(p->trial, p->choices->host + p->choices->first[l], room * sizeof(*p->trial));
	qsort(p->trial, room, sizeof(*p->trial), sfab_ascending_u32);
	if (room > rest)
		room = rest;
	memcpy(pick + n, p->trial, room * sizeof(*pick));
	x->closed[p->choices->leaf[l]] = 1;
	return n + room;
}

/*
 * Take hosts of the leaves of the base first, in order.  As Slurm does, @n is not reset from
 * leaf to leaf: the switches above the later ones lose what all before took.
 */
static uint32_t take_used_leaves(struct tree_fit *x, uint32_t *pick)
{
	const struct pool *p = x->p;
	uint32_t n = 0, l = 0;

	for (uint32_t i = 0; i < p->nbase; i++)
		x->closed[base_leaf(x, i)] = 1;
	for (uint32_t leaf = 0; leaf < x->t->nleaves && n < p->need; leaf++) {
		int has = l < p->choices->nleaves && p->choices->leaf[l] == leaf;

		if (x->closed[leaf]) {
			n = has ? take_leaf_hosts(x, l, pick, n) : n;
			count_taken(x, leaf, n);
		}
		l += (uint32_t) has;
	}
	return n;
}

/* Choose hosts into @pick as the head of this file says. */
static void choose_best_fit(struct tree_fit *x, uint32_t *pick)
{
	const struct pool *p = x->p;
	uint32_t n, l;

	memset(x->count, 0, (size_t) x->t->nlevels * x->t->nleaves *
	       sizeof(*x->count));
	memset(x->distance, 0, x->t->nleaves * sizeof(*x->distance));
	for (l = 0; l < p->choices->nleaves; l++)
		add_leaf_hosts(x, p->choices->leaf[l], sfab_pool_leaf_hosts(p, l));
	for (uint32_t i = 0; i < p->nbase; i++)
		add_leaf_hosts(x, base_leaf(x, i), 1);
	choose_root(x);
	/* Add the distance to each switch above the base once. */
	for (uint32_t i = 0; i < p->nbase; i++)
		for (uint32_t h = 0; h < x->t->nlevels; h++)
			if (first_of_group(x, i, h))
				add_distances(x, base_leaf(x, i), h);
	n = take_used_leaves(x, pick);
	while (n < p->need) {
		l = find_best_leaf(x, p->need - n);
		if (l == SFAB_NONE) {	/* the rest is under another root */
			x->root = SFAB_NONE;
			continue;
		}
		add_distances(x, p->choices->leaf[l], 0);
		n = take_leaf_hosts(x, l, pick, n);
		count_taken(x, p->choices->leaf[l], *count_at(x, 0, p->choices->leaf[l]));
	}
}

void sfab_pool_pick_tree(struct pool *p, uint32_t *pick)
{
	const struct sfab_tree *t = p->m->tree;
	struct tree_fit x = { .p = p, .t = t, .is_late = p->rq->slurm >= LATE };

	/* From 26.05 on a job of one node gets the first one, whatever the leaf. */
	if (p->rq->slurm >= LATE_ONE && p->need == 1 && !p->nbase) {
		*pick = p->choices->host[0];
		for (uint32_t i = 1; i < p->choices->nhosts; i++)
			if (p->choices->host[i] < *pick)
				*pick = p->choices->host[i];
		return;
	}
	x.count = p->tree_levels;
	x.distance = p->tree_levels + (size_t) t->nlevels * t->nleaves;
	x.closed = p->leaf_closed;
	choose_best_fit(&x, pick);
	memset(x.closed, 0, t->nleaves);
}
