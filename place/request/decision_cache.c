/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decision_cache.c - decisions for jobs that did not begin yet; see decision_cache.h
 *
 * A set-associative cache like that of a CPU: an id has a few slots, and the least recently
 * used of them is replaced.  So a long queue costs neither memory nor an allocation in
 * slurmctld's thread; a decision that was lost is searched for again.  The sets of nodes are in
 * one array beside the slots, sized by the node table.
 */

#include "place/request/decision_cache.h"

#include <string.h>

/* Clear all slots: used == 0 marks an empty one, so the rest of it need not be cleared. */
static void forget_all(struct sfab_decision_cache *cache)
{
	cache->clock = 0;
	for (uint32_t i = 0; i < SFAB_DECISION_CACHE_SIZE; i++)
		cache->entry[i].used_at = 0;
}

int sfab_decision_cache_reset(struct sfab_decision_cache *cache, uint32_t nnodes)
{
	uint32_t words = nnodes / 64 + 1;

	forget_all(cache);
	if (cache->words == words)
		return 0;
	sfab_decision_cache_free(cache);
	cache->bits = sfab_arena_take(&cache->arena,
				      (size_t) SFAB_DECISION_CACHE_SIZE *
					      SFAB_DECISION_SETS * words,
				      sizeof(*cache->bits));
	cache->cpus = sfab_arena_take(&cache->arena,
				      (size_t) SFAB_DECISION_CACHE_SIZE * words * 64,
				      sizeof(*cache->cpus));
	cache->words = words;
	return cache->arena.failed ? -1 : 0;
}

void sfab_decision_cache_free(struct sfab_decision_cache *cache)
{
	sfab_arena_free(&cache->arena);
	cache->words = 0;
	forget_all(cache);
}

/* Return the first of the slots that an id may occupy. */
static struct sfab_cached_decision *first_way_of_id(struct sfab_decision_cache *cache, uint32_t id)
{
	uint32_t set = id % (SFAB_DECISION_CACHE_SIZE / SFAB_DECISION_CACHE_WAYS);

	return &cache->entry[set * SFAB_DECISION_CACHE_WAYS];
}

struct sfab_cached_decision *sfab_decision_cache_find(
	struct sfab_decision_cache *cache, uint32_t id)
{
	struct sfab_cached_decision *ways = first_way_of_id(cache, id);

	for (uint32_t i = 0; i < SFAB_DECISION_CACHE_WAYS; i++)
		if (ways[i].used_at && ways[i].d.id == id) {
			ways[i].used_at = ++cache->clock;
			return &ways[i];
		}
	return NULL;
}

struct sfab_cached_decision *sfab_decision_cache_put(
	struct sfab_decision_cache *cache, const struct sfab_decision *d)
{
	struct sfab_cached_decision *found = sfab_decision_cache_find(cache, d->id);
	struct sfab_cached_decision *ways = first_way_of_id(cache, d->id);
	struct sfab_cached_decision *cached = found ? found : ways;
	size_t slot, words = cache->words;
	uint64_t *sets;

	/* The least recently used slot among those where the id may be. */
	for (uint32_t i = 1; !found && i < SFAB_DECISION_CACHE_WAYS; i++)
		if (ways[i].used_at < cached->used_at)
			cached = &ways[i];
	slot = (size_t) (cached - cache->entry);
	sets = cache->bits + slot * SFAB_DECISION_SETS * words;
	*cached = (struct sfab_cached_decision){
		.d = *d, .used_at = ++cache->clock, .cpus = cache->cpus + slot * words * 64,
	};
	cached->d.node = sets;
	cached->d.candidate = sets + words;
	cached->d.required = sets + 2 * words;
	cached->d.tree = sets + 3 * words;
	sfab_decision_cache_empty(cache, cached);
	return cached;
}

void sfab_decision_cache_empty(struct sfab_decision_cache *cache,
			       const struct sfab_cached_decision *cached)
{
	memset(cached->d.node, 0,
	       SFAB_DECISION_SETS * cache->words * sizeof(*cache->bits));
}
