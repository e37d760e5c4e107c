/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_shapes.c - proposals for fabrics without spines (model.h, direct)
 *
 * On a torus, a dragonfly or a random graph a leaf is no island: its hosts share
 * cables with all routes that pass.  Good sets may be balls around a leaf, some hosts of
 * each leaf, or far apart.  So all of these are proposed: the plain policies, random
 * sets, and balls of several densities.  Then any host of the best set is swapped for
 * any other, as long as the steps last.
 */

#include "core/search/search_shapes.h"

#include <stdlib.h>
#include <string.h>

#define RANDOM_SETS 8
#define BALLS 48		/* at most, all densities together */
#define SHARE_OF_BALLS 3	/* a third of the steps is for balls */
#define SWAP_TRIES 4000		/* at most */

/* Hosts of each leaf that a ball takes: a part 1/density, at least one. */
static const uint32_t densities[] = { 1, 1, 2, 4 };
#define NDENSITIES (sizeof(densities) / sizeof(densities[0]))

struct shapes {
	struct pool *p;
	uint32_t *pick;
	uint32_t *at;		/* by switch: index in p->leaf, or SFAB_NONE */
	uint32_t *queue;	/* switches in the order in which they were reached */
	uint8_t *reached;	/* by switch */
	uint8_t *is_in;		/* by host: in the best set */
	uint8_t *is_base;	/* by host: must stay */
};

/* -- balls ----------------------------------------------------------------- */

static int is_way(const struct sfab_fabric *f, uint32_t link)
{
	return link != SFAB_NONE && f->links[link].kind == SFAB_LINK_ISL &&
	       f->links[link].up;
}

/* Append the neighbors of @sw, in an order that starts anywhere. */
static uint32_t reach_next_leaves(struct shapes *s, uint32_t sw, uint32_t n)
{
	const struct sfab_fabric *f = s->p->m->f;
	uint32_t nports = f->switches[sw].nports;
	uint32_t start = (uint32_t) (sfab_random(&s->p->random) % (nports + 1u));

	for (uint32_t k = 0; k < nports; k++) {
		uint32_t link = f->switches[sw].out[1 + (start + k) % nports];

		if (!is_way(f, link) || s->reached[f->links[link].to])
			continue;
		s->reached[f->links[link].to] = 1;
		s->queue[n++] = f->links[link].to;
	}
	return n;
}

/* Order the switches by hops from that of pool leaf @l; returns their number. */
static uint32_t reach_from(struct shapes *s, uint32_t l)
{
	const struct sfab_fabric *f = s->p->m->f;
	uint32_t n = 1;

	memset(s->reached, 0, f->nswitches);
	s->queue[0] = f->leaves[s->p->leaf[l]].sw;
	s->reached[s->queue[0]] = 1;
	for (uint32_t i = 0; i < n; i++)
		n = reach_next_leaves(s, s->queue[i], n);
	s->p->steps += n;
	return n;
}

/* Part @turn of the hosts of pool leaf @l: those at turn, turn + density, ... */
static void take_ball_part(struct shapes *s, uint32_t l, uint32_t turn, uint32_t density,
		      uint32_t *n)
{
	const struct pool *p = s->p;

	for (uint32_t i = p->first[l] + turn; i < p->first[l + 1] && *n < p->need;
	     i += density)
		s->pick[(*n)++] = p->host[i];
}

/*
 * Fill s->pick from the switches in the queue; what is missing then comes from other
 * planes or parts.
 */
static void pick_ball(struct shapes *s, uint32_t reached, uint32_t density)
{
	const struct pool *p = s->p;
	uint32_t n = 0;

	for (uint32_t turn = 0; turn < density; turn++)
		for (uint32_t i = 0; i < reached; i++)
			if (s->at[s->queue[i]] != SFAB_NONE)
				take_ball_part(s, s->at[s->queue[i]], turn, density, &n);
	for (uint32_t l = 0; l < p->nleaves && n < p->need; l++)
		if (!s->reached[p->m->f->leaves[p->leaf[l]].sw])
			take_ball_part(s, l, 0, 1, &n);
}

