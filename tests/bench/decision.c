/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decision.c - CPU time that a choice of hosts costs on a busy machine
 *
 *     decision SNAPSHOT NODES TRAFFIC RUNNING REPEATS [SET]
 *
 * fills the machine with RUNNING jobs of mixed sizes and traffic, placed as
 * topology/tree would, until about twice the wanted NODES are free; then asks
 * REPEATS times for NODES hosts with TRAFFIC.  Between two questions a running
 * job ends and another of its size starts elsewhere.  Prints one line:
 *
 *     HOSTS PORTS NODES TRAFFIC RUNNING P50 P99 MAX START_P99 END_P99 MIB \
 *     STEPS_P99 SHARES_P99 SETS
 *
 * What slurmctld's loader thread prepares is prepared before.
 * Times are CPU milliseconds: of the choice, of the events that keep the view of
 * the running jobs, and of both parts of the certificate of the chosen hosts.  MIB
 * is the most memory that the process had.  SETS is a hash of all chosen sets: the same
 * before and after a change that only saves time.
 * SET is the IO set, one of bench.h: `last`, the last port of each leaf, unless given.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/load/certificate.h"
#include "core/search/search.h"
#include "tests/bench/bench.h"

#define SEED 1

struct machine {
	struct sfab_snapshot *snap;
	const struct sfab_fabric *f;
	struct sfab_iosets *io;
	struct sfab_model *m;
	struct sfab_scorer *sc;
	struct sfab_jobs *js;
	struct sfab_stepper *sp;
	uint8_t *avail;
	uint32_t navail;
	uint64_t random;
	uint32_t njobs;
	uint64_t sets;			/* hash of all chosen sets */
	struct sfab_choice *job;	/* by job id - 1 */
};

struct times {
	double *search, *start, *end, *steps, *shares;
};

static const char *const traffics[] = {
	"mpi", "io-write", "io-read", "neighbor", "mpi=0.4+io-write=0.1",
};

static struct sfab_traffic traffic_of(const char *text)
{
	struct sfab_traffic t;
	struct sfab_err err;

	bench_must(sfab_traffic_parse(text, NULL, &t, &err) == 0, &err);
	return t;
}

static void choose(struct machine *mc, uint32_t n, const struct sfab_traffic *t,
		   enum sfab_policy policy, struct sfab_choice *out)
{
	struct sfab_request rq = { .n = n, .avail = mc->avail, .traffic = t,
				   .seed = SEED };
	struct sfab_err err;

	bench_must(sfab_candidate(mc->sc, mc->js, &rq, policy, out, &err) == 0,
		   &err);
}

static void set_avail(struct machine *mc, const struct sfab_choice *c, int is_free)
{
	for (uint32_t i = 0; i < c->n; i++)
		mc->avail[c->host[i]] = (uint8_t) is_free;
	mc->navail = is_free ? mc->navail + c->n : mc->navail - c->n;
}

/* Milliseconds that taking the job into account costs. */
static double start_job(struct machine *mc, uint32_t k, uint32_t n)
{
	struct sfab_traffic t = traffic_of(
		traffics[k % (sizeof(traffics) / sizeof(traffics[0]))]);
	struct sfab_spec spec = { .n = n, .traffic = &t };
	struct sfab_err err;
	double start;

	choose(mc, n, &t, SFAB_POLICY_TREE, &mc->job[k]);
	spec.host = mc->job[k].host;
	start = bench_cpu();
	bench_must(sfab_jobs_add(mc->js, k + 1, &spec, &err) == 0, &err);
	start = bench_cpu() - start;
	set_avail(mc, &mc->job[k], 0);
	return 1e3 * start;
}

static double end_job(struct machine *mc, uint32_t k)
{
	double start = bench_cpu();

	sfab_jobs_remove(mc->js, k + 1);
	start = bench_cpu() - start;
	set_avail(mc, &mc->job[k], 1);
	sfab_choice_clear(&mc->job[k]);
	return 1e3 * start;
}

/* Sizes of many small and few large jobs; @busy hosts in all. */
static void fill(struct machine *mc, uint32_t njobs, uint32_t busy)
{
	double *size = bench_alloc(njobs, sizeof(*size)), sum = 0;

	mc->job = bench_alloc(njobs, sizeof(*mc->job));
	for (mc->njobs = 0; mc->njobs < njobs; mc->njobs++) {
		double u = sfab_uniform(&mc->random);

		size[mc->njobs] = 1 / (0.01 + u);
		sum += size[mc->njobs];
	}
	for (uint32_t k = 0; k < njobs; k++) {
		uint32_t n = (uint32_t) (size[k] / sum * busy);

		start_job(mc, k, n ? n : 1);
	}
	free(size);
}

