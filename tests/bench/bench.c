/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench.c - see bench.h */

#include "tests/bench/bench.h"
#include "core/ascending.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define IO_SHARE 20		/* one port in so many is in the random set */
#define IO_SEED 1
#define IO_SOME 96		/* servers of a large site */

void bench_must(int ok, const struct sfab_err *err)
{
	if (ok)
		return;
	fprintf(stderr, "bench: %s\n", err->text);
	exit(1);
}

void bench_have(int ok)
{
	static const struct sfab_err no_memory = { SFAB_ENOMEM, "no memory" };

	bench_must(ok, &no_memory);
}

void *bench_alloc(size_t n, size_t size)
{
	void *mem = calloc(n + 1, size);

	bench_have(mem != NULL);
	return mem;
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

double bench_cpu(void)
{
	return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double bench_clock(void)
{
	return seconds(CLOCK_MONOTONIC);
}

double bench_mib(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (double) use.ru_maxrss / 1024;
}

struct sfab_snapshot *bench_snapshot(const char *path)
{
	struct sfab_err err;
	struct sfab_snapshot *s = sfab_snapshot_load(path, NULL, &err);

	bench_must(s != NULL, &err);
	return s;
}

static const char *const set_name[BENCH_NSETS] = { "last", "leaves", "random", "some" };

const char *bench_set_name(enum bench_set set)
{
	return set_name[set];
}

int bench_set_parse(const char *name, enum bench_set *set)
{
	for (int i = 0; i < BENCH_NSETS; i++)
		if (strcmp(name, set_name[i]) == 0) {
			*set = (enum bench_set) i;
			return 0;
		}
	return -1;
}

static int can_serve(const struct sfab_fabric *f, uint32_t port)
{
	const struct sfab_port *p = &f->ports[port];

	return p->lid && p->leaf != SFAB_NONE &&
	       f->hosts[p->host].role != SFAB_HOST_SHARP;
}

/* The last end port of each @apart-th leaf. */
static void flag_last_of(const struct sfab_fabric *f, uint32_t apart, uint8_t *in)
{
	for (uint32_t l = 0; l < f->nleaves; l += apart)
		for (uint32_t i = f->leaves[l].nports; i-- > 0;)
			if (can_serve(f, f->leaves[l].port[i])) {
				in[f->leaves[l].port[i]] = 1;
				break;
			}
}

static void flag_last(const struct sfab_fabric *f, uint8_t *in)
{
	flag_last_of(f, 1, in);
}

static void flag_some(const struct sfab_fabric *f, uint8_t *in)
{
	flag_last_of(f, f->nleaves > IO_SOME ? f->nleaves / IO_SOME : 1, in);
}

static void flag_leaves(const struct sfab_fabric *f, uint8_t *in)
{
	uint32_t left = 2;

	for (uint32_t l = 0; l < f->nleaves && left; l++) {
		uint32_t found = 0;

		for (uint32_t i = 0; i < f->leaves[l].nports; i++)
			if (can_serve(f, f->leaves[l].port[i])) {
				in[f->leaves[l].port[i]] = 1;
				found = 1;
			}
		left -= found;
	}
}

static void flag_random(const struct sfab_fabric *f, uint8_t *in)
{
	uint64_t state = IO_SEED;
	uint32_t left = (f->nports + IO_SHARE - 1) / IO_SHARE;

	while (left) {
		uint32_t port = (uint32_t) (sfab_random(&state) % f->nports);

		if (in[port] || !can_serve(f, port))
			continue;
		in[port] = 1;
		left--;
	}
}

struct sfab_iosets *bench_iosets(const struct sfab_fabric *f, enum bench_set set)
{
	static void (*const flag[BENCH_NSETS])(const struct sfab_fabric *,
					       uint8_t *) = {
		flag_last, flag_leaves, flag_random, flag_some
	};
	struct sfab_err err;
	uint8_t *in = bench_alloc(f->nports, 1);
	uint32_t *ioport = bench_alloc(f->nports, sizeof(*ioport));
	uint32_t *member = bench_alloc(f->nports, sizeof(*member));
	double *capacity = bench_alloc(f->nports, sizeof(*capacity));
	struct sfab_ioset one = { .name = "io", .map = SFAB_IOMAP_ALL,
				  .member = member };
	struct sfab_iosets made = { .nsets = 1, .set = &one, .ioport = ioport,
				    .capacity = capacity };
	struct sfab_iosets *io;

	flag[set](f, in);
	for (uint32_t p = 0; p < f->nports; p++) {
		if (!in[p])
			continue;
		member[made.nioports] = made.nioports;
		capacity[made.nioports] = f->ports[p].rate;
		ioport[made.nioports++] = p;
	}
	one.nmembers = made.nioports;
	io = sfab_iosets_copy(f, &made, &err);
	bench_must(io != NULL, &err);
	free(in);
	free(ioport);
	free(member);
	free(capacity);
	return io;
}

uint8_t *bench_compute(const struct sfab_fabric *f, const struct sfab_iosets *io,
		       uint32_t *n)
{
	uint8_t *flag = bench_alloc(f->nhosts, 1);

	*n = 0;
	for (uint32_t h = 0; h < f->nhosts; h++) {
		flag[h] = f->hosts[h].role == SFAB_HOST_COMPUTE &&
			  sfab_host_leaf(f, h) != SFAB_NONE &&
			  !(io && sfab_iosets_has_host(io, f, h));
		*n += flag[h];
	}
	return flag;
}

double bench_quantile(double *x, uint32_t n, double p)
{
	uint32_t at = (uint32_t) (p * n);

	if (!n)
		return 0;
	qsort(x, n, sizeof(*x), sfab_ascending_double);
	return x[at < n ? at : n - 1];
}

double bench_normal(uint64_t *random)
{
	double u = sfab_random_double(random) + 1e-300, v = sfab_random_double(random);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}
