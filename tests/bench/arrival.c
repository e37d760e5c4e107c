/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arrival.c - a writer arrives on a machine that is busy with MPI jobs
 *
 *     arrival SNAPSHOT HOSTS GBS paced|held tree|sfabric UTILIZATION SEED NODES
 *
 * HOSTS are the IO hosts, of GBS GB/s each.  MPI jobs of 2 to LARGEST hosts begin on an empty
 * machine until it is busy; then some end, any of them, and others begin, TURNS times.  They
 * are placed by tree placement, or by our score.  Then one job of NODES hosts writes all it
 * can, on hosts of the same machine chosen in four ways.  Prints a line for each,
 *
 *     PLACED UTILIZATION WRITER GB_S LEAVES OTHERS STEPS TREE MS
 *
 * GB_S, by max-min over all jobs; OTHERS, what the MPI jobs lose of their rate by it, in the
 * mean, by the same; STEPS, the largest of the MPI jobs' times by steps with the writer over
 * that without; TREE, the largest part of an MPI job that is in the writer's congestion tree
 * (held servers only); MS, CPU time to choose.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/load/demand.h"
#include "core/load/jobs_private.h"
#include "core/load/stepper.h"
#include "core/predict/throughput.h"
#include "core/search/search.h"
#include "io/hostlist.h"
#include "tests/bench/bench.h"

#define LARGEST 128
#define TURNS 60		/* jobs that begin on the busy machine */
#define WRITER 1u		/* its number; MPI jobs have larger ones */

struct resident {
	uint32_t id, n, *host;
	double rate, steps;	/* without the writer */
};

struct machine {
	struct sfab_model *m;
	struct sfab_scorer *sc;
	struct sfab_stepper *sp;
	struct sfab_jobs *js;
	struct sfab_traffic mpi, writes;
	enum sfab_policy placed;
	uint64_t random;
	uint32_t last_id, nused, navail, nresident;
	uint8_t *avail;
	struct resident *resident;
	double *others;		/* by resource, scratch */
};

static struct sfab_choice choose_hosts(struct machine *w, enum sfab_policy policy,
				       const struct sfab_traffic *traffic, uint32_t n)
{
	struct sfab_request rq = { .n = n, .avail = w->avail, .traffic = traffic,
				   .seed = 1 };
	struct sfab_choice c;
	struct sfab_err err;

	bench_must(sfab_search_by(w->sc, w->js, &rq, policy, &c, &err) == 0, &err);
	return c;
}

static void add_job(struct machine *w, uint32_t id, const struct sfab_choice *c,
		    const struct sfab_traffic *traffic)
{
	struct sfab_job spec = { .n = c->n, .host = c->host, .traffic = traffic };
	struct sfab_err err;

	bench_must(sfab_jobs_add(w->js, id, &spec, &err) == 0, &err);
}

/* -- the MPI jobs ---------------------------------------------------------- */

static void begin_resident(struct machine *w, uint32_t n)
{
	struct sfab_choice c = choose_hosts(w, w->placed, &w->mpi, n);
	struct resident *r = &w->resident[w->nresident++];

	*r = (struct resident) { .id = ++w->last_id, .n = n, .host = c.host };
	add_job(w, r->id, &c, &w->mpi);
	for (uint32_t i = 0; i < n; i++)
		w->avail[c.host[i]] = 0;
	w->nused += n;
}

static void end_resident(struct machine *w)
{
	struct resident *r = &w->resident[sfab_random(&w->random) % w->nresident];

	sfab_jobs_remove(w->js, r->id);
	for (uint32_t i = 0; i < r->n; i++)
		w->avail[r->host[i]] = 1;
	w->nused -= r->n;
	free(r->host);
	*r = w->resident[--w->nresident];
}

static uint32_t draw_size(struct machine *w)
{
	return (uint32_t) (2 * pow(LARGEST / 2.0, sfab_random_double(&w->random)) + 0.5);
}

