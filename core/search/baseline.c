/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * baseline.c - what placement without routes would choose, for comparison; see search.h
 *
 * The tree baseline has a file of its own (slurm_tree.c).
 */

#include "core/ascending.h"
#include "core/search/pool.h"

#include <stdlib.h>

const char *sfab_policy_name(enum sfab_policy policy)
{
	static const char *const name[] = { "sfabric", "contiguous", "tree",
					    "spread", "random" };

	return policy < SFAB_NPOLICIES ? name[policy] : "?";
}

/*
 * Pick the first run of hosts with consecutive ids that is long enough; if there is none, the
 * first hosts.  Ids follow names.
 */
static void pick_contiguous(struct pool *p, uint32_t *pick)
{
	uint32_t *host = p->trial, run = 0, end = 0;

	for (uint32_t i = 0; i < p->choices->nhosts; i++)
		host[i] = p->choices->host[i];
	qsort(host, p->choices->nhosts, sizeof(*host), sfab_ascending_u32);
	for (end = 0; end < p->choices->nhosts && run < p->need; end++)
		run = end && host[end] == host[end - 1] + 1 ? run + 1 : 1;
	if (run < p->need)
		end = p->need;
	for (uint32_t i = 0; i < p->need; i++)
		pick[i] = host[end - p->need + i];
}

/* Pick one host per leaf and round, leaves in fabric order. */
static void pick_spread(struct pool *p, uint32_t *pick)
{
	uint32_t n = 0;

	for (uint32_t round = 0; n < p->need; round++)
		for (uint32_t l = 0; l < p->choices->nleaves && n < p->need; l++)
			if (round < sfab_pool_leaf_hosts(p, l))
				pick[n++] = p->choices->host[p->choices->first[l] + round];
}

/* Pick by a partial Fisher-Yates shuffle in p->trial; p->choices->host stays in order. */
static void pick_random(struct pool *p, uint32_t *pick)
{
	uint32_t *host = p->trial;

	for (uint32_t i = 0; i < p->choices->nhosts; i++)
		host[i] = p->choices->host[i];
	for (uint32_t i = 0; i < p->need; i++) {
		uint32_t k = i + (uint32_t) (sfab_random(&p->random) % (p->choices->nhosts - i));

		pick[i] = host[k];
		host[k] = host[i];
	}
}

void sfab_pool_pick_plain(struct pool *p, enum sfab_policy policy, uint32_t *pick)
{
	static void (*const by[SFAB_NPOLICIES])(struct pool *p, uint32_t *pick) = {
		[SFAB_POLICY_CONTIGUOUS] = pick_contiguous,
		[SFAB_POLICY_TREE] = sfab_pool_pick_tree,
		[SFAB_POLICY_SPREAD] = pick_spread,
		[SFAB_POLICY_RANDOM] = pick_random,
	};

	by[policy](p, pick);
	if (sfab_pool_allows(p, pick))
		return;
	sfab_pool_swap_few(p);
	by[policy](p, pick);
	sfab_pool_swap_few(p);
}
