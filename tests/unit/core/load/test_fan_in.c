/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_fan_in.c - what leaves send to a port together, against one walk for each; sound and
 * spoilt
 */

#include "tests/unit/fixtures/unit.h"

#include "core/fabric/route.h"
#include "core/load/fan_in.h"
#include "tests/unit/fixtures/fabrics.h"

static const struct clos made[] = {
	{ .leaves = 2, .spines = 2, .hosts = 2 },
	{ .leaves = 4, .spines = 3, .hosts = 5 },
	{ .leaves = 80, .spines = 2, .hosts = 2 },
	{ .leaves = 3, .spines = 2, .hosts = 4, .planes = 2 },
	{ .leaves = 5, .spines = 2, .hosts = 2, .same_spine = 1 },
	{ .leaves = 3, .spines = 4, .hosts = 3, .grouped = 1 },
	{ .leaves = 4, .spines = 3, .hosts = 4, .grouped = 1, .every_static = 2 },
};
#define MADE (sizeof(made) / sizeof(made[0]))

/* Walk from each leaf of the port's plane, with a rate of its own. */
static void walk_each(const struct sfab_fabric *f, uint32_t dst, double *load)
{
	struct sfab_route r = { 0 };

	for (uint32_t l = 0; l < f->nleaves; l++) {
		if (f->switches[f->leaves[l].sw].plane != f->ports[dst].plane)
			continue;
		ck_assert_int_eq(sfab_route_from(f, f->leaves[l].sw, dst, &r), 0);
		for (uint32_t i = 0; r.status == SFAB_ROUTE_OK && i < r.n; i++)
			load[r.hop[i].link] += (l + 1) * r.hop[i].share;
	}
	sfab_route_clear(&r);
}

static void send_all(struct sfab_fan_in *x, const struct sfab_fabric *f, uint32_t dst,
		     struct sfab_load *load)
{
	sfab_fan_in_start(x, load, dst);
	for (uint32_t l = 0; l < f->nleaves; l++) {
		if (f->switches[f->leaves[l].sw].plane != f->ports[dst].plane)
			continue;
		sfab_fan_in_expect(x, f->nleaves - 1);
		sfab_fan_in_send(x, l, l + 1);
	}
	sfab_fan_in_finish(x);
}

static void check_same_loads(const struct sfab_fabric *f)
{
	struct sfab_arena arena = { 0 };
	struct sfab_fan_in x = { .walk = sfab_lid_walk_open(f, &arena) };
	double *walked = calloc(f->nlinks + 1u, sizeof(*walked));
	struct sfab_load load;

	ck_assert(!arena.failed && walked && sfab_load_init(&load, f->nlinks) == 0);
	for (uint32_t dst = 0; dst < f->nports; dst++) {
		memset(walked, 0, f->nlinks * sizeof(*walked));
		sfab_load_clear(&load);
		send_all(&x, f, dst, &load);
		walk_each(f, dst, walked);
		for (uint32_t e = 0; e < f->nlinks; e++)
			ck_assert_double_eq_tol(load.v[e], walked[e], 1e-9);
	}
	sfab_load_free(&load);
	free(walked);
	sfab_arena_free(&arena);
}

LOOP_TEST(together_as_one_by_one, MADE)
{
	struct sfab_fabric *f = unit_fabric(&made[_i]);

	check_same_loads(f);
}

LOOP_TEST(in_spoilt_tables, 280)
{
	struct sfab_fabric *f = unit_fabric(&made[(unsigned) _i % MADE]);

	unit_spoil_tables(f, (unsigned) _i);
	check_same_loads(f);
}

UNIT_MAIN("fan_in")
