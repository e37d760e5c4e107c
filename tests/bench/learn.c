/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learn.c - what jobs send, found out from noisy counters, against what they sent
 *
 *     learn SNAPSHOT JOBS MACHINES SEED NOISE UNKNOWN STRANGE SAMPLES SHARED
 *
 * A machine 90 % full of JOBS jobs that many others came and went before: fragmented.  Each
 * sends nothing, or one or two classes for .05 to .5 of its time (phases.h), as long as servers
 * are not asked for more than they take.  Rates are what passes after max-min, times a
 * log-normal error of NOISE.  A part UNKNOWN of all hosts also sends to a random host, up to
 * 0.2 of its rate.  A part STRANGE of the jobs sends what is no class: a halo in two
 * dimensions, to 6 random partners, or writes to 4 of the 24 servers.  A part SHARED has
 * another job on all of its hosts, or on half of them, with half of the CPUs each.  Each job is
 * judged by what the learner makes of SAMPLES samples, each the mean of those so far, at most
 * 10 (steady_rates.h): errors are new in each, traffic of no job stays.  Prints one line of
 * parts and means over MACHINES machines:
 *
 *     JOBS exactly right, dominant class, mean error of a weight; of the strange jobs:
 *     flagged, IO and the rest told apart, writes to few known as IO; others flagged,
 *     counted (confidence of half or more, or the sum is known);
 *     CPU seconds of the longest call, peak MiB of the process, fabric and all
 *
 * and a line "curve": for classes of stated confidence (from 0, .5, .8, .9, .95) how many
 * answers after a sample were so, the mean of what they stated, and how many of them had
 * exactly the right classes, for jobs that are not strange.
 *
 *     learn SNAPSHOT JOBS
 *
 * A crowd: JOBS jobs at once, half of them of one host, the others of 2 to 64, several on each
 * host if there are not enough.  Each sends 0.2 in one class, and one of four has ended.
 * Prints JOBS, how many were found, how many were left out, the CPU seconds of each of three
 * samples, and peak MiB.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/estimate/estimate.h"
#include "core/estimate/steady_rates.h"
#include "tests/bench/bench.h"
#include "tests/bench/curve.h"
#include "tests/unit/fixtures/contention.h"

#define SERVERS 24
#define FEW 4
#define STRANGE_MIN 9		/* hosts: fewer have no pattern to speak of */
#define EQUAL 0.9		/* two classes of so equal shares are both dominant */
#define PRESENT 0.03		/* a class found with less is none */

enum strange { PLAIN, HALO, PARTNERS, FEW_WRITES };

struct made_job {
	uint32_t n, *host;
	double *cpus;		/* NULL: whole nodes */
	int borrowed;		/* the hosts are another job's */
	enum strange kind;
	double strange_share;
	struct sfab_traffic traffic;
};

struct machine {
	struct sfab_fabric *f;
	struct sfab_model *m;
	uint64_t random;
	uint8_t *compute, *free;
	uint32_t nfree, ncompute, njobs;
	struct made_job *job;
	struct contention *contention;
	struct sfab_steady steady;
	double *sent, *rate;	/* bytes/s; with the error of a sample */
	double io_left;		/* bytes/s that servers still take, both ways together */
	uint32_t samples;
};

/* What was found of a job in all samples. */
struct found_job {
	double share[SFAB_NCLASSES], weight;	/* sums */
	uint32_t misfit, few;		/* in how many */
	uint32_t counted;
};

struct score {
	uint32_t plain, exact, dominant, shares, false_flag;
	uint32_t strange, flagged, split, few, few_io, counted;
	double error, seconds;
	struct curve curve[CURVE];
};

static uint32_t below(uint64_t *random, uint32_t n)
{
	return (uint32_t) (sfab_random(random) % n);
}

/* -- jobs ------------------------------------------------------------------- */

