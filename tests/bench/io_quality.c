/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_quality.c - how many routes the job waits for, on its worst link, by policy
 *
 *     io_quality SNAPSHOT SET CLASS [VECTORS [BUSY SEED]]
 *
 * prints for 16, 32, ... and half of the free compute hosts
 *
 *     NODES CONTIGUOUS TREE RANDOM SFABRIC MILLISECONDS KNOWN
 *
 * All links count alike, every port of a client talks to every port of the set.  Only hosts
 * with as many ports as most others are free: fewer ports send less.  A job waits for the worst
 * link between switches, or for a port of its hosts or servers if that has more routes: below
 * those, which no choice of hosts changes, a link costs no time.  RANDOM is the median of 50;
 * SFABRIC the worst of three seeds that nothing was tuned with, MILLISECONDS the mean CPU time
 * of its search.  KNOWN is the best set that long annealing finds from several starts, or one
 * of the others.  With BUSY jobs of 4 to 64 hosts, placed as topology/tree would, hold about
 * that part of the hosts; they send nothing.  SEED draws them.  With VECTORS (other than -)
 * that file gets what a solver needs to find the optimum:
 *
 *     links N FLOOR               links but those of clients, 0 .. N-1; routes of a client
 *     hosts ROOM LINK ROUTES...   ROOM hosts alike, and what one puts on links
 *
 * Routes are walked here link by link, for each client port and server; nothing of the search's
 * own arithmetic is used to judge it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/route.h"
#include "core/search/search.h"
#include "tests/bench/bench.h"

#define RANDOM_SETS 50
#define SEEDS 3
#define FIRST_SEED 201
#define FEWEST_NODES 16
#define CAPACITY 1e9		/* of every link */
#define JOB_MIN 4		/* hosts of a job that makes the machine busy, */
#define JOB_MAX 65		/* fewer than this */
#define JOBS_END 9		/* one in eight of these ends: a ninth more are begun */
#define LOOK_EVERY 64		/* rounds of annealing between looks for the worst link */
#define RESTARTS 3		/* of annealing, */
#define ROUNDS_A_HOST 3000	/* each; not fewer rounds than for */
#define ROUNDS_MIN 64		/* hosts, not more than for */
#define ROUNDS_MAX 256
#define BLUNTEST 2		/* squarings of a load at the start of annealing, */
#define SHARPEST 6		/* and at its end */

struct entry {
	uint32_t link;
	double routes;
};

struct vector {			/* what one client puts on the links */
	uint32_t n;
	struct entry *entry;	/* by link */
};

struct bench {
	struct sfab_snapshot *snap;
	const struct sfab_fabric *f;
	struct sfab_iosets *io;
	struct sfab_model *m;
	struct sfab_scorer *sc;
	struct sfab_traffic traffic;
	uint8_t own;		/* kind of clients' own links: all have as many routes */
	uint8_t *avail;
	uint32_t navail;
	struct vector *vector;	/* by host */
	double *sum;		/* by link, zero between uses */
	uint32_t *free;		/* [navail] hosts; in annealing the first are chosen */
	uint64_t random;
	uint32_t *touched;
	struct sfab_route r;
};

/* The objective counts routes: a fast link is worth as much as a slow one. */
static void make_even(const struct sfab_fabric *f)
{
	struct sfab_link *link = (struct sfab_link *) f->links;
	struct sfab_port *port = (struct sfab_port *) f->ports;

	for (uint32_t i = 0; i < f->nlinks; i++)
		link[i].capacity = CAPACITY;
	for (uint32_t i = 0; i < f->nports; i++)
		port[i].rate = CAPACITY;
}

static void walk(struct bench *b, uint32_t src, uint32_t dst, uint32_t *n)
{
	static const struct sfab_err no_route = { SFAB_ENOENT, "a pair has no route" };

	bench_must(sfab_route_ports(b->f, src, dst, &b->r) == 0 &&
		   b->r.status == SFAB_ROUTE_OK, &no_route);
	for (uint32_t i = 0; i < b->r.n; i++) {
		uint32_t link = b->r.hop[i].link;

		if (b->f->links[link].kind == b->own)
			continue;
		if (b->sum[link] == 0)
			b->touched[(*n)++] = link;
		b->sum[link] += b->r.hop[i].share;
	}
}

static int cmp_link(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->link < y->link ? -1 : x->link > y->link;
}

