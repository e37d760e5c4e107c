/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_lids.c - LIDs of 16 and 24 bits: bounds, gaps, owners, entries */

#include "core/fabric/fabric_merge.h"
#include "core/fabric/lid_pages.h"
#include "core/fabric/route.h"
#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/unit.h"

static const struct clos wide = { .leaves = 3, .spines = 2, .hosts = 2, .lmc = 1,
				  .wide = 1 };

/* -- pages ------------------------------------------------------------------ */

static const uint32_t far_apart[] = { 1, 1023, SFAB_LID_PAGE - 1, 0xBFFF, 0xC000, 0x1FFFF,
				      0x20000, 0x7FFC01, SFAB_LID_MAX };
#define FAR (sizeof(far_apart) / sizeof(*far_apart))

static uint32_t count_entries(const struct sfab_lid_pages *t, uint32_t *pages)
{
	const uint8_t *port;
	uint32_t lid = 0, n = 0;

	for (*pages = 0; (port = sfab_lid_pages_next(t, &lid)); lid += SFAB_LID_PAGE) {
		ck_assert_uint_eq(lid % SFAB_LID_PAGE, 0);
		++*pages;
		for (uint32_t i = 0; i < SFAB_LID_PAGE; i++)
			n += port[i] != SFAB_PORT_NONE;
	}
	return n;
}

TEST(pages_exist_where_entries_are)
{
	struct sfab_lid_pages t = { 0 };
	uint8_t ports[3 * SFAB_LID_PAGE];
	uint32_t pages;

	ck_assert_uint_eq(sfab_lid_pages_port(&t, 7), SFAB_PORT_NONE);
	for (size_t i = 0; i < FAR; i++) {
		uint8_t port = (uint8_t) (i + 1);

		ck_assert_int_eq(sfab_lid_pages_put(&t, far_apart[i], &port, 1), 0);
	}
	for (size_t i = 0; i < FAR; i++)
		ck_assert_uint_eq(sfab_lid_pages_port(&t, far_apart[i]), i + 1);
	ck_assert_uint_eq(sfab_lid_pages_port(&t, 2), SFAB_PORT_NONE);
	ck_assert_uint_eq(sfab_lid_pages_port(&t, UINT32_MAX), SFAB_PORT_NONE);
	ck_assert_uint_eq(count_entries(&t, &pages), FAR);
	ck_assert_uint_eq(pages, 7);	/* the first three share one */
	/* A run without routes clears what was there and creates nothing. */
	memset(ports, SFAB_PORT_NONE, sizeof(ports));
	ck_assert_int_eq(sfab_lid_pages_put(&t, 0x1FFFF - SFAB_LID_PAGE, ports,
					    sizeof(ports)), 0);
	ck_assert_uint_eq(count_entries(&t, &pages), FAR - 2);
	ck_assert_uint_eq(pages, 7);
	sfab_lid_pages_free(&t);
}

TEST(groups_are_by_lid)
{
	struct sfab_lid_pages t = { 0 };

	ck_assert_uint_eq(sfab_lid_pages_group(&t, 9), 0);
	ck_assert_int_eq(sfab_lid_pages_put_group(&t, SFAB_LID_MAX, 3, 65535), 0);
	ck_assert_uint_eq(sfab_lid_pages_port(&t, SFAB_LID_MAX), 3);
	ck_assert_uint_eq(sfab_lid_pages_group(&t, SFAB_LID_MAX), 65535);
	ck_assert_uint_eq(sfab_lid_pages_group(&t, SFAB_LID_MAX - 1), 0);
	sfab_lid_pages_free(&t);
}

/* -- bounds ----------------------------------------------------------------- */

static const struct {
	int wide;
	unsigned lid, lmc;
	const char *error;	/* NULL: taken */
} bounds[] = {
	{ 0, 0xBFFF, 0, NULL },
	{ 0, 0xBFFE, 1, NULL },
	{ 0, 0xBFFF, 1, "LID 0xbfff (expected at most 0xbfff)" },
	{ 0, 0xC000, 0, "LID 0xc000 (expected at most 0xbfff)" },
	{ 0, 0x10001, 0, "LID 0x10001 (expected at most 0xbfff)" },
	{ 1, 0xC000, 0, NULL },
	{ 1, 0xEFFFFF, 0, NULL },
	{ 1, 0xEFFF80, 7, NULL },
	{ 1, 0xEFFFFF, 1, "LID 0xefffff (expected at most 0xefffff)" },
	{ 1, 0xF00000, 0, "LID 0xf00000 (expected at most 0xefffff)" },
	{ 1, 0xFFFFFFFF, 0, "LID 0xffffffff (expected at most 0xefffff)" },
};
#define BOUNDS (int) (sizeof(bounds) / sizeof(*bounds))

LOOP_TEST(lids_end_where_the_fabric_says, BOUNDS)
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "");
	const uint8_t port = 1;
	int rc = bounds[_i].error ? -1 : 0;

	if (bounds[_i].wide)
		sfab_builder_allow_wide_lids(b, 0);
	ck_assert_int_eq(sfab_builder_add_port(b, 0, 1, 1, 2, "n1", NULL, bounds[_i].lid,
					       bounds[_i].lmc, &unit_err), rc);
	ck_assert_str_eq(unit_err.text, rc ? bounds[_i].error : "");
	if (!bounds[_i].lmc) {
		ck_assert_int_eq(sfab_builder_add_switch(b, 0, 9, "s", 1,
							 bounds[_i].lid, NULL), rc);
		ck_assert_int_eq(sfab_builder_add_lft(b, 0, 9, bounds[_i].lid, &port, 1,
						      NULL), rc);
		ck_assert_int_eq(sfab_builder_add_group(b, 0, 9, bounds[_i].lid, &port,
							(double []) { 1 }, 1, NULL), rc);
	}
}

