/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * packings.c - what jobs lose under each packing, by playing streams (play_stream.h)
 *
 *     packings SNAPSHOT TRAFFIC IO SEEDS JOBS LARGEST
 *
 * IO is the number of servers, each the last port of a leaf, or 0: one on each leaf; with a
 * number they have 55 GB/s together, as on Wolf.  Prints a line for each player and
 * utilization: the loss of a node with its standard error over seeds 1 .. SEEDS, and the ratio
 * to tree placement's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/search/play_stream.h"
#include "tests/bench/bench.h"

#define SEEDS_MAX 64
#define WOLF_IO 55e9

static const struct player {
	const char *name;
	enum sfab_policy policy;
	struct sfab_packing packing;
} players[] = {
	{ "tree", SFAB_POLICY_TREE, { SFAB_UNIT_LEAF, 0, 0, 0 } },
	{ "spread", SFAB_POLICY_SPREAD, { SFAB_UNIT_LEAF, 0, 0, 0 } },
	{ "nothing kept", SFAB_POLICY_SFABRIC, { SFAB_UNIT_LEAF, 0, 0, 0 } },
	{ "leaves .5", SFAB_POLICY_SFABRIC, { SFAB_UNIT_LEAF, 0.5, 0, 0 } },
	{ "leaves 1", SFAB_POLICY_SFABRIC, { SFAB_UNIT_LEAF, 1, 0, 0 } },
	{ "leaves 2", SFAB_POLICY_SFABRIC, { SFAB_UNIT_LEAF, 2, 0, 0 } },
	{ "links 1", SFAB_POLICY_SFABRIC, { SFAB_UNIT_LEAF, 1, 1, 0 } },
	{ "columns .5", SFAB_POLICY_SFABRIC, { SFAB_UNIT_COLUMN, 0.5, 0, 0 } },
	{ "columns 1", SFAB_POLICY_SFABRIC, { SFAB_UNIT_COLUMN, 1, 0, 0 } },
	{ "columns 2", SFAB_POLICY_SFABRIC, { SFAB_UNIT_COLUMN, 2, 0, 0 } },
	{ "columns 4", SFAB_POLICY_SFABRIC, { SFAB_UNIT_COLUMN, 4, 0, 0 } },
};

static struct sfab_iosets *servers_on_leaves(const struct sfab_fabric *f, uint32_t n)
{
	const char **name = bench_alloc(n, sizeof(*name));
	struct sfab_ioset_spec spec = { .name = "io", .map = SFAB_IOMAP_ALL, .host = name,
					.capacity = WOLF_IO / n };
	struct sfab_iosets *io;
	struct sfab_err err;

	for (uint32_t l = 0; l < f->nleaves && spec.nhosts < n; l++) {
		const struct sfab_leaf *leaf = &f->leaves[l];

		if (leaf->nports)
			name[spec.nhosts++] =
				f->hosts[f->ports[leaf->port[leaf->nports - 1]].host].name;
	}
	io = sfab_iosets_create(f, &spec, 1, &err);
	bench_must(io != NULL, &err);
	return io;
}

static void print_cell(const struct player *p, double utilization, uint32_t n,
		       const double *played, double *tree, double cpu)
{
	double sum = 0, squares = 0, mean;

	for (uint32_t i = 0; i < n; i++) {
		sum += played[i];
		squares += played[i] * played[i];
	}
	mean = sum / n;
	if (p->policy == SFAB_POLICY_TREE)
		*tree = mean;
	printf("%-14s %.2f  %.4f +- %.4f  of tree %.2f  %.1f s\n", p->name,
	       utilization, mean,
	       n > 1 ? sqrt(fmax(squares / n - mean * mean, 0) / (n - 1)) : 0,
	       *tree > 0 ? mean / *tree : 1, cpu);
}

static void play_cells(const struct sfab_model *m, struct sfab_scorer *sc,
		       struct sfab_stream *s, uint32_t seeds)
{
	static const double utilization[] = { 0.8, 0.9, 0.95 };
	double played[SEEDS_MAX], tree = 0;
	struct sfab_err err;

	for (unsigned u = 0; u < sizeof(utilization) / sizeof(*utilization); u++)
		for (unsigned k = 0; k < sizeof(players) / sizeof(*players); k++) {
			double cpu = bench_cpu();

			s->policy = players[k].policy;
			s->packing = players[k].packing;
			s->utilization = utilization[u];
			for (uint32_t i = 0; i < seeds; i++) {
				s->seed = i + 1;
				bench_must(sfab_play_stream(sc, s, &played[i], &err) == 0, &err);
			}
			print_cell(&players[k], utilization[u], seeds, played, &tree,
				   bench_cpu() - cpu);
			fflush(stdout);
		}
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL,
		"usage: packings SNAPSHOT TRAFFIC IO SEEDS JOBS LARGEST" };
	struct sfab_stream s = { 0 };
	struct sfab_traffic traffic;
	struct sfab_err err;
	const struct sfab_fabric *f;
	struct sfab_scorer *sc;
	struct sfab_model *m;

	bench_must(argc == 7 && atoi(argv[4]) > 0 && atoi(argv[4]) <= SEEDS_MAX &&
		   atoi(argv[5]) > 0 && atoi(argv[6]) > 0, &usage);
	f = bench_snapshot(argv[1])->fabric;
	bench_must(sfab_traffic_parse(argv[2], NULL, &traffic, &err) == 0, &err);
	m = sfab_model_create(f, atoi(argv[3]) > 0 ?
			      servers_on_leaves(f, (uint32_t) atoi(argv[3])) :
			      bench_iosets(f, BENCH_SET_LAST));
	bench_have(m != NULL);
	sc = sfab_scorer_create(m);
	bench_have(sc != NULL);
	s.traffic = &traffic;
	s.jobs = (uint32_t) atoi(argv[5]);
	s.largest = (uint32_t) atoi(argv[6]);
	play_cells(m, sc, &s, (uint32_t) atoi(argv[4]));
	return 0;
}