static void make_vector(struct bench *b, uint32_t host)
{
	const struct sfab_host *h = &b->f->hosts[host];
	struct vector *v = &b->vector[host];
	uint32_t n = 0;

	for (uint32_t p = h->port0; p < h->port0 + h->nports; p++)
		for (uint32_t k = 0; k < b->io->nioports; k++) {
			uint32_t server = b->io->ioport[k];

			if (b->f->ports[p].leaf == SFAB_NONE || !b->f->ports[p].lid)
				continue;
			if (b->traffic.part[0].class == SFAB_IO_WRITE)
				walk(b, p, server, &n);
			else
				walk(b, server, p, &n);
		}
	v->n = n;
	v->entry = bench_alloc(n, sizeof(*v->entry));
	for (uint32_t i = 0; i < n; i++) {
		v->entry[i].link = b->touched[i];
		v->entry[i].routes = b->sum[b->touched[i]];
		b->sum[b->touched[i]] = 0;
	}
	qsort(v->entry, n, sizeof(*v->entry), cmp_link);
}

static double worst_of(struct bench *b, const struct sfab_choice *c)
{
	double worst = b->io->nioports;

	for (uint32_t i = 0; i < c->n; i++) {
		const struct vector *v = &b->vector[c->host[i]];

		for (uint32_t k = 0; k < v->n; k++) {
			double *x = &b->sum[v->entry[k].link];

			*x += v->entry[k].routes;
			worst = *x > worst ? *x : worst;
		}
	}
	memset(b->sum, 0, b->f->nlinks * sizeof(*b->sum));
	return worst;
}

static double try_policy(struct bench *b, uint32_t n, enum sfab_policy policy,
			 uint64_t seed)
{
	struct sfab_request rq = { .n = n, .avail = b->avail,
				   .traffic = &b->traffic, .seed = seed };
	struct sfab_choice c;
	struct sfab_err err;
	double worst;

	bench_must(sfab_search_by(b->sc, NULL, &rq, policy, &c, &err) == 0, &err);
	worst = worst_of(b, &c);
	sfab_choice_clear(&c);
	return worst;
}

/* -- annealing ------------------------------------------------------------ */

static uint32_t pick_below(struct bench *b, uint32_t n)
{
	return (uint32_t) (sfab_random(&b->random) % n);
}

static void add_vector(struct bench *b, uint32_t host, double sign)
{
	const struct vector *v = &b->vector[host];

	for (uint32_t k = 0; k < v->n; k++)
		b->sum[v->entry[k].link] += sign * v->entry[k].routes;
}

static double power_of(double x, int squarings)
{
	for (int k = 0; k < squarings; k++)
		x *= x;
	return x;
}

/* What @host costs on top of b->sum: sum of (L + V)^p - L^p, L in units of @worst. */
static double cost_of(const struct bench *b, uint32_t host, double worst, int squarings)
{
	const struct vector *v = &b->vector[host];
	double cost = 0;

	for (uint32_t k = 0; k < v->n; k++) {
		double l = b->sum[v->entry[k].link];

		cost += power_of((l + v->entry[k].routes) / worst, squarings) -
			power_of(l / worst, squarings);
	}
	return cost;
}

static double worst_link(const struct bench *b)
{
	double worst = b->io->nioports;

	for (uint32_t e = 0; e < b->f->nlinks; e++)
		worst = fmax(worst, b->sum[e]);
	return worst;
}

static void swap_places(struct bench *b, uint32_t i, uint32_t k)
{
	uint32_t host = b->free[i];

	b->free[i] = b->free[k];
	b->free[k] = host;
}

/* Choose @n hosts at random. */
static void choose_any(struct bench *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		swap_places(b, i, i + pick_below(b, b->navail - i));
		add_vector(b, b->free[i], 1);
	}
}

/* Swap a chosen host for another, if that is not worse. */
static void swap_any(struct bench *b, uint32_t n, double worst, int squarings)
{
	uint32_t out = pick_below(b, n), in = n + pick_below(b, b->navail - n);
	double max;

	add_vector(b, b->free[out], -1);
	max = cost_of(b, b->free[out], worst, squarings) * (1 + 1e-9);
	if (cost_of(b, b->free[in], worst, squarings) <= max)
		swap_places(b, out, in);
	add_vector(b, b->free[out], 1);
}