/* The first free hosts: jobs that came and went have left them fragmented. */
static void take_hosts(struct machine *k, struct made_job *j)
{
	uint32_t at = 0, n = 0;

	j->host = bench_alloc(j->n, sizeof(*j->host));
	for (; n < j->n; at++)
		if (k->free[at]) {
			k->free[at] = 0;
			j->host[n++] = at;
		}
	k->nfree -= n;
}

static void drop_job(struct made_job *j)
{
	if (!j->borrowed)
		free(j->host);
	free(j->cpus);
}

static void give_back(struct machine *k, struct made_job *j)
{
	for (uint32_t i = 0; i < j->n; i++)
		k->free[j->host[i]] = 1;
	k->nfree += j->n;
	drop_job(j);
	*j = k->job[--k->njobs];
}

/* Even by logarithm around the mean that fills the machine. */
static uint32_t job_size(struct machine *k, uint32_t njobs)
{
	double mean = 0.9 * k->ncompute / njobs, r = fmax(3, mean);

	for (;;) {
		double n = 2 * pow(2 * r, sfab_random_double(&k->random));

		if (n >= 2 && n < 4 * mean + 2)
			return (uint32_t) n;
	}
}

static void set_traffic(struct machine *k, struct made_job *j, double strange)
{
	uint32_t kind = below(&k->random, 8), a = below(&k->random, SFAB_NCLASSES), b;

	memset(&j->traffic, 0, sizeof(j->traffic));
	j->cpus = NULL;
	j->borrowed = 0;
	j->kind = PLAIN;
	if (j->n >= STRANGE_MIN && sfab_random_double(&k->random) < strange) {
		j->kind = (enum strange) (1 + below(&k->random, 3));
		j->strange_share = 0.05 + 0.45 * sfab_random_double(&k->random);
		return;
	}
	if (kind == 0)
		return;
	b = (a + 1 + below(&k->random, SFAB_NCLASSES - 1)) % SFAB_NCLASSES;
	j->traffic.nparts = kind < 5 ? 1 : 2;
	for (uint32_t i = 0; i < j->traffic.nparts; i++) {
		j->traffic.part[i].class = (enum sfab_class) (i ? b : a);
		j->traffic.part[i].share = 0.05 + 0.45 * sfab_random_double(&k->random);
	}
}

/*
 * IO that the servers no longer take becomes mpi or neighbor.  A job of E sends at 1/E of its
 * rate while it writes.
 */
static void share_out_io(struct machine *k, struct made_job *j)
{
	double all = SERVERS / k->m->inv_cap[k->f->nlinks];

	for (uint32_t i = 0; i < j->traffic.nparts; i++) {
		struct sfab_traffic_part *p = &j->traffic.part[i];
		double x = p->share * fmin(all,
					   j->n * k->f->ports[k->f->hosts[j->host[0]].port0].rate);

		if (!sfab_class_is_io(p->class))
			continue;
		if (x <= k->io_left)
			k->io_left -= x;
		else
			p->class = i || j->traffic.nparts == 1 ? SFAB_NEIGHBOR : SFAB_MPI;
	}
}

/* Another job on all hosts of job @at, or on the first half of them. */
static void share_hosts(struct machine *k, uint32_t at)
{
	struct made_job *j = &k->job[at], *twin = &k->job[k->njobs++];

	*twin = (struct made_job){ .n = below(&k->random, 2) ? j->n : (j->n + 1) / 2,
				   .host = j->host };
	set_traffic(k, twin, 0);
	twin->borrowed = 1;
	twin->cpus = bench_alloc(j->n, sizeof(*twin->cpus));
	j->cpus = bench_alloc(j->n, sizeof(*j->cpus));
	for (uint32_t i = 0; i < j->n; i++)
		j->cpus[i] = twin->cpus[i] = 0.5;
}

static void finish_machine(struct machine *k, double shared)
{
	uint32_t n = k->njobs;

	for (uint32_t i = 0; i < n; i++)
		if (k->job[i].kind == PLAIN && sfab_random_double(&k->random) < shared)
			share_hosts(k, i);
	for (uint32_t i = 0; i < k->njobs; i++)
		share_out_io(k, &k->job[i]);
}