static void fill_machine(struct machine *w, double utilization)
{
	uint32_t n = draw_size(w), turns = 0;

	while (turns < TURNS) {
		if (w->nused + n <= utilization * w->navail) {
			begin_resident(w, n);
			n = draw_size(w);
			turns += turns > 0;
		} else {
			end_resident(w);
			turns += !turns;
		}
	}
	while (w->nused + n <= utilization * w->navail) {
		begin_resident(w, n);
		n = draw_size(w);
	}
}

/* -- what they get --------------------------------------------------------- */

static struct sfab_job job_of(const struct machine *w, const struct resident *r)
{
	return (struct sfab_job){ .n = r->n, .host = r->host, .traffic = &w->mpi };
}

/* By max-min beside all MPI jobs but @self, and beside @writer; both may be NULL. */
static double rate_of(struct machine *w, const struct sfab_job *job, const struct resident *self,
		      const struct sfab_job *writer)
{
	struct sfab_throughput *flows = sfab_throughput_create(w->m);
	struct sfab_err err;
	double rate;

	bench_have(flows != NULL);
	for (uint32_t i = 0; i < w->nresident; i++) {
		struct sfab_job other = job_of(w, &w->resident[i]);

		if (&w->resident[i] != self)
			bench_must(sfab_throughput_add(flows, &other, &err) == 0, &err);
	}
	if (writer)
		bench_must(sfab_throughput_add(flows, writer, &err) == 0, &err);
	bench_must(sfab_throughput_beside(flows, job, &rate, NULL, &err) == 0, &err);
	sfab_throughput_destroy(flows);
	return rate;
}

/* Time by steps beside all others. */
static double steps_of(struct machine *w, const struct resident *r)
{
	struct sfab_collective c = { .n = r->n, .host = r->host, .share = 1,
				     .background = w->others };
	const double *b = sfab_jobs_background(w->js);
	struct sfab_mixed mixed;
	struct sfab_err err;

	memset(w->others, 0, w->m->nres * sizeof(*w->others));
	sfab_jobs_add_demand(w->js, r->id, w->m->nres, w->others);
	for (uint32_t e = 0; e < w->m->nres; e++)
		w->others[e] = fmax(b[e] - w->others[e], 0);
	bench_must(sfab_stepper_take(w->sp, &c, &err) == 0, &err);
	bench_must(sfab_stepper_mixed(w->sp, sfab_default_mix, &mixed, &err) == 0, &err);
	return mixed.mean;
}

static double in_tree(struct machine *w, const struct resident *r)
{
	struct sfab_job spec = job_of(w, r);
	struct sfab_load l;
	struct sfab_err err;
	double part = 0, sum = 0;

	bench_have(sfab_load_init(&l, w->m->nres) == 0);
	bench_must(sfab_demand(w->m, &spec, &l, &err) == 0, &err);
	sfab_jobs_settle_served(w->js);
	for (uint32_t i = 0; i < l.ntouched; i++) {
		uint32_t e = l.touched[i];

		if (!w->m->isl[e])
			continue;
		sum += l.v[e];
		part += sfab_io_served_congests(w->js, w->js->served, e) ? l.v[e] : 0;
	}
	sfab_load_free(&l);
	return sum > 0 ? part / sum : 0;
}

static uint32_t leaves_of(const struct machine *w, const struct sfab_choice *c)
{
	uint8_t *used = bench_alloc(w->m->f->nleaves, 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n; i++)
		n += !used[w->m->host_leaf[c->host[i]]]++;
	free(used);
	return n;
}

/* The mean loss of rate, the longest change of steps, the largest part in trees. */
static void judge_residents(struct machine *w, const struct sfab_job *writer, double *others,
			    double *steps, double *tree)
{
	*others = *tree = 0;
	*steps = 1;
	for (uint32_t i = 0; i < w->nresident; i++) {
		const struct resident *r = &w->resident[i];
		struct sfab_job job = job_of(w, r);

		*others += 1 - rate_of(w, &job, r, writer) / r->rate;
		*steps = fmax(*steps, steps_of(w, r) / r->steps);
		*tree = fmax(*tree, in_tree(w, r));
	}
	if (w->nresident)
		*others /= w->nresident;
}

