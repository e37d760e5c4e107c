/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_linkload.c - bytes/s on links against a sum over single routes */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/route.h"
#include "../../tools/linkload.h"
#include "../../tools/portmap.h"
#include "made.h"
#include "unit.h"

/* The same, pair by pair. */
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

static const struct made fabrics[] = {
	{ .leaves = 2, .spines = 2, .hosts = 2 },
	{ .leaves = 4, .spines = 3, .hosts = 5 },
	{ .leaves = 3, .spines = 2, .hosts = 4, .planes = 2 },
	{ .leaves = 3, .spines = 2, .hosts = 4, .lmc = 1 },
	{ .leaves = 4, .spines = 3, .hosts = 5, .grouped = 1 },
};

START_TEST(test_naive)
{
	struct sfab_fabric *f = made_fabric(&fabrics[_i]);
	uint8_t *src = malloc(f->nports), *dst = malloc(f->nports);
	double *bytes = calloc(f->nlinks, sizeof(*bytes));
	struct sfab_err err = { 0 };
	struct linkload l;

	/* some only send, some only receive, some do both or nothing */
	for (uint32_t p = 0; p < f->nports; p++) {
		src[p] = p % 3 != 0;
		dst[p] = p % 4 != 1;
	}
	naive(f, src, dst, bytes);
	ck_assert_int_eq(linkload_count(f, src, dst, &l, &err), 0);
	ck_assert_uint_eq(l.lost, 0);
	for (uint32_t i = 0; i < f->nlinks; i++)
		ck_assert_double_eq_tol(l.bytes[i], bytes[i], 1e-3);
	linkload_free(&l);
	free(src);
	free(dst);
	free(bytes);
	sfab_fabric_destroy(f);
}
END_TEST

/* Every destination goes up to spine 0: the others' ports stay unused. */
START_TEST(test_portmap)
{
	const struct made made = {
		.leaves = 3, .spines = 2, .hosts = 2, .same_spine = 1,
	};
	const struct portmap_wish wish = { .from = "a", .to = "b" };
	struct sfab_fabric *f = made_fabric(&made);
	uint8_t *all = malloc(f->nports);
	struct sfab_err err = { 0 };
	struct linkload l;
	struct heatmap m;
	struct heat_stats s;

	memset(all, 1, f->nports);
	ck_assert_int_eq(linkload_count(f, all, all, &l, &err), 0);
	portmap_make(f, &l, &wish, &m);
	heatmap_stats(&m, &s);
	ck_assert_str_eq(m.title, "a > b: routes out of each spine port");
	ck_assert_uint_eq(m.nrows, 2);
	ck_assert_uint_eq(s.used, 3);
	ck_assert_uint_eq(s.total, 6);
	ck_assert_double_eq(s.max, 8);		/* 4 remote sources x 2 hosts */
	ck_assert_double_eq(s.mean, 4);
	ck_assert_int_eq(heatmap_cell(&m, 1, 0)->state, HEAT_UNUSED);
	heatmap_free(&m);
	linkload_free(&l);
	free(all);
	sfab_fabric_destroy(f);
}
END_TEST

static void tests(TCase *tc)
{
	tcase_add_loop_test(tc, test_naive, 0,
			    sizeof(fabrics) / sizeof(fabrics[0]));
	tcase_add_test(tc, test_portmap);
}

UNIT_MAIN("linkload", tests)
