/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream.c - a stream of MPI jobs on a machine held at one utilization
 *
 *     stream SNAPSHOT tree|sfabric UTILIZATION SEED JOBS LARGEST
 *
 * The next job begins as soon as the utilization allows; until then jobs end, any
 * of them.  Sizes are 2 to LARGEST, even by logarithm, 70 % of them powers of two.
 * Hosts are chosen by tree placement, or by our score.  Every job is judged by steps (the default mix) when it begins.
 * Prints one line,
 *
 *     WHO UTILIZATION MULTI CLEAR SHARING ALONE BETWEEN P50 P99
 *
 * of the jobs on several leaves: how many; the parts that are at most 1.05 by steps
 * alone, and that share a link between switches with another job; the means of the
 * excess alone and between jobs; CPU ms of a decision, of all jobs.  The IO set is
 * the last port of each leaf; its hosts get no jobs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/load/steps.h"
#include "core/search/search.h"
#include "tests/bench/bench.h"

#define CLEAR 1.05
#define POWERS 0.7		/* part of the sizes that is a power of two */

struct running {
	uint64_t id;
	uint32_t n, *host;
};

struct stream {
	struct sfab_model *m;
	struct sfab_scorer *sc;
	struct sfab_stepper *sp;
	struct sfab_jobs *js;
	enum sfab_policy policy;
	struct sfab_traffic traffic;
	uint64_t random, id;
	uint8_t *avail;
	uint32_t navail, nfree, nrunning;
	struct running *running;
	uint32_t njobs, multi, clear, sharing;
	double alone, between, *cpu_ms;
};

static double by_steps(struct stream *s, const struct running *r, const double *b)
{
	struct sfab_collective c = { .n = r->n, .host = r->host, .share = 1,
				     .background = b };
	struct sfab_mixed mixed;
	struct sfab_err err;

	bench_must(sfab_stepper_take(s->sp, &c, &err) == 0, &err);
	bench_must(sfab_stepper_mixed(s->sp, sfab_default_mix, &mixed, &err) == 0, &err);
	return mixed.mean;
}

/* 1: a link between switches has load of the job and of others. */
static uint32_t shares_links(struct stream *s, const struct sfab_spec *spec,
			     const double *b)
{
	struct sfab_load l;
	struct sfab_err err;
	uint32_t shares = 0;

	bench_have(sfab_load_init(&l, s->m->nres) == 0);
	bench_must(sfab_demand(s->m, spec, &l, &l, NULL, &err) == 0, &err);
	for (uint32_t i = 0; i < l.ntouched; i++)
		shares |= s->m->isl[l.touched[i]] && b[l.touched[i]] > 0;
	sfab_load_free(&l);
	return shares;
}

static void judge(struct stream *s, const struct running *r, const struct sfab_spec *spec)
{
	const double *b = sfab_jobs_background(s->js);
	double alone;

	if (sfab_model_is_local(s->m, r->host, r->n))
		return;
	alone = by_steps(s, r, NULL);
	s->multi++;
	s->clear += alone <= CLEAR;
	s->alone += alone - 1;
	s->between += by_steps(s, r, b) - alone;
	s->sharing += shares_links(s, spec, b);
}

static void begin_job(struct stream *s, uint32_t n, int is_judged)
{
	struct sfab_request rq = { .n = n, .avail = s->avail, .traffic = &s->traffic,
				   .seed = 1 };
	struct running *r = &s->running[s->nrunning++];
	struct sfab_choice c;
	struct sfab_spec spec;
	struct sfab_err err;
	double t = bench_cpu();

	bench_must(sfab_candidate(s->sc, s->js, &rq, s->policy, &c, &err) == 0, &err);
	t = bench_cpu() - t;
	*r = (struct running){ ++s->id, c.n, c.host };
	spec = (struct sfab_spec){ .n = r->n, .host = r->host, .traffic = &s->traffic };
	if (is_judged) {
		s->cpu_ms[s->njobs++] = 1e3 * t;
		judge(s, r, &spec);
	}
	bench_must(sfab_jobs_add(s->js, r->id, &spec, &err) == 0, &err);
	for (uint32_t i = 0; i < n; i++)
		s->avail[r->host[i]] = 0;
	s->nfree -= n;
}

static void end_any(struct stream *s)
{
	struct running *r = &s->running[sfab_random(&s->random) % s->nrunning];

	sfab_jobs_remove(s->js, r->id);
	for (uint32_t i = 0; i < r->n; i++)
		s->avail[r->host[i]] = 1;
	s->nfree += r->n;
	free(r->host);
	*r = s->running[--s->nrunning];
}

static uint32_t next_size(struct stream *s, uint32_t largest)
{
	double n = 2 * pow(largest / 2.0, sfab_uniform(&s->random));

	if (sfab_uniform(&s->random) < POWERS)
		n = exp2(round(log2(n)));
	return (uint32_t) (n + 0.5);
}

static void run_stream(struct stream *s, double utilization, uint32_t jobs, uint32_t largest)
{
	uint32_t n = next_size(s, largest);
	int is_full = 0;

	while (s->njobs < jobs) {
		if (s->navail - s->nfree + n <= utilization * s->navail) {
			begin_job(s, n, is_full);
			n = next_size(s, largest);
		} else if (s->nrunning) {
			is_full = 1;
			end_any(s);
		} else {
			n = next_size(s, largest);
		}
	}
}

static void open_stream(struct stream *s, const struct sfab_fabric *f, const char *who,
			uint32_t jobs)
{
	struct sfab_iosets *io = bench_iosets(f, BENCH_SET_LAST);
	struct sfab_err err;

	s->m = sfab_model_create(f, io);
	bench_have(s->m != NULL);
	s->policy = strcmp(who, "tree") == 0 ? SFAB_POLICY_TREE : SFAB_POLICY_SFABRIC;
	s->sc = sfab_scorer_create(s->m);
	s->sp = sfab_stepper_create(s->m);
	s->js = sfab_jobs_create(s->m);
	bench_have(s->sc != NULL);
	bench_have(s->sp != NULL);
	bench_have(s->js != NULL);
	bench_must(sfab_traffic_parse("mpi=1", NULL, &s->traffic, &err) == 0, &err);
	s->avail = bench_compute(f, io, &s->navail);
	s->nfree = s->navail;
	s->running = bench_alloc(s->navail + 1u, sizeof(*s->running));
	s->cpu_ms = bench_alloc(jobs + 1u, sizeof(*s->cpu_ms));
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL, "usage: stream SNAPSHOT "
		"tree|sfabric UTILIZATION SEED JOBS LARGEST" };
	struct stream s = { 0 };
	double of;

	bench_must(argc == 7 && atoi(argv[5]) > 0 && atoi(argv[6]) > 1, &usage);
	s.random = (uint64_t) atoi(argv[4]);
	open_stream(&s, bench_snapshot(argv[1])->fabric, argv[2], (uint32_t) atoi(argv[5]));
	run_stream(&s, atof(argv[3]), (uint32_t) atoi(argv[5]), (uint32_t) atoi(argv[6]));
	of = s.multi ? s.multi : 1;
	printf("%-7s %s %5u %.3f %.3f %.4f %.4f %.2f %.2f\n", argv[2], argv[3], s.multi,
	       s.clear / of, s.sharing / of, s.alone / of, s.between / of,
	       bench_quantile(s.cpu_ms, s.njobs, 0.5), bench_quantile(s.cpu_ms, s.njobs, 0.99));
	return 0;
}
