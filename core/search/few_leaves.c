/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * few_leaves.c - jobs on a limited number of leaves (MaxLeaves); see pool.h
 *
 * A set on more leaves is not scored.  Proposers and plain policies that would mostly find such
 * sets work on the emptiest leaves only: on as many as are allowed, or as the job needs.
 */

#include "core/search/pool.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"

/* Mark the leaves of the base in p->leaf_used.  Return their number. */
static uint32_t mark_base_leaves(struct pool *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->nbase; i++) {
		uint32_t leaf = p->m->host_leaf[p->base[i]];

		if (leaf == SFAB_NONE || p->leaf_used[leaf])
			continue;
		p->leaf_used[leaf] = 1;
		n++;
	}
	return n;
}

/*
 * Set p->few to the first leaves of @rank that are enough, and p->max_leaves.  Mark them in
 * p->leaf_used.
 */
static void choose_few_leaves(struct pool *p, const uint64_t *rank, uint32_t nbase)
{
	uint32_t max = p->sc->packing.max_leaves, held = 0, hosts = 0, n = 0;
	struct pool_leaves *few = &p->few;

	while (n < p->all.nleaves && (hosts < p->need || nbase + n - held < max)) {
		uint32_t l = (uint32_t) rank[n++];

		held += p->leaf_used[p->all.leaf[l]];
		p->leaf_used[p->all.leaf[l]] = 2;
		hosts += sfab_pool_leaf_hosts(p, l);
	}
	p->max_leaves = nbase + n - held;
	for (uint32_t l = 0; l < p->all.nleaves; l++) {
		if (p->leaf_used[p->all.leaf[l]] != 2)
			continue;
		few->leaf[few->nleaves] = p->all.leaf[l];
		for (uint32_t i = p->all.first[l]; i < p->all.first[l + 1]; i++) {
			few->is_candidate[p->all.host[i]] = 1;
			few->host[few->nhosts++] = p->all.host[i];
		}
		few->first[++few->nleaves] = few->nhosts;
	}
}

int sfab_pool_find_few(struct pool *p)
{
	uint32_t max = p->sc->packing.max_leaves, nbase;
	struct pool_leaves *few = &p->few;
	uint64_t *rank;

	if (!max || max >= p->m->f->nleaves)
		return 0;
	few->host = sfab_arena_take(&p->arena, p->all.nhosts, sizeof(*few->host));
	few->leaf = sfab_arena_take(&p->arena, p->all.nleaves, sizeof(*few->leaf));
	few->first = sfab_arena_take(&p->arena, p->all.nleaves + 1u, sizeof(*few->first));
	few->is_candidate = sfab_arena_take(&p->arena, p->m->f->nhosts, 1);
	rank = sfab_arena_take(&p->arena, p->all.nleaves, sizeof(*rank));
	if (p->arena.failed)
		return -1;
	nbase = mark_base_leaves(p);
	/* Leaves of the base first, then by free hosts, most first. */
	for (uint32_t l = 0; l < p->all.nleaves; l++)
		rank[l] = (uint64_t) (p->leaf_used[p->all.leaf[l]] ? 0 :
				      UINT32_MAX - sfab_pool_leaf_hosts(p, l)) << 32 | l;
	qsort(rank, p->all.nleaves, sizeof(*rank), sfab_ascending_u64);
	choose_few_leaves(p, rank, nbase);
	memset(p->leaf_used, 0, p->m->f->nleaves);
	return 0;
}

void sfab_pool_swap_few(struct pool *p)
{
	if (p->max_leaves)
		p->choices = p->choices == &p->all ? &p->few : &p->all;
}

int sfab_pool_allows(struct pool *p, const uint32_t *pick)
{
	uint32_t n = 0;

	if (!p->max_leaves)
		return 1;
	n = mark_base_leaves(p);
	for (uint32_t i = 0; i < p->need; i++) {
		uint8_t *mark = &p->leaf_used[p->m->host_leaf[pick[i]]];

		n += !*mark;
		*mark = 1;
	}
	memset(p->leaf_used, 0, p->m->f->nleaves);
	return n <= p->max_leaves;
}
