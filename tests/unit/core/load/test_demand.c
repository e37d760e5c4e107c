/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_demand.c - demand of jobs on made fabrics: each load equals the sum over single
 * flows, and small cases equal what was worked out by hand
 */

#include "tests/unit/fixtures/unit.h"

#include "core/fabric/route.h"
#include "core/load/demand.h"
#include "core/predict/flows.h"
#include "core/predict/maxmin.h"
#include "core/predict/predict.h"
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

/* n1 with a second port, n98 with a cable out only, n99 with none: in all sets. */
static struct sfab_fabric *half_cabled(void)
{
	struct sfab_builder *b = unit_builder(&shape[1]);

	sfab_builder_add_port(b, 0, 0x1010, 2, 0x1012, "n1 HCA-1", NULL, 60, 0, &unit_err);
	sfab_builder_add_port(b, 0, 0x5000, 1, 0x5001, "n98 HCA-1", NULL, 61, 0, &unit_err);
	sfab_builder_add_port(b, 0, 0x6000, 1, 0x6001, "n99 HCA-1", NULL, 62, 0, &unit_err);
	sfab_builder_add_link(b, 0, 0x5000, 1, 0x100, 1, 4e9, SFAB_CABLE_DIRECTED, &unit_err);
	return unit_freeze(b);
}