/* -- entries ---------------------------------------------------------------- */

TEST(entries_are_those_of_lids_that_exist)
{
	struct sfab_fabric *f = unit_fabric(&wide);
	const struct sfab_plane *p = f->planes;

	ck_assert_uint_eq(p->nlids, 2 * 6 + 5);
	ck_assert_uint_eq(p->lid_end, SFAB_LID_MAX + 1);
	for (uint32_t e = 0; e < p->nlids; e++) {
		ck_assert(e == 0 || p->lid[e] > p->lid[e - 1]);
		ck_assert_uint_eq(sfab_plane_entry(p, p->lid[e]), e);
		ck_assert((p->lid_port[e] == SFAB_NONE) !=
			  (p->lid_switch[e] == SFAB_NONE));
	}
	ck_assert_uint_eq(sfab_plane_entry(p, 0), SFAB_NONE);
	ck_assert_uint_eq(sfab_plane_entry(p, 0x3FFF), SFAB_NONE);
	ck_assert_uint_eq(sfab_plane_entry(p, UINT32_MAX), SFAB_NONE);
	ck_assert_uint_eq(sfab_plane_run(p, 0), 4);	/* 0x4002 .. 0x4005 */
	ck_assert_uint_eq(sfab_plane_run(p, 3), 1);
	ck_assert_uint_eq(sfab_plane_run(p, p->nlids), 0);
	for (uint32_t i = 0; i < f->nports; i++)
		ck_assert_uint_eq(p->lid[f->ports[i].entry], f->ports[i].lid);
}

static void check_routes(const struct sfab_fabric *a, const struct sfab_fabric *b)
{
	struct sfab_route r = { 0 }, s = { 0 };

	for (uint32_t x = 0; x < a->nports; x++)
		for (uint32_t y = 0; y < a->nports; y++) {
			if (x == y)
				continue;
			ck_assert_int_eq(sfab_route_ports(a, x, y, &r), 0);
			ck_assert_int_eq(sfab_route_ports(b, x, y, &s), 0);
			ck_assert_int_eq(r.status, SFAB_ROUTE_OK);
			ck_assert_int_eq(s.status, SFAB_ROUTE_OK);
			ck_assert_uint_eq(r.n, s.n);
			for (uint32_t i = 0; i < r.n; i++)
				ck_assert_uint_eq(r.hop[i].link, s.hop[i].link);
		}
	sfab_route_clear(&r);
	sfab_route_clear(&s);
}

/* fabrics.c chooses the spine by the LID's parity: the same for both. */
TEST(wide_lids_route_as_narrow_ones)
{
	struct clos narrow = wide;
	struct sfab_fabric *a, *b = unit_fabric(&wide);

	narrow.wide = 0;
	a = unit_fabric(&narrow);
	check_routes(a, b);
}

TEST(merging_keeps_wide_lids)
{
	const struct clos storage = { .leaves = 1, .spines = 1, .hosts = 1 };
	struct sfab_fabric *f[] = { unit_fabric(&wide), unit_fabric(&storage) };
	const char *names[] = { "a", "b" };
	struct sfab_fabric *all;

	/* fabrics.c gives the same GUIDs again. */
	((struct sfab_port *) f[1]->ports)[0].guid = 0x777;
	all = sfab_fabric_merge((const struct sfab_fabric *const *) f, names, 2, &unit_err);
	ck_assert_msg(all != NULL, "%s", unit_err.text);
	ck_assert_uint_eq(all->planes[0].nlids, f[0]->planes[0].nlids);
	ck_assert_mem_eq(all->planes[0].lid, f[0]->planes[0].lid,
			 4 * all->planes[0].nlids);
	ck_assert_uint_eq(all->planes[1].lid_end, f[1]->planes[0].lid_end);
	for (uint32_t i = 0; i < f[0]->nswitches; i++)
		ck_assert_mem_eq(all->switches[i].lft, f[0]->switches[i].lft,
				 all->planes[0].nlids);
	sfab_fabric_destroy(all);
}

static const struct {
	unsigned lid[2], lmc;
	const char *error;
} owners[] = {
	{ { 4, 4 }, 0, "b: LID 0x4 belongs to another port" },
	{ { 4, 5 }, 0, NULL },
	{ { 4, 5 }, 1, "b: LID 0x5 belongs to another port" },
	{ { 6, 5 }, 1, "a: LID 0x6 belongs to another port" },
	{ { 1, 5 }, 0, "a: LID 0x1 belongs to another port" },	/* the switch's */
	{ { 0, 0 }, 2, NULL },
};
#define OWNERS (int) (sizeof(owners) / sizeof(*owners))

LOOP_TEST(a_lid_has_one_owner, OWNERS)
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_PARTIAL, "");
	const char *names[] = { "a", "b" };
	struct sfab_err err = { 0 };
	struct sfab_fabric *f;

	sfab_builder_add_switch(b, 0, 0x100, "sw", 2, 1, NULL);
	for (unsigned h = 0; h < 2; h++)
		ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x1000 + h, 1, 0x2000 + h,
						       names[h], NULL, owners[_i].lid[h],
						       owners[_i].lmc, NULL), 0);
	f = unit_try_freeze(b, &err);
	ck_assert_int_eq(!f, owners[_i].error != NULL);
	ck_assert_str_eq(err.text, f ? "" : owners[_i].error);
}

UNIT_MAIN("lids")
