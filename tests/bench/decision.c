/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decision.c - CPU time that a choice of hosts costs on a busy machine
 *
 *     decision SNAPSHOT NODES TRAFFIC RUNNING BUSY REPEATS [SET]
 *
 * fills the part BUSY of the machine with RUNNING jobs of mixed sizes that send the prior,
 * placed as topology/tree would, but leaves five quarters of the wanted NODES free; then asks
 * REPEATS times for NODES hosts with TRAFFIC, `-` for the prior.  Between two questions a
 * running job ends and another of its size starts elsewhere.  Prints one line:
 *
 *     HOSTS PORTS NODES TRAFFIC BUSY P50 P99 MAX START_P99 END_P99 MIB \
 *     STEPS_P99 SHARES_P99 SETS LOST
 *
 * What slurmctld's loader thread prepares is prepared before, the packing too.  Times are CPU
 * milliseconds: of the choice, of the events that keep the view of the running jobs, and of
 * both parts of the certificate of the chosen hosts.  MIB is the most memory that the process
 * had.  SETS is a hash of all chosen sets: the same before and after a change that only saves
 * time.  LOST: nodes that the choices lose, mean.  SET is the IO set, one of bench.h: `last`,
 * the last port of each leaf, unless given.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/load/certificate.h"
#include "core/search/play_stream.h"
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
	double lost;			/* nodes, sum */
	struct sfab_traffic prior;
	struct sfab_choice *job;	/* by job id - 1 */
};

struct times {
	double *search, *start, *end, *steps, *shares;
};

#define PRIOR "mpi=0.25+io-write=0.05+io-read=0.02"

static struct sfab_traffic traffic_of(const char *text)
{
	struct sfab_traffic t;
	struct sfab_err err;

	if (strcmp(text, "-") == 0)
		text = PRIOR;
	bench_must(sfab_traffic_parse(text, NULL, &t, &err) == 0, &err);
	return t;
}

static void choose(struct machine *mc, uint32_t n, const struct sfab_traffic *t,
		   enum sfab_policy policy, struct sfab_choice *out)
{
	struct sfab_request rq = { .n = n, .avail = mc->avail, .traffic = t,
				   .seed = SEED };
	struct sfab_err err;

	bench_must(sfab_search_by(mc->sc, mc->js, &rq, policy, out, &err) == 0,
		   &err);
}

static void set_avail(struct machine *mc, const struct sfab_choice *c, int is_free)
{
	for (uint32_t i = 0; i < c->n; i++)
		mc->avail[c->host[i]] = (uint8_t) is_free;
	mc->navail = is_free ? mc->navail + c->n : mc->navail - c->n;
}

/* Take the job into account.  Return the milliseconds that it costs. */
static double start_job(struct machine *mc, uint32_t k, uint32_t n)
{
	struct sfab_job job = { .n = n, .traffic = &mc->prior };
	struct sfab_err err;
	double start;

	choose(mc, n, &mc->prior, SFAB_POLICY_TREE, &mc->job[k]);
	job.host = mc->job[k].host;
	start = bench_cpu();
	bench_must(sfab_jobs_add(mc->js, k + 1, &job, &err) == 0, &err);
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
		double u = sfab_random_double(&mc->random);

		size[mc->njobs] = 1 / (0.01 + u);
		sum += size[mc->njobs];
	}
	for (uint32_t k = 0; k < njobs; k++) {
		uint32_t n = (uint32_t) (size[k] / sum * busy);

		start_job(mc, k, n ? n : 1);
	}
	free(size);
}

static uint32_t busy_hosts(const struct machine *mc, uint32_t n, double busy)
{
	uint32_t max = mc->navail > n + n / 4 ? mc->navail - n - n / 4 : 0;
	double want = busy * mc->navail;

	return want < max ? (uint32_t) want : max;
}

/* What the certificate of a job that just started costs. */
static void certify(struct machine *mc, const struct sfab_choice *c,
		    const struct sfab_traffic *t, struct times *x, uint32_t i)
{
	const struct sfab_job job = { .n = c->n, .host = c->host, .traffic = t };
	struct sfab_certificate out = { 0 };
	struct sfab_err err;
	double start;

	qsort(c->host, c->n, sizeof(*c->host), sfab_ascending_u32);
	bench_must(sfab_jobs_add(mc->js, 0, &job, &err) == 0, &err);
	start = bench_cpu();
	sfab_certificate_set_patterns(mc->m, t, &out);
	bench_must(sfab_certificate_set_steps(mc->sp, c->n, c->host, &out, &err) == 0, &err);
	x->steps[i] = 1e3 * (bench_cpu() - start);
	start = bench_cpu();
	bench_must(sfab_certificate_set_shares(mc->js, 0, &out, &err) == 0, &err);
	x->shares[i] = 1e3 * (bench_cpu() - start);
	sfab_jobs_remove(mc->js, 0);
}

