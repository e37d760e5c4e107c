/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local_search.c - change the best set a little, again and again; see propose.h
 *
 * A change is kept if less is lost.  Where the tables have port classes a good set is seldom
 * improved; where they have none, this is most of what can be gained.
 */

#include "core/search/propose.h"

#include <string.h>

/* Tuned by make bench-cases. */
#define STEPS_A_ROUND 500	/* the search ends after max_steps / STEPS_A_ROUND changes in a
				   row, of which only the first may have helped; results hardly
				   differ from 250 to 1,000 */
#define TRIES 8			/* draws to find a host that is not in the set; results hardly
				   differ from 4 to 16 */
#define FEW_NODES 1e-3		/* if a set loses fewer nodes, there is nothing to gain */

struct local_search {
	struct pool *p;
	uint8_t *used;		/* by host: in the best set */
	uint32_t *set;		/* [need] the best set without the base */
};

static uint32_t any_below(struct pool *p, uint32_t n)
{
	return (uint32_t) (sfab_random(&p->random) % n);
}

/* Copy the best set to s->set, without the base, and mark all of its hosts in s->used. */
static void read_best(struct local_search *s)
{
	struct pool *p = s->p;
	uint32_t n = 0;

	memset(s->used, 0, p->m->f->nhosts);
	for (uint32_t i = 0; i < p->rq->n; i++) {
		s->used[p->best->host[i]] = 1;
		if (p->choices->is_candidate[p->best->host[i]])
			s->set[n++] = p->best->host[i];
	}
}

/* Draw a host that is not in the set.  SFAB_NONE: not found in TRIES draws. */
static uint32_t any_unused(struct local_search *s)
{
	struct pool *p = s->p;

	for (int k = 0; k < TRIES; k++) {
		uint32_t host = p->choices->host[any_below(p, p->choices->nhosts)];

		if (!s->used[host])
			return host;
	}
	return SFAB_NONE;
}

/* Replace one host of the set by another.  0: none was found. */
static int swap_a_host(struct local_search *s)
{
	uint32_t in = any_unused(s);

	if (in == SFAB_NONE)
		return 0;
	s->p->pick[any_below(s->p, s->p->need)] = in;
	return 1;
}

/* Replace two hosts at once: this may help where replacing one does not. */
static int swap_two_hosts(struct local_search *s)
{
	uint32_t a = any_unused(s), b = any_unused(s), i;

	if (a == SFAB_NONE || b == SFAB_NONE || a == b || s->p->need < 2)
		return 0;
	i = any_below(s->p, s->p->need - 1);
	s->p->pick[i] = a;
	s->p->pick[i + 1 + any_below(s->p, s->p->need - 1 - i)] = b;
	return 1;
}

/* Move all hosts of the set that are on one leaf to another leaf.  0: it has too few free hosts. */
static int move_a_leaf(struct local_search *s)
{
	struct pool *p = s->p;
	const struct pool_leaves *l = p->choices;
	uint32_t from = p->m->host_leaf[s->set[any_below(p, p->need)]];
	uint32_t to = any_below(p, l->nleaves), next = l->first[to], last = l->first[to + 1];

	if (l->leaf[to] == from)
		return 0;
	for (uint32_t i = 0; i < p->need; i++) {
		if (p->m->host_leaf[s->set[i]] != from)
			continue;
		while (next < last && s->used[l->host[next]])
			next++;
		if (next == last)
			return 0;
		p->pick[i] = l->host[next++];
	}
	return 1;
}

int sfab_propose_changes(struct pool *p, struct sfab_err *err)
{
	static int (*const change[])(struct local_search *) = {
		swap_a_host, swap_two_hosts, move_a_leaf,
	};
	struct local_search s = { .p = p };
	uint32_t rounds = p->max_steps / STEPS_A_ROUND;
	int rc = 0;

	s.used = sfab_arena_take(&p->arena, p->m->f->nhosts, 1);
	s.set = sfab_arena_take(&p->arena, p->need, sizeof(*s.set));
	if (p->arena.failed)
		return sfab_no_memory(err);
	read_best(&s);
	for (uint32_t failed = 0; rc == 0 && failed < rounds && sfab_pool_may_go_on(p); failed++) {
		double old_total = p->best->score.total;

		if (!(old_total > FEW_NODES))
			break;
		memcpy(p->pick, s.set, p->need * sizeof(*p->pick));
		if (change[sfab_random(&p->random) % (sizeof(change) / sizeof(*change))](&s))
			rc = sfab_pool_try(p, p->pick, err);
		if (p->best->score.total < old_total) {
			read_best(&s);
			failed = 0;
		}
	}
	return rc;
}
