/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * states.c - how good choices are on busy machines, by our own score
 *
 *     states SNAPSHOT NODES TRAFFIC STATES TRIES BUSY
 *
 * A state: jobs of 4 to NODES hosts and mixed traffic, placed as topology/tree would, fill
 * the part BUSY of the machine and a ninth of it more; an eighth of them ends.  BUSY 0: an
 * empty machine.  Then NODES hosts are wanted, for TRAFFIC.  TRIES naive proposals are
 * the plain policies, whole leaves in random order, and random swaps of the best so far;
 * half are swaps.  Prints one line,
 *
 *     NODES TRAFFIC STATES, of tree, contiguous, spread, random, ours and naive: SCORE
 *     SLOWDOWN; then WORSE; MS
 *
 * means over the states; WORSE: states where ours has a worse score than tree,
 * contiguous, spread, random, naive; then states where ours is slower (harm to others
 * added) than the best of the four; MS: CPU time of our decision, mean.  The IO set is
 * the last port of each leaf.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/search/search.h"
#include "tests/bench/bench.h"

#define JOBS_MOST 4096

struct machine {
	struct sfab_snapshot *snap;
	const struct sfab_fabric *f;
	struct sfab_iosets *io;
	struct sfab_model *m;
	struct sfab_scorer *sc;
	struct sfab_jobs *js;
	uint8_t *avail;
	uint32_t navail;
	uint64_t random;
	uint32_t n;			/* hosts wanted */
	double busy;			/* part of the machine */
	struct sfab_traffic traffic;
	uint32_t *set, *best, *leaf;
};

enum { TREE, CONTIGUOUS, SPREAD, RANDOM, OURS, NAIVE, NCHOICES };

static const enum sfab_policy policy_of[] = {
	[TREE] = SFAB_POLICY_TREE, [CONTIGUOUS] = SFAB_POLICY_CONTIGUOUS,
	[SPREAD] = SFAB_POLICY_SPREAD, [RANDOM] = SFAB_POLICY_RANDOM,
	[OURS] = SFAB_POLICY_SFABRIC,
};

struct sums {
	double score[NCHOICES], slowdown[NCHOICES], ms;
	uint32_t worse_than[NCHOICES], slower;
};

static uint32_t below(struct machine *mc, uint32_t n)
{
	return (uint32_t) (sfab_random(&mc->random) % n);
}

static struct sfab_traffic traffic_of(const char *text)
{
	struct sfab_traffic t;
	struct sfab_err err;

	bench_must(sfab_traffic_parse(text, NULL, &t, &err) == 0, &err);
	return t;
}

static struct sfab_choice choose(struct machine *mc, uint32_t n,
				 const struct sfab_traffic *t, enum sfab_policy policy)
{
	struct sfab_request rq = { .n = n, .avail = mc->avail, .traffic = t,
				   .seed = 1 };
	struct sfab_choice c;
	struct sfab_err err;

	bench_must(sfab_candidate(mc->sc, mc->js, &rq, policy, &c, &err) == 0, &err);
	return c;
}

/* -- a state -------------------------------------------------------------- */

static void open_jobs(struct machine *mc)
{
	static const struct sfab_err err = { SFAB_ENOMEM, "no memory" };

	mc->js = sfab_jobs_create(mc->m);
	bench_must(mc->js != NULL, &err);
	mc->avail = bench_compute(mc->f, mc->io, &mc->navail);
}

static void close_jobs(struct machine *mc)
{
	sfab_jobs_destroy(mc->js);
	free(mc->avail);
}

static void end_job(struct machine *mc, uint64_t id, const struct sfab_choice *c)
{
	sfab_jobs_remove(mc->js, id);
	for (uint32_t i = 0; i < c->n; i++)
		mc->avail[c->host[i]] = 1;
	mc->navail += c->n;
}

