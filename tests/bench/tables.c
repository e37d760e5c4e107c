/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.c - how long it takes to read tables and to count all pairs
 *
 *     tables REPEATS FILE...
 *
 * FILE is a snapshot, or the files of one subnet as other programs write them.  Prints one
 * line, medians of REPEATS:
 *
 *     HOSTS SWITCHES PAIRS READ COUNT CREATE MIB_READ MIB_MODEL
 *
 * READ: milliseconds of CPU time until the fabric can be used, everything verified, as
 * slurmctld's loader does; COUNT: all-pairs counts (dlids and routes of each link); CREATE:
 * what a placement service makes of it once, both by the clock.  MIB: the most memory that the
 * process had until the fabric was read, and with all the rest.  Files should be in the page
 * cache.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/route.h"
#include "io/readers/reader.h"
#include "tests/bench/bench.h"

static struct sfab_snapshot *import(const char *const *file, uint32_t n)
{
	struct sfab_err err = { SFAB_ENOMEM, "no memory" };
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_STRICT);
	struct sfab_snapshot *s;
	struct sfab_fabric *f;

	bench_must(b && sfab_builder_add_plane(b, "", &err) == 0, &err);
	bench_must(sfab_reader_import(b, 0, file, n, NULL, NULL, &err) == 0, &err);
	f = sfab_builder_freeze(b, &err);
	bench_must(f != NULL, &err);
	sfab_builder_destroy(b);
	s = sfab_snapshot_take(f, NULL, &err);
	bench_must(s != NULL, &err);
	return s;
}

static struct sfab_snapshot *read_files(const char *const *file, uint32_t n)
{
	size_t len = strlen(file[0]);

	if (n == 1 && len > 5 && strcmp(file[0] + len - 5, ".snap") == 0)
		return bench_snapshot(file[0]);
	return import(file, n);
}

static uint64_t count(const struct sfab_fabric *f)
{
	uint32_t *dlids = bench_alloc(f->nlinks, sizeof(*dlids));
	double *routes = bench_alloc(f->nlinks, sizeof(*routes));
	uint64_t pairs;

	bench_have(sfab_route_counts(f, NULL, NULL, dlids, routes, &pairs) == 0);
	free(dlids);
	free(routes);
	return pairs;
}

static void create(const struct sfab_fabric *f)
{
	struct sfab_model *m = sfab_model_create(f, NULL);

	bench_have(m != NULL);
	sfab_model_destroy(m);
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL,
		"usage: tables REPEATS FILE..." };
	const char *const *file = (const char *const *) argv + 2;
	uint32_t repeats;
	uint64_t pairs = 0;
	double *read, *counted, *created, small = 0;

	bench_must(argc >= 3, &usage);
	repeats = (uint32_t) atoi(argv[1]);
	read = bench_alloc(repeats, sizeof(*read));
	counted = bench_alloc(repeats, sizeof(*counted));
	created = bench_alloc(repeats, sizeof(*created));
	for (uint32_t i = 0; i < repeats; i++) {
		double at[3], start = bench_cpu();
		struct sfab_snapshot *s = read_files(file, (uint32_t) argc - 2);

		read[i] = 1e3 * (bench_cpu() - start);
		at[0] = bench_clock();
		small = i ? small : bench_mib();
		pairs = count(s->fabric);
		at[1] = bench_clock();
		create(s->fabric);
		at[2] = bench_clock();
		counted[i] = 1e3 * (at[1] - at[0]);
		created[i] = 1e3 * (at[2] - at[1]);
		if (i == repeats - 1)
			printf("%u %u %llu", s->fabric->nhosts, s->fabric->nswitches,
			       (unsigned long long) pairs);
		sfab_snapshot_destroy(s);
	}
	printf(" %.1f", bench_quantile(read, repeats, 0.5));
	printf(" %.1f", bench_quantile(counted, repeats, 0.5));
	printf(" %.1f", bench_quantile(created, repeats, 0.5));
	printf(" %.0f %.0f\n", small, bench_mib());
	free(read);
	free(counted);
	free(created);
	return 0;
}