/* One job makes room for another. */
static void exchange(struct machine *mc, struct times *x, uint32_t i)
{
	uint32_t k = (uint32_t) (sfab_random(&mc->random) % mc->njobs);
	uint32_t size = mc->job[k].n;

	x->end[i] = end_job(mc, k);
	x->start[i] = start_job(mc, k, size);
}

static void ask(struct machine *mc, uint32_t n, const struct sfab_traffic *t,
		struct times *x, uint32_t i)
{
	struct sfab_choice c;
	double start = bench_cpu();

	choose(mc, n, t, SFAB_POLICY_SFABRIC, &c);
	x->search[i] = 1e3 * (bench_cpu() - start);
	mc->sets = 31 * mc->sets + sfab_random_hash(c.host, c.n);
	certify(mc, &c, t, x, i);
	mc->lost += c.score.total;
	sfab_choice_clear(&c);
	if (mc->njobs)
		exchange(mc, x, i);
}

/* As slurmctld does for jobs that nobody tells of. */
static void find_packing(struct machine *mc)
{
	struct sfab_packings all;
	struct sfab_err err;

	bench_must(sfab_packings_play(mc->sc, &mc->prior, &all, &err) == 0, &err);
	mc->sc->packing = all.trial[all.best].packing;
}

static void machine_open(struct machine *mc, const char *path, enum bench_set set)
{
	mc->random = SEED;
	mc->prior = traffic_of(PRIOR);
	mc->snap = bench_snapshot(path);
	mc->f = mc->snap->fabric;
	mc->io = bench_iosets(mc->f, set);
	mc->m = sfab_model_create(mc->f, mc->io);
	bench_have(mc->m != NULL);
	mc->sc = sfab_scorer_create(mc->m);
	mc->js = sfab_jobs_create(mc->m);
	mc->sp = sfab_stepper_create(mc->m);
	bench_have(mc->sc && mc->js && mc->sp &&
		   sfab_footprints_fill(mc->sc->footprints,
					SFAB_FOOTPRINT_FILL, NULL) == 0);
	find_packing(mc);
	mc->avail = bench_compute(mc->f, mc->io, &mc->navail);
}

static void print(const struct machine *mc, char **argv, uint32_t n, struct times *x,
		  uint32_t repeats)
{
	printf("%u %u %u %s %s", mc->f->nhosts, mc->f->nports, n, argv[3], argv[5]);
	printf(" %.3f", bench_quantile(x->search, repeats, 0.5));
	printf(" %.3f", bench_quantile(x->search, repeats, 0.99));
	printf(" %.3f", bench_quantile(x->search, repeats, 1));
	printf(" %.3f", bench_quantile(x->start, repeats, 0.99));
	printf(" %.3f", bench_quantile(x->end, repeats, 0.99));
	printf(" %.0f", bench_mib());
	printf(" %.3f", bench_quantile(x->steps, repeats, 0.99));
	printf(" %.3f", bench_quantile(x->shares, repeats, 0.99));
	printf(" %016" PRIx64 " %.4f\n", mc->sets, mc->lost / repeats);
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL,
		"usage: decision SNAPSHOT NODES TRAFFIC RUNNING BUSY "
		"REPEATS [SET]" };
	enum bench_set set = BENCH_SET_LAST;
	struct machine mc = { 0 };
	struct times x;
	struct sfab_traffic traffic;
	uint32_t n, running, repeats;

	bench_must(argc >= 7 && argc <= 8 &&
			   (argc == 7 || bench_set_parse(argv[7], &set) == 0),
		   &usage);
	n = (uint32_t) atoi(argv[2]);
	traffic = traffic_of(argv[3]);
	running = atof(argv[5]) > 0 ? (uint32_t) atoi(argv[4]) : 0;
	repeats = (uint32_t) atoi(argv[6]);
	machine_open(&mc, argv[1], set);
	fill(&mc, running, busy_hosts(&mc, n, atof(argv[5])));
	x.search = bench_alloc(repeats, sizeof(double));
	x.start = bench_alloc(repeats, sizeof(double));
	x.end = bench_alloc(repeats, sizeof(double));
	x.steps = bench_alloc(repeats, sizeof(double));
	x.shares = bench_alloc(repeats, sizeof(double));
	for (uint32_t i = 0; i < repeats; i++)
		ask(&mc, n, &traffic, &x, i);
	print(&mc, argv, n, &x, repeats);
	return 0;
}
