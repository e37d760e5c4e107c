/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decision_cache.h - a fixed table of decisions for jobs that did not begin yet
 *
 * Backfill asks twice about a job, and a job may be refused between the answer and its begin.
 * So one answer is kept for each job id: ask.c compares its key, events and mode before it
 * gives it again, and begin finds it.  The table never grows; of the slots that an id may
 * occupy the least recently used is taken.
 */
#ifndef SFAB_PLACE_DECISION_CACHE_H
#define SFAB_PLACE_DECISION_CACHE_H

#include <stdint.h>

#include "core/arena.h"
#include "place/decision.h"

#define SFAB_DECISION_CACHE_SIZE 512	/* jobs that backfill looks at in one cycle */
#define SFAB_DECISION_CACHE_WAYS 8	/* slots that a job id may occupy */
#define SFAB_DECISION_SETS 4	/* sets of nodes in d: node, candidate, required, tree */

struct sfab_cached_decision {
	struct sfab_decision d;
	uint64_t key;		/* hash of the question; 0: not from a search */
	uint64_t events;	/* event count when it was asked */
	uint64_t used_at;	/* clock of the table when stored or found, 0: empty */
	float *cpus;		/* a number per node, for d.each_cpus; rarely touched */
	int may_grow;		/* the node count was computed, so it may be enlarged */
	int is_enlarged;
	int is_kind;		/* d has only reason, mode and fingerprint */
};

struct sfab_decision_cache {
	struct sfab_cached_decision entry[SFAB_DECISION_CACHE_SIZE];
	uint64_t *bits;			/* storage for the node sets */
	float *cpus;			/* storage for one number per node */
	uint32_t words;			/* 64-bit words in one node set */
	uint64_t clock;
	struct sfab_arena arena;	/* bits and cpus */
};

/* Empty the table and make each set @nnodes large.  -1: no memory; free it. */
int sfab_decision_cache_reset(struct sfab_decision_cache *cache, uint32_t nnodes);
void sfab_decision_cache_free(struct sfab_decision_cache *cache);

/* Return the last answer to the job, which counts as used now; NULL: none. */
struct sfab_cached_decision *sfab_decision_cache_find(
	struct sfab_decision_cache *cache, uint32_t id);
/* Store @d, without its node sets, in the job's slot, or in a free or the oldest one. */
struct sfab_cached_decision *sfab_decision_cache_put(
	struct sfab_decision_cache *cache, const struct sfab_decision *d);
/* Empty the node sets of a slot. */
void sfab_decision_cache_empty(struct sfab_decision_cache *cache,
			       const struct sfab_cached_decision *cached);

#endif
