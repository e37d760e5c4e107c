/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * orders.c - orders of nodes that jobs get on a busy machine
 *
 *     orders [quick] SNAPSHOT ALLOCATIONS SEED NODES...
 *
 * quick: with as much work as slurmctld may do, and what it has prepared.
 *
 * Jobs of 2 to 64 hosts, placed as topology/tree would, fill nine tenths of the machine, and
 * end and begin some more; then as many end, any of them, as the next allocation needs.  Each
 * allocation is placed by tree; NODES take turns.  Prints a line for each pattern,
 *
 *     PATTERN ALLOCATIONS NAME LEAF FOUND CHANGE WORSE SPOILT MEAN MOST
 *
 * means over the allocations of the steps in the order of names, of leaves, and as found; the
 * mean of 1 - found/leaf in percent; allocations where found is worse than the better of the
 * two, and where found is above 1 though leaf is 1; CPU ms.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/search/order.h"
#include "core/search/search.h"
#include "tests/bench/bench.h"

#define JOB_MAX 64
#define TURNOVER 4		/* times the machine is renewed first */

struct job {
	uint64_t id;
	uint32_t n, *host;
};

struct site_of_jobs {
	int quick;
	struct sfab_class_grid *grid;	/* quick */
	struct sfab_arena arena;
	struct sfab_stepper *stepper;
	struct sfab_model *m;
	struct sfab_scorer *sc;
	struct sfab_jobs *js;
	struct sfab_traffic traffic;
	uint64_t random, id;
	uint8_t *avail;
	uint32_t navail, nfree, njobs;
	struct job *job;
};

struct figures {
	double steps[SFAB_NORDERS], change, ms, max_ms;
	uint32_t worse, spoilt;
};

static const struct job *begin_tree_job(struct site_of_jobs *s, uint32_t n)
{
	struct sfab_request rq = { .n = n, .avail = s->avail, .traffic = &s->traffic,
				   .seed = 1 };
	struct job *j = &s->job[s->njobs++];
	struct sfab_choice c;
	struct sfab_err err;

	bench_must(sfab_search_by(s->sc, s->js, &rq, SFAB_POLICY_TREE, &c, &err) == 0,
		   &err);
	*j = (struct job){ ++s->id, c.n, c.host };
	for (uint32_t i = 0; i < n; i++)
		s->avail[j->host[i]] = 0;
	s->nfree -= n;
	return j;
}

static void end_job_at(struct site_of_jobs *s, uint32_t at)
{
	struct job *j = &s->job[at];

	for (uint32_t i = 0; i < j->n; i++)
		s->avail[j->host[i]] = 1;
	s->nfree += j->n;
	free(j->host);
	*j = s->job[--s->njobs];
}

static void end_until_free(struct site_of_jobs *s, uint32_t n)
{
	while (s->nfree < n && s->njobs)
		end_job_at(s, (uint32_t) (sfab_random(&s->random) % s->njobs));
}

static void keep_busy(struct site_of_jobs *s, uint32_t hosts)
{
	for (uint32_t begun = 0; begun < hosts;) {
		uint32_t n = 2 + (uint32_t) (sfab_random(&s->random) % (JOB_MAX - 1));

		end_until_free(s, n + s->navail / 10);
		begin_tree_job(s, n);
		begun += n;
	}
}

static void open_machine(struct site_of_jobs *s, const struct sfab_fabric *f)
{
	struct sfab_iosets *io = bench_iosets(f, BENCH_SET_LAST);
	struct sfab_err err;

	s->m = sfab_model_create(f, io);
	bench_have(s->m != NULL);
	s->sc = sfab_scorer_create(s->m);
	s->js = sfab_jobs_create(s->m);
	bench_have(s->sc != NULL);
	bench_have(s->js != NULL);
	bench_must(sfab_traffic_parse("mpi=1", NULL, &s->traffic, &err) == 0, &err);
	s->avail = bench_compute(f, io, &s->navail);
	s->nfree = s->navail;
	s->job = bench_alloc(s->navail + 1u, sizeof(*s->job));
}

