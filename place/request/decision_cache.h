/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decision_cache.h - the fixed table of decisions that wait for their job to begin
 *
 * Backfill asks twice about a job, and a job may be refused between the answer
 * and its begin.  So each answer waits here under (job, usable nodes, event
 * count): the same question gets the same answer, and begin finds it.  The
 * table never grows; the answer that was used longest ago makes room.
 */
#ifndef SFAB_PLACE_DECISION_CACHE_H
#define SFAB_PLACE_DECISION_CACHE_H

#include <stdint.h>

#include "place/place.h"

#define SFAB_ANSWERS 512	/* jobs that backfill looks at in one cycle */
#define SFAB_ANSWER_WAYS 8	/* places that a job id may be at */

struct sfab_answer {
	struct sfab_decision d;
	uint64_t key;		/* hash of what was asked; 0: not a search */
	uint64_t events;	/* event count when it was asked */
	uint64_t used;		/* clock of the table, 0: empty */
	int open;		/* the count was worked out: may be enlarged */
	int enlarged;
};

struct sfab_answers {
	struct sfab_answer answer[SFAB_ANSWERS];
	uint64_t *bits;		/* room for the node sets */
	float *cpus;		/* room for a number for each node */
	uint32_t words;		/* of one node set */
	uint64_t clock;
};

/* Empty the table, with room for @nnodes in each set.  -1: memory. */
int sfab_answers_reset(struct sfab_answers *a, uint32_t nnodes);
void sfab_answers_free(struct sfab_answers *a);

/* Last answer to the job, or NULL. */
struct sfab_answer *sfab_answers_find(struct sfab_answers *a, uint32_t id);
/* Its place, or a free or the oldest one, emptied, its node set too. */
struct sfab_answer *sfab_answers_put(struct sfab_answers *a, uint32_t id);
/* The bits behind d.node, d.candidate and d.required, for filling in. */
enum sfab_answer_set { SFAB_SET_NODE, SFAB_SET_CANDIDATE, SFAB_SET_REQUIRED };
#define SFAB_ANSWER_SETS 3
uint64_t *sfab_answers_bits(struct sfab_answers *a, const struct sfab_answer *an,
			    enum sfab_answer_set set);
/* Numbers for each node, for d.each_cpus; memory that is seldom touched. */
float *sfab_answers_cpus(struct sfab_answers *a, const struct sfab_answer *an);

#endif