/* All ports of @host, as a file may name them, cabled or not: two sets. */
static struct sfab_iosets *read_iosets(const struct sfab_fabric *f,
				       const char *const *host, uint32_t nhosts)
{
	uint32_t port[8], n = 0;
	double capacity[8];
	static const uint32_t member[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct sfab_ioset set[] = {
		{ .name = "all", .member = member },
		{ .name = "near", .map = SFAB_IOMAP_NEAREST, .member = member },
	};
	const struct sfab_iosets sets = { .nsets = 2, .set = set, .ioport = port,
					  .capacity = capacity };
	struct sfab_iosets all = sets, *io;

	for (uint32_t i = 0; i < nhosts; i++) {
		const struct sfab_host *h =
			&f->hosts[sfab_fabric_host(f, host[i])];

		for (uint32_t k = 0; k < h->nports; k++) {
			port[n] = h->port0 + k;
			capacity[n++] = 1e9;
		}
	}
	all.nioports = set[0].nmembers = set[1].nmembers = n;
	io = sfab_iosets_copy(f, &all, &unit_err);
	ck_assert_msg(io != NULL, "%s", unit_err.text);
	unit_cleanup(io, sfab_iosets_destroy);
	return io;
}

static const char *const of_half_cabled[] = {
	"io-write=0.7", "io-read=0.4", "io-write@near=0.5", "io-read@near=0.5",
};

/* Servers without a cable are none: the load is that without them. */
LOOP_TEST(servers_without_a_cable_get_nothing, N(of_half_cabled))
{
	static const char *const servers[] = { "n5", "n6", "n98", "n99" };
	struct sfab_fabric *f = half_cabled();
	struct sfab_traffic t;
	uint32_t host[] = { sfab_fabric_host(f, "n2"), sfab_fabric_host(f, "n9"),
			    sfab_fabric_host(f, "n99") };
	double *isl[2];

	/* the plain way, and that of clients that are servers too */
	for (uint32_t n = 2; n <= 3; n++) {
		struct sfab_job job = { .n = n, .host = host, .traffic = &t };

		sfab_traffic_parse(of_half_cabled[_i], NULL, &t, NULL);
		for (int k = 0; k < 2; k++) {
			struct sfab_iosets *io =
				read_iosets(f, servers, k ? 4 : 2);
			struct sfab_model *m = unit_model(f, io);
			struct sfab_load l;

			ck_assert_int_eq(sfab_load_init(&l, m->nres), 0);
			ck_assert_int_eq(sfab_demand(m, &job, &l, NULL), 0);
			isl[k] = calloc(f->nlinks, sizeof(double));
			memcpy(isl[k], l.v, f->nlinks * sizeof(double));
			sfab_load_free(&l);
		}
		for (uint32_t e = 0; e < f->nlinks; e++)
			ck_assert_double_eq_tol(isl[1][e], isl[0][e], 1);
		free(isl[0]);
		free(isl[1]);
	}
}

TEST(sets_leave_out_what_is_not_cabled)
{
	static const char *const hosts[] = { "n1", "n98", "n99", "n5" };
	static const char *const none[] = { "n98", "n99" };
	struct sfab_fabric *f = half_cabled();
	struct sfab_ioset_spec job = { .name = "fs", .nhosts = 4, .host = hosts,
					.capacity = 2e9 };
	struct sfab_err err = { 0 };
	struct sfab_iosets *io = unit_sets(f, &job, 1);

	ck_assert_uint_eq(io->set[0].nmembers, 2);
	ck_assert_uint_eq(io->nuncabled, 3);
	ck_assert_uint_eq(sfab_iosets_uncabled(io, f), 3);
	for (uint32_t i = 0; i < 2; i++) {
		ck_assert(sfab_port_is_cabled(&f->ports[io->ioport[i]]));
		ck_assert_double_eq(io->capacity[i], 2e9);
	}
	job.host = none;
	job.nhosts = 2;
	ck_assert_ptr_null(sfab_iosets_create(f, &job, 1, &err));
	ck_assert_str_eq(err.text, "IO set fs: none of its hosts is cabled");
	job = (struct sfab_ioset_spec) { .name = "fs", .nhosts = 1,
					  .host = hosts, .capacity = 1e-30 };
	ck_assert_ptr_null(sfab_iosets_create(f, &job, 1, &err));
	ck_assert_str_eq(err.text,
			 "IO set fs: port of n1 with 1e-39 GB/s (expected 0.001 to 1e+06 GB/s)");
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

TEST(bad_io_sets_are_refused)
{
	static const char *const twice[] = { "n1", "n1" }, *const no[] = { "nope" };
	const struct sfab_ioset_spec bad[] = {
		{ .name = "a", .nhosts = 2, .host = twice },
		{ .name = "a", .nhosts = 1, .host = no },
		{ .name = "a", .nhosts = 0, .host = no },
	};
	static const char *const says[] = { "IO set a: host n1 twice",
					    "IO set a: no host nope in the fabric",
					    "IO set a is empty (expected at least one host)" };
	struct sfab_fabric *f = unit_small_fabric();
	struct sfab_err err;

	for (int i = 0; i < 3; i++) {
		ck_assert_ptr_null(sfab_iosets_create(f, &bad[i], 1, &err));
		ck_assert_str_eq(err.text, says[i]);
	}
}

/*
 * By hand: one resource of 10, flows A and B on it, B also on one of 2, C on one of 100: B 2, A
 * 8, C 100; no more than 5 each if they ask for no more.
 */
TEST(maxmin_by_hand)
{
	static double inv_cap[] = { 1 / 10.0, 1 / 2.0, 1 / 100.0 }, amount[] = { 1, 1, 1 };
	static uint32_t first[] = { 0, 1, 3, 4 }, res[] = { 0, 0, 1, 2 };
	static const struct sfab_model m = { .nres = 3, .inv_cap = inv_cap };
	static const struct sfab_bundles b = { .n = 3, .first = first, .res = res,
					       .amount = amount };
	double rate[3], level[3];

	ck_assert_int_eq(sfab_maxmin(&m, 0, &b, INFINITY, rate, level, NULL), 0);
	ck_assert_double_eq_tol(rate[0], 8, 1e-12);
	ck_assert_double_eq_tol(rate[1], 2, 1e-12);
	ck_assert_double_eq_tol(rate[2], 100, 1e-12);
	ck_assert_double_eq_tol(level[0], 8, 1e-12);
	ck_assert_double_eq_tol(level[1], 2, 1e-12);
	ck_assert_int_eq(sfab_maxmin(&m, 0, &b, 5, rate, level, NULL), 0);
	ck_assert_double_eq_tol(rate[0], 5, 1e-12);
	ck_assert_double_eq_tol(rate[1], 2, 1e-12);
	ck_assert_double_eq_tol(rate[2], 5, 1e-12);
	ck_assert(isinf(level[0]) && isinf(level[2]));
}

/*
 * By hand: three writers on leaf 1 of a fabric whose tables use one spine, two IO hosts of 4
 * GB/s each on leaf 2.  The uplink of 4 GB/s is the limit: 4 of 8 GB/s, both by max-min and in
 * lockstep.
 */
TEST(prediction_by_hand)
{
	struct clos shape1 = { .leaves = 2, .spines = 2, .hosts = 3, .same_spine = 1 };
	struct sfab_fabric *f = unit_fabric(&shape1);
	static const char *const hosts[] = { "n4", "n5" };
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = 2, .host = hosts };
	struct sfab_iosets *io = unit_sets(f, &is, 1);
	struct sfab_model *m = unit_model(f, io);
	struct sfab_traffic t = unit_traffic("io-write+io-read");
	static const uint32_t host[] = { 0, 1, 2 };
	struct sfab_job job = { .n = 3, .host = host, .traffic = &t };
	struct sfab_prediction p;

	ck_assert_int_eq(sfab_predict(m, &job, 0, &p, NULL, NULL), 0);
	ck_assert_uint_eq(p.nflows, 6);
	ck_assert_double_eq_tol(p.maxmin, 4e9, 1);
	ck_assert_double_eq_tol(p.lockstep, 4e9, 1);
	ck_assert_double_eq_tol(p.ideal, 8e9, 1);
	ck_assert_double_eq_tol(p.ideal_share, 0.5, 1e-9);
	ck_assert_double_eq_tol(p.slowdown, 2, 1e-9);
	ck_assert_int_eq(f->links[p.worst_res].kind, SFAB_LINK_ISL);
}

/*
 * All of 3,000 hosts exchange: nine million flows, in 60 x 3,000 bundles.  Without
 * switches between leaves each port sends 4 GB/s.  Of the 50 x 2,950 flows that leave a
 * leaf, half go up each of two links.
 */
TEST(three_thousand_hosts_exchange)
{
	struct clos shape1 = { .leaves = 60, .spines = 2, .hosts = 50 };
	struct sfab_fabric *f = unit_fabric(&shape1);
	struct sfab_model *m = unit_model(f, NULL);
	uint32_t *host = calloc(f->nhosts, sizeof(*host));
	struct sfab_traffic t = unit_traffic("mpi");
	struct sfab_job job = { .n = f->nhosts, .host = host, .traffic = &t };
	struct sfab_prediction p;

	for (uint32_t i = 0; i < f->nhosts; i++)
		host[i] = i;
	ck_assert_msg(sfab_predict(m, &job, 0, &p, NULL, &unit_err) == 0, "%s", unit_err.text);
	ck_assert_uint_eq(p.nflows, 3000 * 2999);
	ck_assert_double_eq_tol(p.ideal, 3000 * LINK_CAPACITY, 1);
	ck_assert_double_eq_tol(p.lockstep, 3000 * 2999 * LINK_CAPACITY / (50 * 2950 / 2), 1);
	free(host);
}

UNIT_MAIN("demand")