static void order_nodes(struct site_of_jobs *s, const struct job *j,
			enum sfab_pattern pattern, struct figures *x)
{
	struct sfab_order_request rq = { .n = j->n, .host = j->host, .grid = s->grid,
					 .stepper = s->stepper };
	struct sfab_order o;
	struct sfab_err err;
	double t = bench_cpu(), best;

	rq.mix[pattern] = 1;
	rq.max_work = s->quick ? SFAB_ORDER_QUICK(j->n) : 0;
	bench_must(sfab_order_find(s->m, &rq, &o, &err) == 0, &err);
	t = 1e3 * (bench_cpu() - t);
	for (int i = 0; i < SFAB_NORDERS; i++)
		x->steps[i] += o.steps[i].mean;
	best = o.steps[SFAB_ORDER_NAME].mean < o.steps[SFAB_ORDER_LEAF].mean ?
	       o.steps[SFAB_ORDER_NAME].mean : o.steps[SFAB_ORDER_LEAF].mean;
	x->change += 1 - o.steps[SFAB_ORDER_FOUND].mean / o.steps[SFAB_ORDER_LEAF].mean;
	x->worse += o.steps[SFAB_ORDER_FOUND].mean > best + 1e-9;
	x->spoilt += o.steps[SFAB_ORDER_LEAF].mean < SFAB_STEP_CLEAR &&
		     o.steps[SFAB_ORDER_FOUND].mean > SFAB_STEP_CLEAR;
	x->ms += t;
	x->max_ms = t > x->max_ms ? t : x->max_ms;
	sfab_order_clear(&o);
}

static void print_figures(enum sfab_pattern pattern, const struct figures *x, uint32_t n)
{
	printf("%-9s %2u %6.3f %6.3f %6.3f %5.1f %2u %2u %6.1f %6.1f\n",
	       sfab_pattern_name(pattern), n, x->steps[SFAB_ORDER_NAME] / n,
	       x->steps[SFAB_ORDER_LEAF] / n, x->steps[SFAB_ORDER_FOUND] / n,
	       100 * x->change / n, x->worse, x->spoilt, x->ms / n, x->max_ms);
}

static void make_ready(struct site_of_jobs *s)
{
	s->quick = 1;
	s->grid = sfab_class_grid_create(&s->arena, s->m);
	s->stepper = sfab_stepper_create(s->m);
	bench_have(s->grid != NULL);
	bench_have(s->stepper != NULL);
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL,
		"usage: orders [quick] SNAPSHOT ALLOCATIONS SEED NODES..." };
	struct figures x[SFAB_NPATTERNS] = { 0 };
	struct site_of_jobs s = { 0 };
	uint32_t allocations;
	int quick = argc > 1 && strcmp(argv[1], "quick") == 0;

	argc -= quick;
	argv += quick;
	bench_must(argc >= 5 && atoi(argv[2]) > 0, &usage);
	allocations = (uint32_t) atoi(argv[2]);
	s.random = (uint64_t) atoi(argv[3]);
	open_machine(&s, bench_snapshot(argv[1])->fabric);
	if (quick)
		make_ready(&s);
	keep_busy(&s, TURNOVER * s.navail);
	for (uint32_t i = 0; i < allocations; i++) {
		uint32_t n = (uint32_t) atoi(argv[4 + i % ((uint32_t) argc - 4)]);
		const struct job *j;

		keep_busy(&s, s.navail / 2);
		bench_must(n > 0 && n <= s.navail, &usage);
		end_until_free(&s, n);
		j = begin_tree_job(&s, n);
		for (int p = 0; p < SFAB_NPATTERNS; p++)
			order_nodes(&s, j, (enum sfab_pattern) p, &x[p]);
	}
	for (int p = 0; p < SFAB_NPATTERNS; p++)
		print_figures((enum sfab_pattern) p, &x[p], allocations);
	return 0;
}