/* From a random set of @n hosts, single hosts swapped at ever higher powers. */
static double anneal(struct bench *b, uint32_t n)
{
	uint32_t size = n < ROUNDS_MIN ? ROUNDS_MIN : n > ROUNDS_MAX ? ROUNDS_MAX : n;
	uint32_t rounds = ROUNDS_A_HOST * size, phase = rounds / (SHARPEST - BLUNTEST + 1) + 1;
	double best = INFINITY, worst;

	choose_any(b, n);
	worst = worst_link(b);
	for (uint32_t r = 0; r < rounds && n < b->navail; r++) {
		swap_any(b, n, worst, BLUNTEST + (int) (r / phase));
		if (r % LOOK_EVERY == 0) {
			worst = worst_link(b);
			best = fmin(best, worst);
		}
	}
	best = fmin(best, worst_link(b));
	memset(b->sum, 0, b->f->nlinks * sizeof(*b->sum));
	return best;
}

static double best_known(struct bench *b, uint32_t n)
{
	double best = INFINITY;

	b->random = 1;
	for (int k = 0; k < RESTARTS; k++)
		best = fmin(best, anneal(b, n));
	return best;
}

/* -- all ------------------------------------------------------------------ */

static void judge(struct bench *b, uint32_t n)
{
	double x[RANDOM_SETS], worst = 0, start, ms, min = INFINITY;

	printf("%u %g %g", n, try_policy(b, n, SFAB_POLICY_CONTIGUOUS, 0),
	       try_policy(b, n, SFAB_POLICY_TREE, 0));
	for (uint32_t i = 0; i < RANDOM_SETS; i++)
		x[i] = try_policy(b, n, SFAB_POLICY_RANDOM, i + 1);
	printf(" %g", bench_quantile(x, RANDOM_SETS, 0.5));
	start = bench_cpu();
	for (uint64_t k = 0; k < SEEDS; k++) {
		double ours = try_policy(b, n, SFAB_POLICY_SFABRIC, FIRST_SEED + k);

		worst = fmax(worst, ours);
		min = fmin(min, ours);
	}
	ms = 1e3 * (bench_cpu() - start) / SEEDS;
	printf(" %g %.2f %g\n", worst, ms, fmin(min, best_known(b, n)));
	fflush(stdout);
}

static int cmp_vector(const void *a, const void *b)
{
	const struct vector *const *x = a, *const *y = b;

	if ((*x)->n != (*y)->n)
		return (*x)->n < (*y)->n ? -1 : 1;
	return memcmp((*x)->entry, (*y)->entry, (*x)->n * sizeof(*(*x)->entry));
}

static void write_row(FILE *out, uint32_t room, const struct vector *v,
		      const uint32_t *number)
{
	fprintf(out, "hosts %u", room);
	for (uint32_t k = 0; k < v->n; k++)
		fprintf(out, " %u %g", number[v->entry[k].link],
			v->entry[k].routes);
	putc('\n', out);
}

/* Hosts alike are one row. */
static void write_vectors(struct bench *b, FILE *out)
{
	struct vector **v = bench_alloc(b->navail, sizeof(*v));
	uint32_t *number = bench_alloc(b->f->nlinks, sizeof(*number));
	uint32_t n = 0, links = 0;

	for (uint32_t i = 0; i < b->f->nlinks; i++)
		if (b->f->links[i].kind != b->own)
			number[i] = links++;
	fprintf(out, "links %u %u\n", links, b->io->nioports);
	for (uint32_t h = 0; h < b->f->nhosts; h++)
		if (b->avail[h])
			v[n++] = &b->vector[h];
	qsort(v, n, sizeof(*v), cmp_vector);
	for (uint32_t i = 0, room; i < n; i += room) {
		for (room = 1; i + room < n; room++)
			if (cmp_vector(&v[i], &v[i + room]))
				break;
		write_row(out, room, v[i], number);
	}
	free(v);
	free(number);
}

/* -- a busy machine ------------------------------------------------------- */

static struct sfab_choice take_job(struct bench *b)
{
	struct sfab_request rq = { .avail = b->avail, .traffic = &b->traffic,
				   .n = JOB_MIN + pick_below(b, JOB_MAX - JOB_MIN) };
	struct sfab_choice job;
	struct sfab_err err;

	rq.n = rq.n < b->navail ? rq.n : b->navail;
	bench_must(sfab_search_by(b->sc, NULL, &rq, SFAB_POLICY_TREE, &job, &err) == 0,
		   &err);
	for (uint32_t i = 0; i < job.n; i++)
		b->avail[job.host[i]] = 0;
	b->navail -= job.n;
	return job;
}

