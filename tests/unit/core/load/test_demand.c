/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_demand.c - demand of jobs on made fabrics: each load equals the sum over single flows */

#include "tests/unit/fixtures/unit.h"

#include "core/fabric/route.h"
#include "core/load/demand.h"
#include "core/predict/flows.h"
#include "tests/unit/fixtures/fabrics.h"

#include <math.h>

struct sum {
	const struct sfab_model *m;
	double *v;
	double per_node;
	struct sfab_route r;
};

static int add_one_flow(void *ctx, uint32_t src, uint32_t dst, uint32_t io_res,
			double weight)
{
	struct sum *s = ctx;
	double x = weight * s->per_node;

	ck_assert_int_eq(sfab_route_ports(s->m->f, src, dst, &s->r), 0);
	ck_assert_int_eq(s->r.status, SFAB_ROUTE_OK);
	for (uint32_t i = 0; i < s->r.n; i++)
		s->v[s->r.hop[i].link] += x * s->r.hop[i].share;
	if (io_res != SFAB_NONE)
		s->v[io_res] += x;
	return 0;
}

static const struct clos shape[] = {
	{ .leaves = 2, .spines = 2, .hosts = 3 },
	{ .leaves = 4, .spines = 3, .hosts = 4 },
	{ .leaves = 3, .spines = 2, .hosts = 4, .planes = 2 },
	{ .leaves = 3, .spines = 3, .hosts = 4, .lmc = 1 },
	{ .leaves = 3, .spines = 4, .hosts = 4, .grouped = 1 },
};
static const char *const traffic[] = { "mpi=0.5", "neighbor=0.3", "io-write=0.7",
				       "io-read=0.4", "io-write@near=0.5",
				       "io-read@near=0.5", "io-write@group=0.5" };
#define NSHAPES (sizeof(shape) / sizeof(shape[0]))
#define NTRAFFIC (sizeof(traffic) / sizeof(traffic[0]))

static struct sfab_iosets *some_iosets(const struct sfab_fabric *f)
{
	static const char *const hosts[] = { "n1", "n5" };
	static const char *const clients[] = { "n2", "n3", "n4", "n6" };
	static const uint32_t host_group[] = { 0, 1 }, client_group[] = { 0, 1, 1, 0 };
	const struct sfab_ioset_spec spec[] = {
		{ .name = "all", .nhosts = 2, .host = hosts, .capacity = 1e9 },
		{ .name = "near", .map = SFAB_IOMAP_NEAREST, .nhosts = 2, .host = hosts },
		{ .name = "group", .map = SFAB_IOMAP_GROUP, .nhosts = 2, .host = hosts,
		  .host_group = host_group, .nclients = 4, .client = clients,
		  .client_group = client_group },
	};

	return unit_sets(f, spec, 3);
}

static void check_equal(const struct sfab_model *m, const struct sfab_load *l,
			const double *v)
{
	for (uint32_t e = 0; e < m->nres; e++)
		ck_assert_msg(fabs(l->v[e] - v[e]) < 1.0, "resource %u: %g, flows say %g",
			      e, l->v[e], v[e]);
}

LOOP_TEST(load_is_the_sum_of_the_flows, (NSHAPES * NTRAFFIC))
{
	struct sfab_fabric *f = unit_fabric(&shape[_i % NSHAPES]);
	struct sfab_iosets *io = some_iosets(f);
	struct sfab_model *m = unit_model(f, io);
	struct sfab_traffic t;
	uint32_t host[4];
	struct sfab_job job = { .n = 4, .host = host, .traffic = &t };
	struct sfab_load l;
	struct sum s = { .m = m };

	ck_assert_int_eq(sfab_traffic_parse(traffic[_i / (int) NSHAPES], NULL, &t, NULL), 0);
	host[0] = sfab_fabric_host(f, "n6");
	host[1] = sfab_fabric_host(f, "n2");
	host[2] = sfab_fabric_host(f, "n3");
	host[3] = sfab_fabric_host(f, "n4");
	ck_assert_int_eq(sfab_load_init(&l, m->nres), 0);
	ck_assert_int_eq(sfab_demand(m, &job, &l, NULL), 0);
	s.v = calloc(m->nres, sizeof(*s.v));
	s.per_node = t.part[0].share * LINK_CAPACITY;
	ck_assert_int_eq(sfab_flows(m, &job, &t.part[0], add_one_flow, &s, NULL), 0);
	check_equal(m, &l, s.v);
	sfab_load_clear(&l);
	for (uint32_t e = 0; e < m->nres; e++)
		ck_assert_double_eq(l.v[e], 0);
	free(s.v);
	sfab_route_clear(&s.r);
	sfab_load_free(&l);
}

/* With a table of paths and without. */
static const struct clos large_shape[] = {
	{ .leaves = 5, .spines = 2, .hosts = 20 },
	{ .leaves = 5, .spines = 2, .hosts = 20, .grouped = 1 },
};

/* What one part leaves behind in the walk must not show in the next. */
LOOP_TEST(parts_add_up, 2)
{
	static const char *const part[] = {
		"io-read=0.2+mpi=0.3+io-write=0.1+neighbor=0.2",
		"io-read=0.2", "mpi=0.3", "io-write=0.1", "neighbor=0.2",
	};
	struct sfab_fabric *f = unit_fabric(&large_shape[_i]);
	struct sfab_iosets *io = some_iosets(f);
	struct sfab_model *m = unit_model(f, io);
	uint32_t host[80];
	struct sfab_load l[2];

	for (uint32_t i = 0; i < 80; i++)
		host[i] = 10 + i;

	ck_assert(sfab_load_init(&l[0], m->nres) == 0 && sfab_load_init(&l[1], m->nres) == 0);
	for (int i = 0; i < 5; i++) {
		struct sfab_traffic t;
		struct sfab_job job = { .n = 80, .host = host, .traffic = &t };

		ck_assert_int_eq(sfab_traffic_parse(part[i], NULL, &t, NULL), 0);
		ck_assert_int_eq(sfab_demand(m, &job, &l[i > 0], NULL), 0);
	}
	check_equal(m, &l[0], l[1].v);
	sfab_load_free(&l[0]);
	sfab_load_free(&l[1]);
}

TEST(io_without_a_set_is_refused)
{
	struct sfab_fabric *f = unit_small_fabric();
	struct sfab_model *m = unit_model(f, NULL);
	struct sfab_traffic t = unit_traffic("io-read");
	uint32_t host = 0;
	struct sfab_job job = { .n = 1, .host = &host, .traffic = &t };
	struct sfab_load l;

	ck_assert_int_eq(sfab_load_init(&l, m->nres), 0);
	ck_assert_int_eq(sfab_demand(m, &job, &l, &unit_err), -1);
	ck_assert_int_eq(unit_err.code, SFAB_ENOENT);
	ck_assert_str_eq(unit_err.text, "traffic io-read: no IO set is defined "
			 "(import --io HOSTLIST, or IoSet in sfabric.conf)");
	sfab_load_free(&l);
}

UNIT_MAIN("demand")
