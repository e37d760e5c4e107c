/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * states.c - how good choices are on busy machines, by our own score
 *
 *     states SNAPSHOT NODES TRAFFIC STATES TRIES BUSY
 *
 * A state: jobs of 4 to NODES hosts and mixed traffic, placed as topology/tree would, fill the
 * part BUSY of the machine and a ninth of it more; an eighth of them ends.  BUSY 0: an empty
 * machine.  Then NODES hosts are wanted, for TRAFFIC.  TRIES naive proposals are the plain
 * policies, whole leaves in random order, and random swaps of the best so far; half are swaps.
 * Prints one line,
 *
 *     NODES TRAFFIC STATES, of tree, contiguous, spread, random, ours and naive: SCORE
 *     LOST; then WORSE; MS
 *
 * means over the states.  LOST: nodes that the job and the others lose.  WORSE: states where
 * ours has a worse score than tree, contiguous, spread, random, naive; then states where more
 * is lost than by the best of the four; MS: CPU time of our decision, mean.  The IO set is the
 * last port of each leaf.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/bench/crowd.h"

enum { TREE, CONTIGUOUS, SPREAD, RANDOM, OURS, NAIVE, NCHOICES };

static const enum sfab_policy policy_of[] = {
	[TREE] = SFAB_POLICY_TREE, [CONTIGUOUS] = SFAB_POLICY_CONTIGUOUS,
	[SPREAD] = SFAB_POLICY_SPREAD, [RANDOM] = SFAB_POLICY_RANDOM,
	[OURS] = SFAB_POLICY_SFABRIC,
};

struct sums {
	double score[NCHOICES], lost[NCHOICES], ms;
	uint32_t worse_than[NCHOICES], more;
};

/* Hosts that the filling jobs leave free, on a machine of which @busy shall be used. */
static uint32_t still_free(const struct crowd *c, double busy)
{
	double full = busy * 10 / 9;
	uint32_t min = 2 * c->n, left = c->nfree;

	if (!(full > 0))
		return left;
	left -= (uint32_t) ((full < 1 ? full : 1) * left);
	return left > min ? left : min;
}

/* The plain policies first: they are in x[]. */
static struct sfab_score naive(struct crowd *c, const struct sfab_choice *plain,
			       uint32_t tries)
{
	struct sfab_score best = { 0 };

	for (uint32_t k = 0; k < tries; k++) {
		struct sfab_score x;

		if (k < OURS)
			memcpy(c->set, plain[k].host, c->n * sizeof(*c->set));
		else if (k < (tries + 1) / 2)
			crowd_pack(c);
		else
			crowd_swap(c);
		x = crowd_score(c);
		if (k && x.total >= best.total)
			continue;
		best = x;
		memcpy(c->best, c->set, c->n * sizeof(*c->set));
	}
	return best;
}

/* -- all ------------------------------------------------------------------ */

static double lost_now(const struct sfab_score *s)
{
	return s->term[SFAB_TERM_OWN] + s->term[SFAB_TERM_OTHERS];
}

static void add_up(const struct sfab_score *x, struct sums *sums)
{
	double min = lost_now(&x[TREE]);

	for (int i = 0; i < NCHOICES; i++) {
		sums->score[i] += x[i].total;
		sums->lost[i] += lost_now(&x[i]);
		sums->worse_than[i] += x[OURS].total > x[i].total + 1e-6;
		if (i < OURS && lost_now(&x[i]) < min)
			min = lost_now(&x[i]);
	}
	sums->more += lost_now(&x[OURS]) > min + 1e-6;
}

static void one_state(struct crowd *c, double busy, uint32_t tries, struct sums *sums)
{
	struct sfab_choice plain[NAIVE];
	struct sfab_score x[NCHOICES];
	double start;

	crowd_begin(c);
	crowd_fill(c, still_free(c, busy), c->n);
	for (int i = 0; i < NAIVE; i++) {
		start = bench_cpu();
		plain[i] = crowd_choose(c, c->n, &c->traffic, policy_of[i]);
		x[i] = plain[i].score;
		sums->ms += i == OURS ? 1e3 * (bench_cpu() - start) : 0;
	}
	x[NAIVE] = naive(c, plain, tries);
	add_up(x, sums);
	for (int i = 0; i < NAIVE; i++)
		sfab_choice_clear(&plain[i]);
	crowd_clear(c);
}

static void print_sums(uint32_t n, const char *traffic, uint32_t states,
		       const struct sums *sums)
{
	printf("%u %s %u", n, traffic, states);
	for (int i = 0; i < NCHOICES; i++)
		printf(" %.3f %.3f", sums->score[i] / states, sums->lost[i] / states);
	for (int i = 0; i < NCHOICES; i++)
		if (i != OURS)
			printf(" %u", sums->worse_than[i]);
	printf(" %u %.2f\n", sums->more, sums->ms / states);
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL,
		"usage: states SNAPSHOT NODES TRAFFIC STATES TRIES BUSY" };
	struct crowd c = { .random = 1 };
	struct sums sums = { 0 };
	uint32_t states;

	bench_must(argc == 7, &usage);
	crowd_open(&c, argv[1]);
	c.n = (uint32_t) atoi(argv[2]);
	crowd_traffic(argv[3], &c.traffic);
	states = (uint32_t) atoi(argv[4]);
	for (uint32_t i = 0; i < states; i++)
		one_state(&c, atof(argv[6]), (uint32_t) atoi(argv[5]), &sums);
	print_sums(c.n, argv[3], states, &sums);
	return 0;
}
