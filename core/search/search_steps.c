/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_steps.c - the last choice for mpi by steps
 *
 * Steps cost too much to be looked at for every proposal.  So the best sets by the
 * mean, and the rectangles of port classes, are scored once more, now with steps.  Then
 * hosts of the best set are swapped, by turns for others on the same leaf and for any.
 * On the same leaf they are alike by the mean, and later jobs find as many free hosts
 * there as before.  The best set changes, the others stay: the look ahead then has sets
 * on different leaves to choose from.
 */

#include "core/search/search_private.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_PART 2		/* half of the steps of the other searches together, */
#define STEPS_MOST 150000u	/* at most: for 512 hosts some 2 ms; */
#define STEPS_RAILS 2u		/* so many times that if hosts have several ports */
#define SWAPS_PART 2		/* of these one in two is for swaps, */
#define SWAPS_MOST 1000		/* and at most so many are tried, */
#define PAIR_TURNS 4		/* one in four of two hosts at once: a way out where no
				   single swap helps */

struct step_swap {
	uint32_t place, in, out;
};

struct step_search {
	struct pool *p;
	uint8_t *is_base, *is_in;	/* by host */
	uint32_t *at;			/* by leaf: its index in p->leaf */
	uint32_t *in_leaf;		/* by leaf: hosts of the set */
	uint32_t *pick;			/* [POOL_KEPT_STEPS * need] */
	uint32_t *place, nplaces;	/* hosts of the set with others on their leaf */
};

/* The hosts of a whole set that were chosen. */
static void list_chosen(const struct step_search *s, const uint32_t *set, uint32_t *pick)
{
	for (uint32_t i = 0; i < s->p->rq->n; i++)
		if (!s->is_base[set[i]])
			*pick++ = set[i];
}

/*
 * The best by the mean, and tree placement; then the rectangles and the others, as far
 * as the steps go.
 */
static int score_with_steps(struct step_search *s, const struct class_proposals *found,
			    struct sfab_err *err)
{
	struct pool *p = s->p;
	uint32_t n = p->nkept;
	int rc;

	for (uint32_t i = 0; i < n; i++)
		list_chosen(s, p->kept[i].host, s->pick + (size_t) i * p->need);
	p->with_steps = 1;
	p->nkept = p->nseen = 0;
	rc = sfab_pool_try(p, s->pick, err);
	list_chosen(s, p->tree, s->pick);
	if (rc == 0)
		rc = sfab_pool_try(p, s->pick, err);
	for (uint32_t i = 0; i < found->n && rc == 0 && sfab_pool_go_on(p); i++)
		rc = sfab_pool_try(p, found->pick[i], err);
	for (uint32_t i = 1; i < n && rc == 0 && sfab_pool_go_on(p); i++)
		rc = sfab_pool_try(p, s->pick + (size_t) i * p->need, err);
	return rc;
}

/* -- swaps ----------------------------------------------------------------- */

static void take_best(struct step_search *s)
{
	const struct pool *p = s->p;
	const struct sfab_model *m = p->m;

	list_chosen(s, p->kept[0].host, s->pick);
	memset(s->is_in, 0, m->f->nhosts);
	memset(s->in_leaf, 0, m->f->nleaves * sizeof(*s->in_leaf));
	for (uint32_t i = 0; i < p->need; i++) {
		s->is_in[s->pick[i]] = 1;
		s->in_leaf[m->host_leaf[s->pick[i]]]++;
	}
	s->nplaces = 0;
	for (uint32_t i = 0; i < p->need; i++) {
		uint32_t leaf = m->host_leaf[s->pick[i]], l = s->at[leaf];

		if (l != SFAB_NONE && pool_free(p, l) > s->in_leaf[leaf])
			s->place[s->nplaces++] = i;
	}
}

/* A place of the set and the host that it gets, by turns on the same leaf and on any. */
static struct step_swap draw_swap(struct step_search *s, uint32_t turn)
{
	struct pool *p = s->p;
	struct step_swap w;
	uint32_t l;

