/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_paths.c - the table of paths against walks along the tables, sound and spoilt */

#include "tests/unit/fixtures/unit.h"

#include "core/fabric/paths.h"
#include "core/fabric/route.h"
#include "tests/unit/fixtures/fabrics.h"

static const struct clos made[] = {
	{ .leaves = 2, .spines = 2, .hosts = 2 },
	{ .leaves = 4, .spines = 3, .hosts = 5 },
	{ .leaves = 3, .spines = 2, .hosts = 4, .planes = 2 },
	{ .leaves = 3, .spines = 2, .hosts = 3, .lmc = 2 },
	{ .leaves = 5, .spines = 2, .hosts = 2, .same_spine = 1 },
};
#define MADE (sizeof(made) / sizeof(made[0]))

/* The row is the walk without its eject link, or LOST. */
static void same_row(const struct sfab_paths *p, const uint16_t *row,
		     const struct sfab_route *r)
{
	uint32_t k = 0;

	if (r->status != SFAB_ROUTE_OK) {
		ck_assert_uint_eq(row[0], SFAB_PATH_LOST);
		return;
	}
	for (; k < r->n - 1; k++)
		ck_assert_uint_eq(row[k], r->hop[k].link);
	for (; k < p->width; k++)
		ck_assert_uint_eq(row[k], SFAB_PATH_END);
}

static void same(const struct sfab_fabric *f)
{
	struct sfab_arena arena = { 0 };
	struct sfab_paths *p;
	struct sfab_route r = { 0 };

	ck_assert_int_eq(sfab_paths_make(f, &arena, &p), 0);
	ck_assert_ptr_nonnull(p);
	for (uint32_t l = 0; l < f->nleaves; l++)
		for (uint32_t i = 0; i < f->nports; i++) {
			uint32_t sw = f->leaves[l].sw;

			if (f->ports[i].plane != f->switches[sw].plane)
				continue;
			ck_assert_int_eq(sfab_route_from(f, sw, i, &r), 0);
			same_row(p, sfab_path(p, l, i), &r);
		}
	sfab_route_clear(&r);
	sfab_arena_free(&arena);
}

LOOP_TEST(every_row_is_a_walk, MADE)
{
	struct sfab_fabric *f = unit_fabric(&made[_i]);

	same(f);
}

LOOP_TEST(spoilt_tables, 250)
{
	struct sfab_fabric *f = unit_fabric(&made[(unsigned) _i % MADE]);

	unit_spoil_tables(f, (unsigned) _i);
	same(f);
}

TEST(port_groups_have_no_paths)
{
	struct clos shape = { .leaves = 3, .spines = 4, .hosts = 3, .grouped = 1 };
	struct sfab_fabric *f = unit_fabric(&shape);
	struct sfab_arena arena = { 0 };
	struct sfab_paths *p;

	ck_assert_int_eq(sfab_paths_make(f, &arena, &p), 0);
	ck_assert_ptr_null(p);
	ck_assert_ptr_null(arena.last);
}

UNIT_MAIN("paths")
