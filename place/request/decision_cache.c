/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decision_cache.c - decisions for jobs that did not begin yet; see
 * decision_cache.h
 */

#include "place/request/decision_cache.h"

#include <stdlib.h>
#include <string.h>

/* used == 0 marks an empty slot, so the rest of it need not be cleared. */
static void forget_all(struct sfab_answers *a)
{
	a->clock = 0;
	for (uint32_t i = 0; i < SFAB_ANSWERS; i++)
		a->answer[i].used = 0;
}

int sfab_answers_reset(struct sfab_answers *a, uint32_t nnodes)
{
	uint32_t words = nnodes / 64 + 1;

	forget_all(a);
	if (a->words == words)
		return 0;
	sfab_answers_free(a);
	a->bits = calloc((size_t) SFAB_ANSWERS * SFAB_ANSWER_SETS * words, sizeof(*a->bits));
	a->cpus = calloc((size_t) SFAB_ANSWERS * words * 64, sizeof(*a->cpus));
	if (!a->bits || !a->cpus) {
		sfab_answers_free(a);
		return -1;
	}
	a->words = words;
	return 0;
}

void sfab_answers_free(struct sfab_answers *a)
{
	free(a->bits);
	free(a->cpus);
	a->bits = NULL;
	a->cpus = NULL;
	a->words = 0;
	forget_all(a);
}

/* First of the slots that an id may occupy. */
static struct sfab_answer *first_way_of_id(struct sfab_answers *a, uint32_t id)
{
	uint32_t set = id % (SFAB_ANSWERS / SFAB_ANSWER_WAYS);

	return &a->answer[set * SFAB_ANSWER_WAYS];
}

struct sfab_answer *sfab_answers_find(struct sfab_answers *a, uint32_t id)
{
	struct sfab_answer *way = first_way_of_id(a, id);

	for (uint32_t i = 0; i < SFAB_ANSWER_WAYS; i++)
		if (way[i].used && way[i].d.id == id)
			return &way[i];
	return NULL;
}

/* The least recently used slot among those where @id may be. */
static struct sfab_answer *oldest_answer(struct sfab_answers *a, uint32_t id)
{
	struct sfab_answer *way = first_way_of_id(a, id), *best = way;

	for (uint32_t i = 1; i < SFAB_ANSWER_WAYS; i++)
		if (way[i].used < best->used)
			best = &way[i];
	return best;
}

uint64_t *sfab_answers_bits(struct sfab_answers *a, const struct sfab_answer *an,
			    enum sfab_answer_set set)
{
	size_t answer = (size_t) (an - a->answer);

	return a->bits + (answer * SFAB_ANSWER_SETS + set) * a->words;
}

float *sfab_answers_cpus(struct sfab_answers *a, const struct sfab_answer *an)
{
	return a->cpus + (size_t) (an - a->answer) * a->words * 64;
}

struct sfab_answer *sfab_answers_put(struct sfab_answers *a, uint32_t id)
{
	struct sfab_answer *an = sfab_answers_find(a, id);

	if (!an)
		an = oldest_answer(a, id);
	memset(an, 0, sizeof(*an));
	an->d.id = id;
	an->d.node = sfab_answers_bits(a, an, SFAB_SET_NODE);
	an->d.candidate = sfab_answers_bits(a, an, SFAB_SET_CANDIDATE);
	an->d.required = sfab_answers_bits(a, an, SFAB_SET_REQUIRED);
	an->d.tree = sfab_answers_bits(a, an, SFAB_SET_TREE);
	an->used = ++a->clock;
	memset(sfab_answers_bits(a, an, SFAB_SET_NODE), 0,
	       SFAB_ANSWER_SETS * a->words * sizeof(*a->bits));
	return an;
}