/* Take hosts for silent jobs, until about @busy of all is taken and an eighth ended. */
static void take_hosts(struct bench *b, double busy)
{
	double full = fmin(1, busy * JOBS_END / (JOBS_END - 1));
	uint32_t left = (uint32_t) ((1 - full) * b->navail), n = 0;
	struct sfab_choice *job = bench_alloc(b->navail, sizeof(*job));

	while (busy > 0 && b->navail > left)
		job[n++] = take_job(b);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t ends = !pick_below(b, JOBS_END - 1);

		for (uint32_t i = 0; ends && i < job[k].n; i++)
			b->avail[job[k].host[i]] = 1;
		b->navail += ends * job[k].n;
		sfab_choice_clear(&job[k]);
	}
	free(job);
}

static uint32_t ports_of(const struct bench *b, uint32_t host)
{
	const struct sfab_host *h = &b->f->hosts[host];
	uint32_t n = 0;

	for (uint32_t p = h->port0; p < h->port0 + h->nports; p++)
		n += b->f->ports[p].leaf != SFAB_NONE && b->f->ports[p].lid;
	return n;
}

/* Leave those of the free hosts that have as many ports as most of them. */
static void keep_alike(struct bench *b)
{
	uint32_t *hosts = bench_alloc(b->f->nports + 1, sizeof(*hosts)), usual = 0;

	for (uint32_t h = 0; h < b->f->nhosts; h++)
		hosts[ports_of(b, h)] += b->avail[h];
	for (uint32_t n = 1; n <= b->f->nports; n++)
		usual = hosts[n] > hosts[usual] ? n : usual;
	for (uint32_t h = 0; h < b->f->nhosts; h++)
		b->avail[h] = b->avail[h] && ports_of(b, h) == usual;
	b->navail = hosts[usual];
	free(hosts);
}

static void bench_open(struct bench *b, int argc, char **argv)
{
	struct sfab_err err = { SFAB_EINVAL, "unknown set" };
	enum bench_set set;

	bench_must(bench_set_parse(argv[2], &set) == 0, &err);
	bench_must(sfab_traffic_parse(argv[3], NULL, &b->traffic, &err) == 0, &err);
	b->traffic.part[0].share = 1;
	b->own = b->traffic.part[0].class == SFAB_IO_WRITE ? SFAB_LINK_INJECT :
							     SFAB_LINK_EJECT;
	b->snap = bench_snapshot(argv[1]);
	b->f = b->snap->fabric;
	make_even(b->f);
	b->io = bench_iosets(b->f, set);
	b->m = sfab_model_create(b->f, b->io);
	b->sc = b->m ? sfab_scorer_create(b->m) : NULL;
	sfab_fail(&err, SFAB_ENOMEM, "no memory");
	bench_must(b->sc != NULL, &err);
	b->avail = bench_compute(b->f, b->io, &b->navail);
	keep_alike(b);
	b->random = argc > 6 ? strtoull(argv[6], NULL, 10) : 0;
	take_hosts(b, argc > 6 ? atof(argv[5]) : 0);
	b->free = bench_alloc(b->navail + 1, sizeof(*b->free));
	b->vector = bench_alloc(b->f->nhosts, sizeof(*b->vector));
	b->sum = bench_alloc(b->f->nlinks, sizeof(*b->sum));
	b->touched = bench_alloc(b->f->nlinks, sizeof(*b->touched));
	for (uint32_t h = 0, n = 0; h < b->f->nhosts; h++)
		if (b->avail[h]) {
			make_vector(b, h);
			b->free[n++] = h;
		}
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL,
		"usage: io_quality SNAPSHOT SET CLASS [VECTORS [BUSY SEED]]" };
	struct bench b = { 0 };
	FILE *out;

	bench_must(argc == 4 || argc == 5 || argc == 7, &usage);
	bench_open(&b, argc, argv);
	if (argc > 4 && strcmp(argv[4], "-") != 0) {
		out = fopen(argv[4], "w");
		bench_must(out != NULL, &usage);
		write_vectors(&b, out);
		fclose(out);
	}
	for (uint32_t n = FEWEST_NODES; n < b.navail / 2; n *= 2)
		judge(&b, n);
	if (b.navail / 2 >= FEWEST_NODES)
		judge(&b, b.navail / 2);
	return 0;
}