static void fill_machine(struct machine *k, uint32_t njobs, double strange)
{
	uint32_t turns = 8 * njobs;

	for (;;) {
		uint32_t n = job_size(k, njobs);

		while (n > k->nfree || k->ncompute - k->nfree + n > 0.9 * k->ncompute + 1 ||
		       k->njobs >= njobs + njobs / 4) {
			if (!turns)
				return;
			turns--;
			give_back(k, &k->job[below(&k->random, k->njobs)]);
		}
		k->job[k->njobs].n = n;
		take_hosts(k, &k->job[k->njobs]);
		set_traffic(k, &k->job[k->njobs], strange);
		k->njobs++;
	}
}

/* -- rates ------------------------------------------------------------------ */

static void send(struct machine *k, uint32_t from, uint32_t to, double share)
{
	uint32_t a = k->f->hosts[from].port0, b = k->f->hosts[to].port0;

	contention_add_flow(k->contention, a, b, share * k->f->ports[a].rate);
}

static void send_halo(struct machine *k, const struct made_job *j)
{
	uint32_t w = (uint32_t) sqrt(j->n), n = j->n;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t to[4] = { (i + 1) % n, (i + n - 1) % n, (i + w) % n, (i + n - w) % n };

		for (int d = 0; d < 4; d++)
			if (to[d] != i)
				send(k, j->host[i], j->host[to[d]], j->strange_share / 4);
	}
}

static void send_partners(struct machine *k, const struct made_job *j)
{
	for (uint32_t i = 0; i < j->n; i++)
		for (uint32_t d = 0; d < 6; d++) {
			uint32_t to = (i + 1 + below(&k->random, j->n - 1)) % j->n;

			send(k, j->host[i], j->host[to], j->strange_share / 6);
		}
}

static void send_few(struct machine *k, const struct made_job *j)
{
	uint32_t first = below(&k->random, k->m->io->nioports);

	for (uint32_t i = 0; i < j->n; i++)
		for (uint32_t d = 0; d < FEW; d++) {
			uint32_t to = (first + 5 * d) % k->m->io->nioports;

			send(k, j->host[i], k->f->ports[k->m->io->ioport[to]].host,
			     j->strange_share / FEW);
		}
}

static void send_plain(struct machine *k)
{
	struct sfab_job *ask = bench_alloc(k->njobs + 1, sizeof(*ask));
	struct sfab_traffic *mean = bench_alloc(k->njobs + 1, sizeof(*mean));

	for (uint32_t i = 0; i < k->njobs; i++)
		ask[i] = (struct sfab_job){ .n = k->job[i].n, .host = k->job[i].host,
					     .cpus = k->job[i].cpus,
					     .traffic = &k->job[i].traffic };
	contention_means(k->m, ask, k->njobs, mean, NULL);
	for (uint32_t i = 0; i < k->njobs; i++) {
		ask[i].traffic = &mean[i];
		contention_add_job(k->contention, &ask[i]);
	}
	free(ask);
	free(mean);
}

static void send_all(struct machine *k, double unknown)
{
	static void (*const how[])(struct machine *, const struct made_job *) = {
		[HALO] = send_halo, [PARTNERS] = send_partners, [FEW_WRITES] = send_few };

	memset(k->sent, 0, k->f->nlinks * sizeof(*k->sent));
	contention_clear(k->contention);
	send_plain(k);
	for (uint32_t i = 0; i < k->njobs; i++)
		if (k->job[i].kind != PLAIN)
			how[k->job[i].kind](k, &k->job[i]);
	for (uint32_t h = 0; h < k->f->nhosts; h++)
		if (k->compute[h] && sfab_random_double(&k->random) < unknown) {
			uint32_t to = below(&k->random, k->f->nhosts);

			if (k->compute[to])
				send(k, h, to, 0.2 * sfab_random_double(&k->random));
		}
	contention_rates(k->contention, k->sent);
}

static void make_rates(struct machine *k, double noise)
{
	for (uint32_t e = 0; e < k->f->nlinks; e++)
		k->rate[e] = k->sent[e] * exp(noise * bench_normal(&k->random));
}

