/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cases.c - is a plain row of `place` ever better than the choice?
 *
 *     cases SNAPSHOT CASES SEED
 *
 * Each case is a machine that is idle or 60 % busy (crowd.h) and a request that nobody thought
 * of: any number of nodes, traffic told or not, required nodes, node weights, a part of the
 * CPUs, any seed, and the packing of slurmctld or none.  Prints one line:
 *
 *     HOSTS CASES WORSE MOST LOST MILLISECONDS
 *
 * WORSE: cases where the choice loses more nodes than contiguous, tree, spread or random; MOST:
 * by how many, at most; LOST: the mean of the nodes that our choices lose, own and others, and
 * MILLISECONDS of the CPU time that they take.  What is lost later depends on the packing that
 * was found, so that two programs cannot be compared by it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/search/play_stream.h"
#include "tests/bench/bench.h"
#include "tests/bench/crowd.h"

#define NEARLY 1e-5		/* nodes: a search takes closer scores for equal */
#define PRIOR "mpi=0.25+io-write=0.05+io-read=0.02"

struct tally {
	uint32_t worse;
	double max, lost, cpu;
};

struct wishes {			/* by host */
	uint8_t *required;
	uint32_t *weight;
	double *cpus;
};

static uint32_t below(struct crowd *c, uint32_t n)
{
	return (uint32_t) (sfab_random(&c->random) % n);
}

static void wish(struct crowd *c, struct wishes *w, struct sfab_request *rq)
{
	uint32_t left = rq->n / 2;

	for (uint32_t h = 0; h < c->f->nhosts; h++) {
		int may = c->avail[h] && c->m->host_leaf[h] != SFAB_NONE;

		w->required[h] = left && may && !below(c, 16);
		left -= w->required[h];
		w->weight[h] = !below(c, 4);
		w->cpus[h] = 0.25 * (1 + below(c, 4));
	}
	rq->required = below(c, 3) ? NULL : w->required;
	rq->weight = below(c, 3) ? NULL : w->weight;
	rq->cpus = below(c, 3) ? NULL : w->cpus;
}

/* Return the whole loss.  *@now becomes that without the term for later jobs. */
static double lost_by(struct crowd *c, const struct sfab_request *rq, enum sfab_policy policy,
		      double *now)
{
	struct sfab_choice out;
	struct sfab_err err;
	double total;

	bench_must(sfab_search_by(c->sc, c->js, rq, policy, &out, &err) == 0, &err);
	total = out.score.total;
	*now = out.score.term[SFAB_TERM_OWN] + out.score.term[SFAB_TERM_OTHERS];
	sfab_choice_clear(&out);
	return total;
}

static void count_case(struct crowd *c, const struct sfab_request *rq, struct tally *t)
{
	double min = INFINITY, start = bench_cpu(), ours, now, ignore;

	ours = lost_by(c, rq, SFAB_POLICY_SFABRIC, &now);
	t->cpu += bench_cpu() - start;
	for (int p = SFAB_POLICY_CONTIGUOUS; p < SFAB_NPOLICIES; p++)
		min = fmin(min, lost_by(c, rq, (enum sfab_policy) p, &ignore));
	t->worse += ours - min > NEARLY;
	t->max = fmax(t->max, ours - min);
	t->lost += now;
}

static void one_case(struct crowd *c, struct wishes *w, const struct sfab_packing *packing,
		     struct tally *t)
{
	static const char *const sends[] = { PRIOR, PRIOR, "mpi=1", "mpi=0.3", "io-write=1",
		"io-read=0.2", "neighbor=0.5", "mpi=0.5+io-write=0.5", "uniform=0.3" };
	static const struct sfab_packing none = { 0 };
	struct sfab_request rq = { 0 };

	crowd_begin(c);
	if (below(c, 2))
		crowd_fill(c, c->nfree * 4 / 10, c->nfree / 8 + 4);
	crowd_traffic(sends[below(c, sizeof(sends) / sizeof(*sends))], &c->traffic);
	c->sc->packing = below(c, 3) ? *packing : none;
	rq.avail = c->avail;
	rq.traffic = &c->traffic;
	rq.n = (uint32_t) exp(sfab_random_double(&c->random) * log(c->nfree * 0.5));
	rq.seed = sfab_random(&c->random);
	wish(c, w, &rq);
	count_case(c, &rq, t);
	crowd_clear(c);
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL,
		"usage: cases SNAPSHOT CASES SEED" };
	struct sfab_packings all;
	struct crowd c = { 0 };
	struct wishes w;
	struct sfab_err err;
	struct tally t = { 0 };
	uint32_t cases;

	bench_must(argc == 4, &usage);
	crowd_open(&c, argv[1]);
	cases = (uint32_t) atoi(argv[2]);
	c.random = (uint64_t) atoi(argv[3]);
	w.required = bench_alloc(c.f->nhosts, sizeof(*w.required));
	w.weight = bench_alloc(c.f->nhosts, sizeof(*w.weight));
	w.cpus = bench_alloc(c.f->nhosts, sizeof(*w.cpus));
	crowd_traffic(PRIOR, &c.traffic);
	bench_must(sfab_packings_play(c.sc, &c.traffic, &all, &err) == 0, &err);
	for (uint32_t i = 0; i < cases; i++)
		one_case(&c, &w, &all.trial[all.best].packing, &t);
	printf("%u %u %u %g %.4f %.2f\n", c.f->nhosts, cases, t.worse, t.max,
	       t.lost / cases, 1e3 * t.cpu / cases);
	return 0;
}