	if (turn % 2 || !s->nplaces) {
		w.place = (uint32_t) (sfab_random(&p->random) % p->need);
		w.in = p->host[sfab_random(&p->random) % p->nhosts];
	} else {
		w.place = s->place[sfab_random(&p->random) % s->nplaces];
		l = s->at[p->m->host_leaf[s->pick[w.place]]];
		w.in = p->host[p->first[l] + sfab_random(&p->random) % pool_free(p, l)];
	}
	w.out = s->pick[w.place];
	return w;
}

/* One swap, in every fourth turn two.  0: none, a host is in the set already. */
static uint32_t draw_swaps(struct step_search *s, uint32_t turn, struct step_swap w[2])
{
	uint32_t n = turn % PAIR_TURNS == PAIR_TURNS - 1 ? 2 : 1;

	for (uint32_t i = 0; i < n; i++) {
		w[i] = draw_swap(s, i ? turn / PAIR_TURNS : turn);
		if (s->is_in[w[i].in])
			return 0;
	}
	return n == 2 && (w[0].place == w[1].place || w[0].in == w[1].in) ? 1 : n;
}

static int swap_by_steps(struct step_search *s, struct sfab_err *err)
{
	struct pool *p = s->p;

	take_best(s);
	for (uint32_t k = 0; k < SWAPS_MOST && p->kept[0].score.key > 0 &&
			     sfab_pool_go_on(p); k++) {
		double before = p->kept[0].score.key;
		struct step_swap w[2];
		uint32_t n = draw_swaps(s, k, w);

		for (uint32_t i = 0; i < n; i++)
			s->pick[w[i].place] = w[i].in;
		if (n && sfab_pool_try(p, s->pick, err) < 0)
			return -1;
		for (uint32_t i = 0; i < n; i++)
			s->pick[w[i].place] = w[i].out;
		if (p->kept[0].score.key < before)
			take_best(s);
	}
	return 0;
}

static void mark_pool(struct step_search *s)
{
	const struct pool *p = s->p;

	for (uint32_t i = 0; i < p->nbase; i++)
		s->is_base[p->base[i]] = 1;
	memset(s->at, 0xFF, p->m->f->nleaves * sizeof(*s->at));
	for (uint32_t l = 0; l < p->nleaves; l++)
		s->at[p->leaf[l]] = l;
}

/* Each port of a host has links of its own to walk. */
static uint32_t most_by_steps(const struct pool *p)
{
	uint32_t most = p->max_steps / STEPS_PART;

	if (most > STEPS_MOST)
		most = STEPS_MOST;
	return most * (p->m->nrails > 1 ? STEPS_RAILS : 1);
}

static int search_with_steps(struct step_search *s, const struct class_proposals *found,
			     struct sfab_err *err)
{
	struct pool *p = s->p;
	uint32_t last = p->bound, before = p->steps, most = most_by_steps(p);

	mark_pool(s);
	p->bound = before + most / SWAPS_PART;
	if (score_with_steps(s, found, err) < 0)
		return -1;
	/* With more of them the look ahead chose worse in replays with a queue. */
	if (p->nkept > POOL_KEPT)
		p->nkept = POOL_KEPT;
	p->bound = before + most;
	p->replaces = 1;
	if (p->need && p->need < p->nhosts && swap_by_steps(s, err) < 0)
		return -1;
	p->replaces = 0;
	/* The look ahead has what it would have had. */
	p->bound = last + (p->steps - before);
	return 0;
}

int sfab_search_steps(struct pool *p, const struct class_proposals *found,
		      struct sfab_err *err)
{
	struct step_search s = { .p = p };
	size_t hosts = p->m->f->nhosts + 1u, leaves = p->m->f->nleaves + 1u;
	uint8_t *bytes = calloc(2 * hosts, 1);
	uint32_t *words = calloc(2 * leaves + (POOL_KEPT_STEPS + 1u) * ((size_t) p->need + 1),
				 sizeof(*words));
	int rc;

	s.is_base = bytes;
	s.is_in = bytes + hosts;
	s.at = words;
	s.in_leaf = words + leaves;
	s.place = words + 2 * leaves;
	s.pick = s.place + p->need + 1;
	rc = bytes && words ? search_with_steps(&s, found, err) : sfab_no_memory(err);
	free(bytes);
	free(words);
	return rc;
}