/* What the certificate of a job that just started costs. */
static void certify(struct machine *mc, const struct sfab_choice *c,
		    const struct sfab_traffic *t, struct times *x, uint32_t i)
{
	const struct sfab_spec spec = { .n = c->n, .host = c->host, .traffic = t };
	struct sfab_certificate out = { 0 };
	struct sfab_err err;
	double start;

	qsort(c->host, c->n, sizeof(*c->host), bench_cmp_ids);
	bench_must(sfab_jobs_add(mc->js, 0, &spec, &err) == 0, &err);
	start = bench_cpu();
	sfab_certificate_patterns(mc->m, t, &out);
	bench_must(sfab_certify_steps(mc->sp, c->n, c->host, &out, &err) == 0, &err);
	x->steps[i] = 1e3 * (bench_cpu() - start);
	start = bench_cpu();
	bench_must(sfab_certify_shares(mc->js, 0, &out, &err) == 0, &err);
	x->shares[i] = 1e3 * (bench_cpu() - start);
	sfab_jobs_remove(mc->js, 0);
}

/* One question, then one job makes room for another. */
static void ask(struct machine *mc, uint32_t n, const struct sfab_traffic *t,
		struct times *x, uint32_t i)
{
	uint32_t k = (uint32_t) (sfab_random(&mc->random) % mc->njobs);
	uint32_t size = mc->job[k].n;
	struct sfab_choice c;
	double start = bench_cpu();

	choose(mc, n, t, SFAB_POLICY_SFABRIC, &c);
	x->search[i] = 1e3 * (bench_cpu() - start);
	mc->sets = 31 * mc->sets + sfab_hash_ids(c.host, c.n);
	certify(mc, &c, t, x, i);
	sfab_choice_clear(&c);
	x->end[i] = end_job(mc, k);
	x->start[i] = start_job(mc, k, size);
}

static void machine_open(struct machine *mc, const char *path, enum bench_set set)
{
	mc->random = SEED;
	mc->snap = bench_snapshot(path);
	mc->f = mc->snap->fabric;
	mc->io = bench_iosets(mc->f, set);
	mc->m = sfab_model_create(mc->f, mc->io);
	bench_have(mc->m != NULL);
	mc->sc = sfab_scorer_create(mc->m);
	mc->js = sfab_jobs_create(mc->m);
	mc->sp = sfab_stepper_create(mc->m);
	bench_have(mc->sc && mc->js && mc->sp &&
		   sfab_footprints_fill(sfab_scorer_footprints(mc->sc),
					SFAB_FOOTPRINT_FILL, NULL) == 0);
	mc->avail = bench_compute(mc->f, mc->io, &mc->navail);
}

static void machine_close(struct machine *mc)
{
	for (uint32_t k = 0; k < mc->njobs; k++)
		sfab_choice_clear(&mc->job[k]);
	free(mc->job);
	free(mc->avail);
	sfab_stepper_destroy(mc->sp);
	sfab_jobs_destroy(mc->js);
	sfab_scorer_destroy(mc->sc);
	sfab_model_destroy(mc->m);
	sfab_iosets_destroy(mc->io);
	sfab_snapshot_destroy(mc->snap);
}

static void print(const struct machine *mc, const char *traffic, uint32_t n,
		  struct times *x, uint32_t repeats)
{
	printf("%u %u %u %s %u", mc->f->nhosts, mc->f->nports, n, traffic,
	       mc->njobs);
	printf(" %.3f", bench_quantile(x->search, repeats, 0.5));
	printf(" %.3f", bench_quantile(x->search, repeats, 0.99));
	printf(" %.3f", bench_quantile(x->search, repeats, 1));
	printf(" %.3f", bench_quantile(x->start, repeats, 0.99));
	printf(" %.3f", bench_quantile(x->end, repeats, 0.99));
	printf(" %.0f", bench_mib());
	printf(" %.3f", bench_quantile(x->steps, repeats, 0.99));
	printf(" %.3f", bench_quantile(x->shares, repeats, 0.99));
	printf(" %016" PRIx64 "\n", mc->sets);
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL,
		"usage: decision SNAPSHOT NODES TRAFFIC RUNNING REPEATS "
		"[SET]" };
	enum bench_set set = BENCH_SET_LAST;
	struct machine mc = { 0 };
	struct times x;
	struct sfab_traffic traffic;
	uint32_t n, running, repeats;

	bench_must(argc >= 6 && argc <= 7 &&
			   (argc == 6 || bench_set_parse(argv[6], &set) == 0),
		   &usage);
	n = (uint32_t) atoi(argv[2]);
	traffic = traffic_of(argv[3]);
	running = (uint32_t) atoi(argv[4]);
	repeats = (uint32_t) atoi(argv[5]);
	machine_open(&mc, argv[1], set);
	fill(&mc, running, mc.navail > 2 * n ? mc.navail - 2 * n : 0);
	x.search = bench_alloc(repeats, sizeof(double));
	x.start = bench_alloc(repeats, sizeof(double));
	x.end = bench_alloc(repeats, sizeof(double));
	x.steps = bench_alloc(repeats, sizeof(double));
	x.shares = bench_alloc(repeats, sizeof(double));
	for (uint32_t i = 0; i < repeats; i++)
		ask(&mc, n, &traffic, &x, i);
	print(&mc, argv[3], n, &x, repeats);
	free(x.search);
	free(x.start);
	free(x.end);
	free(x.steps);
	free(x.shares);
	machine_close(&mc);
	return 0;
}