static int try_balls(struct shapes *s, struct sfab_err *err)
{
	struct pool *p = s->p;
	uint32_t last = p->bound;

	p->bound = p->steps + (last > p->steps ? last - p->steps : 0) / SHARE_OF_BALLS;
	for (uint32_t k = 0; k < BALLS && sfab_pool_go_on(p); k++) {
		uint32_t l = (uint32_t) (sfab_random(&p->random) % p->nleaves);

		pick_ball(s, reach_from(s, l), densities[k % NDENSITIES]);
		if (sfab_pool_try(p, s->pick, err) < 0)
			return -1;
	}
	p->bound = last;
	return 0;
}

static int try_plain(struct shapes *s, struct sfab_err *err)
{
	static const enum sfab_policy plain[] = { SFAB_POLICY_TREE,
						  SFAB_POLICY_SPREAD,
						  SFAB_POLICY_CONTIGUOUS };
	struct pool *p = s->p;

	for (unsigned i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		sfab_pick_plain(p, plain[i], s->pick);
		if (sfab_pool_try(p, s->pick, err) < 0)
			return -1;
	}
	for (unsigned i = 0; i < RANDOM_SETS && sfab_pool_go_on(p); i++) {
		sfab_pick_plain(p, SFAB_POLICY_RANDOM, s->pick);
		if (sfab_pool_try(p, s->pick, err) < 0)
			return -1;
	}
	return 0;
}

int sfab_shapes_propose(struct pool *p, uint32_t *pick, struct sfab_err *err)
{
	const struct sfab_fabric *f = p->m->f;
	uint32_t *words = calloc(2 * ((size_t) f->nswitches + 1), sizeof(*words));
	uint8_t *bytes = calloc(f->nswitches + 1u, 1);
	struct shapes s = { .p = p, .pick = pick, .at = words, .reached = bytes };
	int rc = words && bytes ? 0 : sfab_no_memory(err);

	if (rc == 0) {
		s.queue = words + f->nswitches + 1;
		memset(s.at, 0xFF, f->nswitches * sizeof(*s.at));
		for (uint32_t l = 0; l < p->nleaves; l++)
			s.at[f->leaves[p->leaf[l]].sw] = l;
		rc = try_plain(&s, err);
	}
	if (rc == 0)
		rc = try_balls(&s, err);
	free(words);
	free(bytes);
	return rc;
}

/* -- swaps ----------------------------------------------------------------- */

static void take_best_of(struct shapes *s)
{
	const struct pool *p = s->p;
	uint32_t n = 0;

	memset(s->is_in, 0, p->m->f->nhosts);
	for (uint32_t i = 0; i < p->rq->n; i++) {
		uint32_t h = p->kept[0].host[i];

		s->is_in[h] = 1;
		if (!s->is_base[h])
			s->pick[n++] = h;
	}
}

static int swap_any_host(struct shapes *s, struct sfab_err *err)
{
	struct pool *p = s->p;

	take_best_of(s);
	for (uint32_t k = 0; k < SWAP_TRIES && p->kept[0].score.key > 0 && sfab_pool_go_on(p);
	     k++) {
		uint32_t place = (uint32_t) (sfab_random(&p->random) % p->need);
		uint32_t in = p->host[sfab_random(&p->random) % p->nhosts];
		uint32_t out = s->pick[place];
		double before = p->kept[0].score.key;

		p->steps++;
		if (s->is_in[in])
			continue;
		s->pick[place] = in;
		if (sfab_pool_try(p, s->pick, err) < 0)
			return -1;
		s->pick[place] = out;
		if (p->kept[0].score.key < before)
			take_best_of(s);
	}
	return 0;
}

int sfab_shapes_swap(struct pool *p, uint32_t *pick, struct sfab_err *err)
{
	size_t hosts = p->m->f->nhosts + 1u;
	uint8_t *bytes = calloc(2 * hosts, 1);
	struct shapes s = { .p = p, .pick = pick, .is_in = bytes };
	int rc;

	if (!bytes)
		return sfab_no_memory(err);
	s.is_base = bytes + hosts;
	for (uint32_t i = 0; i < p->nbase; i++)
		s.is_base[p->base[i]] = 1;
	rc = swap_any_host(&s, err);
	free(bytes);
	return rc;
}
