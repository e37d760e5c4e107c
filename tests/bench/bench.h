/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench.h - what the programs of `make bench` share
 *
 * They stop at the first error with a line on stderr: there is nothing to clean up that the
 * system does not.
 */
#ifndef SFAB_BENCH_H
#define SFAB_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "core/load/ioset.h"
#include "core/load/model.h"
#include "core/random.h"
#include "io/snapshot/snapshot.h"

/* Go on only if @ok; else print @err->text and exit 1. */
void bench_must(int ok, const struct sfab_err *err);

/* The same if that was for memory. */
void bench_have(int ok);

/* calloc() that cannot fail. */
void *bench_alloc(size_t n, size_t size);

/* CPU time of this process and wall clock, in seconds. */
double bench_cpu(void);
double bench_clock(void);
/* The most memory it had so far, MiB. */
double bench_mib(void);

/* The snapshot in a file. */
struct sfab_snapshot *bench_snapshot(const char *path);

/* IO sets of the bench, by enum; a set's ports. */
enum bench_set {
	BENCH_SET_LAST,		/* of each leaf the last end port */
	BENCH_SET_LEAVES,	/* all end ports of the first two leaves */
	BENCH_SET_RANDOM,	/* 5 % of all end ports, seeded */
	BENCH_SET_SOME,		/* the last end port of 96 leaves, or of all */
};
#define BENCH_NSETS 4
const char *bench_set_name(enum bench_set set);
int bench_set_parse(const char *name, enum bench_set *set);	/* 0 or -1 */

/* One IO set "io", map all; a server is as fast as its port. */
struct sfab_iosets *bench_iosets(const struct sfab_fabric *f, enum bench_set set);

/* Flags by host: compute hosts with a cable and none of their ports in @io.  *@n: how many. */
uint8_t *bench_compute(const struct sfab_fabric *f, const struct sfab_iosets *io,
		       uint32_t *n);

/* The @p quantile, 0..1, of @x, which gets sorted. */
double bench_quantile(double *x, uint32_t n, double p);

/* Of mean 0 and variance 1. */
double bench_normal(uint64_t *random);

#endif
