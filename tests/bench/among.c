/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * among.c - how long jobs take among others: our choice, tree placement, naive tries
 *
 *     among SNAPSHOT NODES TRAFFIC STATES TRIES score|slowdown mean|steps|both SEED
 *
 * A state: MPI, readers and writers of 4 to 64 hosts, placed as topology/tree would,
 * fill nine tenths of the machine; an eighth of them ends.  A machine of few more
 * than NODES + 64 hosts stays idle.  Then NODES hosts are wanted, for TRAFFIC.  Naive
 * tries know no routes: half are whole leaves in random order, half the best so far with
 * one host swapped for any other.  They keep the least score, or the least slowdown among
 * the others, whatever it does to them and to later jobs.  Ours always goes by the score, mpi by its mean or by steps (MpiScore).  Prints
 *
 *     NODES TRAFFIC STATES, of tree, ours and naive: SCORE SLOWDOWN; RATIO ABOVE LONGER
 *     MOST WORSE
 *
 * means over the states; ours / naive by slowdown, states where that is above 1.1;
 * states where ours is slower than tree, the most that ours / tree is; states where
 * naive tries have a better score.  The IO set is the last port of each leaf.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/search/search.h"
#include "tests/bench/bench.h"

#define MOST_JOBS 4096
#define TOO_FAR 1.1		/* ours / naive */

enum who { BY_TREE, BY_US, BY_LUCK, NWHO };

struct crowd {
	const struct sfab_fabric *f;
	struct sfab_iosets *io;
	struct sfab_model *m;
	struct sfab_scorer *sc;
	struct sfab_jobs *js;
	uint8_t *avail;
	uint32_t nfree, n;		/* hosts free, hosts wanted */
	uint64_t random;
	struct sfab_traffic traffic;
	int for_slowdown;		/* what naive tries keep */
	uint32_t *set, *best, *order;
};

struct tally {
	double score[NWHO], slowdown[NWHO], ratio, most;
	uint32_t above, longer, worse;
};

static uint32_t pick_below(struct crowd *c, uint32_t n)
{
	return (uint32_t) (sfab_random(&c->random) % n);
}

static void must_have(const void *p)
{
	static const struct sfab_err err = { SFAB_ENOMEM, "no memory" };

	bench_must(p != NULL, &err);
}

static void read_traffic(const char *text, struct sfab_traffic *t)
{
	struct sfab_err err;

	bench_must(sfab_traffic_parse(text, NULL, t, &err) == 0, &err);
}

static struct sfab_choice choose_in_crowd(struct crowd *c, uint32_t n,
					  const struct sfab_traffic *t,
					  enum sfab_policy policy)
{
	struct sfab_request rq = { .n = n, .avail = c->avail, .traffic = t, .seed = 1 };
	struct sfab_choice out;
	struct sfab_err err;

	bench_must(sfab_candidate(c->sc, c->js, &rq, policy, &out, &err) == 0, &err);
	return out;
}

/* -- a state -------------------------------------------------------------- */

static void set_hosts_free(struct crowd *c, const struct sfab_choice *job, uint8_t to)
{
	for (uint32_t i = 0; i < job->n; i++)
		c->avail[job->host[i]] = to;
	c->nfree += to ? job->n : -job->n;
}

static void begin_in_crowd(struct crowd *c, uint64_t id, struct sfab_choice *job)
{
	static const char *const sends[] = { "mpi=1", "mpi=1", "neighbor=1", "io-write",
					     "io-read", "mpi=0.4+io-write=0.1" };
	struct sfab_traffic t;
	struct sfab_spec s = { .traffic = &t };
	struct sfab_err err;

	read_traffic(sends[pick_below(c, 6)], &t);
	*job = choose_in_crowd(c, 4 + pick_below(c, 61), &t, SFAB_POLICY_TREE);
	s.n = job->n;
	s.host = job->host;
	bench_must(sfab_jobs_add(c->js, id, &s, &err) == 0, &err);
	set_hosts_free(c, job, 0);
}

static void fill_crowd(struct crowd *c)
{
	struct sfab_choice *job = bench_alloc(MOST_JOBS, sizeof(*job));
	uint32_t left = c->nfree / 10 + 64 + c->n;
	uint64_t last = 0;

	while (last + 1 < MOST_JOBS && c->nfree > left) {
		last++;
		begin_in_crowd(c, last, &job[last]);
	}
	for (uint64_t id = 1; id <= last; id++) {
		if (!pick_below(c, 8)) {
			sfab_jobs_remove(c->js, id);
			set_hosts_free(c, &job[id], 1);
		}
		sfab_choice_clear(&job[id]);
	}
	free(job);
}

/* -- naive tries ---------------------------------------------------------- */

static void pack_leaves(struct crowd *c)
{
	uint32_t n = 0, leaves = c->f->nleaves;

	for (uint32_t l = 0; l < leaves; l++)
		c->order[l] = l;
	for (uint32_t l = 0; l < leaves && n < c->n; l++) {
		uint32_t k = l + pick_below(c, leaves - l), at = c->order[k];

		c->order[k] = c->order[l];
		for (uint32_t i = c->m->leaf_first[at];
		     i < c->m->leaf_first[at + 1] && n < c->n; i++)
			if (c->avail[c->m->leaf_host[i]])
				c->set[n++] = c->m->leaf_host[i];
	}
}