/* Hosts that the filling jobs leave free. */
static uint32_t still_free(const struct machine *mc)
{
	double full = mc->busy * 10 / 9;
	uint32_t least = 2 * mc->n, left = mc->navail;

	if (!(full > 0))
		return left;
	left -= (uint32_t) ((full < 1 ? full : 1) * left);
	return left > least ? left : least;
}

static void fill(struct machine *mc)
{
	static const char *const sends[] = { "mpi=1", "mpi=1", "neighbor=1", "io-write",
					     "io-read", "mpi=0.4+io-write=0.1" };
	struct sfab_choice *job = bench_alloc(JOBS_MOST, sizeof(*job));
	uint32_t left = still_free(mc);
	uint64_t last = 0;

	for (uint64_t id = 1; id < JOBS_MOST && mc->navail > left; id++) {
		struct sfab_traffic t = traffic_of(sends[below(mc, 6)]);
		struct sfab_choice c = choose(mc, 4 + below(mc, mc->n - 3), &t,
					      SFAB_POLICY_TREE);
		struct sfab_spec s = { .n = c.n, .host = c.host, .traffic = &t };
		struct sfab_err err;

		bench_must(sfab_jobs_add(mc->js, id, &s, &err) == 0, &err);
		for (uint32_t i = 0; i < c.n; i++)
			mc->avail[c.host[i]] = 0;
		mc->navail -= c.n;
		job[id] = c;
		last = id;
	}
	for (uint64_t id = 1; id <= last; id++)
		if (!below(mc, 8))
			end_job(mc, id, &job[id]);
	for (uint64_t id = 1; id <= last; id++)
		sfab_choice_clear(&job[id]);
	free(job);
}

/* -- naive proposals ------------------------------------------------------ */

static struct sfab_score score(struct machine *mc, const struct sfab_space *room)
{
	struct sfab_spec s = { .n = mc->n, .host = mc->set, .traffic = &mc->traffic };
	struct sfab_score out;
	struct sfab_err err;

	bench_must(sfab_score(mc->sc, mc->js, &s, room, NULL, &out, &err) == 0, &err);
	return out;
}

static void pack(struct machine *mc)
{
	uint32_t n = 0, leaves = mc->f->nleaves;

	for (uint32_t l = 0; l < leaves; l++)
		mc->leaf[l] = l;
	for (uint32_t l = 0; l < leaves && n < mc->n; l++) {
		uint32_t k = l + below(mc, leaves - l), at = mc->leaf[k];

		mc->leaf[k] = mc->leaf[l];
		for (uint32_t i = mc->m->leaf_first[at];
		     i < mc->m->leaf_first[at + 1] && n < mc->n; i++)
			if (mc->avail[mc->m->leaf_host[i]])
				mc->set[n++] = mc->m->leaf_host[i];
	}
}

/* The best set with one host swapped for any that is free. */
static void swap_one(struct machine *mc)
{
	uint32_t in = below(mc, mc->f->nhosts), place = below(mc, mc->n);

	memcpy(mc->set, mc->best, mc->n * sizeof(*mc->set));
	for (uint32_t i = 0; i < mc->n; i++)
		if (mc->set[i] == in)
			return;
	if (mc->avail[in] && mc->m->host_leaf[in] != SFAB_NONE)
		mc->set[place] = in;
}

/* The plain policies first: they are in x[]. */
static struct sfab_score naive(struct machine *mc, const struct sfab_choice *plain,
			       uint32_t tries)
{
	static const struct sfab_err err = { SFAB_ENOMEM, "no memory" };
	struct sfab_score best = { 0 };
	struct sfab_space room;

	bench_must(sfab_space_init(&room, mc->m, mc->avail, NULL, mc->n) == 0, &err);
	for (uint32_t k = 0; k < tries; k++) {
		struct sfab_score x;

		if (k < OURS)
			memcpy(mc->set, plain[k].host, mc->n * sizeof(*mc->set));
		else if (k < (tries + 1) / 2)
			pack(mc);
		else
			swap_one(mc);
		x = score(mc, &room);
		if (k && x.total >= best.total)
			continue;
		best = x;
		memcpy(mc->best, mc->set, mc->n * sizeof(*mc->set));
	}
	sfab_space_free(&room);
	return best;
}

