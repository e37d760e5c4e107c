/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_linkload.c - bytes/s on links against a sum over single routes */

#include "core/fabric/route.h"
#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/unit.h"
#include "tools/plot/port_sheet.h"
#include "tools/plot/sheet.h"
#include "tools/site/linkload.h"

/* Sum the load of links pair by pair. */
static void naive(const struct sfab_fabric *f, const uint8_t *src,
		  const uint8_t *dst, double *bytes)
{
	struct sfab_route r = { 0 };

	for (uint32_t a = 0; a < f->nports; a++) {
		uint32_t n = 0;

		for (uint32_t b = 0; b < f->nports; b++)
			n += dst[b] && a != b &&
			     f->ports[a].plane == f->ports[b].plane;
		for (uint32_t b = 0; src[a] && b < f->nports; b++) {
			if (!dst[b] || a == b ||
			    f->ports[a].plane != f->ports[b].plane)
				continue;
			ck_assert_int_eq(sfab_route_ports(f, a, b, &r), 0);
			for (uint32_t i = 0; i < r.n; i++)
				bytes[r.hop[i].link] += r.hop[i].share *
							f->ports[a].rate / n;
		}
	}
	sfab_route_clear(&r);
}

static const struct clos fabrics[] = {
	{ .leaves = 2, .spines = 2, .hosts = 2 },
	{ .leaves = 4, .spines = 3, .hosts = 5 },
	{ .leaves = 3, .spines = 2, .hosts = 4, .planes = 2 },
	{ .leaves = 3, .spines = 2, .hosts = 4, .lmc = 1 },
	{ .leaves = 4, .spines = 3, .hosts = 5, .grouped = 1 },
};

LOOP_TEST(routes_are_counted_as_one_by_one, N(fabrics))
{
	struct sfab_fabric *f = unit_fabric(&fabrics[_i]);
	uint8_t *src = malloc(f->nports), *dst = malloc(f->nports);
	double *bytes = calloc(f->nlinks, sizeof(*bytes));
	struct linkload l;

	/* some only send, some only receive, some do both or nothing */
	for (uint32_t p = 0; p < f->nports; p++) {
		src[p] = p % 3 != 0;
		dst[p] = p % 4 != 1;
	}
	naive(f, src, dst, bytes);
	ck_assert_int_eq(linkload_count(f, src, dst, &l, &unit_err), 0);
	ck_assert_uint_eq(l.lost, 0);
	for (uint32_t i = 0; i < f->nlinks; i++)
		ck_assert_double_eq_tol(l.bytes[i], bytes[i], 1e-3);
	linkload_free(&l);
	free(src);
	free(dst);
	free(bytes);
}

/* Every destination goes up to spine 0: the others' ports stay unused. */
static const struct clos one_spine = {
	.leaves = 3, .spines = 2, .hosts = 2, .same_spine = 1,
};

static void count_all(const struct sfab_fabric *f, struct linkload *l)
{
	uint8_t *all = malloc(f->nports);

	memset(all, 1, f->nports);
	ck_assert_int_eq(linkload_count(f, all, all, l, &unit_err), 0);
	free(all);
}

TEST(ports_without_routes_are_unused)
{
	struct sfab_fabric *f = unit_fabric(&one_spine);
	struct linkload l;
	struct sheet sheet;
	struct heat_stats s;

	count_all(f, &l);
	port_sheet_shape(&sheet, f, PORT_SPINES);
	sheet.unit = VALUE_ROUTES;
	sheet.value = malloc(f->nlinks * sizeof(*sheet.value));
	memcpy(sheet.value, l.routes, f->nlinks * sizeof(*sheet.value));
	sheet_stats(&sheet, &s);
	ck_assert_uint_eq(sheet.nrows, 2);
	ck_assert_uint_eq(s.used, 3);
	ck_assert_uint_eq(s.total, 6);
	ck_assert_double_eq(s.max, 8);		/* 4 remote sources x 2 hosts */
	ck_assert_double_eq(s.mean, 4);
	ck_assert_int_eq(sheet_cell(&sheet, 1, 0).state, HEAT_UNUSED);
	sheet_free(&sheet);
	linkload_free(&l);
}

UNIT_MAIN("linkload")
