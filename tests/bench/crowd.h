/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crowd.h - machines that are busy with other jobs, and naive tries on them
 *
 * What cases.c and states.c share.  All draws are of one sequence: the same calls with the same
 * first number make the same machine.  Without memory the program ends (bench_must()).
 */
#ifndef SFAB_BENCH_CROWD_H
#define SFAB_BENCH_CROWD_H

#include <stdint.h>

#include "core/search/search.h"
#include "io/snapshot/snapshot.h"

struct crowd {
	struct sfab_snapshot *snap;
	const struct sfab_fabric *f;
	struct sfab_iosets *io;		/* the last port of each leaf */
	struct sfab_model *m;
	struct sfab_scorer *sc;
	struct sfab_jobs *js;
	uint8_t *avail;			/* by host: 1 free */
	uint32_t nfree, n;		/* hosts free; hosts wanted, set by the caller */
	uint64_t random;		/* set by the caller */
	struct sfab_traffic traffic;	/* of the job that wants them, set by the caller */
	uint32_t *set, *best, *order;	/* [n] a try, the best so far; [leaves] */
};

void crowd_open(struct crowd *c, const char *snapshot);

/* An empty machine; then jobs may run until crowd_clear(). */
void crowd_begin(struct crowd *c);
void crowd_clear(struct crowd *c);

/*
 * MPI, readers and writers of 4 to @max hosts, placed as topology/tree would, until at most
 * @left hosts are free; then an eighth of the jobs ends.
 */
void crowd_fill(struct crowd *c, uint32_t left, uint32_t max);

void crowd_traffic(const char *text, struct sfab_traffic *t);
/* The caller clears the choice. */
struct sfab_choice crowd_choose(struct crowd *c, uint32_t n, const struct sfab_traffic *t,
				enum sfab_policy policy);

/* c->set becomes whole leaves in random order. */
void crowd_pack(struct crowd *c);
/* c->set becomes c->best with one host swapped for any that is free. */
void crowd_swap(struct crowd *c);
/* The score of c->set in this order of ranks. */
struct sfab_score crowd_score(struct crowd *c);

#endif