/* -- all ------------------------------------------------------------------ */

static double cost(const struct sfab_score *s)
{
	return s->slowdown + s->term[SFAB_TERM_SLOWED];
}

static void add_up(const struct sfab_score *x, struct sums *sums)
{
	double least = cost(&x[TREE]);

	for (int i = 0; i < NCHOICES; i++) {
		sums->score[i] += x[i].total;
		sums->slowdown[i] += cost(&x[i]);
		sums->worse_than[i] += x[OURS].total > x[i].total + 1e-6;
		if (i < OURS && cost(&x[i]) < least)
			least = cost(&x[i]);
	}
	sums->slower += cost(&x[OURS]) > least + 1e-6;
}

static void one_state(struct machine *mc, uint32_t tries, struct sums *sums)
{
	struct sfab_choice c[NAIVE];
	struct sfab_score x[NCHOICES];
	double start;

	open_jobs(mc);
	fill(mc);
	for (int i = 0; i < NAIVE; i++) {
		start = bench_cpu();
		c[i] = choose(mc, mc->n, &mc->traffic, policy_of[i]);
		x[i] = c[i].score;
		sums->ms += i == OURS ? 1e3 * (bench_cpu() - start) : 0;
	}
	x[NAIVE] = naive(mc, c, tries);
	add_up(x, sums);
	for (int i = 0; i < NAIVE; i++)
		sfab_choice_clear(&c[i]);
	close_jobs(mc);
}

static void machine_open(struct machine *mc, const char *path)
{
	static const struct sfab_err err = { SFAB_ENOMEM, "no memory" };

	mc->random = 1;
	mc->snap = bench_snapshot(path);
	mc->f = mc->snap->fabric;
	mc->io = bench_iosets(mc->f, BENCH_SET_LAST);
	mc->m = sfab_model_create(mc->f, mc->io);
	bench_must(mc->m != NULL, &err);
	mc->sc = sfab_scorer_create(mc->m);
	bench_must(mc->sc != NULL, &err);
	mc->set = bench_alloc(mc->f->nhosts, sizeof(*mc->set));
	mc->best = bench_alloc(mc->f->nhosts, sizeof(*mc->best));
	mc->leaf = bench_alloc(mc->f->nleaves + 1u, sizeof(*mc->leaf));
}

static void machine_close(struct machine *mc)
{
	free(mc->set);
	free(mc->best);
	free(mc->leaf);
	sfab_scorer_destroy(mc->sc);
	sfab_model_destroy(mc->m);
	sfab_iosets_destroy(mc->io);
	sfab_snapshot_destroy(mc->snap);
}

static void print_sums(const struct machine *mc, const char *traffic, uint32_t states,
		       const struct sums *sums)
{
	printf("%u %s %u", mc->n, traffic, states);
	for (int i = 0; i < NCHOICES; i++)
		printf(" %.3f %.3f", sums->score[i] / states, sums->slowdown[i] / states);
	for (int i = 0; i < NCHOICES; i++)
		if (i != OURS)
			printf(" %u", sums->worse_than[i]);
	printf(" %u %.2f\n", sums->slower, sums->ms / states);
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL,
		"usage: states SNAPSHOT NODES TRAFFIC STATES TRIES BUSY" };
	struct machine mc = { 0 };
	struct sums sums = { 0 };
	uint32_t states;

	bench_must(argc == 7, &usage);
	machine_open(&mc, argv[1]);
	mc.n = (uint32_t) atoi(argv[2]);
	mc.traffic = traffic_of(argv[3]);
	mc.busy = atof(argv[6]);
	states = (uint32_t) atoi(argv[4]);
	for (uint32_t i = 0; i < states; i++)
		one_state(&mc, (uint32_t) atoi(argv[5]), &sums);
	print_sums(&mc, argv[3], states, &sums);
	machine_close(&mc);
	return 0;
}