static void try_writer(struct machine *w, enum sfab_policy policy, const char *placed,
		       const char *utilization, uint32_t nodes)
{
	double cpu = bench_cpu(), others, steps, tree;
	struct sfab_choice c = choose_hosts(w, policy, &w->writes, nodes);
	struct sfab_job writer = { .n = c.n, .host = c.host, .traffic = &w->writes };

	cpu = bench_cpu() - cpu;
	add_job(w, WRITER, &c, &w->writes);
	judge_residents(w, &writer, &others, &steps, &tree);
	printf("%-5s %s %-10s %5.1f %3u %6.3f %6.3f %6.3f %6.2f\n", placed, utilization,
	       sfab_policy_name(policy), rate_of(w, &writer, NULL, NULL) / 1e9,
	       leaves_of(w, &c), others, steps, tree, 1e3 * cpu);
	sfab_jobs_remove(w->js, WRITER);
	sfab_choice_clear(&c);
}

static struct sfab_iosets *io_of(const struct sfab_fabric *f, const char *hosts,
				 double gbs, int held)
{
	struct sfab_ioset_spec spec = { .name = "io", .holds_writes = held,
					.capacity = gbs * 1e9 };
	struct sfab_names names;
	struct sfab_iosets *io;
	struct sfab_err err;

	bench_must(sfab_hostlist_expand(hosts, &names, &err) == 0, &err);
	spec.nhosts = names.n;
	spec.host = (const char *const *) names.name;
	io = sfab_iosets_create(f, &spec, 1, &err);
	bench_must(io != NULL, &err);
	sfab_names_free(&names);
	return io;
}

static void open_machine(struct machine *w, const struct sfab_fabric *f,
			 const struct sfab_iosets *io, const char *placed)
{
	struct sfab_err err;

	bench_have((w->m = sfab_model_create(f, io)) != NULL);
	w->placed = strcmp(placed, "tree") == 0 ? SFAB_POLICY_TREE : SFAB_POLICY_SFABRIC;
	bench_have((w->sc = sfab_scorer_create(w->m)) != NULL);
	bench_have((w->sp = sfab_stepper_create(w->m)) != NULL);
	bench_have((w->js = sfab_jobs_create(w->m)) != NULL);
	bench_must(sfab_traffic_parse("mpi=1", NULL, &w->mpi, &err) == 0, &err);
	bench_must(sfab_traffic_parse("io-write=1", NULL, &w->writes, &err) == 0, &err);
	w->avail = bench_compute(f, io, &w->navail);
	w->resident = bench_alloc(w->navail, sizeof(*w->resident));
	w->others = bench_alloc(w->m->nres, sizeof(*w->others));
	w->last_id = WRITER;
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL, "usage: arrival SNAPSHOT "
		"HOSTS GBS paced|held tree|sfabric UTILIZATION SEED NODES" };
	static const enum sfab_policy writer[] = {
		SFAB_POLICY_SFABRIC, SFAB_POLICY_TREE, SFAB_POLICY_CONTIGUOUS,
		SFAB_POLICY_SPREAD
	};
	const struct sfab_fabric *f;
	struct machine w = { 0 };

	bench_must(argc == 9 && atof(argv[3]) > 0 && atoi(argv[8]) > 0, &usage);
	f = bench_snapshot(argv[1])->fabric;
	open_machine(&w, f, io_of(f, argv[2], atof(argv[3]), strcmp(argv[4], "held") == 0),
		     argv[5]);
	w.random = (uint64_t) atoi(argv[7]);
	fill_machine(&w, atof(argv[6]));
	for (uint32_t i = 0; i < w.nresident; i++) {
		struct sfab_job job = job_of(&w, &w.resident[i]);

		w.resident[i].rate = rate_of(&w, &job, &w.resident[i], NULL);
		w.resident[i].steps = steps_of(&w, &w.resident[i]);
	}
	for (unsigned i = 0; i < sizeof(writer) / sizeof(writer[0]); i++)
		try_writer(&w, writer[i], argv[5], argv[6], (uint32_t) atoi(argv[8]));
	return 0;
}
