/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_ioset.c - IO sets: hosts that are refused, and ports without a cable */

#include "tests/unit/fixtures/unit.h"

#include "core/load/demand.h"
#include "tests/unit/fixtures/fabrics.h"

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

static const struct clos shape = { .leaves = 4, .spines = 3, .hosts = 4 };

/* n1 with a second port, n98 with a cable out only, n99 with none: in all sets. */
static struct sfab_fabric *half_cabled(void)
{
	struct sfab_builder *b = unit_builder(&shape);

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

UNIT_MAIN("ioset")
