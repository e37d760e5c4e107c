/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plain.c - what placement without routes would take, for comparison
 *
 * The tree policy is best-fit by leaf as Slurm's topology/tree does it on two
 * levels: the tightest leaf that holds the job, else the fullest leaves until
 * the rest fits into one.
 */

#include "search_private.h"

#include <stdlib.h>

const char *sfab_policy_name(enum sfab_policy policy)
{
	static const char *const name[] = { "sfabric", "contiguous", "tree",
					    "spread", "random" };

	return policy < SFAB_NPOLICIES ? name[policy] : "?";
}

static int cmp_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

	return x < y ? -1 : x > y;
}

/* First run of neighbours in name order that is long enough, else the first. */
static void pick_contiguous(struct pool *p, uint32_t *pick)
{
	uint32_t *host = p->try, run = 0, end = 0;

	for (uint32_t i = 0; i < p->nhosts; i++)
		host[i] = p->host[i];
	qsort(host, p->nhosts, sizeof(*host), cmp_u32);
	for (end = 0; end < p->nhosts && run < p->need; end++)
		run = end && host[end] == host[end - 1] + 1 ? run + 1 : 1;
	if (run < p->need)
		end = p->need;
	for (uint32_t i = 0; i < p->need; i++)
		pick[i] = host[end - p->need + i];
}

/* The tightest leaf with room for @n, else the one with most; @used flags. */
static uint32_t best_leaf(const struct pool *p, const uint8_t *used, uint32_t n)
{
	uint32_t best = SFAB_NONE;

	for (uint32_t l = 0; l < p->nleaves; l++) {
		uint32_t have = pool_free(p, l), had;

		if (used[l])
			continue;
		if (best == SFAB_NONE) {
			best = l;
			continue;
		}
		had = pool_free(p, best);
		if (have >= n ? had < n || have < had : had < n && have > had)
			best = l;
	}
	return best;
}

static void pick_tree(struct pool *p, uint32_t *pick)
{
	uint8_t *used = (uint8_t *) p->try;	/* room for nleaves flags */
	uint32_t n = 0;

	for (uint32_t l = 0; l < p->nleaves; l++)
		used[l] = 0;
	while (n < p->need) {
		uint32_t l = best_leaf(p, used, p->need - n);

		used[l] = 1;
		for (uint32_t i = p->first[l]; i < p->first[l + 1] && n < p->need; i++)
			pick[n++] = p->host[i];
	}
}

static void pick_spread(struct pool *p, uint32_t *pick)
{
	uint32_t n = 0;

	for (uint32_t round = 0; n < p->need; round++)
		for (uint32_t l = 0; l < p->nleaves && n < p->need; l++)
			if (round < pool_free(p, l))
				pick[n++] = p->host[p->first[l] + round];
}

static void pick_random(struct pool *p, uint32_t *pick)
{
	uint32_t *host = p->try;

	for (uint32_t i = 0; i < p->nhosts; i++)
		host[i] = p->host[i];
	for (uint32_t i = 0; i < p->need; i++) {
		uint32_t k = i + (uint32_t) (pool_random(p) % (p->nhosts - i));

		pick[i] = host[k];
		host[k] = host[i];
	}
}

void sfab_pick_plain(struct pool *p, enum sfab_policy policy, uint32_t *pick)
{
	switch (policy) {
	case SFAB_POLICY_TREE:
		pick_tree(p, pick);
		break;
	case SFAB_POLICY_SPREAD:
		pick_spread(p, pick);
		break;
	case SFAB_POLICY_RANDOM:
		pick_random(p, pick);
		break;
	default:
		pick_contiguous(p, pick);
	}
}