/* -- judging ---------------------------------------------------------------- */

static void by_class(const struct sfab_traffic *t, double *x)
{
	memset(x, 0, SFAB_NCLASSES * sizeof(*x));
	for (uint32_t i = 0; i < t->nparts; i++)
		x[t->part[i].class] += t->part[i].share;
}

static int largest(const double *x)
{
	int c = 0;

	for (int i = 1; i < SFAB_NCLASSES; i++)
		c = x[i] > x[c] ? i : c;
	return c;
}

/* Noticed, in most samples, as a pattern of its own or as one of few columns. */
static int is_flagged(const struct machine *k, const struct found_job *e)
{
	return 2 * e->misfit > k->samples || 2 * e->few > k->samples;
}

/* mpi and neighbor load the same links within a leaf, and among 2 or 3 hosts. */
static void merge_same(const struct machine *k, const struct made_job *j, double *x)
{
	if (!sfab_model_is_local(k->m, j->host, j->n) && j->n >= 4)
		return;
	x[SFAB_MPI] += x[SFAB_NEIGHBOR];
	x[SFAB_NEIGHBOR] = 0;
}

static int has_classes(const double *want, const double *got)
{
	int same = 1;

	for (int c = 0; c < SFAB_NCLASSES; c++)
		same &= (want[c] > 0) == (got[c] >= PRESENT);
	return same;
}

static void judge_plain(const struct machine *k, const struct made_job *j,
			const struct found_job *e, struct score *s)
{
	double want[SFAB_NCLASSES], got[SFAB_NCLASSES];

	by_class(&j->traffic, want);
	for (int c = 0; c < SFAB_NCLASSES; c++)
		got[c] = e->share[c] / e->weight;
	merge_same(k, j, want);
	merge_same(k, j, got);
	for (int c = 0; c < SFAB_NCLASSES; c++) {
		s->error += fabs(want[c] - got[c]);
		s->shares++;
	}
	s->plain++;
	s->exact += (uint32_t) has_classes(want, got);
	s->dominant += j->traffic.nparts ?
		       want[largest(got)] >= EQUAL * want[largest(want)] :
		       got[largest(got)] < PRESENT;
	s->false_flag += is_flagged(k, e);
	s->counted += 2 * e->counted > k->samples;
}

static void add_to_curve(const struct machine *k, const struct made_job *j,
			 const struct sfab_estimate *e, struct score *s)
{
	double want[SFAB_NCLASSES], got[SFAB_NCLASSES];

	if (j->kind != PLAIN)
		return;
	by_class(&j->traffic, want);
	by_class(&e->traffic, got);
	merge_same(k, j, want);
	merge_same(k, j, got);
	curve_add(s->curve, e->confidence, has_classes(want, got));
}

static void judge_strange(const struct machine *k, const struct made_job *j,
			  const struct found_job *e, struct score *s)
{
	double net = e->share[SFAB_MPI] + e->share[SFAB_NEIGHBOR];
	double io = e->share[SFAB_IO_WRITE] + e->share[SFAB_IO_READ];

	s->strange++;
	s->flagged += is_flagged(k, e);
	s->split += j->kind == FEW_WRITES ? io > net : net > io;
	s->few += j->kind == FEW_WRITES;
	s->few_io += j->kind == FEW_WRITES && io > net;
}

static void add_estimate(struct found_job *found, const struct sfab_estimate *e, double weight)
{
	double x[SFAB_NCLASSES];

	by_class(&e->traffic, x);
	for (int c = 0; c < SFAB_NCLASSES; c++)
		found->share[c] += weight * x[c];
	found->weight += weight;
	found->misfit += e->misfit != 0;
	found->few += e->few != 0;
	found->counted += e->confidence >= 0.5 || e->alike;
}