static void swap_best(struct crowd *c)
{
	uint32_t in = pick_below(c, c->f->nhosts), place = pick_below(c, c->n);

	memcpy(c->set, c->best, c->n * sizeof(*c->set));
	for (uint32_t i = 0; i < c->n; i++)
		if (c->set[i] == in)
			return;
	if (c->avail[in] && c->m->host_leaf[in] != SFAB_NONE)
		c->set[place] = in;
}

static int cmp_ids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

	return x < y ? -1 : x > y;
}

/* Ranks go by name. */
static struct sfab_score score_try(struct crowd *c, const struct sfab_space *room)
{
	struct sfab_spec s = { .n = c->n, .host = c->set, .traffic = &c->traffic };
	struct sfab_score out;
	struct sfab_err err;

	qsort(c->set, c->n, sizeof(*c->set), cmp_ids);
	bench_must(sfab_score(c->sc, c->js, &s, room, NULL, &out, &err) == 0, &err);
	return out;
}

static double sought(const struct crowd *c, const struct sfab_score *s)
{
	return c->for_slowdown ? sfab_score_slowdown(s) : s->total;
}

static struct sfab_score try_luck(struct crowd *c, uint32_t tries)
{
	struct sfab_score best = { 0 };
	struct sfab_space room;

	must_have(sfab_space_init(&room, c->m, c->avail, NULL, c->n) == 0 ? c : NULL);
	for (uint32_t k = 0; k < tries; k++) {
		struct sfab_score x;

		if (k < (tries + 1) / 2)
			pack_leaves(c);
		else
			swap_best(c);
		x = score_try(c, &room);
		if (k && sought(c, &x) >= sought(c, &best))
			continue;
		best = x;
		memcpy(c->best, c->set, c->n * sizeof(*c->set));
	}
	sfab_space_free(&room);
	return best;
}

/* -- all ------------------------------------------------------------------ */

static void count_state(struct tally *t, const struct sfab_score x[NWHO])
{
	double s[NWHO];

	for (int i = 0; i < NWHO; i++) {
		s[i] = sfab_score_slowdown(&x[i]);
		t->score[i] += x[i].total;
		t->slowdown[i] += s[i];
	}
	t->ratio += s[BY_US] / s[BY_LUCK];
	t->above += s[BY_US] > TOO_FAR * s[BY_LUCK];
	t->longer += s[BY_US] > s[BY_TREE] + 1e-6;
	if (s[BY_US] / s[BY_TREE] > t->most)
		t->most = s[BY_US] / s[BY_TREE];
	t->worse += x[BY_US].total > x[BY_LUCK].total + 1e-6;
}

static void try_state(struct crowd *c, uint32_t tries, struct tally *t)
{
	struct sfab_choice tree, ours;

	c->js = sfab_jobs_create(c->m);
	must_have(c->js);
	c->avail = bench_compute(c->f, c->io, &c->nfree);
	fill_crowd(c);
	tree = choose_in_crowd(c, c->n, &c->traffic, SFAB_POLICY_TREE);
	ours = choose_in_crowd(c, c->n, &c->traffic, SFAB_POLICY_SFABRIC);
	count_state(t, (struct sfab_score[NWHO]){ tree.score, ours.score,
						  try_luck(c, tries) });
	sfab_choice_clear(&tree);
	sfab_choice_clear(&ours);
	sfab_jobs_destroy(c->js);
	free(c->avail);
}

static void open_crowd(struct crowd *c, const char *path, const char *mpi)
{
	c->f = bench_snapshot(path)->fabric;
	c->io = bench_iosets(c->f, BENCH_SET_LAST);
	c->m = sfab_model_create(c->f, c->io);
	must_have(c->m);
	c->m->by_steps = strcmp(mpi, "both") == 0 ? SFAB_MPI_BOTH :
			 strcmp(mpi, "steps") == 0 ? SFAB_MPI_STEPS : SFAB_MPI_MEAN;
	c->sc = sfab_scorer_create(c->m);
	must_have(c->sc);
	c->set = bench_alloc(c->f->nhosts, sizeof(*c->set));
	c->best = bench_alloc(c->f->nhosts, sizeof(*c->best));
	c->order = bench_alloc(c->f->nleaves + 1u, sizeof(*c->order));
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL, "usage: among SNAPSHOT NODES "
		"TRAFFIC STATES TRIES score|slowdown mean|steps|both SEED" };
	struct crowd c = { 0 };
	struct tally t = { 0 };
	uint32_t states;

	bench_must(argc == 9 && atoi(argv[2]) > 0 && atoi(argv[4]) > 0, &usage);
	open_crowd(&c, argv[1], argv[7]);
	c.n = (uint32_t) atoi(argv[2]);
	read_traffic(argv[3], &c.traffic);
	c.for_slowdown = strcmp(argv[6], "slowdown") == 0;
	c.random = (uint64_t) atoi(argv[8]);
	states = (uint32_t) atoi(argv[4]);
	for (uint32_t i = 0; i < states; i++)
		try_state(&c, (uint32_t) atoi(argv[5]), &t);
	printf("%u %s %u", c.n, argv[3], states);
	for (int i = 0; i < NWHO; i++)
		printf(" %.3f %.3f", t.score[i] / states, t.slowdown[i] / states);
	printf(" %.3f %u %u %.3f %u\n", t.ratio / states, t.above, t.longer, t.most, t.worse);
	return 0;
}
