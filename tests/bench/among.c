/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * among.c - how long jobs take among others: our choice, tree placement, naive tries
 *
 *     among SNAPSHOT NODES TRAFFIC STATES TRIES score|slowdown SEED
 *
 * A state: MPI, readers and writers of 4 to 64 hosts, placed as topology/tree would,
 * fill nine tenths of the machine; an eighth of them ends.  A machine of few more
 * than NODES + 64 hosts stays idle.  Then NODES hosts are wanted, for TRAFFIC.  Naive
 * tries know no routes: half are whole leaves in random order, half the best so far with
 * one host swapped for any other.  They keep the least score, or the least slowdown among
 * the others, whatever it does to them and to later jobs.  Ours always goes by the
 * score.  Prints
 *
 *     NODES TRAFFIC STATES, of tree, ours and naive: SCORE SLOWDOWN; RATIO ABOVE LONGER
 *     MOST WORSE TREE OVER
 *
 * means over the states; ours / naive by slowdown, states where that is above 1.1;
 * states where ours is slower than tree, the most that ours / tree is; states where
 * naive tries have a better score; where tree has; where ours is above 1.02 times naive, or times our choice with fifty
 * times the steps.  The IO set is the last port of each leaf.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "tests/bench/bench.h"
#include "tests/bench/crowd.h"

#define TOO_FAR 1.1		/* ours / naive, */
#define FAR_OFF 1.02		/* and what counts as the same */
#define LONG_SEARCH 50		/* times the steps */
#define CROWD_MOST 64		/* hosts of a job that fills the machine */

enum who { BY_TREE, BY_US, BY_LUCK, NWHO };

struct tally {
	double score[NWHO], slowdown[NWHO], ratio, most;
	uint32_t above, longer, worse, tree, over;
};

/* -- naive tries ---------------------------------------------------------- */

static double sought(int for_slowdown, const struct sfab_score *s)
{
	return for_slowdown ? s->slowdown : s->total;
}

/* Ranks go by name. */
static struct sfab_score try_luck(struct crowd *c, uint32_t tries, int for_slowdown)
{
	struct sfab_score best = { 0 };

	for (uint32_t k = 0; k < tries; k++) {
		struct sfab_score x;

		if (k < (tries + 1) / 2)
			crowd_pack(c);
		else
			crowd_swap(c);
		qsort(c->set, c->n, sizeof(*c->set), sfab_ascending_u32);
		x = crowd_score(c);
		if (k && sought(for_slowdown, &x) >= sought(for_slowdown, &best))
			continue;
		best = x;
		memcpy(c->best, c->set, c->n * sizeof(*c->set));
	}
	return best;
}

/* -- all ------------------------------------------------------------------ */

static void count_state(struct tally *t, const struct sfab_score x[NWHO], double thorough)
{
	double s[NWHO];

	for (int i = 0; i < NWHO; i++) {
		s[i] = x[i].slowdown;
		t->score[i] += x[i].total;
		t->slowdown[i] += s[i];
	}
	t->ratio += s[BY_US] / s[BY_LUCK];
	t->above += s[BY_US] > TOO_FAR * s[BY_LUCK];
	t->longer += s[BY_US] > s[BY_TREE] + 1e-6;
	if (s[BY_US] / s[BY_TREE] > t->most)
		t->most = s[BY_US] / s[BY_TREE];
	t->worse += x[BY_US].total > x[BY_LUCK].total + 1e-6;
	t->tree += x[BY_US].total > x[BY_TREE].total + 1e-6;
	t->over += s[BY_US] > FAR_OFF * thorough || s[BY_US] > FAR_OFF * s[BY_LUCK];
}

/* Slowdown of what we choose with more steps. */
static double search_long(struct crowd *c)
{
	struct sfab_choice best;
	double slowdown;

	c->max_steps = LONG_SEARCH * SFAB_MAX_STEPS_DEFAULT;
	best = crowd_choose(c, c->n, &c->traffic, SFAB_POLICY_SFABRIC);
	slowdown = best.score.slowdown;
	sfab_choice_clear(&best);
	c->max_steps = 0;
	return slowdown;
}

static void try_state(struct crowd *c, uint32_t tries, int for_slowdown, struct tally *t)
{
	struct sfab_choice tree, ours;

	crowd_begin(c);
	crowd_fill(c, c->nfree / 10 + CROWD_MOST + c->n, CROWD_MOST);
	tree = crowd_choose(c, c->n, &c->traffic, SFAB_POLICY_TREE);
	ours = crowd_choose(c, c->n, &c->traffic, SFAB_POLICY_SFABRIC);
	count_state(t, (struct sfab_score[NWHO]){ tree.score, ours.score,
						  try_luck(c, tries, for_slowdown) },
		    search_long(c));
	sfab_choice_clear(&tree);
	sfab_choice_clear(&ours);
	crowd_clear(c);
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL, "usage: among SNAPSHOT NODES "
		"TRAFFIC STATES TRIES score|slowdown SEED" };
	struct crowd c = { 0 };
	struct tally t = { 0 };
	uint32_t states;

	bench_must(argc == 8 && atoi(argv[2]) > 0 && atoi(argv[4]) > 0, &usage);
	crowd_open(&c, argv[1]);
	c.n = (uint32_t) atoi(argv[2]);
	crowd_traffic(argv[3], &c.traffic);
	c.random = (uint64_t) atoi(argv[7]);
	states = (uint32_t) atoi(argv[4]);
	for (uint32_t i = 0; i < states; i++)
		try_state(&c, (uint32_t) atoi(argv[5]),
			  strcmp(argv[6], "slowdown") == 0, &t);
	printf("%u %s %u", c.n, argv[3], states);
	for (int i = 0; i < NWHO; i++)
		printf(" %.3f %.3f", t.score[i] / states, t.slowdown[i] / states);
	printf(" %.3f %u %u %.3f %u %u %u\n", t.ratio / states, t.above, t.longer, t.most,
	       t.worse, t.tree, t.over);
	crowd_close(&c);
	return 0;
}