/* The @n-th, which counts n^2, as the learner has it. */
static void take_sample(struct machine *k, uint32_t n, struct sfab_estimate_job *job,
			struct sfab_estimate *out, struct found_job *found, struct score *s)
{
	struct sfab_estimate_options options = sfab_estimate_default;
	struct sfab_err err = { 0 };
	double t = bench_cpu();

	options.count = k->steady.count;
	bench_must(sfab_estimate(k->m, job, k->njobs, k->steady.rate, &options, out,
				 NULL, &err) == 0, &err);
	t = bench_cpu() - t;
	s->seconds = fmax(s->seconds, t);
	for (uint32_t i = 0; i < k->njobs; i++) {
		add_estimate(&found[i], &out[i], n * n);
		add_to_curve(k, &k->job[i], &out[i], s);
	}
}

static void judge_machine(struct machine *k, double noise, struct score *s)
{
	struct sfab_estimate_job *job = bench_alloc(k->njobs, sizeof(*job));
	struct sfab_estimate *out = bench_alloc(k->njobs, sizeof(*out));
	struct found_job *found = bench_alloc(k->njobs, sizeof(*found));
	struct sfab_err err = { 0 };
	struct sfab_traffic *before = bench_alloc(k->njobs, sizeof(*before));

	bench_must(sfab_steady_open(&k->steady, k->m, &err) == 0, &err);
	for (uint32_t n = 0; n < k->samples; n++) {
		for (uint32_t i = 0; i < k->njobs; i++) {
			before[i] = out[i].passed;
			job[i] = (struct sfab_estimate_job){
				.n = k->job[i].n, .part = 1, .host = k->job[i].host,
				.cpus = k->job[i].cpus,
				.before = n ? &before[i] : NULL };
		}
		make_rates(k, noise);
		sfab_steady_add(&k->steady, k->rate, 1);
		take_sample(k, n + 1, job, out, found, s);
	}
	for (uint32_t i = 0; i < k->njobs; i++)
		if (k->job[i].kind == PLAIN)
			judge_plain(k, &k->job[i], &found[i], s);
		else
			judge_strange(k, &k->job[i], &found[i], s);
	free(job);
	free(out);
	free(found);
	free(before);
	sfab_steady_close(&k->steady);
}

/* -- a crowd --------------------------------------------------------------- */

static void crowd_job(struct machine *k, struct made_job *j, uint32_t *at)
{
	uint32_t max = below(&k->random, 2) ? 1 :
			2 + (uint32_t) (pow(32, sfab_random_double(&k->random)) * 2 - 2);

	j->n = max < k->ncompute ? max : k->ncompute;
	j->host = bench_alloc(j->n, sizeof(*j->host));
	for (uint32_t i = 0; i < j->n; i++) {
		while (!k->compute[*at % k->f->nhosts])
			++*at;
		j->host[i] = (*at)++ % k->f->nhosts;
	}
	j->traffic.nparts = 1;
	j->traffic.part[0].class = (enum sfab_class) below(&k->random, SFAB_NCLASSES);
	j->traffic.part[0].share = 0.2;
}

static void judge_crowd(struct machine *k, uint32_t njobs)
{
	struct sfab_estimate_job *job = bench_alloc(njobs, sizeof(*job));
	struct sfab_estimate *out = bench_alloc(njobs, sizeof(*out));
	struct sfab_traffic *before = bench_alloc(njobs, sizeof(*before));
	struct sfab_estimate_stats stats;
	struct sfab_err err = { 0 };
	double seconds[3];
	uint32_t at = 0, found = 0;

	k->job = bench_alloc(njobs, sizeof(*k->job));
	for (k->njobs = 0; k->njobs < njobs; k->njobs++)
		crowd_job(k, &k->job[k->njobs], &at);
	send_all(k, 0);
	for (int n = 0; n < 3; n++) {
		for (uint32_t i = 0; i < njobs; i++) {
			before[i] = out[i].passed;
			job[i] = (struct sfab_estimate_job){
				.n = k->job[i].n, .part = i % 4 ? 1 : 0.25,
				.host = k->job[i].host, .before = n ? &before[i] : NULL };
		}
		make_rates(k, 0.1);
		seconds[n] = bench_cpu();
		bench_must(sfab_estimate(k->m, job, njobs, k->rate, &sfab_estimate_default, out,
					 &stats, &err) == 0, &err);
		seconds[n] = bench_cpu() - seconds[n];
	}
	for (uint32_t i = 0; i < njobs; i++)
		found += out[i].confidence > 0;
	printf("%6u %6u %6u  %6.2f %6.2f %6.2f  %6.1f\n", njobs, found, stats.left_out,
	       seconds[0], seconds[1], seconds[2], bench_mib());
	free(job);
	free(out);
	free(before);
}

/* -- main ------------------------------------------------------------------- */

/* Of evenly spread leaves the last end port: 24 servers in all. */
static struct sfab_iosets *servers(const struct sfab_fabric *f)
{
	const char *host[SERVERS];
	struct sfab_ioset_spec job = { .name = "io", .host = host, .nhosts = SERVERS };
	struct sfab_err err = { 0 };
	struct sfab_iosets *io;

	for (uint32_t i = 0; i < SERVERS; i++) {
		const struct sfab_leaf *l = &f->leaves[(size_t) i * f->nleaves / SERVERS];

		host[i] = f->hosts[f->ports[l->port[l->nports - 1]].host].name;
	}
	io = sfab_iosets_create(f, &job, 1, &err);
	bench_must(io != NULL, &err);
	return io;
}

static double part(double x, uint32_t n)
{
	return n ? 100 * x / n : 100;
}

static void print_score(const struct machine *k, const struct score *s)
{
	printf("%5u %6.1f %6.1f %7.4f  %6.1f %6.1f %6.1f %6.1f %6.1f  %7.3f %6.1f\n", k->njobs,
	       part(s->exact, s->plain), part(s->dominant, s->plain),
	       s->error / (s->shares ? s->shares : 1), part(s->flagged, s->strange),
	       part(s->split, s->strange), part(s->few_io, s->few),
	       part(s->false_flag, s->plain), part(s->counted, s->plain), s->seconds,
	       bench_mib());
	curve_print(s->curve);
}

static void next_machine(struct machine *k, uint32_t njobs, char **argv)
{
	while (k->njobs)
		drop_job(&k->job[--k->njobs]);
	k->free = bench_alloc(k->f->nhosts, 1);
	memcpy(k->free, k->compute, k->f->nhosts);
	k->nfree = k->ncompute;
	k->io_left = SERVERS / k->m->inv_cap[k->f->nlinks];
	fill_machine(k, njobs, atof(argv[7]));
	finish_machine(k, atof(argv[9]));
	send_all(k, atof(argv[6]));
	free(k->free);
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL, "usage: learn SNAPSHOT JOBS [MACHINES "
		"SEED NOISE UNKNOWN STRANGE SAMPLES SHARED]" };
	struct machine k = { 0 };
	struct score s = { 0 };
	uint32_t njobs;

	bench_must(argc == 10 || argc == 3, &usage);
	njobs = (uint32_t) atoi(argv[2]);
	k.f = bench_snapshot(argv[1])->fabric;
	k.m = sfab_model_create(k.f, servers(k.f));
	bench_have(k.m != NULL);
	k.contention = contention_create(k.m);
	k.rate = bench_alloc(k.f->nlinks, sizeof(*k.rate));
	k.sent = bench_alloc(k.f->nlinks, sizeof(*k.sent));
	k.compute = bench_compute(k.f, k.m->io, &k.ncompute);
	if (argc == 3) {
		judge_crowd(&k, njobs);
		return 0;
	}
	k.samples = (uint32_t) atoi(argv[8]);
	k.random = (uint64_t) atoi(argv[4]);
	k.job = bench_alloc(4 * njobs + 4, sizeof(*k.job));
	for (int i = 0; i < atoi(argv[3]); i++) {
		next_machine(&k, njobs, argv);
		judge_machine(&k, atof(argv[5]), &s);
	}
	print_score(&k, &s);
	return 0;
}
